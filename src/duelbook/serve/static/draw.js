// Draws what the server describes: trees of elements, put into the page without taking away what is the same.
// What has the focus keeps it, what was typed stays, and nothing that anybody said ever becomes markup.
// @ts-check

/** @typedef {string | [string, Record<string, string>, any[]]} Tree */

const SVG = "http://www.w3.org/2000/svg";
/** What belongs to whoever sits before the page, and is not changed under their hands. */
const THEIRS = new Set(["open", "checked"]);

/** @param {Tree} tree @param {Element} parent @returns {Node} */
function make(tree, parent) {
  if (typeof tree === "string") return document.createTextNode(tree);
  const inSvg = tree[0] === "svg" || (parent.namespaceURI === SVG && parent.tagName !== "foreignObject");
  const made = inSvg ? document.createElementNS(SVG, tree[0]) : document.createElement(tree[0]);
  for (const [name, value] of Object.entries(tree[1])) made.setAttribute(name, value);
  draw(made, tree[2]);
  return made;
}

/** @param {Element} node @param {[string, Record<string, string>, any[]]} tree */
function change(node, tree) {
  for (const { name } of [...node.attributes]) {
    if (!(name in tree[1]) && !THEIRS.has(name)) node.removeAttribute(name);
  }
  for (const [name, value] of Object.entries(tree[1])) {
    if (!THEIRS.has(name) && node.getAttribute(name) !== value) node.setAttribute(name, value);
  }
  if (!("data-own" in tree[1])) draw(node, tree[2]);
}

/** @param {Node} node */
const keyOf = (node) => (node instanceof Element ? node.getAttribute("data-key") || node.id : "");

/** Whether a node can become what a tree describes. @param {Node | undefined} node @param {Tree} tree */
function fits(node, tree) {
  if (node === undefined) return false;
  if (typeof tree === "string") return node.nodeType === Node.TEXT_NODE;
  const key = tree[1]["data-key"] || tree[1].id || "";
  return node instanceof Element && node.tagName.toLowerCase() === tree[0].toLowerCase() && keyOf(node) === key;
}

/** Make what is inside an element what these trees describe. @param {Element} parent @param {Tree[]} trees */
export function draw(parent, trees) {
  const wanted = new Set(trees.map((tree) => (typeof tree === "string" ? "" : tree[1]["data-key"] || tree[1].id || "")));
  for (const node of [...parent.childNodes]) {
    if (keyOf(node) && !wanted.has(keyOf(node))) node.remove();
  }
  trees.forEach((tree, at) => {
    const there = parent.childNodes[at];
    if (!fits(there, tree)) {
      const later = [...parent.childNodes].slice(at).find((node) => keyOf(node) && fits(node, tree));
      parent.insertBefore(later ?? make(tree, parent), there ?? null);
    }
    const node = parent.childNodes[at];
    if (typeof tree === "string") {
      if (node.textContent !== tree) node.textContent = tree;
    } else change(/** @type {Element} */ (node), tree);
  });
  while (parent.childNodes.length > trees.length) parent.lastChild?.remove();
}

/** @param {Element} parent @param {Tree[]} trees */
export function add(parent, trees) {
  for (const tree of trees) parent.append(make(tree, parent));
}
