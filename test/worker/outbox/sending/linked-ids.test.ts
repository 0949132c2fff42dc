/** One person under a phone and under a linked id: whom the business's words were for, and where replies go. */
import { afterEach, describe, expect, test } from "vitest";
import { answering, bot, HEARING, type Bot } from "../../bot.ts";
import { bubble, CUSTOMER, hear, OTHER, rig, textOf, type Rig } from "../../rig.ts";

type Engine = "engine-a" | "engine-b" | "engine-c";
type Body = Record<string, unknown>;

const LID = "203174996812345";
const OWN = "5511900000009";
const JID = `${CUSTOMER}@s.whatsapp.net`;
const TYPED = "Oi, aqui é o Rui";

let it: Rig;
let liveness: Bot;
let count = 0;
afterEach(() => it.close());

async function opens(): Promise<void> {
  it = await rig({ account: HEARING });
  liveness = bot(it);
}

/** Engine B's body: a record with this key, and what stands beside the key. */
function told(text: string, key: Body, beside: Body = {}): Body {
  const whole = { remoteJid: JID, fromMe: false, id: `L${++count}`, ...key };
  return {
    sender: `${OWN}@s.whatsapp.net`,
    data: { key: whole, message: { conversation: text }, ...beside },
  };
}

const writes = (key: Body = {}, text = "oi") => liveness.takes(told(text, key));
const types = (key: Body, beside: Body = {}) =>
  liveness.takes(told(TYPED, { remoteJid: `${LID}@lid`, fromMe: true, ...key }, beside));

async function session(phone = CUSTOMER) {
  const view = await it.store.views.session("demo", await it.contact(phone));
  return view?.session as
    { address?: string; handoff?: { reason: string }; linked?: { only?: boolean } } | undefined;
}

const numbers = async (route = "message.sendText") =>
  (await it.list("requests"))
    .filter((row) => textOf(row["route"]) === route)
    .map((row) => (row["body"] as Body)["number"]);

describe("words of the business under a linked id pause the bot for the person known by phone", () => {
  test.each([
    ["recipientPn", { recipientPn: JID }, {}],
    ["peerRecipientPn", { peerRecipientPn: JID }, {}],
    ["peer_recipient_pn", { peer_recipient_pn: JID }, {}],
    ["remoteJidAlt", { remoteJidAlt: JID }, {}],
    [
      "recipientPn with a device, beside the key",
      {},
      { recipientPn: `${CUSTOMER}:4@s.whatsapp.net` },
    ],
    ["RecipientPN, beside the key", {}, { RecipientPN: JID }],
    ["senderPn, where our own number is known", { senderPn: JID }, {}],
    ["the other form of the number", { recipientPn: "551187650001@s.whatsapp.net" }, {}],
  ])("by engine B's %s", async (_form, key, beside) => {
    await opens();
    await writes();
    it.clock.moveTo(it.clock.now() + 60_000);
    await types(key, beside);
    const before = await it.received(CUSTOMER);
    await writes({}, "alguém aí?");

    expect((await session())?.handoff?.reason).toBe("typed");
    expect(await it.received(CUSTOMER)).toEqual(before);
  });

  test.each(["engine-a", "engine-b", "engine-c"] as const)(
    "by engine B's answer to who it is, where %s tells the linked id alone",
    async (engine) => {
      await opens();
      await writes();
      it.clock.moveTo(it.clock.now() + 60_000);
      const { text } = await it.stage.call("chat.messengerNumbers", { numbers: [CUSTOMER] });
      const [lid = ""] = /\d+(?=@lid)/.exec(text) ?? [];
      if (engine === "engine-b") await types({ remoteJid: `${lid}@lid` });
      else await liveness.takes(of(engine, { text: TYPED, lid, fromMe: true }), engine);

      expect((await session())?.handoff?.reason).toBe("typed");
    },
  );

  test("by nothing, where nobody can tell: it is asked once, and what proves it later brings it home", async () => {
    await opens();
    await writes();
    it.clock.moveTo(it.clock.now() + 60_000);
    await types({});
    await types({});
    expect(await numbers("chat.messengerNumbers")).toHaveLength(1);
    expect((await session())?.handoff).toBeUndefined();
    await writes({ remoteJidAlt: `${LID}@lid` }, "alguém aí?");

    expect((await session())?.handoff?.reason).toBe("typed");
  });

  test.each([
    ["engine-a", "recipientPn"],
    ["engine-a", "peer_recipient_pn"],
    ["engine-c", "RecipientAlt"],
    ["engine-c", "peerRecipientPn"],
  ] as const)("by %s's %s", async (engine, field) => {
    await opens();
    await liveness.takes(of(engine, { text: "oi", fromMe: false }), engine);
    it.clock.moveTo(it.clock.now() + 60_000);
    const named = { [field]: JID };
    await liveness.takes(of(engine, { text: TYPED, lid: LID, fromMe: true, named }), engine);

    expect((await session())?.handoff?.reason).toBe("typed");
  });

  test("but the business's own number is nobody's name, in either form", async () => {
    await opens();
    const own = "5511987650009";
    const body = told(TYPED, {
      remoteJid: `${LID}@lid`,
      fromMe: true,
      senderPn: `551187650009@c.us`,
    });
    await liveness.takes({ ...body, sender: `${own}@s.whatsapp.net` });
    expect(await it.store.contacts.lookup("demo", `phone:${own}`)).toBeNull();
  });
});

