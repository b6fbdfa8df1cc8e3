// The lobby: a game is made, its chain is promised, and the page goes to the table.
// @ts-check
import { hex } from "./honest.js";
import { myChain } from "./seat.js";
import { ask } from "./server.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("new-game"));
const sending = /** @type {HTMLElement} */ (document.getElementById("sending"));
const name = /** @type {HTMLInputElement} */ (document.getElementById("name"));
name.value = localStorage.getItem("duelbook name") ?? "";

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const asked = Object.fromEntries(new FormData(form));
  localStorage.setItem("duelbook name", name.value);
  sending.textContent = "Making the game ...";
  const friend = asked.opponent === "friend" || asked.opponent === "open";
  try {
    const made = await ask("/api/games", {
      duel: asked.duel,
      opponent: friend ? "human" : asked.opponent,
      open: asked.opponent === "open",
      first: asked.first,
      pace: Number(asked.pace),
    });
    const anchor = hex(myChain(made.game, 401)[0]);
    await ask(`/api/games/${made.game}/join`, { invitation: made.invitations.mine, name: asked.name, anchor });
    if (asked.opponent === "friend") sessionStorage.setItem(`duelbook link ${made.game}`, made.invitations.friend);
    location.href = `/game/${made.game}`;
  } catch (error) {
    sending.textContent = String(error instanceof Error ? error.message : error);
  }
});
