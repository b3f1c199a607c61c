// A decoded value as a tree that opens step by step, so that a value of a megabyte is no page of one.

import { h, put } from "./dom.js";
import { cut, inLine, plural, visible } from "./format.js";

const CHILDREN = 100;
const TEXT = 5000;

/** The view of a decoded JSON value. */
export function tree(value) {
  if (typeof value === "string") return longText(value);
  if (!isContainer(value)) return h("code", { class: "value" }, String(value));
  return h("div", { class: "tree" }, branches(value));
}

/** A long text: its start, and a button for the rest. */
export function longText(text, className = "value") {
  const box = h("pre", { class: className, tabindex: "0" }, visible(cut(text, TEXT)));
  if (text.length <= TEXT) return box;
  const all = h(
    "button",
    { type: "button", class: "small", onclick: () => (put(box, visible(text)), all.remove()) },
    `Show all ${plural(text.length, "character")}`,
  );
  return h("div", {}, box, all);
}

const isContainer = (value) =>
  value !== null && typeof value === "object" && (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype);

function branches(value) {
  const list = h("ul", {});
  const entries = Object.entries(value);
  const grow = (start) => {
    list.append(...entries.slice(start, start + CHILDREN).map(([name, each]) => branch(name, each)));
    const left = entries.length - start - CHILDREN;
    if (left <= 0) return;
    const more = () => {
      item.remove();
      grow(start + CHILDREN);
    };
    const item = h("li", {}, h("button", { type: "button", class: "small", onclick: more }, `Show more (${left})`));
    list.append(item);
  };
  grow(0);
  return list;
}

function branch(name, value) {
  const key = h("span", { class: "key" }, h("bdi", {}, inLine(cut(name, 200))), ": ");
  if (!isContainer(value)) return h("li", {}, key, leaf(value));
  const many = Array.isArray(value) ? `[${value.length}]` : `{${Object.keys(value).length}}`;
  const inside = h("div", {});
  const open = (event) => event.target.open && !inside.hasChildNodes() && inside.append(branches(value));
  return h("li", {}, h("details", { ontoggle: open }, h("summary", {}, key, h("span", { class: "many" }, many)), inside));
}

function leaf(value) {
  if (typeof value !== "string") return h("code", { class: "value" }, String(value));
  if (value.length > TEXT) return longText(JSON.stringify(value), "value text");
  return h("code", { class: "value text" }, h("bdi", {}, inLine(JSON.stringify(value))));
}
