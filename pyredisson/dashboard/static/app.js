// The page: where it is, what it asks and when, and what it says of that.

import { ApiError, get, post } from "./api.js";
import { ask } from "./ask.js";
import { h, put, setText } from "./dom.js";
import { clock, duration } from "./format.js";
import { overview } from "./overview.js";
import { placeOf } from "./places.js";
import { queuePage } from "./queue.js";
import { tick } from "./times.js";

const INTERVAL = 2000; // ms between an answer and the next question
const SLOWEST = 5000; // the same while the server does not answer
const STALE = 10_000; // age of data that are called old

const [main, banner, notice, live, server, hold, sign] = ["main", "banner", "notice", "live", "server", "hold", "sign"].map(
  (id) => document.getElementById(id),
);
const session = { actions: false, signedIn: false };
let view, timer, asking, answered, trouble, failures = 0, ahead = 0;

/** What the pages know of the world. */
const context = {
  session,
  now: () => Date.now() + ahead, // by the server's clock
  notify,
  refresh,
  act,
  tryOut,
  place: { go: (fragment) => history.replaceState(null, "", fragment) },
};

function notify(text) {
  setText(notice, "");
  notice.classList.add("shown");
  requestAnimationFrame(() => setText(notice, text)); // the same text twice is read twice
  clearTimeout(notify.timer);
  notify.timer = setTimeout(() => {
    notice.classList.remove("shown");
    setText(notice, "");
  }, 8000);
}

/** Ask in a dialog, run an action, and say what it did; resolve to whether it was done. */
async function act(action, queue, { body = () => ({}), ...dialog }) {
  if (!session.signedIn && !(await signIn())) return false;
  const done = await ask({
    ...dialog,
    act: async (values) => {
      const wanted = body(values);
      const { text } = await post(`actions/${action}`, typeof wanted === "string" ? wanted : { name: queue, ...wanted })
        .catch(lostSession);
      notify(text);
    },
  });
  if (done) {
    view?.acted?.();
    refresh();
  }
  return done;
}

/** Run an action that only reports; resolve to its answer, or to undefined. */
async function tryOut(action, body) {
  if (!session.signedIn && !(await signIn())) return undefined;
  return post(`actions/${action}`, body).catch(lostSession).catch((error) => notify(error.message));
}

function lostSession(error) {
  if (error.status === 401) {
    session.signedIn = false;
    drawSession();
  }
  throw error;
}

async function signIn() {
  const done = await ask({
    title: "Sign in",
    text: "Enter the token that the dashboard was started with.",
    fields: [{ name: "token", label: "Token", kind: "token" }],
    verb: "Sign in",
    act: (values) => post("sign-in", values),
  });
  if (done) {
    session.signedIn = true;
    drawSession();
    notify("Signed in.");
    if (view) refresh();
    else show();
  }
  return done;
}

async function signOut() {
  clearTimeout(timer);
  asking?.abort(); // a question behind the sign-out would be rejected
  try {
    await post("sign-out", {});
    needsToken();
  } catch (error) {
    notify(error.message);
    schedule();
  }
}

function learn(data) {
  if (data.at) ahead = Date.parse(data.at) - Date.now();
  if (data.server) setText(server, data.server);
  if ("actions" in data) {
    session.known = true;
    session.actions = data.actions;
    session.signedIn = data.signed_in;
    session.token = data.token;
    drawSession();
  }
}

function drawSession() {
  sign.hidden = !session.token;
  setText(sign, session.signedIn ? "Sign out" : "Sign in");
  document.body.classList.toggle("may-act", session.actions);
}

/** Ask now, whatever the time of the next question. */
async function refresh() {
  clearTimeout(timer);
  asking?.abort();
  const mine = (asking = new AbortController());
  try {
    if (!session.known) {
      learn(await get("session", {}, mine.signal));
      return show();
    }
    const data = await view.read(mine.signal);
    if (mine.signal.aborted) return;
    learn(data);
    [answered, trouble, failures] = [Date.now(), undefined, 0];
    view.draw(data);
  } catch (error) {
    if (mine.signal.aborted) return;
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 401) return needsToken();
    [trouble, failures] = [error, failures + 1];
  }
  drawState();
  schedule();
}

function needsToken() {
  clearTimeout(timer);
  [view, trouble, answered] = [undefined, undefined, undefined];
  session.signedIn = false;
  drawSession();
  drawState();
  document.title = "Sign in · pyredisson";
  put(main, h("div", { class: "empty" }, h("h1", { tabindex: "-1" }, "This dashboard asks for a token"),
    h("p", {}, "Sign in with the token that it was started with.")));
  if (!document.querySelector("dialog")) signIn();
}

function schedule() {
  clearTimeout(timer);
  if (document.hidden || held()) return;
  timer = setTimeout(refresh, Math.min(INTERVAL * 2 ** failures, SLOWEST));
}

const mayAsk = () => view || !session.known;
const held = () => hold.getAttribute("aria-pressed") === "true";

function drawState() {
  const age = answered ? Date.now() - answered : undefined;
  const old = age > STALE && !held() && !document.hidden;
  const said = trouble ? trouble.message : old ? "No news from the server." : "";
  setText(banner, said && (answered ? `${said} These data are from ${clock(answered, Date.now())}.` : said));
  document.body.classList.toggle("stale", Boolean(said));
  live.className = `live ${said ? "lost" : held() ? "held" : answered ? "on" : ""}`;
  setText(live, said ? (age ? `No data for ${duration(Math.round(age / 1000))}` : "No data") : held() ? "Updates paused" : answered ? "Live" : session.known && !view ? "Signed out" : "Connecting");
}

function show() {
  if (!session.known) return refresh();
  if (session.token && !session.signedIn) return needsToken();
  const place = placeOf(location.hash);
  if (view && view.name === place.name) return view.choose?.(place.state);
  const moved = view !== undefined;
  view = place.name === undefined ? overview(context) : queuePage(context, place.name, place.state);
  document.title = `${view.title} · pyredisson`;
  put(main, view.element);
  window.scrollTo(0, 0);
  if (moved) main.querySelector("h1").focus({ preventScroll: true });
  refresh();
}

hold.addEventListener("click", () => {
  hold.setAttribute("aria-pressed", String(!held()));
  setText(hold, held() ? "Resume updates" : "Pause updates");
  clearTimeout(timer);
  drawState();
  if (!held() && mayAsk()) refresh();
});
sign.addEventListener("click", () => (session.signedIn ? signOut() : signIn()));
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // the fragment is the place
  main.focus();
});
document.addEventListener("visibilitychange", () => (document.hidden ? clearTimeout(timer) : held() || mayAsk() && refresh()));
window.addEventListener("hashchange", show);
setInterval(() => {
  drawState();
  if (!held()) tick(context.now());
}, 1000);
show();
