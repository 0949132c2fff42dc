/** Where replicas are required, an erasure is told as done only once they have it: whichever takes over brings nobody back. */
import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { openStore } from "../../src/store/index.ts";
import { startRedis } from "../support/redis.ts";
import { accept, ACCOUNT, claimOne, commitOf, sleep } from "./contract.ts";

const KEYS = `k1:${Buffer.alloc(32, 7).toString("base64")}`;
const PHONE = "phone:5511955550001";

test("an erasure no replica confirmed is no erasure: it is asked again, and then the replica has forgotten too", async () => {
  const strict = ["--repl-diskless-sync-delay", "0", "--min-replicas-to-write", "1"];
  const primary = await startRedis({ args: strict });
  const replica = await startRedis({
    args: [...strict, "--replicaof", "127.0.0.1", String(primary.port)],
  });
  const raw = new Redis(replica.url);
  // The link is up a little before the primary counts on it, and writes are refused until then.
  const asked = new Redis(primary.url);
  while (!(await asked.info("replication")).includes("min_slaves_good_slaves:1")) await sleep(20);
  asked.disconnect();
  const store = await openStore({ redisUrl: primary.url, keys: KEYS });
  try {
    const contact = await store.contacts.identify(ACCOUNT, [PHONE]);
    await accept(store, contact, "hello");
    const claimed = await claimOne(store);
    await store.mail.commit([commitOf(claimed)]);
    const traces = async () =>
      (await raw.keys(`prosa:*:${contact}`)).filter((key) => !key.includes(":x:"));
    while ((await traces()).length === 0) await sleep(20);

    replica.process?.kill("SIGSTOP");
    for (let twice = 0; twice < 2; twice += 1)
      await expect(store.contacts.erase(ACCOUNT, contact)).rejects.toMatchObject({
        code: "STORE_UNAVAILABLE",
      });
    replica.process?.kill("SIGCONT");
    expect(await store.contacts.erase(ACCOUNT, contact)).toBe(true);
    // At once: what was told as done is there.
    expect(await traces()).toEqual([]);
    expect(await store.contacts.erase(ACCOUNT, contact)).toBe(false);

    await primary.stop();
    await raw.replicaof("NO", "ONE");
    await raw.config("SET", "min-replicas-to-write", "0");
    const successor = await openStore({ redisUrl: replica.url, keys: KEYS });
    expect(await successor.contacts.lookup(ACCOUNT, PHONE)).toBeNull();
    expect(await successor.views.session(ACCOUNT, contact)).toBeNull();
    await successor.close();
  } finally {
    replica.process?.kill("SIGCONT");
    await store.close();
    raw.disconnect();
    await replica.stop();
    await primary.stop();
  }
});
