/** Which state of a note answers which event, and what becomes of its business key. */
import { describe, expect, test } from "vitest";
import { transition } from "xstate";
import { statusOf } from "../../../../src/plugins/invoicing/book/note-view.ts";
import { withWish, worded } from "../../../../src/plugins/invoicing/note/cancel-record.ts";
import {
  type CancelWord,
  noteChart,
  type NoteEvent,
} from "../../../../src/plugins/invoicing/note/chart.ts";
import {
  type Cancellation,
  type Invoice,
  revOf,
} from "../../../../src/plugins/invoicing/note/invoice.ts";
import {
  advanced,
  can,
  isCancelling,
  keyActionOf,
  keyEndsOf,
  placeOf,
} from "../../../../src/plugins/invoicing/note/life.ts";

const SENT_AT = 2_000;
const by = { at: 3_000, by: "worker" };

const reserved: Invoice = {
  ...{ id: "n", account: "demo", contact: "c", effect: "e", locale: "pt-BR", state: "pendente" },
  issuer: { emitente_id: "i", cnpj: "11222333000181", town: "3550308", zone: "America/Sao_Paulo" },
  taker: { document: "52998224725", name: "Ana" },
  ...{ cents: 15_000, competence: "2026-11-02", service: "Consulta", description: "Consulta" },
  ...{ businessKey: "k", token: "T", code: "12345670", createdAt: 1_000, window: 86_400_000 },
  ...{ names: [], checks: [], history: [{ at: 1_000, state: "pendente", by: "worker" }] },
};

type Word = Extract<NoteEvent, CancelWord>["type"];
type Type = Exclude<NoteEvent["type"], `cancel.${string}` | Word>;

/** The event about this very record, as somebody who has just read it would tell it. */
function eventOf(type: Type, note: Invoice): NoteEvent {
  const { sentAt } = note;
  return { type, rev: revOf(note), sentAt, before: SENT_AT };
}

function after(note: Invoice, type: Type, facts?: Parameters<typeof advanced>[3]): Invoice {
  const next = advanced(note, eventOf(type, note), by, facts);
  if (!next) throw new Error(`${note.state} has no ${type}`);
  return next;
}

const sending = after(reserved, "worker.depart", { sentAt: SENT_AT });
const lost = after(sending, "worker.lose");
const NOTES: Readonly<Record<string, Invoice>> = {
  pendente: reserved,
  enviando: sending,
  processando: after(sending, "answer.accepted"),
  incerta: lost,
  autorizada: after(sending, "answer.issued", { key: "3526" }),
  keyless: after(sending, "answer.issued"),
  rejeitada: after(sending, "answer.refused"),
  unknown: after(lost, "person.abandon"),
  absent: after(reserved, "person.abandon"),
  denied: after(after(lost, "person.abandon"), "person.deny"),
};

