// One queue: its counts, the chart, what doctor finds, its items, schedules and windows.

import { get } from "./api.js";
import { dueChart, levelOf, mark, sparkline } from "./charts.js";
import { copyButton, h, onChange, put, setText } from "./dom.js";
import { clock, count, duration, inLine } from "./format.js";
import { itemTabs } from "./items.js";
import { relative } from "./times.js";
import { offerDialog, pauseDialog, repairDialog } from "./verbs.js";

const TILES = [
  { key: "pending", label: "Pending", trend: "pending", state: "pending" },
  { key: "due", label: "Due now" },
  { key: "oldest_overdue", label: "Overdue", trend: "overdue", show: (late) => (late ? duration(late) : late === 0 ? "0" : "?"), bad: true },
  { key: "ready", label: "Ready", trend: "ready", state: "ready" },
  { key: "in_progress", label: "In progress", state: "in-progress" },
  { key: "dead", label: "Dead letters", state: "dead", bad: true },
  { key: "poison", label: "Poison", state: "poison", bad: true },
  { key: "subscribers", label: "Transfer tasks" },
];

/** The page of a queue: {title, name, element, read, draw, choose}. */
export function queuePage(context, name, state) {
  const head = heading(context, name);
  const tiles = TILES.map((tile) => newTile(tile, (wanted) => tabs.choose(wanted, true)));
  const chart = section("Pending items by due time", "chart");
  const findings = findingsOf(context, name);
  const tabs = itemTabs(context, name, state);
  const schedules = section("Recurring schedules", "schedules");
  const windows = section("Group windows", "windows");
  const element = h(
    "div", { class: "queue" },
    head.element,
    h("dl", { class: "tiles" }, tiles.map((each) => each.element)),
    h("div", { class: "columns" }, chart.element, findings),
    schedules.element, windows.element, tabs.element,
  );
  // A queue that changes fast may have no chart for a moment: the one before stays.
  const drawChart = ({ chart: bars, parts, queue }) =>
    (bars.length || parts.chart || !queue.pending) && put(chart.body, missing(parts.chart) ?? (bars.length ? dueChart(bars, context.now()) : h("p", { class: "empty" }, "Nothing is pending.")));
  const drawSchedules = onChange((found) => optional(schedules, found, scheduleTable));
  const drawWindows = onChange((found) => optional(windows, found, windowTable));

  function optional(where, { found, more, rejected }, make) {
    where.element.hidden = !rejected && !found.length;
    put(where.body, missing(rejected) ?? make(found, context.now()), more && h("p", { class: "hint" }, "There are more."));
  }

  const draw = (data) => {
    head.draw(data);
    for (const tile of tiles) tile.draw(data.queue);
    if (!chart.body.matches(":hover, :has(details[open])")) drawChart(data);
    tabs.draw(data.queue);
    const { schedules: planned, more_schedules, windows: groups, more_windows, parts } = data;
    drawSchedules({ found: planned, more: more_schedules, rejected: parts.schedules });
    drawWindows({ found: groups, more: more_windows, rejected: parts.windows });
  };
  return { title: inLine(name), name, element, read: (signal) => get("queue", { name }, signal), draw, choose: tabs.choose, acted: tabs.read };
}

function heading(context, name) {
  const state = h("span", {});
  const paused = h("span", { class: "badge", hidden: true }, "paused");
  const reasons = h("p", { class: "reasons" });
  let queue = {};
  const pause = h("button", { type: "button", onclick: () => pauseDialog(context, name, queue.paused) });
  const element = h(
    "div", { class: "heading" },
    h("p", { class: "crumb" }, h("a", { href: "#/" }, "‹ All queues")),
    h("div", { class: "named" }, state, h("h1", { tabindex: "-1" }, h("bdi", {}, inLine(name))), paused),
    h("div", { class: "buttons verbs" },
      h("button", { type: "button", onclick: () => offerDialog(context, name, codec) }, "Offer…"),
      pause,
      h("button", { type: "button", onclick: () => repairDialog(context, name) }, "Repair…")),
    reasons,
  );
  let codec, level;
  const draw = (data) => {
    ({ queue, codec } = data);
    if (level !== queue.trouble) put(state, mark((level = queue.trouble)));
    paused.hidden = !queue.paused;
    setText(pause, queue.paused ? "Resume…" : "Pause…");
    setText(reasons, inLine([...(queue.reasons ?? []), codec && `codec ${codec}`].filter(Boolean).join(" · ")));
  };
  return { element, draw };
}

