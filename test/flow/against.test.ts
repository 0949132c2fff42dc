/** An older version held against a newer one: every place of the old is restored under the new and judged. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { loadFlows } from "../../src/app/loading/flow-files.ts";
import {
  against,
  type Ast,
  type Catalogue,
  createLibrary,
  defineRule,
  type FlowProgram,
  flowsOf,
  harms,
  placesOf,
  slot,
} from "../../src/flow/index.ts";
import { COMMON, CONTEXT, EFFECTS, type SampleRegistryOf } from "./fixtures/world.ts";

const flow = flowsOf<SampleRegistryOf>();
const texts: Catalogue = {
  locale: "pt-BR",
  say: { issued: "Emitida.", no: "Não deu.", wait: "Um momento." },
  ask: {
    ...{ document: "Documento?", taker: "Documento?", value: "Valor?", name: "Nome?" },
    ...{ city: "Cidade?", grade: "Nota?", service: "Serviço?", description: "O quê?" },
    competence: "Mês?",
  },
  confirm: { sum: "Certo?" },
};

/** The two versions in one library, as after a deploy: the old one is kept because people are in it. */
function deployed(older: Ast, newer: Ast): readonly [FlowProgram, FlowProgram] {
  const source = (ast: Ast) => ({ ast, texts: { "pt-BR": texts } });
  const rules = defineRule("toThousands", {
    version: 1,
    run: (value) => (typeof value === "number" ? value * 10 : null),
  });
  const parts = { common: COMMON, effects: EFFECTS, rules };
  const before = createLibrary({ ...parts, flows: [source(older)] });
  const kept = before.asts().map(({ ast }) => source(ast));
  const after = createLibrary({ ...parts, flows: [source(newer)], older: kept });
  const one = before.get(older.flow);
  const old = after.get(older.flow, one?.hash);
  const now = after.get(newer.flow);
  if (!old || !now) throw new Error(JSON.stringify([...before.findings, ...after.findings]));
  return [old, now];
}

/** `step: word`, once each, of the whole comparison. */
function told(older: Ast, newer: Ast): string[] {
  const [old, now] = deployed(older, newer);
  const { rows } = against(old, now, CONTEXT);
  return [...new Set(rows.map(({ at, word }) => `${at}: ${word}`))];
}

const slots = { document: slot.document(), value: slot.money(), name: slot.name() };
const plain = (version: number, more: object = {}): Ast =>
  flow("small", { version, slots: z.object(slots), ...more }, (f) => [
    f.form("all", { document: true, value: true, name: true }),
    f.confirm("sum", { show: ["document", "value", "name"] }),
    f.wait("paid", { id: "pay", within: "1d", on: { got: [], late: [] } }),
    f.handoff("check"),
  ]);