// A cell: the state that follows, and what is done with the key before it is written. "-": no event of this state.
const TABLE = `
                | pendente          | enviando          | processando       | incerta           | autorizada | keyless    | rejeitada         | unknown           | absent            | denied
worker.reserve  | pendente claim    | -                 | -                 | -                 | -          | -          | -                 | -                 | -                 | -
worker.close    | rejeitada         | -                 | -                 | -                 | -          | -          | -                 | -                 | -                 | -
worker.depart   | enviando hold     | -                 | -                 | -                 | -          | -          | -                 | -                 | -                 | -
worker.return   | -                 | pendente          | -                 | -                 | -          | -          | -                 | -                 | -                 | -
worker.lose     | incerta hold      | incerta hold      | incerta hold      | incerta hold      | -          | -          | -                 | -                 | -                 | -
worker.expire   | -                 | incerta           | -                 | -                 | -          | -          | -                 | -                 | -                 | -
answer.issued   | autorizada settle | autorizada settle | autorizada settle | autorizada settle | -          | -          | -                 | -                 | -                 | -
answer.refused  | rejeitada         | rejeitada         | rejeitada         | rejeitada         | -          | -          | - free            | - free            | - free            | - free
answer.accepted | processando       | processando       | processando       | processando       | -          | -          | -                 | -                 | -                 | -
answer.limited  | pendente          | pendente          | pendente          | pendente          | -          | -          | -                 | -                 | -                 | -
proof.issued    | autorizada settle | autorizada settle | autorizada settle | autorizada settle | -          | -          | -                 | -                 | -                 | -
proof.found     | -                 | -                 | -                 | -                 | -          | -          | autorizada settle | autorizada settle | autorizada settle | autorizada settle
proof.key       | -                 | -                 | -                 | -                 | -          | autorizada | -                 | -                 | -                 | -
proof.refused   | rejeitada         | rejeitada         | rejeitada         | rejeitada         | -          | -          | -                 | -                 | -                 | -
proof.doubted   | -                 | -                 | incerta hold      | -                 | -          | -          | -                 | -                 | -                 | -
person.resend   | pendente          | -                 | pendente          | pendente          | -          | -          | -                 | -                 | -                 | -
person.abandon  | abandonada        | abandonada        | abandonada        | abandonada        | -          | -          | -                 | -                 | -                 | -
person.deny     | -                 | -                 | -                 | -                 | -          | -          | -                 | abandonada        | abandonada        | -
`;

const [head = [], ...rows] = TABLE.trim()
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()));
const names = Object.keys(NOTES);
const TYPES = rows.map(([type = ""]) => type as Type);

const pairs = TYPES.flatMap((type) =>
  Object.entries(NOTES).map(([name, note]) => ({ type, name, note, event: eventOf(type, note) })),
);

describe("the life of a note", () => {
  test("the table has each state", () => {
    expect(head.slice(1)).toEqual(names);
  });

  test.each(rows)("%s is answered by each state as the table says", (type, ...cells) => {
    const answers = Object.values(NOTES).map((note) => {
      const event = eventOf(type as Type, note);
      const action = keyActionOf(note, event)?.replace("Key", "");
      const next = advanced(note, event, by)?.state ?? "-";
      return action === undefined ? next : `${next} ${action}`;
    });
    expect(answers).toEqual(cells);
  });

  test("a key is let go only where no note can be, and stands for its window where nobody knows", () => {
    const ends = Object.entries(NOTES).map(([name, note]) => [name, keyEndsOf(note).key]);
    expect(Object.fromEntries(ends)).toEqual({
      ...{ rejeitada: "free", absent: "free", denied: "free", unknown: "keep" },
    });
    for (const type of ["worker.lose", "answer.accepted"] as const)
      expect(keyEndsOf(after(after(sending, type), "person.abandon")).key).toBe("keep");
    expect(keyEndsOf(after(sending, "person.abandon")).key).toBe("keep");
  });

  test("a word about what somebody saw before says nothing of the record as it is", () => {
    for (const { event, note } of pairs.filter(({ type }) => OF_A_REV.has(type)))
      expect(can(note, { ...event, rev: revOf(note) - 1 } as NoteEvent)).toBe(false);
    expect(can(reserved, { type: "worker.reserve", rev: undefined })).toBe(false);
  });

  test("an answer says nothing of another request", () => {
    for (const { event, note } of pairs.filter(({ type }) => OF_A_REQUEST.has(type)))
      expect(can(note, { ...event, sentAt: SENT_AT - 1 } as NoteEvent)).toBe(false);
  });

  test("a notice of a refusal says nothing of one request of several", () => {
    const again = after(after(lost, "person.resend"), "worker.depart", { sentAt: SENT_AT + 1 });
    expect(can(again, { type: "proof.refused" })).toBe(false);
    expect(can(again, eventOf("answer.refused", again))).toBe(true);
  });

  test("a request on its way is taken for lost only once its time is over", () => {
    expect(can(sending, { type: "worker.expire", before: SENT_AT - 1 })).toBe(false);
    expect(can(sending, { type: "worker.expire", before: SENT_AT })).toBe(true);
  });

  test("a record that is not written yet can be reserved, and nothing else", () => {
    const possible = TYPES.filter((type) => can(null, eventOf(type, reserved)));
    expect(possible).toEqual(["worker.reserve"]);
  });

  test("no request sets out twice without an answer that says it came to nothing, or a person's word", () => {
    let departures = 0;
    const walk = (note: Invoice, isOut: boolean, depth: number): void => {
      if (isOut) expect(keyEndsOf(note).key).not.toBe("free");
      if (depth === 0) return;
      for (const type of TYPES) {
        const at = SENT_AT + (5 - depth);
        const event = eventOf(type, note);
        const next = advanced(note, event, by, type === "worker.depart" ? { sentAt: at } : {});
        if (!next) continue;
        if (type === "worker.depart") {
          expect(isOut).toBe(false);
          departures++;
        }
        walk(next, type === "worker.depart" || (isOut && !CLEARS.has(type)), depth - 1);
      }
    };
    walk(reserved, false, 4);
    expect(departures).toBeGreaterThan(20);
  });
});

