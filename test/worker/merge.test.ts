/** Two names of one person that prove to be one while a conversation is going on, on both stores. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { loadFlows } from "../../src/app/loading/flow-files.ts";
import { aliases } from "../../src/channels/index.ts";
import type { Session } from "../../src/engine/index.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { OPERATOR, rig, textOf, type Rig } from "./rig.ts";

const { library } = await loadFlows();
// Whole conversations, each line a turn and a call: under load they take longer than a usual test.
vi.setConfig({ testTimeout: 30_000 });

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

let it: Rig;
afterEach(() => it.close());

let people = 0;
/** Somebody new in each test: Redis outlives them. */
function somebody() {
  people += 1;
  const phone = `55119870100${String(people).padStart(2, "0")}`;
  const lid = `77001${String(people).padStart(4, "0")}`;
  return {
    lid: { address: `${lid}@lid`, lid },
    phone: { address: phone, phone },
    both: { address: phone, phone, lid },
  };
}
type Name = ReturnType<typeof somebody>[keyof ReturnType<typeof somebody>];

let serial = 0;
/** One line after the other, as the ingress would take it; answers what the messenger then shows at this address. */
async function says(from: Name, ...texts: string[]): Promise<readonly string[]> {
  for (const text of texts) await writes(from, text);
  return it.received(from.address);
}

/** `wait`: how long nothing more comes, ms; free text waits a second for more. */
async function writes(
  from: Name,
  text: string,
  id = `w${++serial}`,
  wait = 2_000,
  worker = it.worker,
): Promise<void> {
  const now = it.clock.now();
  const contact = await it.store.contacts.identify("demo", aliases(from, "engine-b"));
  const event = { kind: "message", id, at: now, from, messageId: id };
  const mail = {
    ...{ kind: "inbound", channel: "engine-b", acceptedAt: now },
    event: { ...event, content: { type: "text", text } },
  };
  await it.store.mail.accept([{ account: "demo", contact, event: id, mail }]);
  await worker.drain();
  if (wait === 0) return;
  it.clock.moveTo(now + wait);
  await worker.drain();
}

async function sessionOf(from: Name): Promise<Session> {
  const contact = await it.store.contacts.identify("demo", aliases(from, "engine-b"));
  return (await it.store.views.session("demo", contact))?.session as unknown as Session;
}

const FORM = [
  ...["oi", "1", "1", "529.982.247-25", "Maria Souza", "150", "corte de cabelo", "hoje"],
] as const;
const operator: Name = { address: OPERATOR, phone: OPERATOR };

const stepOf = ({ frames }: Session) =>
  frames.map(({ flow, state }) => `${flow}.${String((state as { at?: unknown }).at)}`);