describe("a flow held against its older version", () => {
  // Of every shipped flow that each place is reached and stays is a generated test (test/flows/chats.test.ts).
  test("reaches every step where people can rest, and moves nobody who need not move", async () => {
    const { library } = await loadFlows();
    const program = library.get("menu");
    if (!program) throw new Error("no menu");
    const { places, whole } = placesOf(program, CONTEXT);
    const resting = program.model.places.flatMap(({ step }) =>
      ["say", "when", "goto", "end", "form"].includes(step.t) ? [] : [step.id],
    );
    expect(whole).toBe(true);
    expect([...new Set(places.map(({ at }) => at))].sort()).toEqual(resting.sort());
    const words = against(program, program, CONTEXT).rows.map(({ word }) => word);
    expect(new Set(words)).toEqual(new Set(["stays"]));
  });

  test("says where a new question comes, and who stays on the older version", () => {
    const more: Ast = flow(
      "small",
      { version: 2, slots: z.object({ ...slots, city: slot.text() }) },
      (f) => [
        f.form("all", { document: true, value: true, city: true, name: true }),
        f.confirm("sum", { show: ["document", "value", "name"] }),
        f.wait("paid", { id: "pay", within: "1d", on: { got: [], late: [] } }),
        f.handoff("check"),
      ],
    );
    expect(told(plain(1), more)).toEqual([
      ...["document: stays", "value: stays", "name: new question", "sum: new question"],
      ...["pay: pinned", "handoff-check: new question"],
    ]);
  });

  test("names the answer that is lost, unless a migration says that it is meant", () => {
    const fewer = (more: object): Ast =>
      flow(
        "small",
        {
          version: 2,
          slots: z.object({ document: slot.document(), value: slot.money() }),
          ...more,
        },
        (f) => [
          f.form("all", { document: true, value: true }),
          f.confirm("sum", { show: ["document", "value"] }),
          f.wait("paid", { id: "pay", within: "1d", on: { got: [], late: [] } }),
          f.handoff("check"),
        ],
      );
    const [old, now] = deployed(plain(1), fewer({}));
    const result = against(old, now, CONTEXT);
    expect(harms(result)).toBe(true);
    expect(
      result.rows.filter(({ word }) => word === "loses").map(({ at, lost }) => ({ at, lost })),
    ).toEqual([
      { at: "document", lost: ["name"] },
      { at: "value", lost: ["name"] },
      // Reached again by "change the name".
      { at: "name", lost: ["name"] },
      { at: "sum", lost: ["name"] },
      { at: "handoff-check", lost: ["name"] },
    ]);
    const meant = deployed(plain(1), fewer({ migrate: [{ from: 1, drop: ["name"] }] }));
    expect(harms(against(...meant, CONTEXT))).toBe(false);
  });

  test("asks again what no longer fits, and takes a value over as the migration makes it", () => {
    const most = (max: number, more: object = {}): Ast =>
      flow(
        "small",
        { version: 2, slots: z.object({ ...slots, value: slot.money({ max }) }), ...more },
        (f) => [
          f.form("all", { document: true, value: true, name: true }),
          f.confirm("sum", { show: ["document", "value", "name"] }),
          f.wait("paid", { id: "pay", within: "1d", on: { got: [], late: [] } }),
          f.handoff("check"),
        ],
      );
    expect(told(plain(1), most(100))).toContain("sum: asks again");
    const [old, now] = deployed(
      plain(1),
      most(1_000_000, { migrate: [{ from: 1, map: { value: "toThousands" } }] }),
    );
    const resting = placesOf(old, CONTEXT).places.find(({ at }) => at === "name");
    const moved = now.adopt({ version: 1, hash: old.hash, state: resting?.state ?? {} }, CONTEXT);
    expect(moved).toMatchObject({
      ok: true,
      step: { state: { facts: { slots: { value: 150_000 } } } },
    });
  });

  test("tells only of steps where somebody rests when it is given them, with how many", () => {
    const [old, now] = deployed(plain(1), plain(2, { migrate: [] }));
    const people = new Map([
      ["value", 12],
      ["gone", 1],
    ]);
    const { rows } = against(old, now, CONTEXT, people);
    expect(rows.map(({ at, word, people: n }) => [at, word, n])).toEqual([
      ["gone", "stranded", 1],
      ["value", "stays", 12],
    ]);
  });
});

describe("a note that was issued in an older version", () => {
  const fiscal = (version: number, words: { readonly id?: string; readonly city?: boolean }): Ast =>
    flow(
      "small",
      {
        version,
        slots: z.object({
          ...{ service: slot.text(), document: slot.document(), name: slot.name() },
          ...{ value: slot.money(), description: slot.text(), competence: slot.month() },
          grade: slot.number(),
          ...(words.city ? { city: slot.text() } : {}),
        }),
      },
      ((f: never, $: never) => build(f, $, words)) as never,
    );

  // The kit's types know the sample's slots; here a version has more of them than another.
  function build(f: never, _$: never, words: { readonly id?: string; readonly city?: boolean }) {
    const kit = f as unknown as Record<string, (...given: unknown[]) => never>;
    const asks = ["service", "document", "name", "value", "description", "competence"];
    const fields = [...asks, ...(words.city ? ["city"] : [])];
    return [
      kit["form"]?.("all", Object.fromEntries(fields.map((name) => [name, true]))),
      kit["confirm"]?.("sum", { show: fields }),
      kit["submit"]?.("sample.issue", {
        id: words.id ?? "issue",
        done: () => [kit["say"]?.("issued")],
        rejected: () => [kit["say"]?.("no"), kit["end"]?.()],
        held: () => [kit["say"]?.("wait")],
        failed: () => [kit["say"]?.("no", { id: "no-2" }), kit["end"]?.()],
      }),
      kit["ask"]?.("grade"),
    ];
  }

  test("is never asked for again: whoever has it stays in that version while the newer one would begin anew", () => {
    for (const changed of [{ id: "send" }, { city: true }]) {
      const [old, now] = deployed(fiscal(1, {}), fiscal(2, changed));
      const after = placesOf(old, CONTEXT).places.filter(({ at }) => at === "grade");
      expect(after.length).toBeGreaterThan(0);
      for (const { state } of after)
        expect(now.adopt({ version: 1, hash: old.hash, state }, CONTEXT)).toEqual({
          ok: false,
          reason: "done",
        });
    }
  });

  test("does not keep a conversation from a version that changes nothing of it", () => {
    const [old, now] = deployed(fiscal(1, {}), { ...fiscal(2, {}), outcomes: ["graded"] });
    expect(old.hash).not.toBe(now.hash);
    const rows = against(old, now, CONTEXT).rows.filter(({ at }) => at === "grade");
    expect(rows.map(({ word }) => word)).toEqual(["stays"]);
  });
});
