import { afterEach, describe, expect, test } from "vitest";
import type { Take } from "../../../src/store/port/port.ts";
import { until } from "../../sandbox/stage.ts";
import { CUSTOMER, inbound, OPERATOR, OTHER, rig, type Rig } from "../rig.ts";
import { withSteps } from "../../../src/store/port/with-steps.ts";

let it: Rig;
afterEach(() => it.close());

describe("turns", () => {
  test("answer each contact's messages in the order of their acceptance", async () => {
    it = await rig();
    for (let index = 0; index < 40; index++) await it.says(CUSTOMER, `mensagem ${index}`);
    await it.says(OTHER, "oi");

    await it.worker.drain();

    const records = (await it.journal(CUSTOMER)).filter((line) => line["mail"]);
    expect(records.map((line) => line["mail"]?.["event"]?.["content"]?.["text"])).toEqual(
      Array.from({ length: 40 }, (_, index) => `mensagem ${index}`),
    );
    expect(await it.received(OTHER)).toHaveLength(1);
    const { counters } = await it.store.views.backlog();
    // Those of both, and the word to the operator that one of them writes like a machine.
    expect(counters).toMatchObject({ applied: 42, queued: 0, dead: 0 });
  });

  test("apply a message once, however often it is accepted", async () => {
    it = await rig();
    for (let times = 0; times < 20; times++) await it.says(CUSTOMER, "oi", "same");

    await it.worker.drain();

    expect(await it.received(CUSTOMER)).toHaveLength(1);
  });

  test("park an event that throws, tell the person, and go on with the next", async () => {
    it = await rig();
    await it.says(CUSTOMER, "oi", "first");
    await it.says(CUSTOMER, "bomba", "poison");
    await it.says(CUSTOMER, "oi de novo", "next");

    await it.worker.drain();

    const dead = await it.store.deadLetters.list({ limit: 10 });
    expect(dead.items.map(({ event, reason }) => [event, reason])).toEqual([
      ["poison", "the flow is broken"],
    ]);
    const kinds = (await it.journal(CUSTOMER)).filter((line) => line["mail"]);
    expect(kinds.map((line) => line["event"])).toEqual(["first", "parked:poison", "next"]);
    expect((await it.received(CUSTOMER)).some((text) => text.includes("[sorry]"))).toBe(true);
  });

  test("know an operator by any alias, from the first message on", async () => {
    it = await rig();
    await it.says(OPERATOR, "oi");
    await it.says(CUSTOMER, "oi");

    await it.worker.drain();

    const role = async (phone: string) =>
      (await it.store.views.session("demo", await it.contact(phone)))?.session as { role: string };
    expect((await role(OPERATOR)).role).toBe("operator");
    expect((await role(CUSTOMER)).role).toBe("customer");
  });

  test("give mail of a merged contact to the contact that won", async () => {
    it = await rig();
    const winner = await it.contact(CUSTOMER);
    const loser = await it.store.contacts.identify("demo", ["lid:777"]);
    await it.store.mail.accept([
      {
        account: "demo",
        contact: loser,
        event: "late",
        mail: {
          kind: "inbound",
          channel: "engine-b",
          acceptedAt: it.clock.now(),
          event: {
            kind: "message",
            id: "late",
            at: it.clock.now(),
            from: { address: CUSTOMER, phone: CUSTOMER },
            messageId: "late",
            content: { type: "text", text: "oi" },
          },
        },
      },
    ]);
    await it.store.contacts.identify("demo", [`phone:${CUSTOMER}`, "lid:777"]);

    await it.worker.drain();

    const lines = (await it.store.views.journal("demo", winner, 50)) as { event?: string }[];
    expect(lines.map(({ event }) => event)).toContain("late");
    expect(await it.received(CUSTOMER)).toHaveLength(1);
  });

  test("tell the console each turn with the session as it stands", async () => {
    it = await rig();
    await it.says(CUSTOMER, "oi");

    await it.worker.drain();

    const turns = it.events.filter((event) => event.type === "turn");
    expect(turns).toHaveLength(1);
    expect(turns[0]).toMatchObject({
      account: "demo",
      address: CUSTOMER,
      view: { role: "customer", frames: [] },
    });
  });
});

