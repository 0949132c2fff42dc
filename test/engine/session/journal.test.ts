import { describe, expect, test } from "vitest";
import type { Json } from "../../../src/base/index.ts";
import { JournalRecord, keptRecord, wholeRecord } from "../../../src/engine/index.ts";
import { CUSTOMER, OPERATOR, Town } from "../town.ts";

const stored = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

/** Turns of all sorts: words, a list, a correction, a hand-off, mail between people, a call and its end. */
function turns(): JournalRecord[] {
  const town = new Town();
  town.talks(CUSTOMER, [
    "oi",
    "1",
    "1",
    "529.982.247-25",
    "Maria Souza",
    "150",
    "corte",
    "10/2026",
  ]);
  town.talks(CUSTOMER, ["o valor é 200", "EMITIR"]);
  town.talks(OPERATOR, ["aprovar"]);
  if (town.calls.length > 0) town.answers("done", { number: "1", text: "ok" });
  town.talks(CUSTOMER, ["obrigado", "quero falar com uma pessoa"]);
  town.deliver(CUSTOMER, { kind: "operator", action: "say", actor: "Ana", text: "Olá!" });
  town.deliver(CUSTOMER, { kind: "parked", event: "x", reason: "y" });
  return town.journal;
}

describe("a turn as it is kept", () => {
  test("says nothing twice, and is whole again when it is read", () => {
    const records = turns();
    const kinds = new Set(records.flatMap(({ effects }) => effects.map(({ type }) => type)));
    expect(kinds).toEqual(new Set(["send", "peer", "call"]));
    for (const record of records) {
      // In the mailbox a message's own id is its event's.
      const { mail } = record;
      const own =
        mail.kind === "inbound"
          ? { ...record, mail: { ...mail, event: { ...mail.event, id: record.event } } }
          : record;
      for (const one of [record, own]) {
        const kept = stored(keptRecord(one));
        expect(wholeRecord(kept)).toEqual(stored(one));
        expect(JournalRecord.safeParse(wholeRecord(kept)).success).toBe(true);
        expect(JSON.stringify(kept).length).toBeLessThanOrEqual(JSON.stringify(one).length);
        const text = JSON.stringify(one.said ?? "");
        if (text.length > 40) expect(JSON.stringify(kept).split(text)).toHaveLength(2);
      }
    }
  });

  test("names an effect that is kept with it, and has its words from there", () => {
    for (const record of turns()) {
      const carried = new Set(record.effects);
      const kept = stored(keptRecord(record, carried)) as { readonly said?: Json };
      const payloads = record.effects.map((effect) => ({ ...effect, work: { at: 1 } }));
      expect(kept).toMatchObject({ effects: record.effects.map(({ id }) => id) });
      if (record.said !== undefined) expect(kept.said).toBeTypeOf("number");
      expect(wholeRecord(stored({ ...kept, effects: payloads }))).toEqual(stored(record));
    }
  });

  test("what was kept before, and the line of a send, are left as they are", () => {
    const [record] = turns();
    const line = { type: "effect", effect: "e", outcome: "done", at: 1, attempt: 1, name: "send" };
    for (const one of [stored(record), line, null, "x", []]) expect(wholeRecord(one)).toEqual(one);
  });
});
