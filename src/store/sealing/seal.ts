/**
 * Encryption at rest: AES-256-GCM under data keys, data keys wrapped by the entries of `PROSA_KEYS`.
 *
 * Every contact and every collection has a data key of its own; dropping the wrapped key makes all that was sealed with
 * it unreadable, in backups too. Associated data names the place (`<what>|<owner>|<rev>`), so that sealed bytes moved
 * elsewhere do not open.
 *
 * A wrapping whose bytes changed takes with it what its key sealed, and nothing else: another key is put in its place, in
 * front of it, and what follows is sealed with that. The old wrapping stays behind it, for whoever can still open it.
 */
import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  randomFillSync,
} from "node:crypto";
import { Fault, type Json } from "../../base/index.ts";
import { Listeners } from "../listeners.ts";

/** NIST SP 800-38D: 96-bit nonces, 128-bit tags. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** Between a key and those that it replaced. */
const BEHIND = ",";
/** Replaced keys that are kept in a field, so that it does not grow for ever. */
const KEPT_BEHIND = 2;
/** A wrapping as it is written: name of the entry, id, sealed key. Any other form was changed. */
const WRAPPING = /^[\w-]{1,32}:[\w-]{8}:[\w-]{80}$/;

/** Random bytes for many nonces are drawn at once: one by one they cost as much as the encryption. */
const NONCES = Buffer.allocUnsafe(NONCE_BYTES * 512);
let nonceAt = NONCES.length;

function encrypt(key: KeyObject, aad: string, plain: Buffer): string {
  const out = Buffer.allocUnsafe(NONCE_BYTES + plain.length + TAG_BYTES);
  if (nonceAt === NONCES.length) {
    randomFillSync(NONCES);
    nonceAt = 0;
  }
  NONCES.copy(out, 0, nonceAt, nonceAt + NONCE_BYTES);
  nonceAt += NONCE_BYTES;
  const cipher = createCipheriv("aes-256-gcm", key, out.subarray(0, NONCE_BYTES));
  cipher.setAAD(Buffer.from(aad));
  cipher.update(plain).copy(out, NONCE_BYTES);
  cipher.final();
  cipher.getAuthTag().copy(out, NONCE_BYTES + plain.length);
  return out.toString("base64url");
}

function decrypt(key: KeyObject, aad: string, sealed: string): Buffer {
  const bytes = Buffer.from(sealed, "base64url");
  if (bytes.length < NONCE_BYTES + TAG_BYTES)
    throw new Fault("DATA_TAMPERED", "A sealed value is too short.");
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(aad));
  decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  const plain = decipher.update(bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES));
  try {
    decipher.final();
  } catch (cause) {
    throw new Fault("DATA_TAMPERED", "A sealed value does not open.", { cause });
  }
  return plain;
}

/** The key of one contact or one collection. `id` tells generations of it apart: a new one is made after an erasure. */
export class DataKey {
  readonly id: string;
  readonly #key: KeyObject;
  /** The keys it replaced, as far as they are known: they open what they sealed. */
  readonly #behind: readonly DataKey[];

  constructor(id: string, key: Buffer, behind: readonly DataKey[] = []) {
    this.id = id;
    // As a key object: raw bytes would be turned into one for each sealing.
    this.#key = createSecretKey(key);
    this.#behind = behind;
  }

