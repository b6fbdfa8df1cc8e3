// What this browser has seen of a game with its own eyes: a running digest over every event, kept as the game goes on.
// What the server tells afterwards must lead to the same one, and everything that was drawn or hidden is computed again.
// @ts-check
import { drawn, hex, promised, seal, sha256, unhex, written } from "./honest.js";
import { ask } from "./server.js";

/** @typedef {Record<string, any> & {seq: number, kind: string}} Event */
/** @typedef {{events: Event[], digest: string, end: string, draws: number, links: number[], sealed: boolean[], over: boolean}} Seen */

/** @type {Map<string, Promise<Seen>>} One look after the other, of each game. */
const looks = new Map();

/** @param {string} game */
const key = (game) => `duelbook seen ${game}`;

/** Values as they are hashed: keys in their order, no spaces. @param {any} value @returns {string} */
function dumped(value) {
  if (Array.isArray(value)) return `[${value.map(dumped).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${dumped(value[name])}`).join(",")}}`;
}

/** @param {string} known @param {Event} event */
function saw(known, event) {
  const { act: _act, at: _at, ...shown } = event;
  return hex(sha256(written("saw", unhex(known), event.seq, dumped(shown))));
}

/** @type {Map<string, Map<number, Event>>} Events that came with news and are not taken in yet, by their numbers. */
const arrived = new Map();

/** Events as the news bring them. @param {string} game @param {Event[]} events */
export function hear(game, events) {
  const waiting = arrived.get(game) ?? new Map();
  for (const event of events) waiting.set(event.seq, event);
  arrived.set(game, waiting);
}

/** Take in what has happened, at least up to this event. Throws where the server tells a game otherwise than before.
 * @param {string} game @param {number} [upTo] @returns {Promise<Seen>} */
export function look(game, upTo = Infinity) {
  const before = looks.get(game) ?? Promise.resolve(
    { events: [], digest: "", end: "", draws: 0, links: [0, 0], sealed: [false, false], over: false });
  const now = before.then((seen) => more(game, seen, upTo));
  looks.set(game, now.catch(() => before)); // a line that was cut is tried again; a lie is found again
  return now;
}

/** @param {string} game @param {Seen} seen @param {number} upTo @returns {Promise<Seen>} */
async function more(game, seen, upTo) {
  const waiting = arrived.get(game) ?? new Map();
  const now = taken(game, seen, waiting);
  if (now.events.length >= upTo) return now;
  const { events } = await ask(`/api/games/${game}/events?after=${now.events.length}`);
  return taken(game, now, new Map(events.map((/** @type {Event} */ event) => [event.seq, event])));
}

/** @param {string} game @param {Seen} seen @param {Map<number, Event>} events @returns {Seen} */
function taken(game, seen, events) {
  const known = JSON.parse(localStorage.getItem(key(game)) ?? "null") ?? { seen: 0, digest: "" };
  const now = { ...seen, events: [...seen.events], links: [...seen.links], sealed: [...seen.sealed] };
  for (let event = events.get(now.events.length + 1); event; event = events.get(now.events.length + 1)) {
    now.events.push(event);
    now.digest = saw(now.digest, event);
    if (now.events.length === known.seen && now.digest !== known.digest) {
      throw new Error("THE SERVER TELLS THIS GAME OTHERWISE THAN BEFORE. This browser shows it nothing more; do not take its word.");
    }
    happen(now, event);
  }
  if (now.events.length > known.seen) {
    localStorage.setItem(key(game), JSON.stringify({ seen: now.events.length, digest: now.digest }));
  }
  return now;
}

/** @param {Seen} seen @param {Event} event */
function happen(seen, event) {
  if (event.kind === "link") seen.links[event.seat] += 1;
  if (event.kind === "dealt" || (event.kind === "began" && seen.events[0].first === "toss")) seen.draws += 1;
  if (event.kind === "sealed") seen.sealed[event.seat] = true;
  if (event.kind === "revealed") seen.sealed = [false, false];
  if (event.kind === "over") [seen.over, seen.end] = [true, seen.digest];
}

/** The number of the one link that may be shown now: that of the next draw, and none behind it.
 * @param {string} game @param {number} [upTo] */
export const nextDraw = async (game, upTo) => (await look(game, upTo)).draws + 1;

/** Whether the other side is bound to its pick, so that ours can be opened. @param {string} game @param {number} [upTo] */
export const bothAreSealed = async (game, upTo) => (await look(game, upTo)).sealed.every(Boolean);

/** What can be said of a game that is over, in a sentence.
 * @param {string} game @param {number} [upTo] @returns {Promise<string>} */
export async function testimony(game, upTo) {
  const seen = await look(game, upTo);
  if (!seen.over || seen.events[0].hash === undefined) return ""; // or it was made before games said by which rules
  const wrong = flaw(game, seen.events);
  const words = (seen.end.slice(0, 16).match(/..../g) ?? []).join(" ");
  return wrong ? `THIS GAME DOES NOT PROVE ITSELF: ${wrong}` : `Proved from what this browser saw; fingerprint ${words}.`;
}

/** What does not fit in a game that is over; nothing where all does. @param {string} game @param {Event[]} events */
export function flaw(game, events) {
  const [made, end] = [events[0], events.find((event) => event.kind === "over")];
  const secret = unhex(end?.key ?? "");
  if (hex(promised(game, secret)) !== made.promise) return "the server's secret is not the one that it promised.";
  const last = made.anchors.map(String);
  /** @type {Uint8Array[][]} */
  const links = [[], []];
  /** @type {string[]} */
  const seals = ["", ""];
  let number = 0;
  const drawnNow = (/** @type {number[]} */ weights) => {
    number += 1;
    const both = [links[0][number - 1], links[1][number - 1]];
    return both.every(Boolean) ? drawn(secret, game, made.hash, number, both, weights) : -1;
  };
  for (const event of events) {
    if (event.kind === "joined") last[event.seat] = event.anchor;
    if (event.kind === "link") {
      if (hex(sha256(written("link", unhex(event.link)))) !== last[event.seat]) return "a link is not of the chain that was promised.";
      last[event.seat] = event.link;
      links[event.seat].push(unhex(event.link));
    }
    if (event.kind === "began" && made.first === "toss" && drawnNow([1, 1]) !== event.first) return "the toss was not what was promised.";
    if (event.kind === "dealt" && event.faces[drawnNow(event.weights)] !== event.face) return `draw ${number} was not what was promised.`;
    if (event.kind === "sealed") seals[event.seat] = event.seal;
    if (event.kind === "revealed") {
      for (const seat of [0, 1]) {
        const again = hex(seal(game, event.turn, seat, event.picks[seat], unhex(event.salts[seat])));
        if (again !== seals[seat]) return `a pick of turn ${event.turn} is not the one that was promised.`;
      }
    }
  }
  return "";
}
