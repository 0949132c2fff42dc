/** Data that many may share because it cannot be changed. */

/**
 * Freezes plain data through and through. False when something in it is not what JSON would give back (undefined, an
 * infinite number, a class): then it must be read from its text. What was frozen by then stays so.
 */
export function freezePlain(value: unknown): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0);
    case "object":
      if (value === null) return true;
      break;
    default:
      return false;
  }
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) if (!freezePlain(item)) return false;
  } else {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return false;
    for (const key in value)
      if (!freezePlain((value as Readonly<Record<string, unknown>>)[key])) return false;
  }
  Object.freeze(value);
  return true;
}
