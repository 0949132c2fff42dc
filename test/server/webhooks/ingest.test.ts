import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { channels, sentAlias } from "../../../src/channels/index.ts";
import { startRedis } from "../../support/redis.ts";
import { demo, inbound, openHouse, post, TOKEN, type House } from "../house.ts";
import { withSteps } from "../../../src/store/port/with-steps.ts";

let bot: House;
let human: House;
beforeAll(async () => {
  bot = await openHouse({ isOurs: true });
  human = await openHouse();
});
beforeEach(() => {
  bot.signals.length = 0;
  human.signals.length = 0;
});
afterAll(() => Promise.all([bot.close(), human.close()]));

const send = (on: House, data: unknown) =>
  post(`${on.url}/webhooks/engine-b/${TOKEN}`, { data }).then((answer) => answer.status);

function own(id: string, status?: string) {
  const { data } = inbound("Olá!", id);
  return { ...data, key: { ...data.key, fromMe: true }, ...(status ? { status } : {}) };
}

describe("what leaves the business's own number", () => {
  test("typed by a person is mail, because the bot must be silent then", async () => {
    expect(await send(human, own("H1"))).toBe(200);
    expect(await human.mail()).toMatchObject([
      { event: { kind: "own", api: false, text: "Olá!" } },
    ]);
    expect(human.signals).toEqual([]);
  });

  test("known as ours, or sent through the API by whomever, is no mail", async () => {
    expect(await send(bot, own("O1"))).toBe(200);
    expect(await send(human, own("O2", "PENDING"))).toBe(200);
    expect([bot.signals, human.signals]).toMatchObject([
      [{ account: "demo", channel: "engine-b", event: { kind: "own", messageId: "O1" } }],
      [{ account: "demo", event: { kind: "own", messageId: "O2", api: true } }],
    ]);
    expect((await bot.store.views.backlog()).counters.accepted).toBe(0);
  });
});

describe("who it is from", () => {
  test("an address book makes no contacts, but joins the two names of a known one", async () => {
    const person = (remoteJid: string, remoteJidAlt: string) => ({
      remoteJid,
      remoteJidAlt,
      pushName: "Alguém",
    });
    await send(human, [person("5511900000077@s.whatsapp.net", "777@lid")]);
    expect(await human.store.contacts.lookup("demo", "phone:5511900000077")).toBeNull();
    await send(human, inbound("oi", "K1", "5511900000078").data);
    const known = await human.store.contacts.lookup("demo", "phone:5511900000078");
    await send(human, [person("5511900000078@s.whatsapp.net", "888@lid")]);
    expect(known).not.toBeNull();
    expect(await human.store.contacts.lookup("demo", "lid:888")).toBe(known);
  });

  test("one person under two names whose conversations meet becomes one contact", async () => {
    const lid = inbound("pelo lid", "M1").data;
    lid.key.remoteJid = "999@lid";
    await send(human, lid);
    await send(human, inbound("pelo telefone", "M2", "5511900000079").data);
    const both = inbound("com os dois", "M3", "5511900000079").data;
    await send(human, { ...both, key: { ...both.key, remoteJidAlt: "999@lid" } });
    const one = await human.store.contacts.identify("demo", ["lid:999"]);
    expect(await human.store.contacts.identify("demo", ["phone:5511900000079"])).toBe(one);
  });

  test("one who was merged into another since they were last met is met anew, and nothing they write is lost", async () => {
    const redis = await startRedis();
    const on = await openHouse({ redisUrl: redis.url });
    const asLid = (text: string, id: string) => {
      const { data } = inbound(text, id);
      return { ...data, key: { ...data.key, remoteJid: "777000@lid" } };
    };
    await send(on, inbound("pelo telefone", "N1", "5511900000091").data);
    await send(on, asLid("pelo lid", "N2"));
    const both = inbound("com os dois", "N3", "5511900000091").data;
    await send(on, { ...both, key: { ...both.key, remoteJidAlt: "777000@lid" } });

    expect(await send(on, asLid("de novo", "N4"))).toBe(200);

    const winner = await on.store.contacts.identify("demo", ["lid:777000"]);
    const lease = { owner: "o", contacts: 9, events: 9, leaseMs: 5_000 };
    const claims = await on.store.mail.claim(lease);
    const of = (contact: string) =>
      claims.find((claimed) => claimed.contact === contact)?.mail.map(({ event }) => event);
    // What the other one had waiting goes before the message that showed that they are one.
    const joined = ["N1:message", "N2:message", "N3:message", "N4:message"];
    expect(of(winner)).toEqual(joined);
    await on.close();
    await redis.stop();
  });

  test("an answer to a short message finds the person through the message answered", async () => {
    const on = await openHouse();
    const { store } = on;
    const reply = [{ id: "sms-1", status: "reply", message: "SIM" }];
    const url = `${on.url}/webhooks/sms/${TOKEN}`;
    expect((await post(url, reply)).status).toBe(200);
    expect((await store.views.backlog()).counters.accepted).toBe(0);

    const names = ["phone:5511900000080", sentAlias("sms", "sms-1")];
    const contact = await store.contacts.identify("demo", names);
    await store.mail.accept([
      { account: "demo", contact, event: "x", mail: { kind: "tick", due: 1 } },
    ]);
    const lease = { owner: "o", contacts: 1, events: 9, leaseMs: 5_000 };
    const [claimed] = await store.mail.claim(lease);
    await store.mail.commit([
      {
        ...{ account: "demo", contact, epoch: claimed?.epoch ?? 0, rev: 0, applied: 1 },
        session: { address: "5511900000080", channel: "sms" },
        ...{ effects: [], due: null, journal: [] },
      },
    ]);
    expect((await post(url, reply)).status).toBe(200);

    expect(await store.mail.claim(lease)).toMatchObject([
      {
        contact,
        mail: [
          { mail: { event: { from: { address: "5511900000080" }, content: { text: "SIM" } } } },
        ],
      },
    ]);
    await on.close();
  });
});