for (const store of ["embedded", "redis"] as const) {
  const open = async (limits: { mailbox?: number; dead?: number } = {}, database = 0) => {
    const redisUrl = `${redis.url}/${database}`;
    it = await rig({ library, limits, ...(store === "redis" ? { redisUrl } : {}) });
  };

  describe(`two names of one person on ${store}`, () => {
    for (const first of ["phone", "lid"] as const)
      test(`go on where the ${first === "phone" ? "younger" : "older"} one was, with every answer it gave`, async () => {
        await open();
        const person = somebody();
        await says(person[first], "oi");
        await says(person.lid, "oi", "1", "1", "529.982.247-25", "Maria Souza");
        const before = stepOf(await sessionOf(person.lid));
        expect(before.at(-1)).toMatch(/^request-invoice\./);

        // The very message that shows that they are one is the answer to the question.
        const said = await says(person.both, "150");

        const session = await sessionOf(person.phone);
        expect(session.frames.map(({ flow }) => flow)).toContain("request-invoice");
        expect(session.address).toBe(person.both.address);
        expect(JSON.stringify(session)).toContain("52998224725");
        expect(said.at(-1)).not.toMatch(/Qual serviço|CPF/);
        const summary = (await says(person.both, "corte de cabelo", "hoje")).at(-1);
        expect(summary).toMatch(/150,00/);
        expect(summary).toMatch(/Maria Souza/);
      });

    test("go on with what they did last, and take up the other thing after it", async () => {
      await open();
      const person = somebody();
      await says(person.phone, "oi", "1", "1", "529.982.247-25", "Maria Souza", "80");
      await says(person.lid, "oi", "1", "1", "111.444.777-35", "Ana Lima");

      await says(person.both, "150", "corte de cabelo", "hoje");
      expect((await it.received(person.both.address)).at(-1)).toMatch(/Ana Lima/);
      const after = await says(person.both, "cancelar", "sim");

      expect(after.at(-1)).not.toMatch(/Qual serviço|CPF/);
      const session = await sessionOf(person.both);
      expect(session.frames.map(({ flow }) => flow)).toContain("request-invoice");
      expect(JSON.stringify(session.frames)).toContain("Maria Souza");
      expect(JSON.stringify(session.frames)).not.toContain("Ana Lima");
      const summary = (await says(person.both, "barba", "hoje")).at(-1);
      expect(summary).toMatch(/Maria Souza/);
      expect(summary).toMatch(/80,00/);
    });

    test("hear of the note that was on its way, once, and nothing is issued twice", async () => {
      await open();
      const person = somebody();
      await says(person.phone, "oi");
      await says(person.lid, ...FORM, "EMITIR");
      const requested = await sessionOf(person.lid);
      // It shows under both names that they are one while the business is asked, and the old answer comes again.
      await writes(person.both, "EMITIR", "again");
      await writes(person.both, "EMITIR", "again");

      await says(operator, "aprovar");

      const said = await it.received(person.both.address);
      const told = [...said, ...(await it.received(person.lid.address))];
      expect(told.filter((text) => /emitida/.test(text))).toHaveLength(1);
      expect((await it.list("invoices")).length).toBe(1);
      expect(requested.contact).not.toBe((await sessionOf(person.both)).contact);
      const effects = await it.store.views.effects({ account: "demo", limit: 100 });
      expect(effects).toEqual([]);
      // The note was asked for under the other name: it is this person's, in every place that tells of notes.
      expect((await says(person.both, "minhas notas")).at(-1)).toMatch(/150,00/);
      await says(person.both, "cancelar");
      expect((await says(person.both, "meus dados")).at(-1)).toMatch(/150,00/);
    });

    test("answer a message once that is delivered under both names", async () => {
      await open();
      const person = somebody();
      await says(person.phone, "oi");
      await says(person.lid, "oi", "1", "1", "529.982.247-25", "Maria Souza");
      await writes(person.lid, "150", "same");
      const before = stepOf(await sessionOf(person.lid));

      await writes(person.both, "150", "same");

      expect(stepOf(await sessionOf(person.both)).at(-1)).toBe(before.at(-1));
      const lines = await it.store.views.journal("demo", (await sessionOf(person.both)).contact, 1);
      expect(lines[0]).toMatchObject({ event: "same", quiet: "again" });
    });

    // The first bubble meets a gateway that is busy, or has enough, and goes again later; meanwhile the next one is ready.
    test.each([503, 429])(
      "are told things in the order in which they were said, over a %i",
      async (status) => {
        await open();
        const person = somebody();
        await says(person.phone, "oi");
        await says(person.lid, "oi");
        await it.fault({ route: "message.sendText", effect: { kind: "status", status }, times: 1 });
        await writes(person.lid, "1", `f${status}`, 0);
        // The next process has heard of no pause.
        await it.store.scopes.resume("plan:demo");
        await writes(person.both, "1", `g${status}`, 0, it.again());
        for (let round = 0; round < 5; round++) {
          it.clock.moveTo(it.clock.now() + 5_000);
          await it.worker.drain();
        }

        const sent: string[] = [];
        for (const { route, body } of await it.list("messages"))
          if (textOf(route).startsWith("message.send")) sent.push(JSON.stringify(body));
        const asked = sent.findIndex((text) => /Qual serviço/.test(text));
        const next = sent.findIndex((text) => /CPF/.test(text) && !/Qual serviço/.test(text));
        expect(asked).toBeGreaterThan(0);
        expect(next).toBeGreaterThan(asked);
      },
    );

    test("lose nothing that comes late under the younger name, however full the older one's mailbox is", async () => {
      await open({ mailbox: 1, dead: 0 }, 1);
      const { store } = it;
      const person = somebody();
      const named = (name: Name) => store.contacts.identify("demo", aliases(name, "engine-b"));
      const [older, younger] = [await named(person.phone), await named(person.lid)];
      await named(person.both);
      const send = (contact: string, event: string) =>
        store.mail.accept([{ account: "demo", contact, event, mail: { kind: "own", event } }]);
      // The older one's turn is another process's; its mailbox is full meanwhile.
      await send(older, "first");
      await store.mail.claim({ owner: "other", contacts: 1, events: 1, leaseMs: 60_000 });
      expect(await send(younger, "late")).toEqual(["new"]);

      await it.worker.drain();

      expect(await store.contacts.knew("demo", older, "late")).toBe(true);
      expect((await store.deadLetters.list({ limit: 10 })).items).toEqual([]);
      const { counters } = await store.views.backlog();
      expect(counters).toMatchObject({ accepted: 3, applied: 1, queued: 2, dead: 0 });
    });

    test("hear no more when one of them said so, and again when they write", async () => {
      await open();
      const person = somebody();
      await says(person.phone, "oi", "1");
      await says(person.lid, "oi");
      await says(person.lid, "não quero mais receber mensagens");
      const heard = (await it.received(person.phone.address)).length;
      await it.store.contacts.identify("demo", aliases(person.both, "engine-b"));
      await it.worker.drain();
      expect((await sessionOf(person.both)).frames).toEqual([]);

      it.clock.moveTo(it.clock.now() + 26 * 3_600_000);
      for (let round = 0; round < 3; round++) await it.worker.drain();

      expect((await it.received(person.phone.address)).length).toBe(heard);
      const session = await sessionOf(person.both);
      expect(session.optOut).toBeDefined();
      expect((await says(person.both, "oi")).length).toBeGreaterThan(heard);
    });
  });
}
