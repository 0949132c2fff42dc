/** Facts of the installation: schema, partition count, index key, a name of its own. Written by the first process, held to by all others. */
import { randomBytes } from "node:crypto";
import { Fault } from "../../base/index.ts";
import { Names } from "../names.ts";
import type { KeyRing } from "../seal.ts";
import type { Client } from "./client.ts";

const META = "prosa:meta";
const SCHEMA = "1";

/** Throws `STORE_INCOMPATIBLE` for another schema or partition count, `KEY_UNKNOWN` for other keys. */
export async function readMeta(
  client: Client,
  ring: KeyRing,
  wanted: { readonly partitions: number | undefined; readonly usual: number },
): Promise<{ readonly partitions: number; readonly names: Names; readonly install: string }> {
  await once(client, "schema", SCHEMA);
  const schema = await read(client, "schema");
  if (schema !== SCHEMA)
    throw new Fault("STORE_INCOMPATIBLE", `This Redis has schema ${schema} of the store.`);
  await once(client, "partitions", String(wanted.partitions ?? wanted.usual));
  const partitions = Number(await read(client, "partitions"));
  if (wanted.partitions !== undefined && wanted.partitions !== partitions)
    throw new Fault("STORE_INCOMPATIBLE", `This Redis has ${partitions} partitions.`);
  await once(client, "index", ring.make("index").wrapped);
  const index = await read(client, "index");
  const names = new Names(ring.secret("index", index));
  await rewrapIndex(client, ring);
  await once(client, "install", randomBytes(9).toString("base64url"));
  return { partitions, names, install: await read(client, "install") };
}

/** Wraps the index key by the active entry, where it is not. */
export async function rewrapIndex(client: Client, ring: KeyRing): Promise<void> {
  const index = await read(client, "index");
  if (!ring.isStale(index)) return;
  await client.script("rewrap-field", META, "index", index, ring.rewrap("index", index));
}

async function once(client: Client, field: string, value: string): Promise<void> {
  await client.ask((redis) => redis.hsetnx(META, field, value));
}

async function read(client: Client, field: string): Promise<string> {
  return (await client.ask((redis) => redis.hget(META, field))) ?? "";
}