function newTile({ key, label, trend, state, show = count, bad }, choose) {
  const number = h("span", { class: "number" }, "–");
  const spark = trend && sparkline(label);
  const open = state && h("button", { type: "button", class: "link", onclick: () => choose(state) }, label);
  const element = h("div", { class: "tile" }, h("dt", {}, open ?? label), h("dd", {}, number, spark?.element));
  const draw = (queue) => {
    setText(number, show(queue[key]));
    element.classList.toggle("zero", queue[key] === 0);
    element.classList.toggle("bad", Boolean(bad && queue[key] > 0 && queue.trouble > 1));
    spark?.draw(queue.history?.[trend], queue.history?.seconds);
  };
  return { element, draw };
}

const missing = (why) => (why ? h("p", { class: "empty trouble" }, inLine(why)) : undefined);

function section(title, id) {
  const body = h("div", { class: "body" });
  const head = h("div", { class: "section-head" }, h("h2", { id: `${id}-title` }, title));
  return { element: h("section", { class: `panel ${id}`, "aria-labelledby": `${id}-title` }, head, body), head, body };
}

function findingsOf(context, name) {
  const { element, head, body } = section("Doctor", "findings");
  const show = ({ findings, notes = [] }) =>
    put(
      body,
      findings.length ? h("ul", {}, findings.map(oneFinding)) : h("p", { class: "empty" }, "No findings: the queue and its server are in order."),
      notes.map((note) => h("p", { class: "hint" }, inLine(note))),
    );
  const again = h("button", { type: "button", class: "small", onclick: () => look(true) }, "Examine again");
  head.append(again);

  async function look(fresh) {
    again.disabled = true;
    if (!body.hasChildNodes()) put(body, h("p", { class: "empty" }, "Examining…"));
    try {
      show(await get("findings", { name, fresh: fresh ? 1 : null }));
    } catch (error) {
      put(body, h("p", { class: "trouble" }, error.message));
    }
    again.disabled = false;
  }

  function oneFinding({ kind, level, text, remedy }) {
    return h(
      "li", {},
      h("p", { class: "kind" }, mark(levelOf(level)), h("strong", {}, kind)),
      h("p", {}, inLine(text)),
      remedy && h("p", { class: "remedy" }, h("code", {}, inLine(remedy)), copyButton("Copy command", remedy, context.notify)),
    );
  }

  look();
  return element;
}

const time = (at, now) => [relative(at, now), `, ${clock(at, now)}`];

function listing(titles, rows) {
  return h(
    "div", { class: "scroll" },
    h("table", { class: "plain" },
      h("thead", {}, h("tr", {}, titles.map((title) => h("th", { scope: "col" }, title)))),
      h("tbody", {}, rows.map((cells) => h("tr", {}, cells.map((cell) => h("td", {}, cell)))))),
  );
}

const scheduleTable = (found, now) =>
  listing(["Name", "Runs", "Value", "Next"], found.map((each) => [
    h("bdi", {}, inLine(each.name)),
    ...(each.error ? [h("span", { class: "trouble" }, inLine(each.error)), "", ""] : [
      each.cron ? [h("code", {}, inLine(each.cron)), ` ${each.timezone ?? ""}`] : `every ${duration(each.every)}`,
      h("span", { class: "mono" }, h("bdi", {}, inLine(each.text ?? ""))),
      each.next ? [time(each.next, now), h("span", { class: "dim" }, each.then?.map((at) => ` · ${clock(at, now)}`))] : "never",
    ]),
  ]));

const windowTable = (found, now) =>
  listing(["Group", "Values", "Closes"], found.map((each) => [
    h("bdi", {}, inLine(each.group)), count(each.count), each.closes_at ? time(each.closes_at, now) : "when it is full",
  ]));
