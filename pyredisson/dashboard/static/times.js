// Times that say how far they are from now, and go on to say it while the page stands.

import { h, setText } from "./dom.js";
import { exact, fromNow } from "./format.js";

/** "in 4 min", with the exact time for those who point at it. */
export const relative = (at, now) =>
  h("time", { class: "relative", datetime: at, title: exact(at) }, fromNow(at, now));

/** Renew the texts. */
export function tick(now) {
  for (const each of document.querySelectorAll("time.relative")) setText(each, fromNow(each.dateTime, now));
}