describe("timers", () => {
  test("fire once when the clock is moved, also after a restart", async () => {
    it = await rig();
    const contact = await it.contact(CUSTOMER);
    await it.says(CUSTOMER, "oi");
    await it.worker.drain();
    // A person takes the conversation: the session sets the timer that gives it back.
    await it.store.mail.accept([
      {
        account: "demo",
        contact,
        event: "take",
        mail: { kind: "operator", action: "take", actor: "ana" },
      },
    ]);
    await it.worker.drain();
    const ticks = async () =>
      (await it.journal(CUSTOMER)).filter((line) => (line["mail"]?.["kind"] as unknown) === "tick");
    expect(await ticks()).toHaveLength(0);

    const second = it.again();
    it.clock.moveTo(it.clock.now() + 13 * 3_600_000);
    await second.drain();
    await it.worker.drain();

    expect(await ticks()).toHaveLength(1);
    const view = await it.store.views.session("demo", contact);
    expect((view?.session as { handoff?: object }).handoff).toBeUndefined();
  });
});

describe("mail accepted by a worker", () => {
  const items = async (texts: readonly string[]) =>
    Promise.all(
      texts.map(async (text, index) => {
        const phone = `551198800${String(index).padStart(4, "0")}`;
        const contact = await it.contact(phone);
        const mail = inbound(phone, text, `f${index}`, it.clock.now());
        return { account: "demo", contact, event: `f${index}`, mail };
      }),
    );

  test("is left to others by one that does not run", async () => {
    it = await rig();
    expect(await it.worker.accept(await items(["oi"]))).toEqual(["new"]);
    const claims = await it.store.mail.claim({ owner: "t", contacts: 9, events: 9, leaseMs: 100 });
    expect(claims).toHaveLength(1);
    await it.worker.start();
    await it.worker.stop();
    expect(await it.worker.accept((await items(["oi", "olá"])).slice(1))).toEqual(["new"]);
    const later = await it.store.mail.claim({ owner: "t", contacts: 9, events: 9, leaseMs: 100 });
    expect(later.map(({ mail }) => mail[0]?.event)).toContain("f1");
  });

  test("is begun for all of them, however many come at once", async () => {
    it = await rig();
    const store = withSteps(it.store, (method) =>
      method === "mail.claim" ? async () => [] : undefined,
    );
    const worker = it.again({ store });
    await worker.start();
    await worker.accept(await items(Array.from({ length: 80 }, () => "oi")));
    await until(async () => (await it.store.views.backlog()).counters.applied === 80 || undefined);
    await worker.stop(1_000);
  });

  test("is not taken by one that has its hands full", async () => {
    it = await rig();
    const all = await items(Array.from({ length: 257 }, () => "oi"));
    const taken: boolean[] = [];
    const store = withSteps(it.store, (method) =>
      method === "mail.accept"
        ? (items: Parameters<typeof it.store.mail.accept>[0], take?: Take) => {
            taken.push(take !== undefined);
            return it.store.mail.accept(items, take);
          }
        : undefined,
    );
    let go: (account: typeof it.account) => void = () => undefined;
    const waited = new Promise<typeof it.account>((done) => (go = done));
    const worker = it.again({ store, accounts: { get: () => waited, ids: async () => [] } });
    await worker.start();
    for (const item of all) await worker.accept([item]);
    expect(taken).toEqual([...Array<boolean>(256).fill(true), false]);
    go(it.account);
    await worker.stop(5_000);
  });

  test("is not taken beyond that either while answers are still under way, alone or many at once", async () => {
    it = await rig();
    const all = await items(Array.from({ length: 300 }, () => "oi"));
    let wished = 0;
    const store = withSteps(it.store, (method) =>
      method === "mail.accept"
        ? (some: Parameters<typeof it.store.mail.accept>[0], take?: Take) => {
            if (take) wished += some.length;
            return it.store.mail.accept(some, take);
          }
        : undefined,
    );
    let go: (account: typeof it.account) => void = () => undefined;
    const waited = new Promise<typeof it.account>((done) => (go = done));
    const worker = it.again({ store, accounts: { get: () => waited, ids: async () => [] } });
    await worker.start();
    await Promise.all([
      worker.accept(all.slice(0, 200)),
      ...all.slice(200).map((one) => worker.accept([one])),
    ]);
    expect(wished).toBe(256);
    go(it.account);
    await worker.stop(5_000);
  });
});
