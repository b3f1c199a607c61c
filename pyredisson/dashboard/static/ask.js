// Dialogs: each asks before something happens, and says there what went wrong.

import { h, put, setText } from "./dom.js";
import { inLine } from "./format.js";

const UNITS = { seconds: 1, minutes: 60, hours: 3600, days: 86400 };

/**
 * Show a dialog until it is cancelled or `act(values)` has succeeded; resolve to whether it has.
 *
 * `fields` are {name, label, kind: "text" | "token" | "json" | "delay", value, hint}.
 */
export function ask({ title, text, list = [], fields = [], verb, danger = false, act }) {
  const inputs = fields.map(field);
  const trouble = h("p", { class: "trouble", role: "alert" });
  const submit = h("button", { class: danger ? "danger" : "primary" }, verb);
  const cancel = h("button", { type: "button", onclick: () => dialog.close() }, "Cancel");
  const form = h(
    "form", { method: "dialog" },
    h("h2", { id: "dialog-title" }, title),
    text && h("p", { id: "dialog-text" }, text),
    list.length > 0 && h("ul", {}, list.map((each) => h("li", {}, inLine(each)))),
    inputs.map((each) => each.element), trouble,
    h("div", { class: "buttons end" }, cancel, submit),
  );
  const dialog = h(
    "dialog",
    { "aria-labelledby": "dialog-title", "aria-describedby": text ? "dialog-text" : null },
    form,
  );
  return new Promise((resolve) => {
    let done = false;
    let busy = false;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (busy) return;
      busy = true;
      dialog.setAttribute("aria-busy", "true");
      setText(trouble, "");
      try {
        await act(Object.fromEntries(inputs.map((each) => [each.name, each.read()])));
        done = true;
        dialog.close();
      } catch (error) {
        put(trouble, error.message);
      }
      busy = false;
      dialog.removeAttribute("aria-busy");
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(done);
    });
    document.body.append(dialog);
    dialog.showModal();
    (inputs[0]?.focus ?? (danger ? cancel : submit)).focus();
  });
}

function field({ name, label, kind, value = "", hint }) {
  const id = `field-${name}`;
  const make = { text: line, token, json, delay }[kind];
  const { inputs, read, focus = inputs[0] } = make({ id, value, described: hint ? `${id}-hint` : null });
  const element = h(
    "div", { class: "field" },
    h("label", { for: id }, label),
    h("div", { class: "inputs" }, inputs),
    hint && h("p", { id: `${id}-hint`, class: "hint" }, hint),
  );
  return { name, element, read, focus };
}

function line({ id, value, described }) {
  const input = h("input", { id, value, "aria-describedby": described, required: true, autocomplete: "off" });
  return { inputs: [input], read: () => input.value };
}

function token({ id, described }) {
  const user = h("input", { autocomplete: "username", value: "dashboard", hidden: true }); // for password managers
  const input = h("input", {
    id, type: "password", required: true, autocomplete: "current-password", "aria-describedby": described,
  });
  return { inputs: [user, input], focus: input, read: () => input.value };
}

function json({ id, value, described }) {
  const input = h("textarea", { id, rows: 6, required: true, spellcheck: "false", "aria-describedby": described });
  input.value = value;
  const read = () => {
    try {
      JSON.parse(input.value);
    } catch (error) {
      const quoted = /^[\s]*["[{]/.test(input.value) ? "" : ` A text needs quotes: ${JSON.stringify(input.value.trim())}`;
      throw new Error(`This is not JSON: ${error.message}.${quoted}`);
    }
    return input.value;
  };
  return { inputs: [input], read };
}

function delay({ id, value, described }) {
  const number = h("input", {
    id, type: "number", min: 0, step: "any", value, required: true, "aria-describedby": described,
  });
  const unit = h(
    "select", { "aria-label": "Unit of time" },
    Object.keys(UNITS).map((name) => h("option", { value: name }, name)),
  );
  return { inputs: [number, unit], read: () => Number(number.value) * UNITS[unit.value] };
}
