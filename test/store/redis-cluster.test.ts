/** The store on a real Cluster of three nodes: every step finds its slot, whatever node holds it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Begun, openStore, type Store } from "../../src/store/index.ts";
import { moveSlot, startCluster, type TestCluster } from "../support/cluster.ts";
import { accept, ACCOUNT, beginAll, claimAll, commitOf, message, sleep } from "./contract.ts";

const KEYS = `k1:${Buffer.alloc(32, 7).toString("base64")}`;
let cluster: TestCluster;
let stores: readonly [Store, Store];

beforeAll(async () => {
  cluster = await startCluster();
  const redisUrl = cluster.url;
  stores = [await openStore({ redisUrl, keys: KEYS }), await openStore({ redisUrl, keys: KEYS })];
});
afterAll(async () => {
  for (const store of stores) await store.close();
  await cluster.stop();
});

test("serves contacts, effects, people, documents and keys on all nodes", async () => {
  const [a, b] = stores;
  let heard = 0;
  b.onWake(() => (heard += 1));
  await sleep(200);
  const people = Array.from({ length: 60 }, (_, index) => [`phone:${index}`, `lid:${index}`]);
  const contacts = await Promise.all(
    people.map((aliases) => a.contacts.identify(ACCOUNT, aliases)),
  );
  for (const text of ["one", "two"])
    await Promise.all(contacts.map((contact) => accept(a, contact, text, text)));

  let applied = 0;
  const deadline = Date.now() + 10_000;
  while (applied < 120 && Date.now() < deadline) {
    const claims = await claimAll(b);
    const done = await b.mail.commit(
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
  expect(new Set(await b.effects.end(ends))).toEqual(new Set(["ok"]));
  expect(await a.mail.tick({ offsetMs: 0, limit: 100 })).toBe(60);
  expect((await a.views.sessions({ limit: 100 })).items).toHaveLength(60);
  expect((await a.views.backlog()).counters).toEqual({
    ...{ accepted: 240, duplicate: 0, applied: 120, dead: 0, queued: 120 },
  });

  expect(await a.contacts.identify(ACCOUNT, ["phone:2", "phone:1"])).toBe(contacts[1]);
  expect(await b.contacts.erase(ACCOUNT, contacts[0] ?? "")).toBe(true);
  expect(await a.documents.put("things", "x", { n: 1 }, 0)).toBe(1);
  expect(await b.documents.get("things", "x")).toEqual({ value: { n: 1 }, rev: 1 });
  expect(await a.keys.claim(ACCOUNT, "sale", "me")).toEqual({ ok: true });
  expect((await b.keys.claim(ACCOUNT, "sale", "you")).ok).toBe(false);
  expect(await a.scopes.pause("plan:x", "402")).toBe(true);
});

test("keeps order and holds nothing while slots move under load", async () => {
  const [a, b] = stores;
  // A prior test's effects and timers are none of this one's.
  const contacts = await Promise.all(
    Array.from({ length: 24 }, (_, index) => a.contacts.identify("moving", [`x:${index}`])),
  );
  const sent = new Map<string, number>();
  let moving = true;
  const work = async (store: Store): Promise<void> => {
    for (; ; await sleep(2)) {
      const claims = await claimAll(store, 2_000).catch(() => []);
      for (const claimed of claims) {
        const heard = (claimed.session as { heard?: string[] } | null)?.heard ?? [];
        const more = claimed.mail.map(({ mail }) => (mail as { text?: string }).text ?? "tick");
        const id = `${claimed.contact}:${claimed.rev}:0`;
        const commit = commitOf(claimed, {
          session: { heard: [...heard, ...more] },
          effects: [message(id, { class: "fiscal", ordered: false })],
        });
        await store.mail.commit([commit]).catch(() => undefined);
      }
      const begun = await beginAll(store).catch(() => []);
      for (const { id } of begun) sent.set(id, (sent.get(id) ?? 0) + 1);
      for (const one of begun)
        for (let ended = false; !ended;)
          ended = await store.effects.end([{ ...one, outcome: { kind: "done" } }]).then(
            () => true,
            () => false,
          );
      if (!moving && claims.length + begun.length === 0) {
        const { counters, pendingEffects } = await store.views.backlog();
        if (counters.queued + pendingEffects === 0) return;
      }
    }
  };
  const loops = [work(a), work(b)];
  const names = new Map(contacts.map((contact) => [contact, [] as string[]]));
  const feed = (async () => {
    for (let turn = 0; moving || turn < 5; turn += 1)
      for (const contact of contacts) {
        const name = `m${turn}`;
        names.get(contact)?.push(name);
        for (let taken = false; !taken;)
          taken = await a.mail
            .accept([{ account: "moving", contact, event: name, mail: { text: name } }])
            .then(
              () => true,
              () => false,
            );
      }
  })();
  // Every partition of the first node goes to the second, key by key.
  const tags = Array.from({ length: 16 }, (_, index) => `p${String(index).padStart(2, "0")}`);
  let moved = 0;
  for (const tag of tags) moved += await moveSlot(cluster, tag, { from: 0, to: 1 });
  moving = false;
  await Promise.all([feed, ...loops]);

  expect(moved).toBeGreaterThan(0);
  for (const contact of contacts)
    expect((await a.views.session("moving", contact))?.session).toEqual({
      heard: names.get(contact),
    });
  for (const [id, times] of sent) expect(times, id).toBe(1);
  const holds = [...(await a.scopes.pauses()).keys()].filter((scope) => scope.startsWith("hold:"));
  expect(holds).toEqual([]);
});

test("gives one business key to one of two contacts on different nodes, and a peer's mail to it once", async () => {
  const [a, b] = stores;
  const nodeOf = (contact: string) => Number.parseInt(contact.slice(0, 4), 16) % 16;
  const contacts = await Promise.all(
    Array.from({ length: 12 }, (_, index) => a.contacts.identify("pair", [`x:${index}`])),
  );
  const one = contacts[0] ?? "";
  const two = contacts.find((contact) => nodeOf(contact) !== nodeOf(one)) ?? "";
  const claims = await Promise.all([
    a.keys.claim("pair", "issuer|sale 7", `${one}:1:0`),
    b.keys.claim("pair", "issuer|sale 7", `${two}:1:0`),
  ]);
  expect(claims.filter(({ ok }) => ok)).toHaveLength(1);
  // The request, sent by two that both believe they must: event id = effect id.
  const request = { account: "pair", contact: two, event: `${one}:1:1`, mail: { text: "request" } };
  const answers = await Promise.all([
    a.mail.accept([request]),
    b.mail.accept([request]),
    a.mail.accept([request]),
  ]);
  expect(answers.flat().sort()).toEqual(["duplicate", "duplicate", "new"]);
});

test("ends and renews what is in flight in the other partitions while a node hangs", async () => {
  const [a] = stores;
  const contacts = await Promise.all(
    Array.from({ length: 24 }, (_, index) => a.contacts.identify("hung", [`x:${index}`])),
  );
  for (const contact of contacts)
    await a.mail.accept([{ account: "hung", contact, event: "e", mail: { text: "oi" } }]);
  for (let left = 24; left > 0;) {
    const claims = await claimAll(a);
    for (const claimed of claims)
      await a.mail.commit([
        commitOf(claimed, {
          effects: [
            message(`${claimed.contact}:1:0`),
            message(`${claimed.contact}:1:1`, { ordered: false }),
          ],
        }),
      ]);
    left -= claims.length;
  }
  const begun: Begun[] = [];
  while (begun.length < 48) begun.push(...(await beginAll(a, { leaseMs: 60_000 })));
  const node = cluster.primaries[2]?.process;
  node?.kill("SIGSTOP");
  try {
    const first = begun.filter(({ ordered }) => ordered);
    const others = begun.filter(({ ordered }) => !ordered);
    const [ended, renewed] = await Promise.all([
      a.effects.end(first.map((one) => ({ ...one, outcome: { kind: "done" } }))),
      a.effects.renew(others, 120_000),
    ]);
    // A third of the partitions is on each node.
    expect(new Set(ended)).toEqual(new Set(["ok", "unknown"]));
    expect(new Set(renewed)).toEqual(new Set([true, undefined]));
    const hung = new Set(first.flatMap(({ contact }, at) => (ended[at] === "ok" ? [] : [contact])));
    expect(others.map((_, at) => renewed[at] === undefined)).toEqual(
      others.map(({ contact }) => hung.has(contact)),
    );
    const one = first.filter(({ contact }) => hung.has(contact)).slice(0, 1);
    const end = one.map((it) => ({ ...it, outcome: { kind: "done" } as const }));
    await expect(a.effects.end(end)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    await expect(a.effects.renew(one, 1)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  } finally {
    node?.kill("SIGCONT");
  }
  // The others called it lost meanwhile: the Cluster serves again once they have heard of it.
  const again = () =>
    Promise.all(contacts.map((contact) => a.views.session("hung", contact).catch(() => "")));
  while ((await again()).includes("")) await sleep(100);
});

test("goes on with the other partitions when a node is away", async () => {
  const [a] = stores;
  const contacts = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      a.contacts.identify("other", [`x:${index}`]).catch(() => ""),
    ),
  );
  cluster.primaries[2]?.process?.kill("SIGKILL");
  await sleep(300);
  const answers = await Promise.allSettled(
    contacts.map((contact) =>
      a.mail.accept([{ account: "other", contact, event: "e", mail: { text: "still here" } }]),
    ),
  );
  const went = answers.filter(({ status }) => status === "fulfilled").length;
  expect(went).toBeGreaterThan(0);
  expect(went).toBeLessThan(40);
  for (const answer of answers)
    if (answer.status === "rejected")
      expect(answer.reason).toMatchObject({ code: "STORE_UNAVAILABLE" });
});
