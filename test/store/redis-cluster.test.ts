/** The store on a real Cluster of three nodes: every step finds its slot, whatever node holds it. */
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStore, type Store } from "../../src/store/index.ts";
import { freePort, startRedis, type TestRedis } from "../support/redis.ts";
import { accept, ACCOUNT, beginAll, claimAll, commitOf, message, sleep } from "./contract.ts";

const KEYS = `k1:${Buffer.alloc(32, 7).toString("base64")}`;
const SLOTS = 16_384;
/** A node's second port is its first plus 10,000, which must still be a port. */
const HIGHEST = 55_000;

const nodes: TestRedis[] = [];
let stores: readonly [Store, Store];

async function lowPort(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (port < HIGHEST) return port;
  }
}

beforeAll(async () => {
  for (let index = 0; index < 3; index += 1)
    nodes.push(await startRedis({ port: await lowPort(), args: ["--cluster-enabled", "yes"] }));
  const clients = nodes.map(({ url }) => new Redis(url));
  const share = Math.ceil(SLOTS / clients.length);
  for (const [index, client] of clients.entries()) {
    const last = Math.min(SLOTS, (index + 1) * share) - 1;
    await client.call("CLUSTER", "ADDSLOTSRANGE", index * share, last);
    if (index > 0) await client.call("CLUSTER", "MEET", "127.0.0.1", nodes[0]?.port ?? 0);
  }
  const isWhole = async (client: Redis) => {
    const info = String(await client.call("CLUSTER", "INFO"));
    return info.includes("cluster_state:ok") && info.includes("cluster_known_nodes:3");
  };
  for (const client of clients) while (!(await isWhole(client))) await sleep(50);
  for (const client of clients) client.disconnect();
  const redisUrl = nodes.map(({ url }) => url).join(",");
  stores = [await openStore({ redisUrl, keys: KEYS }), await openStore({ redisUrl, keys: KEYS })];
});
afterAll(async () => {
  for (const store of stores) await store.close();
  for (const node of nodes) await node.stop();
});

test("serves contacts, effects, people, documents and keys on all nodes", async () => {
  const [a, b] = stores;
  let heard = 0;
  b.onWake(() => (heard += 1));
  await sleep(200);
  const people = Array.from({ length: 60 }, (_, index) => [`phone:${index}`, `lid:${index}`]);
  const contacts = await Promise.all(people.map((aliases) => a.identify(ACCOUNT, aliases)));
  for (const text of ["one", "two"])
    await Promise.all(contacts.map((contact) => accept(a, contact, text, text)));

  let applied = 0;
  const deadline = Date.now() + 10_000;
  while (applied < 120 && Date.now() < deadline) {
    const claims = await claimAll(b);
    const done = await b.commit(
      claims.map((claimed) =>
        commitOf(claimed, {
          due: 1,
          effects: [message(`${claimed.contact}:${claimed.rev}:0`, { class: "fiscal" })],
        }),
      ),
    );
    expect(done.every(({ ok }) => ok)).toBe(true);
    applied += claims.reduce((sum, { mail }) => sum + mail.length, 0);
  }
  expect(applied).toBe(120);
  expect(heard).toBeGreaterThan(0);

  // One call shares its limit between the partitions, so the fullest of them needs another.
  const begun = [...(await beginAll(a)), ...(await beginAll(a))];
  expect(begun).toHaveLength(60);
  const result = (id: string) => ({ event: `r:${id}`, mail: { text: "sent" } });
  const ends = begun.map((one) => ({
    ...one,
    outcome: { kind: "done" } as const,
    result: result(one.id),
  }));
  expect(new Set(await b.endSend(ends))).toEqual(new Set(["ok"]));
  expect(await a.tick({ offsetMs: 0, limit: 100 })).toBe(60);
  expect((await a.sessions({ limit: 100 })).items).toHaveLength(60);
  expect((await a.backlog()).counters).toEqual({
    ...{ accepted: 240, duplicate: 0, applied: 120, dead: 0, queued: 120 },
  });

  expect(await a.identify(ACCOUNT, ["phone:2", "phone:1"])).toBe(contacts[1]);
  expect(await b.erase(ACCOUNT, contacts[0] ?? "")).toBe(true);
  expect(await a.put("things", "x", { n: 1 }, 0)).toBe(1);
  expect(await b.get("things", "x")).toEqual({ value: { n: 1 }, rev: 1 });
  expect(await a.claimKey(ACCOUNT, "sale", "me")).toEqual({ ok: true });
  expect((await b.claimKey(ACCOUNT, "sale", "you")).ok).toBe(false);
  expect(await a.pause("plan:x", "402")).toBe(true);
});

test("goes on with the other partitions when a node is away", async () => {
  const [a] = stores;
  const contacts = await Promise.all(
    Array.from({ length: 40 }, (_, index) => a.identify("other", [`x:${index}`]).catch(() => "")),
  );
  nodes[2]?.process?.kill("SIGKILL");
  await sleep(300);
  const answers = await Promise.allSettled(
    contacts.map((contact) =>
      a.accept([{ account: "other", contact, event: "e", mail: { text: "still here" } }]),
    ),
  );
  const went = answers.filter(({ status }) => status === "fulfilled").length;
  expect(went).toBeGreaterThan(0);
  expect(went).toBeLessThan(40);
  for (const answer of answers)
    if (answer.status === "rejected")
      expect(answer.reason).toMatchObject({ code: "STORE_UNAVAILABLE" });
});
