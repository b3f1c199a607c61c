// The items of a queue: a tab for each state, with search and pages.

import { get } from "./api.js";
import { h, put, setText } from "./dom.js";
import { count, plural } from "./format.js";
import { COLUMNS, itemRow } from "./item.js";
import { parse } from "./numbers.js";
import { linkTo, STATES } from "./places.js";
import { dropDialog, redriveDialog } from "./verbs.js";

const PAGE = 50;
const FAR = 20_000; // items that a search looks at until somebody asks for more
const TYPING = 350; // ms without a key before it searches
const LABELS = { pending: "Pending", ready: "Ready", "in-progress": "In progress", dead: "Dead letters", poison: "Poison" };
const NOTHING = {
  pending: "Nothing is pending.", ready: "No item waits for a consumer.", "in-progress": "No consumer of pyredisson holds a message.",
  dead: "No dead letters.", poison: "No poison: every value could be decoded.",
};

/** The tabs: {element, draw(queue), choose(state)}. */
export function itemTabs(context, name, first = "pending") {
  const list = newList(context, name);
  let chosen;
  const tabs = STATES.map((state) => {
    const number = h("span", { class: "number" });
    const button = h(
      "button",
      { type: "button", role: "tab", id: `tab-${state}`, "aria-controls": "items", onclick: () => choose(state), onkeydown: move },
      LABELS[state], " ", number,
    );
    return { state, button, number };
  });

  function choose(state = "pending", focus = false) {
    const changed = chosen !== state;
    chosen = state;
    for (const tab of tabs) {
      tab.button.setAttribute("aria-selected", String(tab.state === state));
      tab.button.tabIndex = tab.state === state ? 0 : -1;
      if (tab.state === state && focus) tab.button.focus();
    }
    list.element.setAttribute("aria-labelledby", `tab-${state}`);
    if (focus) element.scrollIntoView({ block: "nearest" });
    if (!changed) return;
    if (location.hash !== linkTo(name, state)) context.place.go(linkTo(name, state));
    list.open(state);
  }

  function move(event) {
    const last = STATES.length - 1;
    const at = STATES.indexOf(chosen);
    const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(STATES[to], true);
  }

  const element = h(
    "section", { class: "panel items", "aria-labelledby": "items-title" },
    h("h2", { id: "items-title", class: "quiet" }, "Items"),
    h("div", { class: "tabs", role: "tablist", "aria-label": "Items by state" }, tabs.map((tab) => tab.button)),
    list.element,
  );
  const draw = (queue) => {
    const counts = { ...queue, "in-progress": queue.in_progress };
    for (const tab of tabs) {
      setText(tab.number, count(counts[tab.state]));
      tab.number.classList.toggle("zero", counts[tab.state] === 0);
    }
    list.counted(counts);
  };
  choose(first);
  return { element, draw, choose, read: list.read };
}

