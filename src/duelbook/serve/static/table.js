// A table: drawn as the server describes it, and acted on with what this browser keeps. It knows no rule of any duel.
// @ts-check
import * as acts from "./acts.js";
import { drawn, tick } from "./clock.js";
import { add, draw } from "./draw.js";
import { watchKeys } from "./keys.js";
import { ask, follow, Refused, send } from "./server.js";
import { speak } from "./speak.js";
import { hear, look as seeFor, testimony } from "./witness.js";

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const root = part("table");
const game = String(root.dataset.game);
const note = part("note");
const story = part("story");

/** @type {acts.Hand | null} */
let hand = null;
let seq = 0;
let lines = Number(root.dataset.lines);
let sending = "";
let underway = false;
/** What this page has done is told by the event of this number; until it has come, what is shown is old. */
let done = 0;
/** Where the server has refused what this page does by itself: it is not tried again before something has happened. */
let refusedAt = -1;
let connected = true;
let standing = part("standing").textContent ?? "";
/** The move that had the focus when its button went. */
let left = "";

// Drawing

/** @param {any} found */
function show(found) {
  if (found.seq < seq || found.from !== lines) return;
  const before = document.activeElement;
  const inActions = before instanceof HTMLElement && part("actions").contains(before);
  if (inActions) left = before.dataset.key ?? left;
  [seq, hand, lines] = [found.seq, found.hand, lines + found.lines.length];
  for (const [id, trees] of Object.entries(found.parts)) if (id !== "standing") draw(part(id), trees);
  drawn();
  add(/** @type {HTMLElement} */ (story.firstElementChild), found.lines);
  if (found.lines.length) story.scrollTop = story.scrollHeight;
  keepFocus(inActions);
  const said = found.lines.map((/** @type {any} */ line) => String(line[2][0] ?? ""));
  const words = String(found.parts.standing[0] ?? "");
  if (words !== standing) said.push(words);
  standing = words;
  speak(...said);
  settle();
}

/** Whoever plays by keys is led from a move that went to the same one, or to the first, when it is their turn again.
 * @param {boolean} inActions whether the focus was there before */
function keepFocus(inActions) {
  const now = document.activeElement;
  const parked = now === part("actions") || (inActions && (now === document.body || now === null));
  if (!parked) return;
  const again = [...part("actions").querySelectorAll("button")];
  const to = again.find((each) => each.dataset.key === left) ?? (hand?.over ? undefined : again[0]); // what is over is read first
  (to ?? part("actions")).focus({ preventScroll: !to });
}

/** Those who wait until nothing is on its way. @type {(() => void)[]} */
let waiting = [];
function release() {
  if (sending) return;
  const freed = waiting;
  waiting = [];
  for (const go of freed) go();
}

/** Until nothing is on its way: what somebody wants meanwhile is done then, and not lost. */
async function nothingUnderway() {
  while (sending) await new Promise((go) => { waiting.push(() => go(undefined)); });
}

/** What was sent is over with when the table has it. */
function settle() {
  if (!underway && seq >= done) sending = "";
  stand();
  if (!sending) {
    if (hand?.next && hand.again && alone) goAlong();
    alone = !hand?.next;
  }
  const due = !sending && hand && refusedAt !== seq && acts.dueByItself(game, hand);
  if (due) act(due.words, due.done, true);
  lookAgainLater();
  coach();
  if (hand?.over && hand.turn) aftermath(); // a game that was withdrawn has nothing to look back at
  if (hand && hand.you !== null) bearWitness(hand.over);
  release();
}

function stand() {
  const words = !connected ? "The connection is gone. Nothing is lost; it comes back by itself ..." : sending || standing;
  if (part("standing").textContent !== words) part("standing").textContent = words;
  root.classList.toggle("sending", Boolean(sending) || !connected);
}

/** @type {number | undefined} */
let again;
/** A claim becomes possible by time alone: then this is asked for again. */
function lookAgainLater() {
  clearTimeout(again);
  const wait = hand?.claim;
  if (wait !== null && wait !== undefined && wait >= 0) again = setTimeout(look, 1000 * Math.min(wait, 20) + 200);
}

/** @type {Promise<void> | null} */
let looking = null;
let more = false;
/** Ask how the table stands now; while that is asked already, once more after it. @returns {Promise<void>} */
function look() {
  if (looking) more = true;
  else looking = lookOn();
  return looking;
}

