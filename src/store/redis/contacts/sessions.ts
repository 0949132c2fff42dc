/** The sessions that this process opened last. One that comes back unchanged is not opened again. */
import type { Json } from "../../../base/index.ts";
import { REMEMBERED } from "../../limits.ts";
import { Lru } from "../../lru.ts";
import { associatedData } from "../../associated-data.ts";
import type { Claimed, ContactId } from "../../port/port.ts";
import type { DataKey } from "../../sealing/seal.ts";

/**
 * A session as it was opened last, found by its sealed form, so a session changed elsewhere is not mistaken for it.
 * Thousands are kept, each once: frozen, or as text when only its text is known to be what JSON gives back.
 */
export type Opened = { readonly sealed: string } & (
  { readonly value: Json } | { readonly plain: string }
);
/** Length of the end of a sealed value that is compared, characters: it is the tag, which is unique. */
export const TAIL = 22;

export class Sessions {
  readonly #known = new Lru<ContactId, Opened>(REMEMBERED);

  get(contact: ContactId): Opened | undefined {
    return this.#known.get(contact);
  }

  /** Throws what opening throws. */
  open(key: DataKey, contact: ContactId, rev: number, sealed: string): Claimed["session"] {
    if (sealed === "") return null;
    const known = this.#known.get(contact);
    if (known?.sealed === sealed) return valueOf(known);
    const plain = key.openText(associatedData.session(contact, rev), sealed);
    const value = JSON.parse(plain) as Json;
    this.#known.set(contact, openedOf(sealed, plain, value));
    return value;
  }

  sealed(contact: ContactId, sealed: string, plain: string, value: Json): void {
    this.#known.set(contact, openedOf(sealed, plain, value));
  }

  forget(contact: ContactId): void {
    this.#known.delete(contact);
  }
}

/** It cannot be changed before the next turn: it is frozen, or read from its text each time. */
function openedOf(sealed: string, plain: string, value: Json): Opened {
  return freezePlain(value) ? { sealed, value } : { sealed, plain };
}

export function valueOf(opened: Opened): Json {
  return "value" in opened ? opened.value : (JSON.parse(opened.plain) as Json);
}

/**
 * Freezes plain data through and through. False when something in it is not what JSON would give back (undefined, an
 * infinite number, a class): then it must be read from its text. What was frozen by then stays so.
 */
function freezePlain(value: unknown): boolean {
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
