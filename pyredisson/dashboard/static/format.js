// Numbers, times and texts as people read them.

const NUMBER = new Intl.NumberFormat("en");
const CLOCK = new Intl.DateTimeFormat("en", { timeStyle: "medium", hourCycle: "h23" });
const DAY = new Intl.DateTimeFormat("en", { dateStyle: "medium" });

/** A count; "?" if the server cannot say it. */
export const count = (number) => (number == null ? "?" : NUMBER.format(number));

/** A count with its noun. */
export const plural = (number, noun, nouns = `${noun}s`) =>
  `${count(number)} ${number === 1 ? noun : nouns}`;

/** A duration in at most two units. */
export function duration(seconds) {
  if (seconds == null) return "?";
  if (seconds < 10) return `${Number(seconds.toFixed(1))} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return two(whole, 60, "min", 1, "s");
  if (whole < 86400) return two(whole, 3600, "h", 60, "min");
  return two(whole, 86400, "d", 3600, "h");
}

function two(seconds, large, unit, small, rest) {
  const left = Math.floor((seconds % large) / small);
  return `${count(Math.floor(seconds / large))} ${unit}${left ? ` ${left} ${rest}` : ""}`;
}

/** How far a time is from now: "in 4 min", "20 s ago". */
export function fromNow(at, now) {
  const seconds = Math.round((Date.parse(at) - now) / 1000);
  if (seconds === 0) return "now";
  return seconds >= 0 ? `in ${duration(seconds)}` : `${duration(-seconds)} ago`;
}

/** The time of day, here; with the date if it is another day. */
export function clock(at, now) {
  const moment = new Date(at);
  if (Number.isNaN(moment.valueOf())) return String(at);
  const today = new Date(now).toDateString() === moment.toDateString();
  return today ? CLOCK.format(moment) : `${DAY.format(moment)}, ${CLOCK.format(moment)}`;
}

/** A time to the millisecond, in UTC. */
export const exact = (at) => String(at).replace("T", " ").replace(/Z$/, " UTC");

/** A number of bytes. */
export function size(bytes) {
  if (bytes == null) return "?";
  if (bytes < 1000) return plural(bytes, "byte");
  const [value, unit] = bytes < 1e6 ? [bytes / 1000, "kB"] : [bytes / 1e6, "MB"];
  return `${value < 10 ? value.toFixed(1) : NUMBER.format(Math.round(value))} ${unit}`;
}

const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

/** Text in one line, in which control characters and those that change the direction are visible. */
export const inLine = (text) => String(text).replace(HIDDEN, escaped);

/** The same in several lines. */
export const visible = (text) =>
  String(text).replace(HIDDEN, (each) => ("\n\t".includes(each) ? each : escaped(each)));

function escaped(character) {
  const named = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }[character];
  const code = character.codePointAt(0).toString(16);
  if (named) return named;
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}

/** The start of a text, with an ellipsis if there is more. */
export function cut(text, length) {
  if (text.length <= length) return text;
  return `${text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
