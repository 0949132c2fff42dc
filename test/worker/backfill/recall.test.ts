/** Messages that came without their words: waited for, asked back, told of once, and an alarm when there are many. */
import { afterEach, describe, expect, test } from "vitest";
import { startRedis, type TestRedis } from "../../support/redis.ts";
import { type Bot, bot, heardOf, HEARING, pass, TOKEN, writes } from "../bot.ts";
import { CUSTOMER, OPERATOR, OTHER, rig, textOf, type Rig } from "../rig.ts";

let it: Rig;
afterEach(() => it.close());

const ID = "3A1F0C9D2B7E4A5566F1";
const TOLD = "[unreadable]";

function body(more: object, phone = CUSTOMER, id = ID): object {
  const key = { remoteJid: `${phone}@s.whatsapp.net`, fromMe: false, id };
  return { data: { key, messageTimestamp: Math.floor(it.clock.now() / 1_000), ...more } };
}

const placeholder = { message: { placeholderMessage: { type: 0 } } };
const undecrypted = { messageStubType: 2, messageStubParameters: ["Message absent from node"] };
const words = { message: { conversation: "oi, preciso da nota" } };

async function seconds(worker: Bot["worker"], ...of: readonly number[]): Promise<void> {
  for (const some of of) {
    await pass(it, some / 3_600);
    await worker.drain();
  }
}

const asked = async () =>
  (await it.list("requests")).filter((row) => textOf(row["route"]) === "chat.findMessages").length;
const saidTo = async (phone: string) =>
  (await it.received(phone)).filter((text) => text.includes(TOLD)).length;

describe.each(["embedded", "redis"])("words that are missing, %s store", (kind) => {
  let redis: TestRedis | undefined;
  afterEach(() => redis?.stop());

  const up = async (): Promise<Bot> => {
    if (kind === "redis") redis = await startRedis();
    it = await rig({ account: HEARING, ...(redis ? { redisUrl: redis.url } : {}) });
    const made = bot(it);
    await made.up();
    return made;
  };

  test.each([placeholder, undecrypted])("are heard when they follow %#", async (missing) => {
    const mine = await up();
    const { worker } = mine;
    await mine.takes(body(missing));
    await seconds(worker, 2);
    await mine.takes(body(words));
    await mine.takes(body(missing));
    await mine.takes(body({ ...missing, pushName: "Marina" }));
    await seconds(worker, 10, 30);

    expect(await heardOf(it, CUSTOMER)).toEqual(["oi, preciso da nota"]);
    expect([await saidTo(CUSTOMER), await asked()]).toEqual([0, 0]);
    await mine.down();
  });

  test("that came before are not missing when that is told later", async () => {
    const mine = await up();
    const { worker } = mine;
    await mine.takes(body(words));
    await mine.takes(body(undecrypted));
    await seconds(worker, 10, 30);
    expect([await saidTo(CUSTOMER), await asked()]).toEqual([0, 0]);
    await mine.down();
  });

  test("are heard when they follow under the person's other name", async () => {
    const mine = await up();
    await mine.takes(body(words, CUSTOMER, "3A00"));
    const lid = "98765432101234@lid";
    const key = { remoteJid: lid, fromMe: false, id: ID };
    await mine.takes({ data: { key, ...undecrypted } });
    await seconds(mine.worker, 2);
    const both = { remoteJid: lid, remoteJidAlt: `${CUSTOMER}@s.whatsapp.net`, fromMe: false };
    await mine.takes({ data: { key: { ...both, id: ID }, message: { conversation: "aqui" } } });
    await seconds(mine.worker, 7, 10, 60);

    expect((await heardOf(it, CUSTOMER)).at(-1)).toBe("aqui");
    expect((await it.received(CUSTOMER)).join() + (await it.received(lid)).join()).not.toContain(
      TOLD,
    );
    await mine.down();
  });

  test("are told of once, over a restart", async () => {
    const first = await up();
    await first.takes(body(undecrypted));
    await first.takes(body(placeholder, CUSTOMER, "3A02"));
    await first.down();
    const second = bot(it);
    await second.up();
    await seconds(second.worker, 10, 20, 60, 600);

    expect(await saidTo(CUSTOMER)).toBe(1);
    expect(await heardOf(it, CUSTOMER)).toEqual([]);
    await second.down();
  });

  test("are asked for by their id before anything is said", async () => {
    const mine = await up();
    const { worker } = mine;
    await writes(it, CUSTOMER, { text: "está aqui", id: ID });
    await writes(it, OTHER, { text: "de outra pessoa", id: "3A09" });
    await mine.takes(body(undecrypted));
    await seconds(worker, 7, 10, 60);

    expect(await heardOf(it, CUSTOMER)).toEqual(["está aqui"]);
    expect([await saidTo(CUSTOMER), await asked()]).toEqual([0, 1]);
    await mine.down();
  });
});

describe("messages that cannot be opened", () => {
  const PHONES = { alerts: { phones: true, report: "off" } };
  const alarms = () =>
    it.events.flatMap((event) =>
      event.type === "alarm" && event.code === "channel.unreadable" ? [event] : [],
    );

  test("of several people within minutes are an alarm that names the channel, on phones too", async () => {
    it = await rig({ account: { ...HEARING, ...PHONES } });
    const mine = bot(it);
    const { worker } = mine;
    for (const [index, phone] of [CUSTOMER, OTHER, "5511987650003"].entries()) {
      expect(alarms()).toEqual([]);
      await mine.takes(body(undecrypted, phone, `3A0${index}`));
      await seconds(worker, 7, 30);
    }
    expect(alarms()).toMatchObject([
      { account: "demo", subject: "engine-b", vars: { channel: "B", messages: 3 } },
    ]);
    expect(alarms()[0]?.message).toContain("Restart the session");
    await worker.pager.round();
    await worker.drain();
    expect((await it.received(OPERATOR)).join()).toContain("[alarm-unreadable]");
    await mine.down();
  });

  test("are one when a single person sends many, on an engine that cannot be asked", async () => {
    const channels = [{ channel: "engine-c", token: TOKEN }];
    it = await rig({ account: { channels } });
    const mine = bot(it);
    const { worker } = mine;
    const Sender = `${CUSTOMER}@s.whatsapp.net`;
    for (let number = 0; number < 5; number++) {
      const Info = { Chat: Sender, Sender, ID: `3A0${number}`, IsFromMe: false, IsGroup: false };
      await mine.takes({ event: "UndecryptableMessage", data: { Info } }, "engine-c");
    }
    await seconds(worker, 7);
    expect(alarms()).toMatchObject([{ subject: "engine-c", vars: { channel: "C", messages: 5 } }]);
    expect(await asked()).toBe(0);
    await mine.down();
  });

  test("are none when they are few, or hours apart", async () => {
    it = await rig({ account: HEARING });
    const mine = bot(it);
    const { worker } = mine;
    for (let number = 0; number < 5; number++) {
      await mine.takes(body(undecrypted, CUSTOMER, `3A0${number}`));
      await seconds(worker, 7, 3_600);
    }
    expect(alarms()).toEqual([]);
    await mine.down();
  });

  test("are asked for in three calls at most, and told of together", async () => {
    it = await rig({ account: HEARING });
    const mine = bot(it);
    const { worker } = mine;
    for (let number = 0; number < 6; number++)
      await mine.takes(body(undecrypted, CUSTOMER, `3A0${number}`));
    await seconds(worker, 7, 10);
    expect(await asked()).toBeLessThanOrEqual(3);
    expect(await saidTo(CUSTOMER)).toBe(1);
    await mine.down();
  });
});
