// Luck that nobody can tilt, and picks that nobody can read: the browser's part of it.
// A page on plain http has no crypto.subtle, so SHA-256 (FIPS 180-4) is here in full.
// @ts-check

/** Bytes of every secret, link, salt and digest. */
export const LENGTH = 32;

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes, and of the square roots of 8. */
const [ROUNDS, START] = constants();

/** @returns {[Uint32Array, Uint32Array]} */
function constants() {
  /** @type {number[]} */
  const primes = [];
  for (let number = 2; primes.length < 64; number += 1) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  const fraction = (/** @type {number} */ value) => Math.floor((value - Math.floor(value)) * 2 ** 32);
  return [
    Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
    Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
  ];
}

/** @param {number} word @param {number} by */
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** @param {Uint8Array} message @returns {Uint8Array} */
export function sha256(message) {
  const blocks = new Uint8Array(((message.length + 8) >> 6) * 64 + 64);
  blocks.set(message);
  blocks[message.length] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setUint32(blocks.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(blocks.length - 4, message.length << 3);
  const hash = Uint32Array.from(START);
  const words = new Uint32Array(64);
  for (let at = 0; at < blocks.length; at += 64) {
    for (let i = 0; i < 16; i += 1) words[i] = view.getUint32(at + 4 * i);
    for (let i = 16; i < 64; i += 1) {
      const [low, high] = [words[i - 15], words[i - 2]];
      const one = turned(low, 7) ^ turned(low, 18) ^ (low >>> 3);
      const two = turned(high, 17) ^ turned(high, 19) ^ (high >>> 10);
      words[i] = words[i - 16] + one + words[i - 7] + two;
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i += 1) {
      const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i] + words[i]) | 0;
      const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => { hash[i] += word; });
  }
  const digest = new Uint8Array(LENGTH);
  hash.forEach((word, i) => new DataView(digest.buffer).setUint32(4 * i, word));
  return digest;
}

/** Every part with its length before it, so that no two things are written alike.
 * @param {string} what @param {...(string | number | Uint8Array)} parts @returns {Uint8Array} */
export function written(what, ...parts) {
  const pieces = [`duelbook ${what}`, ...parts].map((part) =>
    part instanceof Uint8Array ? part : new TextEncoder().encode(String(part)));
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + 4 + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    new DataView(all.buffer).setUint32(at, piece.length);
    all.set(piece, at + 4);
    at += 4 + piece.length;
  }
  return all;
}

/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} text */
export const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

export const secret = () => crypto.getRandomValues(new Uint8Array(LENGTH));

/** The links of a chain from its anchor (0) on: each hashes to the one before it.
 * @param {Uint8Array} last @param {number} length @returns {Uint8Array[]} */
export function chain(last, length) {
  const links = [last];
  for (let made = 0; made < length; made += 1) links.push(sha256(written("link", links[links.length - 1])));
  return links.reverse();
}

/** What is shown of a pick until both are in.
 * @param {string} game @param {number} turn @param {number} seat @param {string} pick @param {Uint8Array} salt */
export const seal = (game, turn, seat, pick, salt) => sha256(written("pick", game, turn, seat, pick, salt));

/** HMAC-SHA256 (RFC 2104) with a key of no more than a block. @param {Uint8Array} key @param {Uint8Array} message */
export function hmac(key, message) {
  const padded = (/** @type {number} */ by) => Uint8Array.from({ length: 64 }, (_, at) => (key[at] ?? 0) ^ by);
  const joined = (/** @type {Uint8Array} */ one, /** @type {Uint8Array} */ two) => {
    const all = new Uint8Array(one.length + two.length);
    all.set(one);
    all.set(two, one.length);
    return all;
  };
  return sha256(joined(padded(0x5c), sha256(joined(padded(0x36), message))));
}

/** What the server shows of its secret before the game. @param {string} game @param {Uint8Array} key */
export const promised = (game, key) => sha256(written("server", game, key));

/** The index that a draw gives, each as likely as its weight says: numbers that would make some likelier are thrown away.
 * @param {Uint8Array} key @param {string} game @param {string} rules @param {number} number @param {Uint8Array[]} links
 * @param {number[]} weights */
export function drawn(key, game, rules, number, links, weights) {
  const total = BigInt(weights.reduce((sum, weight) => sum + weight, 0));
  if (total <= 0n) throw new Error("a draw needs weights");
  const all = 1n << 256n;
  let bits = all;
  for (let again = 0; bits >= all - (all % total); again += 1) {
    bits = BigInt(`0x${hex(hmac(key, written("draw", game, rules, number, ...links, again)))}`);
  }
  let at = bits % total;
  return weights.findIndex((weight) => (at -= BigInt(weight)) < 0n);
}
