/**
 * Facts of the installation: schema, partition count, index key, a name of its own. The first process writes them; all
 * others must agree.
 */
import { randomBytes } from "node:crypto";
import { Fault } from "../../../base/index.ts";
import { Names } from "../../names.ts";
import type { KeyRing } from "../../sealing/seal.ts";
import type { Client } from "./client.ts";

const META = "prosa:meta";
const SCHEMA = "1";

/** Throws `STORE_INCOMPATIBLE` for another schema or partition count, `KEY_UNKNOWN` for other keys. */
export async function readMeta(
  client: Client,
  ring: KeyRing,
  wanted: { readonly partitions: number | undefined; readonly usual: number },
): Promise<{ readonly partitions: number; readonly names: Names; readonly install: string }> {
  const schema = await first(client, "schema", () => SCHEMA);
  if (schema !== SCHEMA)
    throw new Fault("STORE_INCOMPATIBLE", `This Redis has schema ${schema} of the store.`);
  const asked = String(wanted.partitions ?? wanted.usual);
  const partitions = Number(await first(client, "partitions", () => asked));
  if (wanted.partitions !== undefined && wanted.partitions !== partitions)
    throw new Fault("STORE_INCOMPATIBLE", `This Redis has ${partitions} partitions.`);
  const index = await first(client, "index", () => ring.make("index").wrapped);
  const names = new Names(ring.secret("index", index));
  await rewrapIndex(client, ring);
  const install = await first(client, "install", () => randomBytes(9).toString("base64url"));
  return { partitions, names, install };
}

/** Wraps the index key by the active entry, where it is not. */
export async function rewrapIndex(client: Client, ring: KeyRing): Promise<void> {
  const index = await read(client, "index");
  if (!ring.isStale(index)) return;
  await client.script("rewrap-field", META, "index", index, ring.rewrap("index", index));
}

/** Only what is missing is written, so that a process can start and help to empty a Redis that is full. */
async function first(client: Client, field: string, value: () => string): Promise<string> {
  return (
    (await read(client, field)) || String(await client.script("first-field", META, field, value()))
  );
}

async function read(client: Client, field: string): Promise<string> {
  return (await client.ask((redis) => redis.hget(META, field))) ?? "";
}
