// What can be done to a queue. Each asks first, and says what will happen.

import { cut, inLine, plural } from "./format.js";

const DELAY = { name: "delay", label: "Delay", kind: "delay", hint: "From now on, by the server's clock." };
const named = (name) => `“${inLine(cut(name, 60))}”`;

export function offerDialog(context, name, codec) {
  return context.act("offer", name, {
    title: `Offer an item to ${named(name)}`,
    fields: [
      { name: "value", label: "Value (JSON)", kind: "json", hint: codec ? `It is encoded by the codec ${codec}.` : undefined },
      { ...DELAY, value: "60" },
    ],
    verb: "Offer",
    // the value as it was typed: its numbers may be larger than JavaScript's
    body: ({ value, delay }) => `{"name":${JSON.stringify(name)},"delay":${delay},"value":${value}}`,
  });
}

export function pauseDialog(context, name, paused) {
  const what = paused
    ? "Consumers and workers take items again."
    : "Consumers and workers of pyredisson take nothing until it is resumed. Items still become ready, and Java consumers still take them.";
  return context.act(paused ? "resume" : "pause", name, {
    title: `${paused ? "Resume" : "Pause"} ${named(name)}?`, text: what, verb: paused ? "Resume" : "Pause",
  });
}

/** Say what would be repaired, and ask for that only. */
export async function repairDialog(context, name) {
  const found = await context.tryOut("repair", { name, dry_run: true });
  if (!found) return false;
  if (!found.findings?.length) return context.notify(found.text);
  return context.act("repair", name, {
    title: `Repair ${named(name)}?`, text: found.text, list: found.findings, verb: "Repair",
  });
}

export function cancelDialog(context, name, item) {
  return context.act("cancel", name, {
    title: "Cancel this item?", text: `${shown(item)} is removed and will not be delivered. This cannot be undone.`,
    verb: "Cancel the item", danger: true, body: () => handleOf(item),
  });
}

export function rescheduleDialog(context, name, item) {
  return context.act("reschedule", name, {
    title: "Reschedule this item", text: shown(item), fields: [{ ...DELAY, value: "60", label: "New delay" }],
    verb: "Reschedule", body: ({ delay }) => ({ ...handleOf(item), delay }),
  });
}

const shown = ({ text }) => inLine(cut(text, 120));

const handleOf = ({ receipt, id }) => (receipt ? { receipt } : { id });

const NOUNS = { dead: ["dead letter", "dead letters"], poison: ["poison value", "poison values"] };
const some = (state, ids) => (ids ? plural(ids.length, ...NOUNS[state]) : `all ${NOUNS[state][1]}`);

export function redriveDialog(context, name, state, ids) {
  const again = { dead: "They go back to the queue as new messages, and are handled again.",
    poison: "They go back to the head of the queue, where a consumer decodes them again." }[state];
  return context.act("redrive", name, {
    title: `Redrive ${some(state, ids)}?`, text: again, verb: "Redrive",
    body: () => ({ state, ...(ids ? { ids } : { all: true }) }),
  });
}

export function dropDialog(context, name, state, ids) {
  return context.act("drop", name, {
    title: `Drop ${some(state, ids)}?`, text: "Dropped values are deleted. This cannot be undone.", verb: "Drop", danger: true, body: () => ({ state, ids }),
  });
}
