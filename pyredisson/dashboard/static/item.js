// An item as a row, and its details.

import { copyButton, h, put, quiet } from "./dom.js";
import { clock, count, cut, exact, inLine, size } from "./format.js";
import { relative } from "./times.js";
import { cancelDialog, dropDialog, redriveDialog, rescheduleDialog } from "./verbs.js";
import { longText, tree } from "./value.js";

const LINE = 240;

const short = (text, length = LINE) => h("bdi", {}, inLine(cut(String(text), length)));
const when = (at, now) => (at ? [relative(at, now), h("span", { class: "dim" }, ` ${clock(at, now)}`)] : "–");

const VALUE = { label: "Value", wide: true, show: (item) => [item.error && h("span", { class: "badge" }, "cannot be decoded"), h("span", { class: "mono" }, short(item.text))] };
const SIZE = { label: "Size", number: true, show: (item) => size(item.size) };
const ATTEMPTS = { label: "Attempts", number: true, show: (item) => count(item.attempts ?? 0) };

/** The columns of each state; the first one opens the details. */
export const COLUMNS = {
  pending: [{ label: "Due", show: (item, now) => when(item.due_at, now) }, VALUE, { label: "Id", show: (item) => h("span", { class: "mono dim" }, cut(item.id ?? "–", 16)) }, SIZE],
  ready: [{ label: "Place", show: (item, now, place) => `${count(place + 1)}.` }, VALUE, SIZE],
  "in-progress": [{ label: "Lease ends", show: (item, now) => when(item.lease_ends_at, now) }, VALUE, { label: "Held by", show: (item) => short(item.consumer ?? "?", 40) }, ATTEMPTS],
  dead: [{ label: "Failed", show: (item, now) => when(item.failed_at, now) }, VALUE, { label: "Reason", show: (item) => short(item.reason ?? "–", 120) }, ATTEMPTS],
  poison: [
    { label: "Place", show: (item, now, place) => `${count(place + 1)}.` },
    { label: "Bytes", wide: true, show: (item) => h("span", { class: "mono" }, short(item.bytes, 64)) },
    { label: "Looks like", show: (item) => short(item.looks_like ?? "–", 60) }, SIZE,
  ],
};

/** The rows of an item: the row, and its details, which are made when they are opened. */
export function itemRow(context, name, state, item, place, pick) {
  const columns = COLUMNS[state];
  const details = h("tr", { id: `item-${place}`, class: "details", hidden: true });
  const [first, ...rest] = columns;
  const label = item.id ? `item ${item.id}` : `item ${place + 1}`;
  const button = h(
    "button",
    { type: "button", class: "open", "aria-expanded": "false", "aria-controls": details.id, onclick: toggle },
    first.show(item, context.now(), place), quiet(`, details of ${label}`),
  );
  const box = pick && h("td", { class: "pick" }, item.id && h("input", {
    type: "checkbox", class: "pick", "aria-label": `Select ${label}`, onchange: (event) => pick(item.id, event.target.checked),
  }));
  const row = h(
    "tr", { onclick: (event) => event.target.closest("button, input, a") || String(getSelection()) || toggle() },
    box, h("td", {}, button),
    rest.map((column) => h("td", { class: [column.number && "n", column.wide && "wide"].filter(Boolean).join(" "), "data-label": column.label }, column.show(item, context.now(), place))),
  );

  function toggle() {
    const open = button.getAttribute("aria-expanded") !== "true";
    button.setAttribute("aria-expanded", String(open));
    details.hidden = !open;
    if (open && !details.hasChildNodes()) put(details, h("td", { colspan: columns.length + (pick ? 1 : 0) }, detailsOf(context, name, state, item)));
  }
  return [row, details];
}

function detailsOf(context, name, state, item) {
  const at = (moment) => moment && [`${exact(moment)} (`, `${clock(moment, context.now())} here)`];
  const facts = [
    ["Id", item.id && h("code", {}, item.id)],
    ["Due", at(item.due_at)],
    ["Held by", item.consumer && short(item.consumer)],
    ["Lease ends", at(item.lease_ends_at)],
    ["Failed", at(item.failed_at)],
    ["Attempts", item.attempts && count(item.attempts)],
    ["Reason", item.reason && short(item.reason, 2000)],
    ["Error", item.error && short(item.error, 2000)],
    ["Looks like", item.looks_like && short(item.looks_like)],
    ["Size", size(item.size)],
  ].filter(([, value]) => value);
  const copies = [
    !item.error && !item.cut && ["Copy value", plainText(item)],
    item.id && ["Copy id", item.id],
    item.receipt && ["Copy receipt", item.receipt],
    !item.cut && ["Copy bytes (hex)", item.bytes],
  ].filter(Boolean);
  return h(
    "div", { class: "item" },
    h("dl", { class: "facts" }, facts.map(([label, value]) => h("div", {}, h("dt", {}, label), h("dd", {}, value)))),
    state !== "poison" && !item.error && [h("h3", {}, "Value"), valueOf(item)],
    (state === "poison" || item.error) && [h("h3", {}, "Bytes"), longText(grouped(item.bytes), "hex"), item.cut && itsStart(item)],
    item.traceback && [h("h3", {}, "Traceback"), longText(item.traceback, "traceback")],
    h("div", { class: "buttons" }, verbsOf(context, name, state, item), copies.map(([label, text]) => copyButton(label, text, context.notify))),
  );
}

// The value is null if JSON has no such value; the text says it then.
const valueOf = (item) => [item.value === null ? longText(item.text) : tree(item.value), item.cut && itsStart(item)];

const itsStart = (item) => h("p", { class: "hint" }, `This is its start: the value has ${size(item.size)}.`);

const plainText = ({ value, text }) =>
  value === null ? text : typeof value === "string" ? value : JSON.stringify(value, null, 2);

const grouped = (hex) => hex.replace(/(..)(?=.)/g, "$1 ");

function verbsOf(context, name, state, item) {
  if (!context.session.actions) return [];
  const button = (label, act, danger) => h("button", { type: "button", class: danger ? "small danger-text" : "small", onclick: act }, label);
  const handled = item.receipt || item.id;
  const settled = (state === "dead" || state === "poison") && item.id;
  return [
    state === "pending" && handled && button("Reschedule…", () => rescheduleDialog(context, name, item)),
    state === "pending" && handled && button("Cancel…", () => cancelDialog(context, name, item), true),
    settled && button("Redrive…", () => redriveDialog(context, name, state, [item.id])),
    settled && button("Drop…", () => dropDialog(context, name, state, [item.id]), true),
  ];
}
