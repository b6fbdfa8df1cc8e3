// What this browser keeps of a game: the secret of its chain, and a pick that is promised and not yet opened.
// @ts-check
import { chain, hex, seal, secret, unhex } from "./honest.js";

/** @param {string} game */
const key = (game) => `duelbook ${game}`;

/** @param {string} game @returns {{secret: string, pick?: {turn: number, word: string, salt: string}} | null} */
export function kept(game) {
  return JSON.parse(localStorage.getItem(key(game)) ?? "null");
}

/** @param {string} game @param {object} what */
function keep(game, what) {
  localStorage.setItem(key(game), JSON.stringify(what));
}

/** The chain of this browser in a game, made when it is first asked for.
 * @param {string} game @param {number} length */
export function myChain(game, length) {
  if (!kept(game)) keep(game, { secret: hex(secret()) });
  return chain(unhex(kept(game)?.secret ?? ""), length);
}

/** Fix a pick: it is kept here first, so that a page that is loaded again can open it.
 * @param {string} game @param {number} turn @param {number} seat @param {string} word */
export function promise(game, turn, seat, word) {
  const salt = secret();
  keep(game, { ...kept(game), pick: { turn, word, salt: hex(salt) } });
  return hex(seal(game, turn, seat, word, salt));
}
