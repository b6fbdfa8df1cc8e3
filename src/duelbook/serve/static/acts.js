// What somebody does at a table, with what this browser keeps: links of its chain, and picks that are sealed.
// @ts-check
import { hex } from "./honest.js";
import { keep, kept, myChain, newChain, promise } from "./seat.js";
import { post, Refused, send } from "./server.js";
import { bothAreSealed, nextDraw } from "./witness.js";

/** What the server says a page acts by.
 * @typedef {{seq: number, you: number | null, stale: boolean, mine: boolean, asks: string, turn: number, draw: number, draws: boolean,
 *   carries: boolean, links: number, kept: boolean, coached: boolean, over: boolean, next: string, again: boolean,
 *   claim: number | null}} Hand */

/** The link of the next draw: which one that is follows from what was seen here, whatever the server says.
 * @param {string} game @param {Hand} hand */
const link = async (game, hand) => (hand.kept ? {} : { link: hex(myChain(game, hand.links)[await nextDraw(game, hand.seq)]) });

/** Open a pick, if the other side is bound to its own. @param {string} game @param {{word: string, salt: string}} pick
 * @param {number} seq */
async function open(game, pick, seq) {
  if (!(await bothAreSealed(game, seq))) throw new Refused("The server wants your pick before the other side has sealed theirs. It was not opened.");
  return send(game, { do: "open", pick: pick.word, salt: pick.salt });
}

/** A move by its word, or as somebody typed it; a pick is sealed here, so nobody is told what it is.
 * @param {string} game @param {Hand} hand @param {{word?: string, said?: string}} what @returns {Promise<number>} */
export async function play(game, hand, { word, said }) {
  if (hand.kept || hand.asks !== "seal") {
    const more = hand.carries && hand.asks === "move" ? await link(game, hand) : {};
    return send(game, { do: "move", ...(word === undefined ? { said } : { move: word }), ...more });
  }
  const pick = word ?? listed(said ?? "");
  return send(game, { do: "seal", seal: promise(game, hand.turn, Number(hand.you), pick) });
}

/** The pick that was typed. It is looked for on this page: asking the server would tell it. @param {string} said */
function listed(said) {
  const typed = said.trim().toLowerCase();
  const buttons = [...document.querySelectorAll("#actions button[name=move]")];
  const words = buttons.map((each) => each.getAttribute("value") ?? "");
  const found = words.find((word) => word.toLowerCase() === typed);
  if (found === undefined) throw new Error(`"${said}" is not one of ${words.join(", ")}.`);
  return found;
}

/** @param {string} game @param {Hand} hand */
export const bringLink = async (game, hand) => send(game, { do: "link", ...(await link(game, hand)) });

/** What needs no decision: a part of somebody else's draw or of the toss, and opening what was sealed.
 * @param {string} game @param {Hand} hand @returns {{words: string, done: () => Promise<number>} | null} */
export function dueByItself(game, hand) {
  if (!hand.mine || hand.kept) return null;
  if (hand.asks === "link" && !hand.draws) return { words: "Bringing luck ...", done: () => bringLink(game, hand) };
  const pick = kept(game)?.pick;
  if (hand.asks === "open" && pick && pick.turn === hand.turn) {
    return { words: "Opening your pick ...", done: () => open(game, pick, hand.seq) };
  }
  return null;
}

/** Sit down with a chain of this browser's own. @param {HTMLFormElement} form @param {FormData} asked */
export async function sit(form, asked) {
  const mine = newChain(Number(form.dataset.links));
  asked.set("anchor", mine.anchor);
  const way = new URL(form.action).pathname;
  await post(way, asked);
  const game = way.split("/")[2];
  keep(game, { secret: mine.secret });
  return game;
}

/** A link that lets somebody go on on another device. The secrets of the seat are behind the #, which no server sees.
 * @param {string} game @param {Hand} hand */
export async function offer(game, hand) {
  const { offer: code } = await post(`/game/${game}/offer`, new FormData());
  const mine = kept(game);
  if (!mine && !hand.kept) throw new Error("This browser does not have the secrets of your seat.");
  const parts = new URLSearchParams({ on: code });
  if (mine) parts.set("s", mine.secret);
  if (mine?.pick) parts.set("p", JSON.stringify(mine.pick));
  return `${location.origin}/game/${game}#${parts}`;
}

/** Go on here in a seat that was offered. @param {string} game @param {URLSearchParams} parts */
export async function goOn(game, parts) {
  const asked = new FormData();
  asked.set("invitation", `#on=${parts.get("on")}`);
  await post(`/game/${game}/sit`, asked);
  const secret = parts.get("s");
  if (secret) keep(game, { secret, pick: JSON.parse(parts.get("p") ?? "null") ?? undefined });
}