/** A message with a time of its own, in whole seconds, so far from now. */
function written(id: string, secondsFromNow: number, phone: string) {
  const { data } = inbound("oi", id, phone);
  return { ...data, messageTimestamp: Math.floor(Date.now() / 1_000) + secondsFromNow };
}

describe("what somebody wrote who was erased since", () => {
  test.each(["the embedded store", "Redis"])(
    "is answered 200 and stored nowhere, delivered again or pulled back, on %s",
    async (kind) => {
      const redis = kind === "Redis" ? await startRedis() : undefined;
      const on = await openHouse(redis ? { redisUrl: redis.url } : {});
      const accepted = async () => (await on.store.views.backlog()).counters.accepted;
      const phone = "5511900000085";
      const old = written("E1", -60, phone);
      const own = { ...written("E2", -50, phone), key: { ...written("E2", 0, phone).key } };
      own.key.fromMe = true;
      expect(await send(on, old)).toBe(200);
      const contact = (await on.store.contacts.lookup("demo", `phone:${phone}`)) ?? "";
      expect(await on.store.contacts.erase("demo", contact)).toBe(true);

      const pullBack = async () => {
        const read = { headers: {}, body: { data: old }, receivedAt: Date.now() };
        const parsed = channels["engine-b"].parse(read);
        if (!parsed.ok) throw new Error("the row cannot be read");
        const pulled = { answeredSince: 0 };
        return on.deps.ingest(demo, "engine-b", parsed.events, { pulled });
      };
      expect(await send(on, old)).toBe(200);
      expect(await send(on, own)).toBe(200);
      expect(await pullBack()).toMatchObject({ accepted: 0, ignored: 1 });
      expect(await on.store.contacts.lookup("demo", `phone:${phone}`)).toBeNull();
      expect(await accepted()).toBe(1);
      expect(await on.metrics.registry.metrics()).toContain(
        'prosa_events_total{channel="engine-b",kind="message",outcome="erased"} 2',
      );

      // They write anew and are known again; what is old stays away all the same.
      expect(await send(on, written("E3", 5, phone))).toBe(200);
      expect(await accepted()).toBe(2);
      expect(await send(on, old)).toBe(200);
      expect(await pullBack()).toMatchObject({ accepted: 0, ignored: 1 });
      expect(await accepted()).toBe(2);
      await on.close();
      await redis?.stop();
    },
  );

  test("is dropped too when the erasure comes between finding them and storing it", async () => {
    const meanwhile: { erase?: () => Promise<unknown> } = {};
    const on = await openHouse({
      store: (store) =>
        withSteps(store, (method) =>
          method === "mail.accept"
            ? async (items: Parameters<typeof store.mail.accept>[0]) => {
                await meanwhile.erase?.();
                return store.mail.accept(items);
              }
            : undefined,
        ),
    });
    const phone = "5511900000086";
    expect(await send(on, written("F1", -60, phone))).toBe(200);
    const contact = (await on.store.contacts.lookup("demo", `phone:${phone}`)) ?? "";
    meanwhile.erase = () => on.store.contacts.erase("demo", contact);
    expect(await send(on, written("F2", -50, phone))).toBe(200);
    expect(await on.store.contacts.lookup("demo", `phone:${phone}`)).toBeNull();
    expect((await on.store.views.backlog()).counters.accepted).toBe(1);
    await on.close();
  });
});

describe("the same on Redis", () => {
  test("20 deliveries at once of each of 5 messages are 5 mails, under either name of the person", async () => {
    const redis = await startRedis({ args: [] });
    const on = await openHouse({ redisUrl: redis.url });
    const { data } = inbound("oi", "R0");
    await send(on, { ...data, key: { ...data.key, remoteJidAlt: "4242@lid" } });
    const deliveries = Array.from({ length: 100 }, (_, n) => {
      const one = inbound("oi", `R${1 + (n % 5)}`).data;
      if (n % 2 === 1) one.key.remoteJid = "4242@lid";
      return send(on, one);
    });

    expect(new Set(await Promise.all(deliveries))).toEqual(new Set([200]));
    const { counters } = await on.store.views.backlog();
    expect(counters).toMatchObject({ accepted: 6, duplicate: 95 });
    await on.close();
    await redis.stop();
  });
});
