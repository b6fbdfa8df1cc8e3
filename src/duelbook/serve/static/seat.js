// What this browser keeps of a game: the secret of its chain, and a pick that is promised and not yet opened.
// @ts-check
import { chain, hex, seal, secret, unhex } from "./honest.js";

/** @typedef {{secret: string, pick?: {turn: number, word: string, salt: string}}} Kept */

/** @param {string} game */
const key = (game) => `duelbook ${game}`;

/** @param {string} game @returns {Kept | null} */
export function kept(game) {
  return JSON.parse(localStorage.getItem(key(game)) ?? "null");
}

/** @param {string} game @param {Kept} what */
export function keep(game, what) {
  localStorage.setItem(key(game), JSON.stringify(what));
}

/** The links of this browser's chain in a game. @param {string} game @param {number} length */
export function myChain(game, length) {
  const mine = kept(game);
  if (!mine) throw new Error("This browser does not have the secrets of your seat: go on where you sat down.");
  return chain(unhex(mine.secret), length);
}

/** A new chain: what is kept of it, and its anchor, which is shown. @param {number} length */
export function newChain(length) {
  const made = secret();
  return { secret: hex(made), anchor: hex(chain(made, length)[0]) };
}

/** Fix a pick: it is kept here first, so that a page that is loaded again can open it.
 * @param {string} game @param {number} turn @param {number} seat @param {string} word */
export function promise(game, turn, seat, word) {
  const salt = secret();
  keep(game, { ...(kept(game) ?? { secret: "" }), pick: { turn, word, salt: hex(salt) } });
  return hex(seal(game, turn, seat, word, salt));
}
