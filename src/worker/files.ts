/**
 * Files the bot made and sends: kept sealed in the store for a day, so that a conversation carries a reference and no bytes.
 * The reference is a keyed hash of the effect that made it: nobody can guess it, and making it twice makes one file.
 */
import { z } from "zod";
import type { Store } from "../store/port.ts";
import { documentsOf } from "./document.ts";
import type { Keys } from "./ports.ts";

export const KeptFile = z.object({
  account: z.string(),
  /** Who asked for it; files from before have none. */
  contact: z.string().optional(),
  mimetype: z.string(),
  fileName: z.string(),
  base64: z.string(),
  /** ms; gone after it. */
  until: z.number(),
});
export type KeptFile = z.output<typeof KeptFile>;

const COLLECTION = "files";
/** Largest file, bytes: a month of 3,000 notes. Documents of the store are small by promise. */
const MOST_BYTES = 600 * 1024;
const LIVES_MS = 24 * 3_600_000;

export interface House {
  readonly store: Pick<Store, "get" | "put" | "list" | "remove">;
  readonly keys: Keys;
  readonly clock: { now(): number };
}

/** What a bubble carries of a file. */
export interface FileRef {
  readonly kind: "document";
  readonly file: string;
  readonly mimetype: string;
  readonly fileName: string;
}

/** Null when it is too large to be kept. */
export async function putFile(
  { store, keys, clock }: House,
  given: {
    readonly account: string;
    readonly contact: string;
    readonly effect: string;
    readonly mimetype: string;
    readonly fileName: string;
    readonly bytes: Buffer;
  },
): Promise<FileRef | null> {
  const { account, contact, effect, mimetype, fileName, bytes } = given;
  if (bytes.length > MOST_BYTES) return null;
  await sweep({ store, clock });
  const file = keys.hash(`file:${account}:${effect}`).slice(0, 40);
  const until = clock.now() + LIVES_MS;
  const base64 = bytes.toString("base64");
  await store.put(COLLECTION, file, { account, contact, mimetype, fileName, base64, until });
  return { kind: "document", file, mimetype, fileName };
}

/** Null for what is not there any more, or is another account's. */
export async function fileOf(
  { store, clock }: Pick<House, "store" | "clock">,
  account: string,
  file: string,
): Promise<KeptFile | null> {
  const found = await store.get(COLLECTION, file);
  const kept = found ? KeptFile.safeParse(found.value).data : undefined;
  return kept && kept.account === account && kept.until > clock.now() ? kept : null;
}

/** Files that were made for one person go; answers which. */
export async function dropFilesOf(
  { store }: Pick<House, "store">,
  account: string,
  contact: string,
): Promise<readonly string[]> {
  const gone: string[] = [];
  for await (const { id, value } of documentsOf(store, COLLECTION)) {
    if (value["account"] !== account || value["contact"] !== contact) continue;
    await store.remove(COLLECTION, id);
    gone.push(id);
  }
  return gone;
}

/** Files whose day is over go when the next one is made: there are few. */
async function sweep({ store, clock }: Pick<House, "store" | "clock">): Promise<void> {
  for await (const { id, value } of documentsOf(store, COLLECTION))
    if (Number(value["until"]) <= clock.now()) await store.remove(COLLECTION, id);
}
