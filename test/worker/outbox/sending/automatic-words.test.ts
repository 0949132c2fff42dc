/** Greetings and away messages of the phone's own app are no person who took over. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { bot, HEARING, type Bot } from "../../bot.ts";
import { CUSTOMER, OTHER, OPERATOR, rig, type Rig } from "../../rig.ts";

type Engine = "engine-a" | "engine-b" | "engine-c";

const GREETING = "Olá! Agradecemos o contato, já vamos te atender.";
const AWAY = "Estamos fechados. Voltamos amanhã às 9h!";
const THIRD = "5511987650003";

let it: Rig;
let liveness: Bot;
let count = 0;
let seconds = 0;

beforeEach(() => {
  count = 0;
});
afterEach(() => it.close());

async function opens(account: object = {}): Promise<void> {
  it = await rig({ account: { ...HEARING, ...account } });
  liveness = bot(it);
  seconds = Math.floor(it.clock.now() / 1_000);
}

/** A message of a chat as an engine posts it, `after` seconds after the test began. */
function body(engine: Engine, phone: string, text: string, fromMe: boolean, after: number) {
  const [id, at] = [`M${++count}`, seconds + after];
  const jid = `${phone}@s.whatsapp.net`;
  if (engine === "engine-a")
    return {
      wook: fromMe ? "SEND_MESSAGE" : "RECEIVE_MESSAGE",
      ...{ id: `${fromMe}_${phone}@c.us_${id}`, type: "text", fromMe, content: text },
      timestamp: at,
    };
  if (engine === "engine-c")
    return {
      event: "Message",
      data: {
        Info: {
          ID: id,
          Chat: jid,
          IsFromMe: fromMe,
          Timestamp: new Date(at * 1_000).toISOString(),
        },
        Message: { conversation: text },
      },
    };
  return {
    data: {
      key: { remoteJid: jid, fromMe, id },
      message: { conversation: text },
      messageTimestamp: at,
    },
  };
}

async function posts(engine: Engine, phone: string, text: string, fromMe: boolean, after: number) {
  const passed = (seconds + after) * 1_000;
  if (passed > it.clock.now()) it.clock.moveTo(passed);
  await liveness.takes(body(engine, phone, text, fromMe, after), engine);
}
const writes = (phone: string, text: string, after: number, engine: Engine = "engine-b") =>
  posts(engine, phone, text, false, after);
const types = (phone: string, text: string, after: number, engine: Engine = "engine-b") =>
  posts(engine, phone, text, true, after);

async function handoff(phone: string): Promise<unknown> {
  const view = await it.store.views.session("demo", await it.contact(phone));
  return (view?.session as { handoff?: { reason?: unknown } } | undefined)?.handoff?.reason;
}

const told = async () =>
  (await it.store.documents.list("told-automatic-words", { limit: 10 })).items.map(({ id }) => id);

describe("words that leave the business's phone at once", () => {
  test.each(["engine-a", "engine-b", "engine-c"] as const)(
    "with a first message are the app's, in one piece or two, on %s",
    async (engine) => {
      await opens();
      await writes(CUSTOMER, "oi", 0, engine);
      await types(CUSTOMER, GREETING, 1, engine);
      await types(CUSTOMER, "Veja nosso catálogo.", 2, engine);

      expect(await handoff(CUSTOMER)).toBeUndefined();
      expect(await told()).toEqual(["demo"]);
    },
  );

  test.each(["engine-a", "engine-b", "engine-c"] as const)(
    "are the app's also when they are told before that message, on %s",
    async (engine) => {
      await opens();
      await types(CUSTOMER, GREETING, 1, engine);
      expect(await handoff(CUSTOMER)).toBe("typed");
      await writes(CUSTOMER, "oi", 0, engine);

      expect(await handoff(CUSTOMER)).toBeUndefined();
      expect(await it.received(CUSTOMER)).toHaveLength(1);
      expect(await told()).toEqual(["demo"]);
    },
  );

  test("are the app's again after a silence, and a person's in the middle of a conversation", async () => {
    await opens();
    await writes(CUSTOMER, "oi", 0);
    await writes(CUSTOMER, "menu", 3_600);
    await types(CUSTOMER, AWAY, 3_601);
    expect(await handoff(CUSTOMER)).toBeUndefined();
    await writes(CUSTOMER, "menu", 3_660);
    await types(CUSTOMER, "pode mandar", 3_661);
    expect(await handoff(CUSTOMER)).toBe("typed");
  });

  test("are a person's when another message follows, or when they wrote to the customer first", async () => {
    await opens();
    await writes(CUSTOMER, "oi", 0);
    await types(CUSTOMER, GREETING, 1);
    await types(CUSTOMER, "Oi Ana, aqui é o Rui", 8);
    await types(OTHER, "Oi Bia, sua nota saiu", 10);
    await writes(OTHER, "obrigada!", 11);

    expect(await handoff(CUSTOMER)).toBe("typed");
    expect(await handoff(OTHER)).toBe("typed");
  });
});

