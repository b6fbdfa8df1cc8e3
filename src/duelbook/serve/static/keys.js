// Keys: the letter on a move leads to it, and Enter plays it, as at a terminal. They can be turned off.
// @ts-check

/** @param {HTMLElement} actions */
export function watchKeys(actions) {
  const box = /** @type {HTMLInputElement | null} */ (document.getElementById("letters"));
  if (!box) return; // who watches has nothing to play
  box.checked = localStorage.getItem("duelbook letters") !== "off";
  box.addEventListener("change", () => localStorage.setItem("duelbook letters", box.checked ? "on" : "off"));
  document.addEventListener("keydown", (event) => {
    if (!box.checked || event.altKey || event.ctrlKey || event.metaKey || writing(event.target)) return;
    const to = event.key === "/" ? document.getElementById("said") : withKey(actions, event.key) ?? coach(event.key);
    if (!to) return;
    event.preventDefault();
    to.focus();
  });
}

/** Whether somebody is typing a text. @param {EventTarget | null} where */
function writing(where) {
  if (where instanceof HTMLInputElement) return !["checkbox", "radio", "button", "submit"].includes(where.type);
  return where instanceof HTMLTextAreaElement || where instanceof HTMLSelectElement;
}

/** @param {HTMLElement} actions @param {string} key @returns {HTMLElement | null} */
function withKey(actions, key) {
  const all = /** @type {HTMLElement[]} */ ([...actions.querySelectorAll("[aria-keyshortcuts]")]);
  return all.find((each) => each.getAttribute("aria-keyshortcuts")?.toLowerCase() === key.toLowerCase()) ?? null;
}

/** @param {string} key @returns {HTMLElement | null} */
function coach(key) {
  if (key !== "?") return null;
  const box = /** @type {HTMLDetailsElement | null} */ (document.querySelector("#coach details"));
  if (!box) return null;
  box.open = true;
  return box.querySelector("button[name=coach]");
}