  sealText(aad: string, text: string): string {
    return encrypt(this.#key, aad, Buffer.from(text));
  }

  /** Throws a `DATA_TAMPERED` Fault when the bytes, the key or the place are not those of the sealing. */
  openText(aad: string, sealed: string): string {
    try {
      return decrypt(this.#key, aad, sealed).toString();
    } catch (error) {
      for (const key of this.#behind) {
        try {
          return key.openText(aad, sealed);
        } catch {
          // One of the next keys may open it; if none does, the error is that of the key in force.
        }
      }
      throw error;
    }
  }

  seal(aad: string, value: Json): string {
    return this.sealText(aad, JSON.stringify(value));
  }

  open(aad: string, sealed: string): Json {
    return JSON.parse(this.openText(aad, sealed)) as Json;
  }
}

/**
 * A key that follows from a drawn secret (256 bits): whoever has the secret can open what was sealed with it. `what` tells
 * keys of one secret apart.
 */
export function keyOfSecret(what: string, secret: string): DataKey {
  return new DataKey(what, Buffer.from(hkdfSync("sha256", secret, "", what, KEY_BYTES)));
}

/** A data key as it came out of its wrapping. `stale`: wrapped by an entry that is no longer the active one. */
export interface Unwrapped {
  readonly key: DataKey;
  readonly stale: boolean;
}

/** The key of a collection. Throws as {@link KeyRing.unwrap}; listeners for missing entries are told. */
export function unwrapped(ring: KeyRing, owner: string, wrapped: string): Unwrapped {
  try {
    return ring.unwrap(owner, wrapped);
  } catch (error) {
    ring.missed(wrapped, error);
    throw error;
  }
}

/** Whether it was changed: then no other process can open it, whatever `PROSA_KEYS` it has. */
export function isChanged(error: unknown): boolean {
  return Fault.is(error, "DATA_TAMPERED");
}

/** The entries of `PROSA_KEYS`. One wraps (the first, unless another was agreed on), all unwrap. */
export class KeyRing {
  #active: string;
  readonly #keys: ReadonlyMap<string, KeyObject>;
  /** Told the name of a missing entry, each time something that it wrapped was needed. */
  readonly missing = new Listeners<string>();

  /** `name:base64,…`, 32 bytes each. Throws a `SETTING_INVALID` Fault. */
  constructor(text: string) {
    const keys = new Map<string, KeyObject>();
    for (const part of text.split(",")) {
      const match = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/=_-]+)$/.exec(part.trim());
      const key = Buffer.from(match?.[2] ?? "", "base64");
      if (!match?.[1] || key.length !== KEY_BYTES)
        throw new Fault("SETTING_INVALID", "PROSA_KEYS must be name:base64 with 32 bytes each.");
      if (keys.has(match[1]))
        throw new Fault("SETTING_INVALID", `PROSA_KEYS names the key ${match[1]} twice.`);
      keys.set(match[1], createSecretKey(key));
    }
    this.#keys = keys;
    this.#active = keys.keys().next().value ?? "";
  }

