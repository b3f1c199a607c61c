// Places of the page: the address's fragment, so that no request has a queue's name in its path.

export const STATES = ["pending", "ready", "in-progress", "dead", "poison"];

/** The address of a queue, and of one of its tabs. */
export function linkTo(name, state) {
  return `#/queue/${encodeURIComponent(name.toWellFormed?.() ?? name)}${state ? `/${state}` : ""}`;
}

/** The queue and the tab that the address names; an empty object for the overview. */
export function placeOf(fragment) {
  const [, found, state] = /^#\/queue\/([^/]+)(?:\/([a-z-]+))?$/.exec(fragment) ?? [];
  if (!found) return {};
  try {
    return { name: decodeURIComponent(found), state: STATES.includes(state) ? state : undefined };
  } catch {
    return {}; // no valid escape
  }
}
