/** Two builds on one store: what only one of them knows is left to it while it is alive, and never stuck when it is gone. */
import { afterEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/index.ts";
import type { Library } from "../../../src/engine/index.ts";
import {
  type Ast,
  createLibrary,
  type FlowSource,
  parseCatalogue,
} from "../../../src/flow/index.ts";
import { flow, slot, z } from "../../../src/index.ts";
import { BELIEVED_MS } from "../../../src/worker/fleet/worker-registry.ts";
import { CUSTOMER, library, rig, type Rig } from "../rig.ts";

let it: Rig;
afterEach(() => it.close());

const WORDS = parseCatalogue(
  `locale: pt-BR
title: Visita
start: [visita]
say: { bye: "Até lá." }
ask: { day: "Que dia?", name: "Seu nome?", place: "Onde?" }
`,
  "texts.pt-BR.yaml",
);

const head = { title: "Visita", audience: "anyone" } as const;
const first: Ast = flow(
  "visit",
  { ...head, version: 1, slots: z.object({ name: slot.name(), day: slot.text() }) },
  (f) => [f.ask("name"), f.ask("day"), f.say("bye"), f.end()],
);
const second: Ast = flow(
  "visit",
  { ...head, version: 2, slots: z.object({ name: slot.name(), place: slot.text() }) },
  (f) => [f.ask("name"), f.ask("place"), f.say("bye"), f.end()],
);

function loaded(flows: readonly Ast[], older: readonly Ast[] = []): Library {
  if (!WORDS.ok) throw new Error("the words are wrong");
  const texts: FlowSource["texts"] = { "pt-BR": WORDS.catalogue };
  const source = (ast: Ast) => ({ ast, texts });
  const made = createLibrary({
    ...{ flows: flows.map(source), older: older.map(source), common: {}, effects: [] },
  });
  return { ...made, word: (key, vars, context) => library.word(key, vars, context) };
}

/** All workers, as if they had reported so long ago. */
async function ages(ms: number): Promise<void> {
  const { items } = await it.store.documents.list("workers", { limit: 50 });
  const at = (await it.store.now()) - ms;
  for (const { id, value } of items) await it.store.documents.put("workers", id, { ...value, at });
}
/** A worker of another build reports. */
async function reports(abilities: JsonObject, at: number, name = "another"): Promise<void> {
  await it.store.documents.put("builds", name, { ...abilities, at });
  await it.store.documents.put("workers", name, { at, build: name });
}
const session = async (): Promise<JsonObject> =>
  (await it.store.views.session("demo", await it.contact(CUSTOMER)))?.session as JsonObject;
const frame = async (): Promise<unknown> =>
  ((await session())["frames"] as { hash: string }[]).at(-1)?.hash;
const last = async (): Promise<string | undefined> => (await it.received(CUSTOMER)).at(-1);

describe("a conversation in a version that only the newer build has", () => {
  const [old, young] = [loaded([first]), loaded([second], [first])];

  test("is left to it by the older one while it is alive, and answered by it", async () => {
    it = await rig({ library: old });
    const newer = it.again({ library: young });
    await newer.start();
    await newer.stop(1_000);
    await it.says(CUSTOMER, "visita");
    const there = it.again({ library: young });
    await there.drain();
    const pinned = await frame();
    await it.says(CUSTOMER, "Ana Lima");

    await it.worker.drain();

    expect(await frame()).toBe(pinned);
    expect((await it.store.views.backlog()).counters).toMatchObject({ queued: 1, dead: 0 });
    await it.store.mail.tick({ offsetMs: 1_000, limit: 10 });
    await there.drain();
    expect(await last()).toContain("Onde?");
    expect((await it.store.views.backlog()).counters).toMatchObject({ queued: 0, dead: 0 });
  });

  test("goes on in the older one once that build is gone", async () => {
    it = await rig({ library: old });
    const newer = it.again({ library: young });
    await newer.start();
    await newer.stop(1_000);
    await it.says(CUSTOMER, "visita");
    await it.again({ library: young }).drain();
    await ages(BELIEVED_MS + 1);
    await it.says(CUSTOMER, "Ana Lima");

    await it.worker.drain();

    expect((await it.store.views.backlog()).counters).toMatchObject({ queued: 0, dead: 0 });
    expect((await it.received(CUSTOMER)).join()).toContain("[flow-changed]");
  });

  test("is not taken back by an older one that has learnt the version", async () => {
    it = await rig({ library: loaded([first], [second]) });
    await it.says(CUSTOMER, "visita");
    await it.again({ library: young }).drain();
    const pinned = await frame();
    await it.says(CUSTOMER, "Ana Lima");

    await it.worker.drain();

    expect(await frame()).toBe(pinned);
    expect(await last()).toContain("Onde?");
  });
});

describe("a session of a newer build", () => {
  /** Commits the session as a newer build would have written it. */
  async function upgraded(): Promise<void> {
    await it.says(CUSTOMER, "visita");
    await it.worker.drain();
    await it.says(CUSTOMER, "x");
    const lease = { owner: "newer", contacts: 1, events: 1, leaseMs: 5_000 };
    const [claimed] = await it.store.mail.claim(lease);
    if (!claimed) throw new Error("nothing was ready");
    const { account, contact, epoch, rev } = claimed;
    const newer = { ...(claimed.session as JsonObject), schema: 2, mood: "new" };
    await it.store.mail.commit([
      {
        ...{ account, contact, epoch, rev, applied: 1, session: newer, effects: [] },
        due: null,
        journal: [],
      },
    ]);
  }

  test("waits for it while it is alive, and is parked untouched when it is gone", async () => {
    it = await rig({ library: loaded([first]) });
    await upgraded();
    const now = await it.store.now();
    const build = { session: 2, flows: [], mail: [], effects: [] };
    await reports(build, now);
    await it.says(CUSTOMER, "Ana Lima", "late");

    await it.worker.drain();
    expect((await it.store.views.backlog()).counters).toMatchObject({ queued: 1, dead: 0 });

    await ages(BELIEVED_MS + 1);
    await it.store.mail.tick({ offsetMs: 1_000, limit: 10 });
    await new Promise((done) => setTimeout(done, 1_001));
    await it.worker.drain();
    const { items } = await it.store.deadLetters.list({ limit: 5 });
    expect(items.map(({ event, reason }) => [event, reason])).toEqual([["late", "session_newer"]]);
    expect(await session()).toMatchObject({ schema: 2, mood: "new" });
  });
});

test("a build is seen behind any number of those that flows were changed through today", async () => {
  it = await rig();
  const now = await it.store.now();
  const build = { session: 1, flows: [], mail: ["poke"], effects: [] };
  for (let n = 0; n < 120; n++) {
    const id = String(n).padStart(32, "0");
    await reports({ ...build, mail: [] }, now - 3_500_000, id);
  }
  await reports(build, now, "f".repeat(32));
  const contact = await it.contact(CUSTOMER);
  await it.store.mail.accept([{ account: "demo", contact, event: "p", mail: { kind: "poke" } }]);

  await it.worker.drain();

  expect((await it.store.views.backlog()).counters).toMatchObject({ queued: 1, dead: 0 });
});

test("mail and effects of a kind that only another build knows are left to it", async () => {
  it = await rig();
  const now = await it.store.now();
  const build = { session: 1, flows: [], mail: ["poke"], effects: ["invoice.dream"] };
  await reports(build, now);
  await it.asks(CUSTOMER, {
    ...{ type: "call", class: "read", name: "invoice.dream", input: {} },
    waiter: { frame: "f1", step: "s", for: "d", epoch: "e1" },
  } as never);
  const contact = await it.contact(CUSTOMER);
  await it.store.mail.accept([{ account: "demo", contact, event: "p", mail: { kind: "poke" } }]);

  await it.worker.drain();

  const { counters, pendingEffects } = await it.store.views.backlog();
  expect({ ...counters, pendingEffects }).toMatchObject({ queued: 1, dead: 0, pendingEffects: 1 });
});
