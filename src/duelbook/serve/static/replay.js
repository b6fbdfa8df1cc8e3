// A game step by step: arrows lead back and on, Home and End to its ends. Without a script its links do.
// @ts-check
/** @type {Record<string, string>} */
const KEYS = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };

document.addEventListener("keydown", (event) => {
  const to = KEYS[event.key];
  if (!to || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const way = /** @type {HTMLAnchorElement | null} */ (document.querySelector(`a[rel=${to}]`));
  if (!way) return;
  event.preventDefault();
  location.replace(way.href);
});
document.querySelector(".course [aria-current]")?.scrollIntoView({ block: "nearest" });
