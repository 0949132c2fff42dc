/**
 * What every body must be before a schema looks at it: plain data that JSON holds exactly, of a bounded depth and size.
 * Bodies may be made from what strangers wrote, and half a character or a forged prototype must be found before a charged
 * call.
 */

/** Deepest nesting of a request; the deepest real one, an invoice, has 5. */
const REQUEST_DEPTH_LIMIT = 32;
/** Most values in a request: 20 times the largest real one, a list of a thousand numbers. */
const REQUEST_NODE_LIMIT = 20_000;

export interface Problem {
  /** Dotted; empty for the body itself. Names that callers or strangers made up are not repeated. */
  readonly path: string;
  /** A phrase that follows the path: `must not be empty`. Never holds a value. */
  readonly reason: string;
}

/** The first thing that is no plain data; undefined for data that is. */
export function notPlain(body: unknown): Problem | undefined {
  const walk = new Walk();
  return walk.look(body, []) ? undefined : walk.problem;
}

class Walk {
  problem: Problem | undefined;
  #nodes = 0;

  /** Whether all data from here down is plain. */
  look(value: unknown, path: (string | number)[]): boolean {
    this.#nodes += 1;
    if (this.#nodes > REQUEST_NODE_LIMIT) return this.#bad([], "must hold fewer values");
    switch (typeof value) {
      case "string":
        return value.isWellFormed() || this.#bad(path, "must not hold half a character");
      case "number":
        return Number.isFinite(value) || this.#bad(path, "must be a finite number");
      case "boolean":
        return true;
      case "object":
        return value === null || this.#inside(value, path);
      default:
        return this.#bad(path, "must be data that JSON can hold");
    }
  }

  #inside(value: object, path: (string | number)[]): boolean {
    if (path.length >= REQUEST_DEPTH_LIMIT)
      return this.#bad(path.slice(0, 3), "is nested too deep");
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index += 1)
        if (!this.look(value[index], [...path, index])) return false;
      return true;
    }
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null)
      return this.#bad(path, "must be a plain object");
    for (const key of Object.keys(value)) {
      if (key === "__proto__") return this.#bad(path, "must not name a prototype");
      if (!key.isWellFormed()) return this.#bad(path, "must not hold half a character in a name");
      const entry = (value as Record<string, unknown>)[key];
      if (entry !== undefined && !this.look(entry, [...path, key])) return false;
    }
    return true;
  }

  #bad(path: readonly (string | number)[], reason: string): false {
    this.problem = { path: pathText(path), reason };
    return false;
  }
}

/** `buttons.1.displayText`. A name that is not like the contract's own is shown as `*`: it may hold a number or worse. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.slice(0, 8).map(nameText).join(".");
}

export function nameText(name: PropertyKey): string {
  if (typeof name === "number") return String(name);
  const text = String(name);
  return /^[A-Za-z_][\w-]{0,39}$/.test(text) && !/\d{5}/.test(text) ? text : "*";
}
