// The lobby: a game is asked for with a chain of this browser's own, and the page goes to the table.
// @ts-check
import { keep, newChain } from "./seat.js";
import { post } from "./server.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("new-game"));
const sending = /** @type {HTMLElement} */ (document.getElementById("sending"));
const name = /** @type {HTMLInputElement} */ (document.getElementById("name"));
name.value = localStorage.getItem("duelbook name") ?? "";

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  localStorage.setItem("duelbook name", name.value);
  sending.textContent = "Making the game ...";
  try {
    const mine = newChain(Number(form.dataset.links));
    const asked = new FormData(form);
    asked.set("anchor", mine.anchor);
    const { game } = await post("/new", asked);
    keep(game, { secret: mine.secret });
    location.href = `/game/${game}`;
  } catch (error) {
    sending.textContent = error instanceof Error ? error.message : String(error);
  }
});
document.documentElement.classList.add("scripts");
