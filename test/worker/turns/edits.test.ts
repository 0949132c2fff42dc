/** An edit is of a message that came, of one that never did, or of one of ours: the store and the outbox know. */
import { expect, test } from "vitest";
import { loadFlows } from "../../../src/app/loading/flow-files.ts";
import type { JournalRecord, Mail } from "../../../src/engine/index.ts";
import { CUSTOMER, rig } from "../rig.ts";

test("an edit of a lost message is read as the message, one of ours as nothing", async () => {
  const { library } = await loadFlows();
  const it = await rig({ library });
  const edits = async (messageId: string, text: string) => {
    const from = { address: `${CUSTOMER}@s.whatsapp.net`, phone: CUSTOMER };
    const id = `${messageId}:edit:${text}`;
    const at = it.clock.now();
    const event = { kind: "edit", id, at, from, messageId, text } as const;
    const mail: Mail = { kind: "inbound", channel: "engine-b", acceptedAt: at, event };
    const contact = await it.contact(CUSTOMER);
    await it.store.mail.accept([{ account: "demo", contact, event: id, mail: { ...mail } }]);
    await it.worker.drain();
    const lines = (await it.journal(CUSTOMER)) as unknown as readonly JournalRecord[];
    const given = lines.find((line) => line.event === id)?.mail;
    return given?.kind === "inbound" ? given : undefined;
  };
  try {
    await it.says(CUSTOMER, "preciso da nota", "V1:message");
    await it.worker.drain();
    const known = await edits("V1", "preciso de uma nota");
    expect([known?.unheard, known?.again]).toEqual([undefined, undefined]);
    const lost = await edits("V2", "1");
    expect(lost?.unheard).toBe(true);
    expect((await it.received(CUSTOMER)).at(-1)).toContain("CPF ou CNPJ");
    const { body } = await it.stage.http("GET", `/sandbox/messages?number=${CUSTOMER}`);
    const [ours] = body as unknown as { id: string }[];
    const own = await edits(ours?.id ?? "", "529.982.247-25");
    expect(own?.again).toBe(true);
  } finally {
    await it.close();
  }
});