describe("the same words of the business's phone", () => {
  test("to another contact are the app's: the first is given back, and answered when it wrote since", async () => {
    await opens();
    for (const phone of [CUSTOMER, OTHER]) await writes(phone, "oi", 0);
    await types(CUSTOMER, GREETING, 5);
    expect(await handoff(CUSTOMER)).toBe("typed");
    await writes(CUSTOMER, "alguém aí?", 6);
    const before = (await it.received(CUSTOMER)).length;
    await types(OTHER, GREETING, 60);

    expect(await handoff(CUSTOMER)).toBeUndefined();
    expect(await handoff(OTHER)).toBeUndefined();
    expect(await it.received(CUSTOMER)).toHaveLength(before + 1);
    expect(await told()).toEqual(["demo"]);
  });

  test("are known from then on, by every process, and for a customer who had them before", async () => {
    await opens();
    await types(CUSTOMER, AWAY, 0);
    await types(OTHER, AWAY, 60);
    liveness = bot(it);
    await types(THIRD, AWAY, 5 * 86_400);
    await types(THIRD, AWAY, 5 * 86_400 + 600);

    for (const phone of [CUSTOMER, OTHER, THIRD]) expect(await handoff(phone)).toBeUndefined();
  });

  test("do not give back a contact to whom something else was typed", async () => {
    await opens();
    await types(CUSTOMER, GREETING, 0);
    await types(CUSTOMER, "Oi Ana, aqui é o Rui", 20);
    await types(OTHER, GREETING, 60);
    expect(await handoff(CUSTOMER)).toBe("typed");
    expect(await handoff(OTHER)).toBeUndefined();
  });

  test("are a person's when they went to one contact alone, are short, or a day apart", async () => {
    await opens();
    await types(CUSTOMER, GREETING, 0);
    await types(CUSTOMER, GREETING, 60);
    expect(await handoff(CUSTOMER)).toBe("typed");
    await types(OTHER, GREETING, 2 * 86_400);
    expect(await handoff(OTHER)).toBe("typed");
    for (const phone of [OPERATOR, THIRD]) await types(phone, "bom dia", 2 * 86_400 + 60);
    expect(await handoff(THIRD)).toBe("typed");
  });

  test("are forgotten when they are old", async () => {
    await opens();
    await types(CUSTOMER, GREETING, 0);
    const kept = async () =>
      (await it.store.documents.list("phone-words", { limit: 10 })).items.length;
    expect(await kept()).toBe(1);
    it.clock.moveTo(it.clock.now() + 25 * 3_600_000);
    await liveness.worker.automatic.sweep();
    expect(await kept()).toBe(0);
  });
});

test("words that the account names are never a person's, whatever their marks and capitals", async () => {
  await opens({ automaticTexts: [AWAY] });
  await writes(CUSTOMER, "oi", 0);
  await types(CUSTOMER, "ESTAMOS FECHADOS! voltamos amanha as 9h", 40);
  expect(await handoff(CUSTOMER)).toBeUndefined();
  expect(await told()).toEqual([]);
  await types(CUSTOMER, "estamos fechados", 50);
  expect(await handoff(CUSTOMER)).toBe("typed");
});