const OF_A_REV = new Set<Type>([
  ...(["worker.reserve", "worker.close", "worker.depart"] as const),
  ...(["person.resend", "person.abandon", "person.deny"] as const),
]);
const OF_A_REQUEST = new Set<Type>([
  ...(["worker.return", "worker.lose", "proof.doubted"] as const),
  ...(["answer.issued", "answer.refused", "answer.accepted", "answer.limited"] as const),
]);
const CLEARS = new Set<Type>([
  ...(["worker.return", "answer.limited", "answer.refused", "proof.refused"] as const),
  ...(["person.resend", "person.deny"] as const),
]);

const asked = { code: "1", why: "emitida com o valor errado", contact: "c", at: 5_000 } as const;
const issued = NOTES["autorizada"] ?? reserved;

function cancelling(said: Partial<Cancellation> & Pick<Cancellation, "state">): Invoice {
  return { ...issued, cancel: { ...asked, effect: "own", ...said } };
}

const CANCELLATIONS: Readonly<Record<string, Invoice>> = {
  standing: issued,
  pedida: cancelling({ state: "pedida" }),
  enviando: cancelling({ state: "enviando" }),
  incerta: cancelling({ state: "incerta" }),
  indefinida: cancelling({ state: "incerta", givenUp: 6_000 }),
  recusada: cancelling({ state: "recusada" }),
  cancelada: cancelling({ state: "cancelada" }),
  confirmada: cancelling({ state: "cancelada", confirmed: true }),
};

const about = (type: Word) => ({ type, effect: "own", asked: asked.at });
const ask = (effect: string, isFrozen: boolean): NoteEvent => ({
  ...{ type: "cancel.ask", effect, isFrozen },
});

const ANYWHERE = "pedida enviando incerta indefinida recusada cancelada confirmada";
const WORDS: readonly (readonly [Word, string])[] = [
  ["cancel.confirmed", ANYWHERE],
  ["cancel.replaced", ANYWHERE],
  ["cancel.refused", ANYWHERE],
  ["cancel.lose", "enviando incerta"],
  ["cancel.limited", "enviando incerta"],
  ["cancel.close", "pedida enviando incerta"],
  ["person.cancelled", "pedida enviando incerta"],
  ["person.kept", "pedida enviando incerta"],
  ["person.quit", "pedida enviando incerta"],
];

const takenBy = (event: NoteEvent): string =>
  Object.entries(CANCELLATIONS)
    .filter(([, note]) => can(note, event))
    .map(([name]) => name)
    .join(" ");

