// A table: drawn from what the server tells, and acted on with what this browser keeps. It knows no rule of any duel.
// @ts-check
import { hex } from "./honest.js";
import { kept, myChain, promise } from "./seat.js";
import { ask, follow, Refused, send } from "./server.js";

const root = /** @type {HTMLElement} */ (document.getElementById("table"));
const game = String(root.dataset.game);
/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const [standing, scene, actions, note, story, aside] = ["standing", "scene", "actions", "note", "story", "aside"].map(part);

/** @type {any} */
let table = null;
let sending = "";
/** What this page has done is told by the event of this number; until it has come, what is shown is old. */
let done = 0;
let underway = false;
let connected = true;
let told = 0;

/** @param {string} tag @param {Record<string, string>} [attributes] @param {...(string | Node)} inside */
function element(tag, attributes = {}, ...inside) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...inside);
  return made;
}

/** @param {string} words @param {() => void} pressed @param {Record<string, string>} [attributes] */
function button(words, pressed, attributes = {}) {
  const made = /** @type {HTMLButtonElement} */ (element("button", { type: "button", ...attributes }, words));
  made.addEventListener("click", pressed);
  made.disabled = Boolean(sending);
  return made;
}

// Sitting down

async function sitDown() {
  const invitation = new URLSearchParams(location.hash.slice(1)).get("i") ?? "";
  const open = location.hash === "#sit";
  const before = new URLSearchParams(location.hash.slice(1)).get("after") ?? "";
  if (!invitation && !open && !before) return;
  history.replaceState(null, "", location.pathname);
  const anchor = hex(myChain(game, 401)[0]);
  const name = localStorage.getItem("duelbook name") ?? "";
  const asked = before ? { after: before } : { invitation };
  await ask(`/api/games/${game}/join`, { ...asked, name, anchor });
}

// Acting

/** @param {object} act @param {string} words */
async function act(act, words) {
  [sending, underway] = [words, true];
  draw();
  try {
    done = Math.max(done, await send(game, act));
    note.textContent = "";
  } catch (error) {
    note.textContent = error instanceof Refused ? error.message : "That could not be sent.";
    sending = "";
  }
  underway = false;
  settle();
}

/** What was sent is over with when the table has it. */
function settle() {
  if (!underway && table.seq >= done) sending = "";
  draw();
  doWhatIsDue();
}

/** The link of the next draw. @returns {string} */
const link = () => hex(myChain(game, table.links)[table.draw]);

/** @param {string} word */
function play(word) {
  if (table.asks === "move") {
    const more = table.luck && table.face ? { link: hex(myChain(game, table.links)[table.draw]) } : {};
    act({ do: "move", move: word, ...more }, `Sending ${word} ...`);
  } else {
    act({ do: "seal", seal: promise(game, table.turn, table.you, word) }, "Sealing your pick ...");
  }
}

/** What needs no decision is done at once: a part of somebody else's draw or of the toss, and opening what was sealed. */
function doWhatIsDue() {
  if (table.you === null || sending || !table.due.includes(table.you)) return;
  if (table.asks === "link" && table.drawer !== table.you) act({ do: "link", link: link() }, "Bringing luck ...");
  const pick = kept(game)?.pick;
  if (table.asks === "open" && pick && pick.turn === table.turn) {
    act({ do: "open", pick: pick.word, salt: pick.salt }, "Opening your pick ...");
  }
}

// Drawing

function standingWords() {
  const { names, you, due, begun, over, taken, result } = table;
  if (!connected) return "The connection is gone. Nothing is lost; it comes back by itself ...";
  if (sending) return sending;
  if (over) {
    if (result === "*") return "The game is over, and nobody wins.";
    const winner = result === "1-0" ? 0 : result === "0-1" ? 1 : -1;
    if (winner < 0) return "The game is over: a draw.";
    return winner === you ? "You won!" : you === null ? `${names[winner]} wins.` : "You lost.";
  }
  if (!begun) return taken.every(Boolean) ? "A toss decides who begins ..." : `Waiting for ${names[taken.indexOf(false)]} ...`;
  if (you !== null && due.includes(you)) return table.asks === "link" ? `Your turn: ${table.verb} a ${table.face}.` : "Your turn.";
  return due.length ? `Waiting for ${due.map((/** @type {number} */ seat) => names[seat]).join(" and ")} ...` : "";
}