async function lookOn() {
  do {
    more = false;
    try {
      show(await ask(`/game/${game}/parts?lines=${lines}`));
    } catch (error) {
      if (error instanceof Refused) say(error.message);
      else setTimeout(look, 1000);
    }
  } while (more);
  looking = null; // in one go with the question before it: who asks from here on is answered anew
}

/** @param {string} words */
function say(words, good = false) {
  note.textContent = words;
  note.classList.toggle("good", good);
  speak(words);
}

// Acting

/** What the page does by itself may come too late, as when somebody has resigned: then that is no fault to speak of.
 * @param {string} words @param {() => Promise<number>} doing */
async function act(words, doing, byItself = false) {
  [sending, underway] = [words, true];
  const at = seq;
  let why = "";
  note.textContent = "";
  stand();
  try {
    done = Math.max(done, await doing());
  } catch (error) {
    sending = "";
    why = error instanceof Error ? error.message : String(error);
    if (byItself && error instanceof Refused) refusedAt = at;
    else say(why);
  }
  underway = false;
  stand();
  await look();
  if (byItself && why && refusedAt === seq && hand && acts.dueByItself(game, hand)) say(why);
  release();
}

/** Whether there was no next game yet when this page last looked: whoever comes back to look at this one may stay. */
let alone = false;
/** @type {Record<string, (form: HTMLFormElement, given: FormData, hand: acts.Hand) => void | Promise<void>>} */
const DOING = {
  move: (form, given, now) => {
    const [word, said] = [given.get("move"), given.get("said")];
    if (word === null && !String(said ?? "").trim()) { say("Type a move, or press one."); return; }
    const words = now.asks === "seal" && !now.kept ? "Sealing your pick ..." : `Sending ${word ?? said} ...`;
    form.reset();
    act(words, () => acts.play(game, now, word === null ? { said: String(said) } : { word: String(word) }));
  },
  link: (_form, _given, now) => { act("Drawing ...", () => acts.bringLink(game, now)); },
  resign: () => { act("Resigning ...", () => send(game, { do: "resign" })); },
  withdraw: () => { act("Withdrawing ...", () => send(game, { do: "withdraw" })); },
  claim: () => { act("Claiming ...", () => send(game, { do: "claim" })); },
  rematch: () => { act("Asking for another game ...", () => send(game, { do: "rematch" })); },
  sit: async (form, given) => {
    const name = given.get("name");
    if (name !== null) localStorage.setItem("duelbook name", String(name));
    if (invitation) given.set("invitation", `#i=${invitation}`);
    location.href = `/game/${await acts.sit(form, given)}`;
  },
  offer: async (_form, _given, now) => { showOffer(await acts.offer(game, now)); },
  hint: async () => { await coach("hint"); },
};

document.addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const doing = DOING[form.dataset.act ?? ""];
  if (!doing) return;
  event.preventDefault();
  const pressed = event.submitter;
  if (pressed?.getAttribute("aria-disabled") === "true") {
    say(pressed.querySelector(".about")?.textContent ?? "");
    return;
  }
  if (sending && form.dataset.act === "move") return; // pressed twice: the first one counts
  const given = new FormData(form, pressed);
  const sure = form.dataset.sure ?? pressed?.dataset.sure;
  if (sure && !confirm(sure)) return;
  await nothingUnderway();
  if (!hand) await look(); // pressed before the first news came
  try {
    if (hand) await doing(form, given, hand);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
  }
});

/** @param {string} way */
function showOffer(way) {
  const words = "Open this on the other device within ten minutes. It works once; this page only watches from then on:";
  draw(part("elsewhere"), [
    ["label", { for: "on" }, [words]],
    ["span", { class: "line" }, [["input", { id: "on", value: way, readonly: "", class: "way" }, []], ["button", { type: "button", "data-copy": "on" }, ["Copy"]]]],
  ]);
  part("on").focus();
}

/** Both want another game. */
function goAlong() {
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector("#actions form[data-act=sit]"));
  form?.requestSubmit();
}

