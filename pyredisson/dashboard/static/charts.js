// Sparklines, the chart of pending items by due time, and the marks of trouble.

import { h, put, quiet, s, setText } from "./dom.js";
import { clock, count, exact, plural } from "./format.js";

const WIDTH = 64;
const HEIGHT = 20;
const POINTS = 48;

/** A sparkline of a series; `draw(values, seconds)` renews it. */
export function sparkline(noun) {
  const line = s("path", { class: "line" });
  const end = s("circle", { class: "end", r: 1.8 });
  const label = s("title", {});
  const element = s(
    "svg",
    { class: "spark", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, role: "img" },
    label, line, end,
  );
  const draw = (values, seconds) => {
    const shown = thinned((values ?? []).map((each) => each ?? 0));
    const most = Math.max(...shown, 0);
    element.toggleAttribute("hidden", shown.length < 2 || most === 0);
    if (element.hasAttribute("hidden")) return;
    const least = Math.min(...shown);
    const span = Math.max(most - least, most / 5); // noise must not look like a mountain
    const top = (most + least + span) / 2;
    const across = (place) => 2 + (place * (WIDTH - 5)) / (shown.length - 1);
    const up = (value) => 2.5 + ((top - value) / span) * (HEIGHT - 5);
    const points = shown.map((each, place) => `${across(place).toFixed(1)} ${up(each).toFixed(1)}`);
    line.setAttribute("d", `M${points.join("L")}`);
    end.setAttribute("cx", across(shown.length - 1));
    end.setAttribute("cy", up(shown.at(-1)));
    const minutes = Math.max(1, Math.round(-(seconds?.[0] ?? 0) / 60));
    setText(label, `${noun}, last ${plural(minutes, "minute")}: up to ${count(Math.round(most))}`);
  };
  return { element, draw };
}

/** At most POINTS values, each the largest of its part, so that no peak is lost. */
function thinned(values) {
  if (values.length <= POINTS) return values;
  const step = values.length / POINTS;
  return Array.from({ length: POINTS }, (_, place) =>
    Math.max(...values.slice(Math.floor(place * step), Math.floor((place + 1) * step))),
  );
}

/** The chart of pending items by due time, with the same as a table. */
export function dueChart(bars, now) {
  const most = Math.max(...bars.map((bar) => bar.count), 1);
  const picture = s(
    "svg",
    { class: "bars", viewBox: `0 0 ${bars.length} 100`, preserveAspectRatio: "none", "aria-hidden": "true" },
    bars.map((bar, place) => oneBar(bar, place, most, now)),
  );
  const marks = [...new Set([0, 0.25, 0.5, 0.75].map((part) => Math.floor(part * bars.length)))];
  const axis = h(
    "div",
    { class: "axis", "aria-hidden": "true" },
    marks.map((place) => h("span", {}, place === 0 ? (bars[0].overdue ? "overdue" : "now") : moment(bars[place].from, bars, now))),
    h("span", {}, bars.at(-1).later ? "later" : moment(bars.at(-1).to, bars, now)),
  );
  return [
    h("p", { class: "most", "aria-hidden": "true" }, `${count(most)}`),
    picture, axis, asTable(bars, now),
  ];
}

/** A time as exact as the bars are wide. */
function moment(at, bars, now) {
  const [first, second] = bars.slice(-3);
  const wide = (Date.parse(second?.from ?? first.to) - Date.parse(first.from)) / 1000;
  return wide >= 43200 ? clock(at, now).split(",").slice(0, 2).join(",") : clock(at, now).slice(0, wide < 60 ? undefined : -3);
}

function oneBar(bar, place, most, now) {
  const height = bar.count ? Math.max((bar.count / most) * 100, 2) : 0;
  const shape = { x: place + 0.1, y: 100 - height, width: 0.8, height };
  return s(
    "g", {},
    s("rect", { class: "reach", x: place, y: 0, width: 1, height: 100 }),
    s("rect", { class: bar.overdue ? "bar late" : "bar", ...shape }),
    s("title", {}, `${span(bar, now)}: ${plural(bar.count, "item")}`),
  );
}

const span = (bar, now) =>
  bar.overdue ? `overdue since ${clock(bar.from, now)}` : `${clock(bar.from, now)} to ${clock(bar.to, now)}`;

function asTable(bars, now) {
  const body = h("tbody", {});
  const table = h(
    "table", { class: "plain" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Due"), h("th", { scope: "col", class: "n" }, "Items"))),
    body,
  );
  const rows = () =>
    bars.filter((bar) => bar.count).map((bar) =>
      h("tr", {}, h("td", { title: bar.from && exact(bar.from) }, span(bar, now)), h("td", { class: "n" }, count(bar.count))),
    );
  const open = (event) => event.target.open && put(body, rows());
  return h("details", { class: "as-table", ontoggle: open }, h("summary", {}, "As a table"), table);
}

const LEVELS = ["OK", "Notice", "Warning", "Critical"];
const SHAPES = [
  "M8 5.5a2.5 2.5 0 1 0 .01 0z",
  "M8 3a5 5 0 1 0 .01 0zm0 1.8a3.2 3.2 0 1 1-.01 0z",
  "M8 2 15 14H1zM7.2 6v4h1.6V6zm0 5v1.6h1.6V11z",
  "M5 1h6l4 4v6l-4 4H5l-4-4V5zm2.2 3v5h1.6V4zm0 6.2v1.8h1.6v-1.8z",
];

/** A mark of a trouble's level (0 to 3): shape, colour and a word. */
export function mark(level) {
  const known = LEVELS[level] ? level : 1;
  const shape = s("path", { d: SHAPES[known], "fill-rule": "evenodd" });
  return h(
    "span", { class: `mark level-${known}`, title: LEVELS[known] },
    s("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, shape),
    quiet(LEVELS[known]),
  );
}

/** The level of a finding's name. */
export const levelOf = (name) => ({ error: 3, warning: 2 })[name] ?? 1;
