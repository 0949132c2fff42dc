/** What an append-only log still tells of a person. */
import { KeyRing } from "../../src/store/sealing/seal.ts";
import { folderBytes } from "../support/folder-bytes.ts";

/** Every file of an append-only log, also those in its folder. */
export function logBytes(of: string): Buffer {
  return Buffer.concat([...folderBytes(of).values()]);
}

/** Data keys of a contact in these bytes that some entry of these `PROSA_KEYS` opens. */
export function openable(bytes: Buffer, keys: string, contact: string): number {
  const ring = new KeyRing(keys);
  const wrapped = new Set(bytes.toString("latin1").match(/k\d:[\w-]{8}:[\w-]{80}/g) ?? []);
  return [...wrapped].filter((one) => {
    try {
      return ring.unwrap(contact, one).key.id !== "";
    } catch {
      return false;
    }
  }).length;
}
