// JSON with its numbers as they were written: Java's longs are larger than what a double can say.

/** A number that JavaScript would write differently. */
export class Written {
  constructor(source) {
    this.source = source;
  }
  toJSON() {
    return JSON.rawJSON ? JSON.rawJSON(this.source) : Number(this.source);
  }
  toString() {
    return this.source;
  }
}

/** Parse JSON. An old browser, which does not give the source of a number, rounds it. */
export function parse(text) {
  return JSON.parse(text, (_, value, context) =>
    typeof value === "number" && context?.source !== undefined && String(value) !== context.source
      ? new Written(context.source)
      : value,
  );
}
