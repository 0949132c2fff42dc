/** The Redis store: the common contract against a real server. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect } from "vitest";
import { openStore } from "../../src/store/index.ts";
import { PARTITIONS } from "../../src/store/limits.ts";
import { folderBytes } from "../support/folder-bytes.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import type { Harness } from "./contract.ts";
import { effectsContract } from "./effects-contract.ts";
import { eraseContract } from "./erase-contract.ts";
import { fairContract } from "./fair-contract.ts";
import { inPlaceContract } from "./in-place-contract.ts";
import { mailboxContract } from "./mailbox-contract.ts";
import { outboxContract } from "./outbox-contract.ts";
import { recordsContract } from "./records-contract.ts";
import { replyContract } from "./reply-contract.ts";
import { takeContract } from "./take-contract.ts";

const KEYS = `k1:${Buffer.alloc(32, 7).toString("base64")}`;
/** One database per opened store, so that tests do not meet. */
const DATABASES = 1_000;

let server: TestRedis;
let database = 0;
beforeAll(async () => {
  server = await startRedis({ args: ["--databases", String(DATABASES)] });
});
afterAll(() => server.stop());

/** All files of the append-only log. */
function logBytes(folder: string): Buffer {
  return Buffer.concat([...folderBytes(folder).values()]);
}

const harness: Harness = {
  name: "Redis",
  async open(limits = {}, partitions = PARTITIONS) {
    database += 1;
    const redisUrl = `${server.url}/${database}`;
    const store = await openStore({ redisUrl, keys: KEYS, limits, partitions });
    const second = await openStore({ redisUrl, keys: KEYS, limits, partitions });
    const raw = new Redis(redisUrl);
    const folder = server.folder ?? "";
    return {
      store,
      second,
      bytes: async () => logBytes(folder),
      async dataKey(contact) {
        const [key = ""] = await raw.keys(`prosa:*:s:${contact}`);
        return (await raw.hget(key, "k")) ?? "";
      },
      async liveBytesInclude(text) {
        const before = await raw.lastsave();
        await raw.save();
        expect(await raw.lastsave()).toBeGreaterThanOrEqual(before);
        return readFileSync(path.join(folder, "dump.rdb")).includes(text);
      },
      async close() {
        raw.disconnect();
        await store.close();
        await second.close();
      },
    };
  },
};

mailboxContract(harness);
takeContract(harness);
outboxContract(harness);
effectsContract(harness);
fairContract(harness);
inPlaceContract(harness);
recordsContract(harness);
replyContract(harness);
eraseContract(harness);
