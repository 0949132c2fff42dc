/**
 * Data keys of the contacts this process works with, and what is sealed with them. Both adapters seal alike.
 */
import type { Json, JsonObject } from "../../base/index.ts";
import { REMEMBERED } from "../limits.ts";
import { Lru } from "../lru.ts";
import { associatedData } from "../names.ts";
import type { Acceptance, ContactId } from "../port/port.ts";
import { type DataKey, isChanged, isOneKey, type KeyRing, type Unwrapped } from "./seal.ts";

interface Known {
  readonly key: DataKey;
  readonly wrapped: string;
  /** Whether the store is known to have the key. One that it had and has no longer was erased and must never be put back. */
  readonly stored: boolean;
}

export class ContactKeys {
  readonly #ring: KeyRing;
  readonly #known = new Lru<ContactId, Known>(REMEMBERED);
  /** Told when a wrapped key of an older `PROSA_KEYS` entry was met: the adapter stores the new wrapping. */
  readonly #restore: (contact: ContactId, was: string, wrapped: string) => void;

  constructor(ring: KeyRing, restore: (contact: ContactId, was: string, wrapped: string) => void) {
    this.#ring = ring;
    this.#restore = restore;
  }

  /** The key as the store has it. Throws what unwrapping throws. */
  of(contact: ContactId, wrapped: string): DataKey {
    const known = this.#known.get(contact);
    if (known?.wrapped === wrapped) {
      if (!known.stored) this.#known.set(contact, { ...known, stored: true });
      return known.key;
    }
    let opened: Unwrapped;
    try {
      opened = this.#ring.unwrap(contact, wrapped, known?.key);
    } catch (error) {
      const whole = this.#whole(contact, wrapped, known, error);
      if (whole === undefined) {
        this.#ring.missed(wrapped, error);
        throw error;
      }
      this.#known.set(contact, { ...whole, stored: true });
      this.#restore(contact, wrapped, whole.wrapped);
      return whole.key;
    }
    const { key, stale } = opened;
    this.#known.set(contact, { key, wrapped, stored: true });
    if (stale) this.#restore(contact, wrapped, this.#ring.rewrap(contact, wrapped));
    return key;
  }

  /** A key whose wrapping was changed and is not lost: it was opened here before, or only the name of its entry is another. */
  #whole(
    contact: ContactId,
    wrapped: string,
    known: Known | undefined,
    error: unknown,
  ): Pick<Known, "key" | "wrapped"> | undefined {
    if (known && isChanged(error) && isOneKey(wrapped, known.wrapped)) return known;
    const renamed = this.#ring.renamed(contact, wrapped);
    if (renamed === undefined) return undefined;
    return { key: this.#ring.unwrap(contact, renamed).key, wrapped: renamed };
  }

  /** What is known without asking the store; it may be out of date. */
  remembered(contact: ContactId): Known | undefined {
    return this.#known.get(contact);
  }

  /** A key to offer for a contact that may have none yet. */
  propose(contact: ContactId): Known {
    const made = { ...this.#ring.make(contact), stored: false };
    this.#known.set(contact, made);
    return made;
  }

  forget(contact: ContactId): void {
    this.#known.delete(contact);
  }
}

/** Event id and mail, sealed together: an event id may hold an address. */
export function sealMail(
  key: DataKey,
  contact: ContactId,
  hash: string,
  item: Pick<Acceptance, "event" | "mail">,
): string {
  return key.seal(associatedData.mail(contact, hash), { e: item.event, m: item.mail });
}

export function openMail(
  key: DataKey,
  contact: ContactId,
  hash: string,
  sealed: string,
): { readonly event: string; readonly mail: Json } {
  const { e, m } = key.open(associatedData.mail(contact, hash), sealed) as JsonObject;
  return { event: typeof e === "string" ? e : "", mail: m ?? null };
}

/** Ticks are made inside the store, which cannot seal; they hold only a time. */
export function tickMail(due: number): { readonly event: string; readonly mail: Json } {
  return { event: `tick:${due}`, mail: { kind: "tick", due } };
}

/** The turn an effect belongs to, when its payload names one. */
export function turnOf(payload: Json): string | undefined {
  if (payload === null || typeof payload !== "object" || Array.isArray(payload)) return undefined;
  const turn = (payload as JsonObject)["turn"];
  return typeof turn === "string" ? turn : undefined;
}
