/** Who wants to hear no more hears no more: also not what was queued before, and what is filed meanwhile is known all the same. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { loadFlows } from "../../src/app/loading/flow-files.ts";
import { CUSTOMER, OPERATOR, rig, type Rig } from "./rig.ts";

const { library } = await loadFlows();
vi.setConfig({ testTimeout: 30_000 });

let it: Rig;
afterEach(() => it.close());

const FORM = ["oi", "1", "1", "529.982.247-25", "Maria Souza", "150", "corte de cabelo", "hoje"];

async function says(phone: string, ...texts: string[]): Promise<void> {
  for (const text of texts) {
    await it.says(phone, text);
    await it.worker.drain();
    // Free text waits a second for more.
    it.clock.moveTo(it.clock.now() + 2_000);
    await it.worker.drain();
  }
}

async function tell(event: string): Promise<void> {
  const contact = await it.contact(CUSTOMER);
  const vars = { business: "Aurora", number: "7", value: "R$ 1,00", key: "", link: "" };
  const mail = { kind: "notice", key: "note-for-you", vars } as const;
  await it.store.mail.accept([{ account: "demo", contact, event, mail }]);
  await it.worker.drain();
}

describe("who wants to hear no more", () => {
  test("gets nothing of what was queued: no answer, no notice, no reminder, and only they open the chat again", async () => {
    it = await rig({ library });
    await says(CUSTOMER, "oi");
    const before = await it.received(CUSTOMER);
    await it.store.scopes.pause("plan:demo", "operator");
    await says(CUSTOMER, "1", "1");
    await tell("queued");
    await says(CUSTOMER, "não quero mais receber mensagens");
    const contact = await it.contact(CUSTOMER);
    const waiting = await it.store.views.effects({ account: "demo", contact, limit: 50 });
    expect(waiting.length).toBeGreaterThan(2);

    await it.store.scopes.resume("plan:demo");
    await it.worker.drain();
    const said = (await it.received(CUSTOMER)).slice(before.length);
    expect(said.filter((text) => !/não (?:te )?mand|mensagens/i.test(text))).toEqual([]);
    await tell("later");
    it.clock.moveTo(it.clock.now() + 26 * 3_600_000);
    await it.worker.drain();
    await tell("next day");
    expect((await it.received(CUSTOMER)).slice(before.length)).toEqual(said);

    await says(CUSTOMER, "oi");
    expect((await it.received(CUSTOMER)).length).toBeGreaterThan(before.length + said.length);
  });

  test.each(["oi", "minhas notas", "meus dados", "preciso da nota", "quero falar com uma pessoa"])(
    "is welcomed back by '%s' in the bubble of what follows",
    async (wish) => {
      it = await rig({ library });
      await says(CUSTOMER, "oi", "não quero mais receber mensagens");
      const before = (await it.received(CUSTOMER)).length;
      await says(CUSTOMER, wish);
      const said = (await it.received(CUSTOMER)).slice(before);
      expect(said).toEqual([
        expect.stringMatching(/^Que bom ter você de volta! Sigo por aqui\.\n\n./),
      ]);
    },
  );

  test("has a note that was on its way all the same, once, and is not told of it", async () => {
    it = await rig({ library });
    await says(CUSTOMER, ...FORM, "EMITIR");
    await it.store.scopes.pause("credits:demo", "operator");
    await says(OPERATOR, "aprovar");
    await says(CUSTOMER, "não quero mais receber mensagens");
    const before = await it.received(CUSTOMER);

    await it.store.scopes.resume("credits:demo");
    await it.worker.drain();

    const [note, ...more] = (await it.worker.invoices.list("demo", { limit: 5 })).items;
    expect(note).toMatchObject({ state: "autorizada" });
    expect(more).toEqual([]);
    expect(await it.list("invoices")).toHaveLength(1);
    expect(await it.received(CUSTOMER)).toEqual(before);
    expect((await it.received(OPERATOR)).join("\n")).toMatch(/emitida|autorizada/i);
  });

  test("does not get the word of a note that was queued before, either", async () => {
    it = await rig({ library });
    await says(CUSTOMER, ...FORM, "EMITIR");
    const before = await it.received(CUSTOMER);
    await it.store.scopes.pause("plan:demo", "operator");
    await says(OPERATOR, "aprovar");
    await says(CUSTOMER, "não quero mais receber mensagens");
    await it.store.scopes.resume("plan:demo");
    await it.worker.drain();

    expect(await it.list("invoices")).toHaveLength(1);
    const said = (await it.received(CUSTOMER)).slice(before.length);
    expect(said.join("\n")).not.toMatch(/emitida/);
    expect(said.at(-1)).toMatch(/não mando mais mensagens/);
  });
});
