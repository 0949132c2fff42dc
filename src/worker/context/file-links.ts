/**
 * Addresses of files the bot made, for channels that carry no bytes. An address is good as long as its file, for a few
 * downloads. The store knows only the digest of its code. The file's secret is sealed with a key that follows from the
 * code.
 */
import { hash } from "node:crypto";
import { z } from "zod";
import { keyOfSecret } from "../../store/index.ts";
import { changeDocument, documentsOf } from "./document.ts";
import { fileId, fileOf, type House, type KeptFile } from "./files.ts";

const COLLECTION = "file-links";
/** Downloads of one address: one to look, one on another machine, and one for a messenger that opens addresses by itself. */
export const DOWNLOADS = 3;
const PLACE = "file-link";
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
  { store, keys, clock }: House,
  { account, contact, file, until }: Record<"account" | "contact" | "file", string> & Until,
): Promise<string> {
  const code = keys.hash(`file-link:${account}:${contact}:${file}`);
  for await (const { id, value } of documentsOf(store, COLLECTION))
    if (Number(value["until"]) <= clock.now()) await store.documents.remove(COLLECTION, id);
  const sealed = keyOfSecret(PLACE, code).sealText(PLACE, file);
  const link = { account, contact, file: fileId(file), sealed, until, left: DOWNLOADS };
  await changeDocument(store, COLLECTION, idOf(code), (value) => (value ? null : link));
  return code;
}
interface Until {
  readonly until: number;
}

/** Addresses that one person was given, or that lead to one of these files. */
export async function withdrawFileLinks(
  { store }: Pick<House, "store">,
  account: string,
  contact: string,
  files: readonly string[],
): Promise<void> {
  for await (const { id, value } of documentsOf(store, COLLECTION)) {
    if (value["account"] !== account) continue;
    const { contact: whose, file } = value;
    const isListed = typeof file === "string" && files.includes(file);
    if (whose === contact || isListed) await store.documents.remove(COLLECTION, id);
  }
}

/** The file, with one download counted unless it is only looked at (HEAD); null for a code that is unknown, over or used up. */
export async function fileByCode(
  { store, clock }: Pick<House, "store" | "clock">,
  code: string,
  how: "look" | "take",
): Promise<KeptFile | null> {
  if (!CODE.test(code)) return null;
  const id = idOf(code);
  const link = FileLink.safeParse((await store.documents.get(COLLECTION, id))?.value).data;
  if (!link || link.left < 1 || link.until <= clock.now()) return null;
  const file = keyOfSecret(PLACE, code).openText(PLACE, link.sealed);
  const kept = await fileOf({ store, clock }, link.account, file);
  if (!kept || how === "look") return kept;
  let taken = false;
  await changeDocument(store, COLLECTION, id, (value) => {
    const now = FileLink.safeParse(value).data;
    taken = now !== undefined && now.left > 0;
    return now && taken ? { ...now, left: now.left - 1 } : null;
  });
  return taken ? kept : null;
}

function idOf(code: string): string {
  return hash("sha256", `file-link\0${code}`, "hex");
}
