// The one place from which the page speaks to whoever listens to it: what is new, once, and in the book's words.
// @ts-check
const spoken = /** @type {HTMLElement} */ (document.getElementById("spoken"));
/** So much stays there, for who reads it again; what is older has been spoken long ago. */
const MOST = 6;
/** @type {string[]} */
let waiting = [];

/** What comes together is spoken together. @param {...string} words */
export function speak(...words) {
  if (!waiting.length) setTimeout(say, 100);
  waiting.push(...words.map((each) => each.trim()));
}

function say() {
  const words = waiting.filter(Boolean).join(" ");
  waiting = [];
  if (!words) return;
  const said = document.createElement("p");
  said.textContent = words;
  spoken.append(said);
  while (spoken.childNodes.length > MOST) spoken.firstChild?.remove();
}
