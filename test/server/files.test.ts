/** The address of a file for channels that carry none: who has the code has the file, a few times, for a day. */
import { hash } from "node:crypto";
import { afterEach, describe, expect, test, vi } from "vitest";
import { maskText } from "../../src/brazil/index.ts";
import { fileByCode, openFileLink, putFile, VirtualClock } from "../../src/worker/index.ts";
import { startRedis } from "../support/redis.ts";
import { openHouse, type House } from "./house.ts";

vi.setConfig({ testTimeout: 60_000 });
const DAY = 86_400_000;
const bytes = Buffer.from("\ufeffNumero;Valor\r\n12;150,00\r\n", "utf8");

let house: House;
let clock: VirtualClock;
afterEach(() => house.close());

async function open(redisUrl?: string): Promise<string> {
  clock = new VirtualClock();
  house = await openHouse({
    ...(redisUrl === undefined ? {} : { redisUrl }),
    deps: ({ store }) => ({ files: (code, how) => fileByCode({ store, clock }, code, how) }),
  });
  const context = {
    store: house.store,
    keys: { hash: (text: string) => hash("sha256", text, "hex").slice(0, 32) },
    clock,
  };
  const made = { mimetype: "text/csv", fileName: "notas-2026-11.csv", bytes };
  const kept = await putFile(context, { account: "demo", contact: "c", ...made });
  const of = { account: "demo", contact: "c", file: kept?.file ?? "", until: clock.now() + DAY };
  const code = await openFileLink(context, of);
  expect(await openFileLink(context, of)).toBe(code);
  return code;
}
const get = (code: string, method = "GET") => fetch(`${house.url}/f/${code}`, { method });

describe.each(["embedded", "redis"] as const)("a file's address, %s", (kind) => {
  test("gives the file three times, and looking uses nothing up", async () => {
    const redis = kind === "redis" ? await startRedis() : undefined;
    try {
      const code = await open(redis?.url);
      for (let look = 0; look < 5; look++) expect((await get(code, "HEAD")).status).toBe(200);
      const answers = await Promise.all([1, 2, 3, 4, 5].map(() => get(code)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 404, 404]);
      const first = answers.find(({ status }) => status === 200);
      expect(Buffer.from((await first?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(bytes);
      expect(first?.headers.get("content-disposition")).toBe(
        'attachment; filename="notas-2026-11.csv"',
      );
      expect(first?.headers.get("cache-control")).toBe("no-store");
      expect(first?.headers.get("referrer-policy")).toBe("no-referrer");
      expect(first?.headers.get("x-content-type-options")).toBe("nosniff");
    } finally {
      await redis?.stop();
    }
  });
});

test("is over with its file's day, unknown codes are the same 404, and neither log nor store tells the code", async () => {
  const code = await open();
  clock.moveTo(clock.now() + DAY + 1);
  const texts = await Promise.all(
    [code, "f".repeat(32), "short", "a%2Fb"].map(async (one) => {
      const answer = await get(one);
      return `${answer.status} ${await answer.text()}`;
    }),
  );
  expect(new Set(texts)).toEqual(
    new Set(["404 Este endereço não vale mais. Peça o arquivo de novo na conversa."]),
  );
  expect(JSON.stringify(house.log)).not.toContain(code);
  const { items } = await house.store.documents.list("file-links", {});
  expect(JSON.stringify(items)).not.toContain(code);
  expect(maskText(`veja https://x.example/f/${code}`)).toBe("veja https://x.example/f/***");
});