  /** Names of the entries, in the order given. */
  get entries(): readonly string[] {
    return [...this.#keys.keys()];
  }

  /** The entry that wraps. */
  get active(): string {
    return this.#active;
  }

  /** From now on this entry wraps. A name that is not among the entries changes nothing. */
  use(entry: string): void {
    if (this.#keys.has(entry)) this.#active = entry;
  }

  /** After `wrapped` could not be opened: tells the listeners when its entry is missing. */
  missed(wrapped: string, error: unknown): void {
    if (Fault.is(error, "KEY_UNKNOWN")) this.missing.tell(entryOf(wrapped));
  }

  /** A new data key and its wrapped form `kid:id:sealed`. `owner` is bound into the wrapping. */
  make(owner: string): { readonly key: DataKey; readonly wrapped: string } {
    const id = randomBytes(6).toString("base64url");
    const bytes = randomBytes(KEY_BYTES);
    return { key: new DataKey(id, bytes), wrapped: this.#wrap(owner, id, bytes) };
  }

  /**
   * `known`: a key of this owner that was opened before and can stand in for its wrapping. Throws `KEY_UNKNOWN` when the
   * entry that wrapped it is not in `PROSA_KEYS`, `DATA_TAMPERED` when it does not open.
   */
  unwrap(owner: string, wrapped: string, known?: DataKey): Unwrapped {
    const [first = "", ...others] = wrapped.split(BEHIND);
    const { kid, id, bytes } = this.#bytesOf(owner, first);
    const behind = others.flatMap((one) => {
      if (known && one.split(":")[1] === known.id) return [known];
      const opened = this.#opened(owner, one);
      return opened ? [new DataKey(opened.id, opened.bytes)] : [];
    });
    return { key: new DataKey(id, bytes, behind), stale: kid !== this.#active };
  }

  /** The same key wrapped by the active entry, with the replaced keys that can be opened. */
  rewrap(owner: string, wrapped: string): string {
    const [first = "", ...others] = wrapped.split(BEHIND);
    const { id, bytes } = this.#bytesOf(owner, first);
    const behind = others.map((one) => {
      const opened = this.#opened(owner, one);
      return opened ? this.#wrap(owner, opened.id, opened.bytes) : one;
    });
    return [this.#wrap(owner, id, bytes), ...behind].join(BEHIND);
  }

  /**
   * The same key under the active entry, when only the name of its entry was changed, which is not sealed. Found by trying
   * each entry. The replaced keys stay. Undefined when none opens it.
   */
  renamed(owner: string, wrapped: string): string | undefined {
    const [first = "", ...behind] = wrapped.split(BEHIND);
    const [, ...rest] = first.split(":");
    for (const kid of this.#keys.keys()) {
      const named = [kid, ...rest].join(":");
      if (this.#opened(owner, named)) return this.rewrap(owner, [named, ...behind].join(BEHIND));
    }
    return undefined;
  }

  /** What is stored instead of a changed wrapping: a new key, with the old wrapping after it. */
  replace(owner: string, wrapped: string): string {
    const behind = wrapped.split(BEHIND).slice(0, KEPT_BEHIND);
    return [this.make(owner).wrapped, ...behind].join(BEHIND);
  }

  /** What is stored where another key replaced one that is still known: that one after it, if there is room. */
  keep(owner: string, wrapped: string, known: string): string {
    const all = wrapped.split(BEHIND);
    const lacking = known.split(BEHIND).filter((one) => !all.some((has) => isOneKey(has, one)));
    const behind = lacking.slice(0, Math.max(0, 1 + KEPT_BEHIND - all.length));
    return behind.length === 0 ? wrapped : this.rewrap(owner, [...all, ...behind].join(BEHIND));
  }

  /** The raw bytes of a wrapped secret that is not used to seal (the index key). */
  secret(owner: string, wrapped: string): Buffer {
    return this.#bytesOf(owner, wrapped).bytes;
  }

  isStale(wrapped: string): boolean {
    return entryOf(wrapped) !== this.#active;
  }

  #wrap(owner: string, id: string, bytes: Buffer): string {
    const kek = this.#keys.get(this.#active);
    if (!kek) throw new Fault("SETTING_INVALID", "PROSA_KEYS holds no key.");
    return `${this.#active}:${id}:${encrypt(kek, `key|${owner}|${id}`, bytes)}`;
  }

  #bytesOf(owner: string, wrapped: string): { kid: string; id: string; bytes: Buffer } {
    const [kid = "", id = "", sealed = ""] = wrapped.split(":");
    const kek = this.#keys.get(kid);
    if (kek) return { kid, id, bytes: decrypt(kek, `key|${owner}|${id}`, sealed) };
    // A well-formed wrapping belongs to an entry that this process was not given; any other was changed.
    if (WRAPPING.test(wrapped))
      throw new Fault("KEY_UNKNOWN", `Data is sealed under the key "${kid}".`);
    throw new Fault("DATA_TAMPERED", "A wrapped key is none.");
  }

  #opened(owner: string, wrapped: string) {
    try {
      return this.#bytesOf(owner, wrapped);
    } catch {
      return undefined;
    }
  }
}

/** Name of the entry of `PROSA_KEYS` that wrapped a key. */
export function entryOf(wrapped: string): string {
  return wrapped.slice(0, Math.max(0, wrapped.indexOf(":")));
}

/** Whether both wrap the same key, told by its id or its sealed form, without opening them. */
export function isOneKey(one: string, other: string): boolean {
  const [, id, sealed] = firstOf(one).split(":");
  const [, otherId, otherSealed] = firstOf(other).split(":");
  return (id !== undefined && id === otherId) || (sealed !== undefined && sealed === otherSealed);
}

/** The key in force, without those it replaced. */
function firstOf(wrapped: string): string {
  return wrapped.split(BEHIND)[0] ?? "";
}