function drawScene() {
  const sides = table.scene.sides.map((/** @type {any} */ side, /** @type {number} */ seat) => {
    const { name, value, top, shape } = side.gauge;
    const who = element("h3", {}, table.names[seat], table.you === seat ? " (you)" : "");
    const bar = element("meter", { min: "0", max: String(Math.max(top, value, 1)), value: String(value), class: shape, "aria-label": `${name} of ${table.names[seat]}` });
    const box = element("div", { class: table.due.includes(seat) && !table.over ? "side due" : "side" }, who, bar, element("p", { class: "amount" }, `${name} ${value} of ${top}`));
    for (const said of side.notes) box.append(element("p", { class: "quiet" }, said));
    if (table.scene.picks) box.append(element("p", { class: "pick" }, side.pick ? `showed ${side.pick}` : "has shown nothing yet"));
    return box;
  });
  const pile = table.scene.pile;
  const cards = pile ? [element("p", { class: "pile" }, pile.drawn ? `On the table: ${pile.drawn}. ` : "", `Left in the deck: ${pile.left.join(", ") || "none"}.`)] : [];
  scene.replaceChildren(element("div", { class: "sides" }, ...sides), ...cards);
}

function drawActions() {
  const focused = document.activeElement instanceof HTMLButtonElement ? document.activeElement.textContent : null;
  const made = [];
  const mine = table.you !== null && table.due.includes(table.you) && !table.over;
  if (mine && table.asks === "link" && table.drawer === table.you) {
    made.push(button(`${table.verb[0].toUpperCase()}${table.verb.slice(1)} a ${table.face}`, () => act({ do: "link", link: link() }, "Drawing ..."), { class: "primary" }));
  }
  if (mine && (table.asks === "move" || table.asks === "seal")) {
    made.push(element("p", { class: "prompt" }, table.prompt));
    const list = element("ul", { class: "moves" });
    for (const move of table.moves) {
      const pressed = () => { if (!move.foul || confirm(`${move.about}. Do it all the same?`)) play(move.word); };
      const choice = button(move.label, pressed, { class: "move" });
      if (!move.legal && !move.foul) choice.disabled = true;
      list.append(element("li", {}, choice, " ", element("span", { class: "quiet" }, move.about)));
    }
    made.push(list);
  }
  actions.replaceChildren(...made);
  if (focused) [...actions.querySelectorAll("button")].find((each) => each.textContent === focused)?.focus();
}

function drawStory() {
  if (table.story.length < told) { story.replaceChildren(); told = 0; }
  for (const line of table.story.slice(told)) story.append(element("p", { class: line.tone || "plain" }, line.text || "\u00a0"));
  told = table.story.length;
  story.scrollTop = story.scrollHeight;
}

function drawAside() {
  const made = [];
  const friend = sessionStorage.getItem(`duelbook link ${game}`);
  if (!table.taken.every(Boolean)) {
    const way = friend ? `${location.origin}/game/${game}#i=${friend}` : "";
    if (way) {
      const field = element("input", { readonly: "", value: way, "aria-label": "The link for your friend" });
      made.push(element("p", {}, "Send this link to your friend; it works once:"), field, button("Copy", () => { navigator.clipboard?.writeText(way); }));
    }
  }
  made.push(element("p", {}, element("a", { href: `/rules/${table.duel}` }, "The rules"), " · ", "Watch link: ", element("a", { href: `/game/${game}` }, `${location.origin}/game/${game}`)));
  if (table.you !== null && table.begun && !table.over) {
    made.push(button("Resign", () => { if (confirm("Resign this game?")) act({ do: "resign" }, "Resigning ..."); }));
    made.push(button("Claim the game", () => act({ do: "claim" }, "Claiming ..."), { title: "When the other player is gone, or out of time" }));
  }
  if (table.over) {
    if (table.next) made.push(element("p", {}, element("a", { href: `/game/${table.next}${table.you === null ? "" : `#after=${game}`}`, class: "primary" }, "To the next game")));
    else if (table.you !== null) made.push(table.again[table.you] ? element("p", {}, "You have asked for another game.") : button("Another game, seats swapped", () => act({ do: "rematch" }, "Asking ..."), { class: "primary" }));
    made.push(element("p", {}, element("a", { href: `/api/games/${game}/record` }, "The record of this game"), ", which duelbook verify proves."));
  }
  aside.replaceChildren(...made);
}

function draw() {
  if (!table) return;
  standing.textContent = standingWords();
  drawScene();
  drawActions();
  drawStory();
  drawAside();
}

try {
  await sitDown();
} catch (error) {
  note.textContent = error instanceof Error ? error.message : String(error);
}
follow(game, (found) => { if (!table || found.seq >= table.seq) { table = found; settle(); } }, (there) => { if (connected !== there) { connected = there; draw(); } });