test("an echo that names the linked id alone is known as ours by its id, and tells whose that is", async () => {
  await opens();
  await it.asks(CUSTOMER, bubble(CUSTOMER, "Qual serviço?"));
  await liveness.worker.drain();
  const [own] = await hear(it, "own", 1, []);
  const id = own?.messageId;
  const echo = of("engine-a", { text: "Qual serviço?", lid: LID, fromMe: true, id });
  await liveness.takes(echo, "engine-a");

  expect(await it.store.contacts.lookup("demo", `lid:${LID}`)).toBe(await it.contact(CUSTOMER));
  expect((await session())?.handoff).toBeUndefined();
});

describe("replies go to the digits of a phone that is known", () => {
  test("with the message, before it under another one, and learned later", async () => {
    await opens();
    await writes({ remoteJid: `${LID}@lid`, remoteJidAlt: JID });
    await writes({ remoteJid: `${LID}@lid` });
    const other = { remoteJid: "777@lid" };
    await writes(other);
    await liveness.takes({
      data: [
        { ...other, lid: "777@lid", remoteJidAlt: `${OTHER}@s.whatsapp.net`, pushName: "Bia" },
      ],
    });
    await writes(other);

    expect(await numbers()).toEqual([CUSTOMER, CUSTOMER, "777@lid", OTHER]);
  });

  test("and to the linked id where nothing else is known", async () => {
    await opens();
    await writes({ remoteJid: `${LID}@lid` });
    expect(await numbers()).toEqual([`${LID}@lid`]);
  });

  test("and to it where the messenger has nobody under the digits, from then on", async () => {
    it = await rig({ account: HEARING });
    liveness = bot(it);
    const digits = "5500987650001";
    const key = { remoteJid: `${digits}@s.whatsapp.net`, remoteJidAlt: `${LID}@lid` };
    await writes(key);
    await writes(key, "menu");

    expect(await numbers()).toEqual([digits, `${LID}@lid`, `${LID}@lid`]);
    expect((await session(digits))?.linked?.only).toBe(true);
    expect(await it.store.views.effects({ limit: 10 })).toEqual([]);
  });

  test("but not for another refusal", async () => {
    it = await rig({ account: HEARING });
    const refused = { kind: "refused", status: 400, message: "Bad Request", ms: 1 } as const;
    const gateway = answering(it, (route) => (route === "message.sendText" ? refused : undefined));
    liveness = bot(it, { gatewayFor: () => gateway });
    await writes({ remoteJidAlt: `${LID}@lid` });

    expect(await it.store.views.effects({ state: "held", limit: 10 })).toHaveLength(1);
  });
});

/** A message of engine A or C, told under the phone or under this linked id. */
function of(
  engine: Engine,
  {
    text,
    lid,
    fromMe,
    named = {},
    id = `L${++count}`,
  }: { text: string; lid?: string; fromMe: boolean; named?: Body; id?: string | undefined },
): Body {
  const server = lid ? "lid" : engine === "engine-a" ? "c.us" : "s.whatsapp.net";
  const chat = lid ?? CUSTOMER;
  const jid = `${chat}@${server}`;
  if (engine === "engine-a")
    return {
      wook: fromMe ? "SEND_MESSAGE" : "RECEIVE_MESSAGE",
      ...{ id: `${fromMe}_${jid}_${id}`, type: "text", fromMe, content: text },
      ...(fromMe ? { to: chat } : { from: chat }),
      ...named,
    };
  return {
    event: "Message",
    data: {
      Info: { ID: id, Chat: jid, IsFromMe: fromMe, ...named },
      Message: { conversation: text },
    },
  };
}