document.addEventListener("click", async (event) => {
  const pressed = event.target instanceof Element ? event.target.closest("[data-copy]") : null;
  if (!pressed || pressed.textContent === COPIED) return;
  event.preventDefault();
  const field = document.getElementById(pressed.getAttribute("data-copy") ?? "");
  const done = await copied(field instanceof HTMLInputElement ? field.value : pressed.getAttribute("href") ?? "");
  if (field instanceof HTMLInputElement) field.select();
  if (!done) { say("This browser does not let a page copy. Select the link, and copy it yourself."); return; }
  const words = pressed.textContent;
  pressed.textContent = COPIED;
  speak(`${COPIED}.`);
  setTimeout(() => { if (pressed.textContent === COPIED) pressed.textContent = words; }, 3000);
});
const COPIED = "Copied";

/** Whether a text is in the clipboard now. On plain http there is only the old way into it. @param {string} text */
async function copied(text) {
  try {
    if (navigator.clipboard) { await navigator.clipboard.writeText(text); return true; }
  } catch { /* not allowed: then the old way */ }
  const field = document.createElement("textarea");
  field.className = "unseen";
  field.value = text;
  document.body.append(field);
  const before = document.activeElement;
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return done;
}

// The coach, where there is one

let advised = "";
/** @param {string} [what] */
async function coach(what = "") {
  const box = /** @type {HTMLDetailsElement | null} */ (document.querySelector("#coach details"));
  if (!hand?.coached) { if (box && !hand?.over) draw(part("coach"), []); return; }
  if (!box?.open || (!what && advised === `${seq}`)) return;
  advised = `${seq}`;
  const place = part("advice");
  if (what || !place.firstChild) draw(place, [["p", {}, ["The coach thinks ..."]]]);
  try {
    const found = await ask(`/game/${game}/coach?coach=${what}`);
    draw(place, found.advice);
    const said = place.querySelector(what ? ".hint p" : ".remark")?.textContent;
    if (said) speak(said);
  } catch (error) {
    draw(place, [["p", {}, [error instanceof Error ? error.message : String(error)]]]);
  }
}

let testified = false;
/** What happens is seen here, and kept; at the end it is said whether all of it was what was promised.
 * @param {boolean} over */
async function bearWitness(over) {
  if (testified) return;
  testified = over;
  try {
    const words = over ? await testimony(game, seq) : "";
    if (!over) await seeFor(game, seq);
    if (words) say(words, words.startsWith("Proved"));
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("THE SERVER")) say(error.message);
    else testified = false; // the line was cut: the next news come again
  }
}

let lookedBack = false;
/** What mattered most, when it is over. */
async function aftermath() {
  if (lookedBack) return;
  lookedBack = true;
  draw(part("coach"), [["p", { class: "quiet" }, ["Looking back at the game ..."]]]);
  try {
    draw(part("coach"), (await ask(`/game/${game}/aftermath`)).advice);
  } catch {
    draw(part("coach"), []);
  }
}

document.addEventListener("toggle", (event) => {
  const box = event.target;
  if (!(box instanceof HTMLDetailsElement) || !box.dataset.remember) return;
  localStorage.setItem(`duelbook ${box.dataset.remember}`, box.open ? "open" : "");
  if (box.open) coach();
}, true);

// Coming to the table

let invitation = "";
async function come() {
  const parts = new URLSearchParams(location.hash.slice(1));
  invitation = parts.get("i") ?? "";
  if (location.hash) history.replaceState(null, "", location.pathname);
  if (parts.get("on")) {
    await acts.goOn(game, parts);
    location.reload();
  }
  if (invitation) root.classList.add("invited");
  const name = /** @type {HTMLInputElement | null} */ (document.getElementById("name"));
  if (name) name.value = localStorage.getItem("duelbook name") ?? "";
  if (name && invitation) name.focus();
  const box = /** @type {HTMLDetailsElement | null} */ (document.querySelector("#coach details[data-remember]"));
  if (box && localStorage.getItem("duelbook coach") === "open") box.open = true;
}

document.documentElement.classList.add("scripts");
story.scrollTop = story.scrollHeight;
watchKeys(part("actions"));
try {
  await come();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
}
setInterval(() => tick(speak), 500);
follow(game, (news, events) => { hear(game, events ?? []); if (news > seq || !hand) look(); }, (there) => { if (connected !== there) { connected = there; stand(); } }, () => hand?.stale ?? "stale" in root.dataset);
