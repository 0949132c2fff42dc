/**
 * Files the bot made and sends. They are kept for a day, so that a conversation carries a reference and no bytes. The
 * reference is a drawn secret that is only in the conversation. The file is found by the secret's digest and sealed with a
 * key that follows from it. So erasing the conversation's key also closes its files, in every copy of the store.
 */
import { hash, randomBytes } from "node:crypto";
import { z } from "zod";
import { keyOfSecret } from "../../store/index.ts";
import type { Store } from "../../store/port/port.ts";
import { documentsOf, changeDocument } from "./document.ts";
import type { Keys } from "../ports.ts";

const KeptFile = z.object({
  account: z.string(),
  /** Who asked for it. */
  contact: z.string(),
  mimetype: z.string(),
  fileName: z.string(),
  base64: z.string(),
  /** Removed after this, ms. */
  until: z.number(),
});
type KeptFile = z.output<typeof KeptFile>;

/** As it is stored. Whose it is and until when can be read without its secret, so that it can be removed. */
const Stored = z.object({ sealed: z.string() });
const PLACE = "file";

const COLLECTION = "files";
/** Largest file, bytes: a sheet of 3,000 rows. Documents of the store are meant to be small. */
const MOST_BYTES = 600 * 1024;
const LIVES_MS = 24 * 3_600_000;

interface FileStore {
  readonly store: Pick<Store, "documents">;
  readonly keys: Keys;
  readonly clock: { now(): number };
}

/** What a message carries of a file. */
interface FileRef {
  readonly kind: "document";
  readonly file: string;
  readonly mimetype: string;
  readonly fileName: string;
}

/** A name for a file: 256 bits. */
export function newFileSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Null when it is too large to be kept. `secret`: one drawn before, so that making the file twice makes one. */
export async function putFile(
  { store, clock }: Pick<FileStore, "store" | "clock">,
  given: {
    readonly account: string;
    readonly contact: string;
    readonly mimetype: string;
    readonly fileName: string;
    readonly bytes: Buffer;
    readonly secret?: string;
  },
): Promise<FileRef | null> {
  const { account, contact, mimetype, fileName, bytes, secret: file = newFileSecret() } = given;
  if (bytes.length > MOST_BYTES) return null;
  await sweep({ store, clock });
  const until = clock.now() + LIVES_MS;
  const what = { account, contact, mimetype, fileName, base64: bytes.toString("base64"), until };
  const sealed = keyOfSecret(PLACE, file).seal(PLACE, what);
  await store.documents.put(COLLECTION, fileId(file), { account, contact, until, sealed });
  return { kind: "document", file, mimetype, fileName };
}

/** Null when it is gone, or belongs to another account. */
export async function fileOf(
  { store, clock }: Pick<FileStore, "store" | "clock">,
  account: string,
  file: string,
): Promise<KeptFile | null> {
  const found = await store.documents.get(COLLECTION, fileId(file));
  const stored = Stored.safeParse(found?.value).data;
  const opened = stored && keyOfSecret(PLACE, file).open(PLACE, stored.sealed);
  const kept = KeptFile.safeParse(opened).data;
  return kept && kept.account === account && kept.until > clock.now() ? kept : null;
}

/** The name of a file's document, from which the secret cannot be found. */
function fileId(file: string): string {
  return hash("sha256", `file\0${file}`, "hex");
}

/** Removes the files that were made for one person; answers which documents. */
export async function dropFilesOf(
  { store }: Pick<FileStore, "store">,
  account: string,
  contact: string,
): Promise<readonly string[]> {
  const gone: string[] = [];
  for await (const { id, value } of documentsOf(store, COLLECTION)) {
    if (value["account"] !== account || value["contact"] !== contact) continue;
    await store.documents.remove(COLLECTION, id);
    gone.push(id);
  }
  return gone;
}

/** Files whose day is over are removed when the next one is made: there are few. */
async function sweep({ store, clock }: Pick<FileStore, "store" | "clock">): Promise<void> {
  for await (const { id, value } of documentsOf(store, COLLECTION))
    if (Number(value["until"]) <= clock.now()) await store.documents.remove(COLLECTION, id);
}

/*
 * Addresses of these files, for channels that carry no bytes. An address is good as long as its file, for a few downloads.
 * The store knows only the digest of its code. The file's secret is sealed with a key that follows from the code.
 */

const LINKS = "file-links";
/** Downloads of one address: one to look, one on another machine, and one for a messenger that opens addresses by itself. */
const DOWNLOADS = 3;
const LINK_PLACE = "file-link";
const CODE = /^[0-9a-f]{32,64}$/;

const FileLink = z.object({
  account: z.string(),
  /** The contact it was given to. */
  contact: z.string(),
  /** The name of the file's document. */
  file: z.string(),
  /** The file's secret, sealed. */
  sealed: z.string(),
  /** Virtual time, ms. */
  until: z.number(),
  left: z.number().int(),
});

/**
 * The code of a file's address for one contact. It is a keyed hash, so that a message that is sent again names the same
 * address. It cannot be made without the key and the file's secret.
 */
export async function openFileLink(
  { store, keys, clock }: FileStore,
  of: {
    readonly account: string;
    readonly contact: string;
    readonly file: string;
    readonly until: number;
  },
): Promise<string> {
  const { account, contact, file, until } = of;
  const code = keys.hash(`file-link:${account}:${contact}:${file}`);
  for await (const { id, value } of documentsOf(store, LINKS))
    if (Number(value["until"]) <= clock.now()) await store.documents.remove(LINKS, id);
  const sealed = keyOfSecret(LINK_PLACE, code).sealText(LINK_PLACE, file);
  const link = { account, contact, file: fileId(file), sealed, until, left: DOWNLOADS };
  await changeDocument(store, LINKS, idOf(code), (value) => (value ? null : link));
  return code;
}
/** Addresses that one person was given, or that lead to one of these files. */
export async function withdrawFileLinks(
  { store }: Pick<FileStore, "store">,
  account: string,
  contact: string,
  files: readonly string[],
): Promise<void> {
  for await (const { id, value } of documentsOf(store, LINKS)) {
    if (value["account"] !== account) continue;
    const { contact: whose, file } = value;
    const isListed = typeof file === "string" && files.includes(file);
    if (whose === contact || isListed) await store.documents.remove(LINKS, id);
  }
}

/** The file, with one download counted unless it is only looked at (HEAD); null for a code that is unknown, over or used up. */
export async function fileByCode(
  { store, clock }: Pick<FileStore, "store" | "clock">,
  code: string,
  how: "look" | "take",
): Promise<KeptFile | null> {
  if (!CODE.test(code)) return null;
  const id = idOf(code);
  const link = FileLink.safeParse((await store.documents.get(LINKS, id))?.value).data;
  if (!link || link.left < 1 || link.until <= clock.now()) return null;
  const file = keyOfSecret(LINK_PLACE, code).openText(LINK_PLACE, link.sealed);
  const kept = await fileOf({ store, clock }, link.account, file);
  if (!kept || how === "look") return kept;
  let taken = false;
  await changeDocument(store, LINKS, id, (value) => {
    const now = FileLink.safeParse(value).data;
    taken = now !== undefined && now.left > 0;
    return now && taken ? { ...now, left: now.left - 1 } : null;
  });
  return taken ? kept : null;
}

function idOf(code: string): string {
  return hash("sha256", `file-link\0${code}`, "hex");
}
