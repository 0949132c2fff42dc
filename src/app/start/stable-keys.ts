/** The key of business keys and echo digests: one for each installation, for as long as it lives. */
import { createHmac, randomBytes } from "node:crypto";
import { Fault } from "../../base/index.ts";
import type { Store } from "../../store/port/port.ts";
import type { Keys } from "../../worker/index.ts";

/** A secret of this installation that never rotates: business keys made before a rotation must still meet. */
export async function stableKeys(store: Store): Promise<Keys> {
  const made = { secret: randomBytes(32).toString("base64") };
  await store.documents.put("meta", "hash-key", made, 0);
  const kept = await store.documents.get("meta", "hash-key");
  const secret = kept?.value["secret"];
  if (typeof secret !== "string")
    throw new Fault("STORE_INCOMPATIBLE", "The store has no key for hashes.");
  const key = Buffer.from(secret, "base64");
  return { hash: (text) => createHmac("sha256", key).update(text).digest("hex").slice(0, 32) };
}
