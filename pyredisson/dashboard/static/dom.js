// Makes and updates elements. Text goes in as text only, so nothing in a value becomes markup.

const SVG = "http://www.w3.org/2000/svg";

/** Make an HTML element: attributes, `onclick`-like listeners, and children (nodes or texts). */
export function h(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** Make an SVG element. */
export function s(name, attributes, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (typeof value === "function") element.addEventListener(key.slice(2), value);
    else if (value !== false && value != null) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...present(children));
  return element;
}

function present(children) {
  return children.flat(Infinity).filter((each) => each !== false && each != null);
}

/** Replace what is in an element. */
export function put(element, ...children) {
  element.replaceChildren(...present(children));
}

/** Change a text only if it differs, so that selections and screen readers are not disturbed. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Make a function that runs `draw(data)` only if the data differ from the last time. */
export function onChange(draw) {
  let before;
  return (data) => {
    const now = JSON.stringify(data);
    if (now === before) return;
    before = now;
    draw(data);
  };
}

/** Text that only screen readers read. */
export const quiet = (text) => h("span", { class: "quiet" }, text);

/** A button that copies a text. */
export function copyButton(label, text, notify) {
  const copy = async () => {
    const what = typeof text === "function" ? text() : text;
    notify((await copied(what)) ? "Copied." : "The browser does not allow copying.");
  };
  return h("button", { type: "button", class: "small", onclick: copy }, label);
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedBySelection(text); // without TLS there is no clipboard API
  }
}

function copiedBySelection(text) {
  const field = h("textarea", { class: "quiet", "aria-hidden": "true" });
  field.value = text;
  const before = document.activeElement;
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  before?.focus();
  return done;
}
