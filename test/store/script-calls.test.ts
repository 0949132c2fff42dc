/** Script calls written as bytes: whatever the values hold, and whoever else speaks on the line, each gets its own answer. */
import { createHash } from "node:crypto";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ScriptCalls } from "../../src/store/redis/connection/script-calls.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";

const script = (lua: string) => ({ lua, sha: createHash("sha1").update(lua).digest("hex") });
const ECHO = script("return {KEYS[1], #ARGV, unpack(ARGV)}");
const PUSH = script("return redis.call('RPUSH', KEYS[1], ARGV[1])");

let redis: TestRedis;
const clients: Redis[] = [];

function client(): Redis {
  const made = new Redis(redis.url, {
    ...{ enableAutoPipelining: true, enableOfflineQueue: false, retryStrategy: () => null },
    ...{ maxRetriesPerRequest: 0, lazyConnect: true },
  });
  made.on("error", () => undefined);
  clients.push(made);
  return made;
}

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(async () => {
  for (const one of clients) one.disconnect();
  await redis.stop();
});

describe("a script call", () => {
  test("carries values as they are: line ends, several bytes a character, nothing at all, numbers", async () => {
    const line = client();
    await line.connect();
    const values = ["", "a\r\n$3\r\nb", "ação 🙂 *2\r\n", "\u0000", 7, -1.5, 2 ** 52];
    const answer = await new ScriptCalls(line).run(ECHO, "{chavé}:", values);
    expect(answer).toEqual(["{chavé}:", values.length, ...values.map(String)]);
  });

  test("gets its own answer however plain commands and other calls come between", async () => {
    const line = client();
    await line.connect();
    const calls = new ScriptCalls(line);
    const asked: Promise<unknown>[] = [];
    const wanted: unknown[] = [];
    for (let index = 0; index < 300; index++) {
      asked.push(calls.run(ECHO, "k", [index]), line.echo(`plain ${index}`));
      wanted.push(["k", 1, String(index)], `plain ${index}`);
      // Past the library's own collecting: written at once.
      asked.push(line.pipeline().echo(`piped ${index}`).exec());
      wanted.push([[null, `piped ${index}`]]);
      if (index % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await Promise.all(asked)).toEqual(wanted);
  });

  test("is carried out once, and in order, by a server that has forgotten the script", async () => {
    const line = client();
    await line.connect();
    await line.script("FLUSH");
    const calls = new ScriptCalls(line);
    const lengths = await Promise.all(
      Array.from({ length: 20 }, (_, index) => calls.run(PUSH, "order", [index])),
    );
    expect(lengths).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(await line.lrange("order", 0, -1)).toEqual(lengths.map((_, index) => String(index)));
  });

  test("over a line that is gone fails, is not sent later, and tells no value", async () => {
    const line = client();
    await line.connect();
    const calls = new ScriptCalls(line);
    await calls.run(PUSH, "gone", ["first"]);
    const lost = calls.run(PUSH, "gone", ["secret"]);
    line.disconnect();
    const error: unknown = await lost.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain("secret");
    const other = client();
    await other.connect();
    expect(await other.lrange("gone", 0, -1)).toEqual(["first"]);
  });

  test("that the server refuses tells no value", async () => {
    const line = client();
    await line.connect();
    await line.set("text", "no list");
    const refused = new ScriptCalls(line).run(PUSH, "text", ["secret"]);
    const error: unknown = await refused.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ message: expect.stringContaining("WRONGTYPE") as string });
    const command = (error as { command?: unknown }).command;
    expect(JSON.stringify([command, (error as Error).message])).not.toContain("secret");
  });
});
