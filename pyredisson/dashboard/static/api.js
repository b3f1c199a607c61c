// Questions to the dashboard's server. Addresses are relative: it may be mounted anywhere.

const PATIENCE = 15_000; // ms

/** The server's "no", or that there was no answer; `status` is 0 then. */
export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Ask, and return the JSON, as `parse` reads it. */
export function get(path, parameters, signal, parse = JSON.parse) {
  const query = new URLSearchParams(
    Object.entries(parameters ?? {}).filter(([, value]) => value != null && value !== ""),
  );
  return send(`api/${path}${query.size ? `?${query}` : ""}`, { signal }, parse);
}

/** Post a body: an object, or JSON that is already a text. */
export function post(path, body) {
  return send(`api/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Pyredisson-Action": "1" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

async function send(path, options, parse = JSON.parse) {
  const limit = AbortSignal.timeout(PATIENCE);
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
  let answer, text;
  try {
    answer = await fetch(path, { credentials: "same-origin", ...options, signal });
    text = await answer.text();
  } catch (error) {
    if (options.signal?.aborted) throw error; // the page no longer wants it
    throw new ApiError(0, "The dashboard's server does not answer. Is it running?");
  }
  const found = answer.status === 204 || !text ? null : read(text, answer.status, parse);
  if (!answer.ok) throw new ApiError(answer.status, found?.error ?? `The server answered ${answer.status}.`);
  return found;
}

function read(text, status, parse) {
  try {
    return parse(text);
  } catch {
    throw new ApiError(status, `The server answered ${status}, and no JSON. Is a proxy in front of it?`);
  }
}