function newList(context, name) {
  const search = h("input", { type: "search", id: "search", autocomplete: "off", spellcheck: "false", placeholder: "Text or id", oninput: typed });
  const bulk = h("div", { class: "buttons bulk" });
  const news = h("button", { type: "button", class: "small", hidden: true, onclick: () => read() }, "The queue has changed: read again");
  const said = h("p", { class: "said", role: "status", "aria-live": "polite" });
  const table = h("div", { class: "scroll" });
  const more = h("button", { type: "button", hidden: true, onclick: () => read(true) });
  const element = h(
    "div", { id: "items", role: "tabpanel", tabindex: "-1" },
    h("div", { class: "filters" }, h("label", { for: "search" }, "Search"), search, bulk, news),
    table, h("div", { class: "foot" }, said, more),
  );
  const chosen = new Set();
  let state, cursor, asking, typing, body, found = 0, looked = 0, pages = 0, counts = {}, readAt;

  function open(wanted) {
    state = wanted;
    search.value = "";
    put(table);
    read();
  }

  function typed() {
    clearTimeout(typing);
    typing = setTimeout(read, TYPING);
  }

  async function read(further = false) {
    asking?.abort();
    const mine = (asking = new AbortController());
    const wanted = search.value.trim();
    element.setAttribute("aria-busy", "true");
    try {
      let after = further === true ? cursor : null;
      const [most, far] = further === true ? [found + PAGE, looked + FAR] : [PAGE, FAR];
      do { // a search goes on by itself, for a while
        const page = await get("items", { name, state, limit: PAGE, after, search: wanted }, mine.signal, parse);
        if (mine.signal.aborted) return;
        if (after === null) fresh();
        add(page, wanted);
        after = page.next;
      } while (wanted && after && found < most && looked < far);
    } catch (error) {
      if (mine.signal.aborted) return;
      setText(said, error.message);
    }
    element.removeAttribute("aria-busy");
  }

  function fresh() {
    chosen.clear();
    [found, looked, pages, readAt] = [0, 0, 0, counts[state]];
    body = h("tbody", {});
    const picks = isPicked() && h("th", { scope: "col", class: "pick" }, everyBox());
    put(table, h(
      "table", { class: `plain of-${state}` },
      h("caption", { class: "quiet" }, LABELS[state]),
      h("thead", {}, h("tr", {}, picks, COLUMNS[state].map((column) => h("th", { scope: "col", class: column.number && "n" }, column.label)))),
      body,
    ));
    news.hidden = true;
    drawBulk();
  }

  const isPicked = () => context.session.actions && (state === "dead" || state === "poison");

  function everyBox() {
    const change = (event) => {
      for (const box of body.querySelectorAll("input.pick")) if (box.checked !== event.target.checked) box.click();
    };
    return h("input", { type: "checkbox", "aria-label": "Select all that are shown", onchange: change });
  }

  function add(page, wanted) {
    for (const item of page.items) body.append(...itemRow(context, name, state, item, found++, isPicked() ? pick : null));
    cursor = page.next;
    looked += page.searched;
    pages += 1;
    table.hidden = found === 0;
    more.hidden = !cursor;
    setText(more, wanted ? "Search further" : "Show more");
    setText(said, found ? foundText(wanted) : nothingText(wanted));
    drawBulk();
  }

  const foundText = (wanted) =>
    wanted ? `${plural(found, "match", "matches")} in ${plural(looked, "item")}${cursor ? " so far" : ""}.` : `${plural(found, "item")} shown${cursor ? ", there are more" : ""}.`;
  const nothingText = (wanted) => (wanted ? `No match in ${plural(looked, "item")}${cursor ? " so far" : ""}.` : NOTHING[state]);

  function pick(id, on) {
    chosen[on ? "add" : "delete"](id);
    drawBulk();
  }

  function drawBulk() {
    const ids = [...chosen];
    const many = ids.length ? ` (${ids.length})` : "";
    const button = (label, act, disabled, danger) =>
      h("button", { type: "button", class: danger ? "small danger-text" : "small", disabled, onclick: act }, label);
    put(
      bulk,
      isPicked() && found > 0 && [
        button(`Redrive selected${many}…`, () => redriveDialog(context, name, state, ids), !ids.length),
        button(`Drop selected${many}…`, () => dropDialog(context, name, state, ids), !ids.length, true),
        button("Redrive all…", () => redriveDialog(context, name, state, null)),
      ],
    );
  }

  // A list that nobody uses follows the queue; one that is in use only says that it is old.
  function counted(now) {
    counts = now;
    if (readAt === undefined) readAt = now[state];
    if (state === undefined || now[state] === readAt || element.hasAttribute("aria-busy")) return;
    const used = pages > 1 || chosen.size || search.value || table.contains(document.activeElement) ||
      table.matches(":hover") || table.querySelector("[aria-expanded=true]") || !getSelection().isCollapsed;
    if (used) news.hidden = false;
    else read();
  }

  return { element, open, counted, read: () => read() };
}