describe("the cancellation of a note", () => {
  test.each([
    ["another effect", ask("other", false), "standing pedida indefinida recusada"],
    ["another effect with its bytes", ask("other", true), "standing pedida indefinida recusada"],
    ["its own effect", ask("own", false), "standing pedida enviando"],
    ["its own with bytes", ask("own", true), "standing pedida enviando incerta indefinida"],
    ["a wish", { type: "cancel.wish" } as const, "standing indefinida recusada"],
    [
      "the town's own portal",
      { type: "cancel.elsewhere" } as const,
      "standing pedida enviando incerta indefinida recusada",
    ],
  ] satisfies readonly (readonly [string, NoteEvent, string])[])(
    "is asked for by %s only where it may be",
    (_by, event, states) => {
      expect(takenBy(event)).toBe(states);
    },
  );

  test.each(WORDS)("%s is a word about %s", (type, states) => {
    expect(takenBy(about(type))).toBe(states);
  });

  test.each(WORDS)("%s is written as the chart says", (type) => {
    for (const note of Object.values(CANCELLATIONS)) {
      if (!note.cancel || !can(note, about(type))) continue;
      const now = noteChart.resolveState({ value: placeOf(note), context: { note } });
      const [next] = transition(noteChart, now, about(type));
      const written = { ...note, cancel: worded(note.cancel, type, 7_000) };
      expect(placeOf(written)).toEqual(next.value);
    }
  });

  test.each([
    { type: "cancel.wish" },
    { type: "cancel.elsewhere" },
    { type: "cancel.ask", effect: "own", isFrozen: true },
    { type: "cancel.ask", effect: "other", isFrozen: false },
  ] as const)("$type begins a cancellation as the chart says", (event) => {
    const { effect = "other" } = event as { effect?: string };
    const wish = { ...asked, effect, at: 8_000 };
    for (const note of Object.values(CANCELLATIONS)) {
      const written = withWish(note, event, wish);
      expect(written !== null).toBe(can(note, event));
      const now = noteChart.resolveState({ value: placeOf(note), context: { note } });
      const [next] = transition(noteChart, now, event);
      if (written) expect(placeOf(written)).toEqual(next.value);
    }
  });

  test("that is known to be made elsewhere is asked for by nobody again", () => {
    const elsewhere = { type: "cancel.elsewhere" } as const;
    const givenUp = CANCELLATIONS["indefinida"] ?? issued;
    const note = withWish(givenUp, elsewhere, { ...asked, effect: "own" });
    if (!note) throw new Error("a cancellation that was given up may be known later");
    for (const effect of ["own", "other"]) expect(can(note, ask(effect, true))).toBe(false);
    expect(statusOf(note)).toBe("cancelada");
  });

  test.each(WORDS)("%s about another request says nothing", (type) => {
    expect(takenBy({ ...about(type), asked: asked.at + 1 })).toBe("");
    expect(takenBy({ ...about(type), effect: "other" })).toBe("");
  });

  test("frees the sale by the authority's own word alone", () => {
    const ends = Object.entries(CANCELLATIONS).map(([name, note]) => [name, keyEndsOf(note)]);
    expect(Object.fromEntries(ends)).toEqual({
      ...{ standing: {}, pedida: {}, enviando: {}, incerta: {} },
      ...{ indefinida: { cancelKey: "free" }, recusada: { cancelKey: "free" } },
      cancelada: { cancelKey: "settle" },
      confirmada: { key: "release", cancelKey: "settle" },
    });
  });

  test("is without an end until somebody said it", () => {
    const open = Object.entries(CANCELLATIONS).filter(([, note]) => isCancelling(note));
    expect(open.map(([name]) => name)).toEqual(["pedida", "enviando", "incerta"]);
  });

  test("leaves a note that has no end alone", () => {
    for (const type of ["pendente", "enviando", "incerta", "rejeitada", "unknown"]) {
      const note = NOTES[type] ?? reserved;
      const cancel = cancelling({ state: "enviando" }).cancel;
      for (const [word] of WORDS) expect(can({ ...note, cancel }, about(word))).toBe(false);
    }
  });
});
