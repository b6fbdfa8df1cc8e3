// Time that is left, counted from what the server said was left when it said so: the clock of this machine may be wrong.
// @ts-check

/** @type {[number, string][]} */
const UNITS = [[86400, "day"], [3600, "hour"], [60, "minute"]];

/** @param {number} many @param {string} thing */
const amount = (many, thing) => `${many} ${thing}${many === 1 ? "" : "s"}`;

/** As `words.py` says it. @param {number} seconds */
export function leftWords(seconds) {
  if (seconds <= 0) return "out of time";
  const unit = UNITS.find(([size]) => seconds >= 2 * size);
  return `${unit ? amount(Math.floor(seconds / unit[0]), unit[1]) : amount(Math.floor(seconds), "second")} left`;
}

/** Seconds by a clock that nobody sets. */
const now = () => performance.now() / 1000;
let drawnAt = now();

/** What is drawn now was true now. */
export function drawn() {
  drawnAt = now();
}

/** @param {(words: string) => void} warn */
export function tick(warn) {
  for (const clock of document.querySelectorAll(".clock")) {
    const left = Number(clock.getAttribute("data-left")) - (now() - drawnAt);
    const words = leftWords(left);
    if (clock.textContent !== words) clock.textContent = words;
    const soon = left > 0 && left <= 10;
    if (soon && !clock.classList.contains("soon")) warn(`10 seconds left.`);
    clock.classList.toggle("soon", soon);
  }
}
