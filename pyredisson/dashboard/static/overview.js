// All queues, those in trouble first.

import { get } from "./api.js";
import { mark, sparkline } from "./charts.js";
import { h, put, setText } from "./dom.js";
import { count, duration, inLine, plural } from "./format.js";
import { linkTo } from "./places.js";

const SHOWN = 100;

const COLUMNS = [
  { key: "pending", label: "Pending", trend: "pending" },
  { key: "oldest_overdue", label: "Overdue", trend: "overdue", show: (late) => (late ? duration(late) : late === 0 ? "0" : "?"), bad: true },
  { key: "ready", label: "Ready", trend: "ready" },
  { key: "in_progress", label: "In progress" },
  { key: "dead", label: "Dead", bad: true },
  { key: "poison", label: "Poison", bad: true },
  { key: "subscribers", label: "Tasks", hint: "Connections of transfer tasks, Java's and Python's" },
];

/** The overview: {title, element, read, draw}. */
export function overview() {
  const rows = new Map();
  let data, sorted, shown = SHOWN;
  const summary = h("p", { class: "summary" });
  const filter = h("input", { type: "search", id: "filter", placeholder: "Part of a name", autocomplete: "off", spellcheck: "false", oninput: () => redraw() });
  const only = h("input", { type: "checkbox", id: "only", onchange: () => redraw() });
  const body = h("tbody", { role: "rowgroup" });
  const heads = headers((key) => {
    sorted = sorted === key ? undefined : key;
    redraw();
  });
  const table = h(
    "table", { class: "queues", role: "table", hidden: true },
    h("caption", { class: "quiet" }, "Queues, those in trouble first"),
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, heads.map((each) => each.element))), body,
  );
  const empty = h("div", { class: "empty", hidden: true });
  const more = h("button", { type: "button", hidden: true, onclick: () => ((shown += SHOWN), redraw()) });
  const element = h(
    "div", {},
    h(
      "div", { class: "heading" },
      h("h1", { tabindex: "-1" }, "Queues"), summary,
      h("div", { class: "filters" },
        h("label", { for: "filter" }, "Find"), filter,
        h("label", { class: "check" }, only, " In trouble only")),
    ),
    table, empty, more,
  );

  function redraw() {
    if (!data) return;
    const wanted = filter.value.toLowerCase();
    const found = data.queues.filter(
      (queue) => queue.name.toLowerCase().includes(wanted) && (!only.checked || queue.trouble > 0),
    );
    if (sorted) found.sort((one, two) => (two[sorted] ?? -1) - (one[sorted] ?? -1));
    for (const each of heads) each.mark(sorted);
    const first = found.slice(0, shown);
    place(first);
    table.hidden = !first.length;
    empty.hidden = first.length > 0;
    if (!first.length) put(empty, data.queues.length ? noMatch() : noQueue(data.server));
    more.hidden = found.length <= shown;
    setText(more, `Show more (${found.length - shown})`);
    setText(summary, summaryOf(data));
  }

  // Rows stay where they are while somebody uses them: a row must not jump away under a finger.
  function place(queues) {
    const names = new Set(queues.map((queue) => queue.name));
    for (const [name, row] of rows) if (!names.has(name)) rows.delete(name), row.element.remove();
    for (const queue of queues) {
      if (!rows.has(queue.name)) rows.set(queue.name, newRow(queue.name));
      rows.get(queue.name).draw(queue, data);
    }
    const busy = body.matches(":hover") || body.contains(document.activeElement);
    queues.forEach(({ name }, at) => {
      const { element: row } = rows.get(name);
      if (busy ? !row.isConnected : body.children[at] !== row) body.insertBefore(row, body.children[at] ?? null);
    });
  }

  const draw = (found) => ((data = found), redraw());
  return { title: "Queues", element, read: (signal) => get("overview", {}, signal), draw };
}

function headers(choose) {
  const queue = { element: h("th", { scope: "col", role: "columnheader" }, "Queue"), mark() {} };
  return [queue, ...COLUMNS.map(({ key, label, hint }) => {
    const button = h("button", { type: "button", class: "sort", title: hint, onclick: () => choose(key) }, label);
    const element = h("th", { scope: "col", role: "columnheader", class: "n" }, button);
    const sort = (sorted) => (sorted === key ? element.setAttribute("aria-sort", "descending") : element.removeAttribute("aria-sort"));
    return { element, mark: sort };
  })];
}

function newRow(name) {
  const state = h("span", {});
  const paused = h("span", { class: "badge", hidden: true }, "paused");
  const reasons = h("p", { class: "reasons" });
  const head = h(
    "th", { scope: "row", role: "rowheader" },
    h("div", { class: "named" }, state, h("a", { href: linkTo(name), class: "name" }, h("bdi", {}, inLine(name))), paused),
    reasons,
  );
  const cells = COLUMNS.map((column) => newCell(column));
  const element = h("tr", { role: "row" }, head, cells.map((each) => each.element));
  let level;
  const draw = (queue) => {
    if (level !== queue.trouble) put(state, mark((level = queue.trouble)));
    element.className = `trouble-${queue.trouble}`;
    paused.hidden = !queue.paused;
    setText(reasons, inLine((queue.reasons ?? []).join(" · ")));
    for (const cell of cells) cell.draw(queue);
  };
  return { element, draw };
}

function newCell({ key, label, trend, show = count, bad }) {
  const number = h("span", { class: "number" });
  const spark = trend && sparkline(label);
  const element = h(
    "td", { role: "cell", class: "n", "data-label": label },
    h("div", { class: "count" }, spark?.element, number),
  );
  const draw = (queue) => {
    const value = queue[key];
    setText(number, show(value));
    element.classList.toggle("zero", value === 0);
    element.classList.toggle("bad", Boolean(bad && value > 0 && queue.trouble > 1));
    spark?.draw(queue.history?.[trend], queue.history?.seconds);
  };
  return { element, draw };
}

function summaryOf({ queues, partial }) {
  const troubled = queues.filter((queue) => queue.trouble > 1).length;
  const state = troubled ? `${plural(troubled, "needs", "need")} attention` : "none needs attention";
  return queues.length ? `${plural(queues.length, "queue")}, ${state}${partial ? `. ${partial}` : ""}` : "";
}

const noMatch = () => [h("h2", {}, "No queue matches"), h("p", {}, "Change the text above, or show all queues.")];

const noQueue = (server) => [
  h("h2", {}, "No delayed queue yet"),
  h("p", {}, "A queue appears here when an item is offered to it, or when a transfer task of Java or Python is subscribed to it."),
  h("p", {}, "Is this the right server and database? ", h("code", {}, server ?? "")),
  h("p", {}, "To try it: ", h("code", {}, "pyredisson offer orders '\"hello\"' --delay 60")),
];
