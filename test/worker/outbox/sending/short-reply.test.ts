/** Answers by short message that name the message answered and no sender: whose they are, and who is told where nobody knows. */
import { afterEach, expect, test } from "vitest";
import { sentAlias } from "../../../../src/channels/index.ts";
import type { WorkerDeps } from "../../../../src/worker/index.ts";
import { bot, HEARING, heardOf } from "../../bot.ts";
import { library } from "../../flow-words.ts";
import { bubble, CUSTOMER, OPERATOR, OTHER, rig, textOf, type Asked, type Rig } from "../../rig.ts";
import { withSteps } from "../../../../src/store/port/with-steps.ts";

let it: Rig;
afterEach(() => it.close());

const WORDS = "SIM, pode emitir";
const short = (text: string) => ({ ...bubble(CUSTOMER, text), channel: "sms" }) as Asked;
const call = (number: string, more = {}) =>
  ({
    ...{ type: "call", class: "message", name: "sms.send" },
    input: { number, message: "Seu código é 4821", user_reply: true, ...more },
  }) as Asked;

/** The webhook of an answer reaches a process that sent nothing itself. */
async function answered(id: unknown, message = WORDS, other: Partial<WorkerDeps> = {}) {
  await bot(it, other).takes([{ id, status: "reply", message }], "sms");
}

/** Ids of what left by this route, in order. */
async function idsOf(route: string): Promise<string[]> {
  const rows = await it.list("messages");
  return rows.filter((row) => textOf(row["route"]) === route).map((row) => textOf(row["id"]));
}

const told = () => it.received(OPERATOR);
/** Where the answers by short message went. */
const numbers = async () =>
  (await it.list("requests"))
    .filter((row) => textOf(row["route"]) === "sms.send")
    .map((row) => (row["body"] as { number?: unknown }).number);

test("nobody's is told to the business's people with its words, once", async () => {
  it = await rig({ library });
  await answered("9f3c2b7d");
  await answered("9f3c2b7d");
  await answered("9f3c2b7d", "mudei de ideia");

  expect(await told()).toEqual([expect.stringContaining(`“${WORDS}”`), expect.anything()]);
  expect((await told())[1]).toContain("“mudei de ideia”");
});

test("so is one that names neither message nor sender", async () => {
  it = await rig({ library });
  await answered(undefined);
  expect(await told()).toEqual([expect.stringContaining(`“${WORDS}”`)]);
});

test("and one of somebody who was erased since, who stays unknown", async () => {
  it = await rig({ library });
  await it.asks(CUSTOMER, short("oi"));
  await it.worker.drain();
  await it.store.contacts.erase("demo", await it.contact(CUSTOMER));
  const [id] = await idsOf("sms.send");
  await answered(id);

  expect(await told()).toEqual([expect.stringContaining(`“${WORDS}”`)]);
  expect(await it.store.contacts.lookup("demo", `phone:${CUSTOMER}`)).toBeNull();
});

test.each(["this process", "another process"])(
  "one that names a message of another channel finds the conversation it was said in by %s",
  async (process) => {
    it = await rig({ account: HEARING, library });
    const liveness = bot(it);
    const key = { remoteJid: `${CUSTOMER}@s.whatsapp.net`, fromMe: false, id: "M1" };
    await liveness.takes({ data: { key, message: { conversation: "oi" } } });
    const [id] = await idsOf("message.sendText");
    const now = process === "this process" ? liveness : bot(it);
    await now.takes([{ id, status: "reply", message: WORDS }], "sms");

    expect(await heardOf(it, CUSTOMER)).toEqual(["oi", WORDS]);
    expect(await numbers()).toEqual([CUSTOMER]);
    expect(await told()).toEqual([]);
    // The answer to that is led there.
    const [next = ""] = await idsOf("sms.send");
    expect(await it.store.contacts.lookup("demo", sentAlias("sms", next))).toBe(
      await it.contact(CUSTOMER),
    );
  },
);

test("so does one whose message could not be noted as leading there", async () => {
  it = await rig({ library });
  await it.says(CUSTOMER, "oi");
  await it.worker.drain();
  const store = withSteps(it.store, (method) =>
    method === "contacts.lead" ? () => Promise.reject(new Error("no answer")) : undefined,
  );
  const warn = () => undefined;
  const quiet = { debug: warn, info: warn, warn, error: warn };
  await it.asks(CUSTOMER, short("Posso emitir?"));
  await it.again({ store, log: quiet }).drain();
  await answered((await idsOf("sms.send"))[0]);

  expect(await heardOf(it, CUSTOMER)).toEqual(["oi", WORDS]);
  expect(await told()).toEqual([]);
});

test("but not where that conversation has no number to answer at", async () => {
  it = await rig({ account: HEARING, library });
  const liveness = bot(it);
  const key = { remoteJid: "203174996812345@lid", fromMe: false, id: "L1" };
  await liveness.takes({ data: { key, message: { conversation: "oi" } } });
  await answered((await idsOf("message.sendText"))[0]);

  expect(await numbers()).toEqual([]);
  expect(await told()).toEqual([expect.stringContaining(`“${WORDS}”`)]);
});

test("one to a short message that a flow sent by its own call finds who has that number", async () => {
  it = await rig({ library });
  await it.says(CUSTOMER, "oi");
  await it.worker.drain();
  await it.asks(OTHER, call(CUSTOMER), call("5511987650003"));
  await it.worker.drain();
  const [known, unknown] = await idsOf("sms.send");
  await answered(known);
  expect(await heardOf(it, CUSTOMER)).toEqual(["oi", WORDS]);
  expect(await told()).toEqual([]);

  await answered(unknown);
  expect(await heardOf(it, OTHER)).toEqual([]);
  expect(await told()).toEqual([expect.stringContaining(`“${WORDS}”`)]);
});
