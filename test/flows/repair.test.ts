/**
 * Repair, at every place of every shipped flow: whatever a person does instead of answering is understood, answered in
 * words, and costs none of what was said before. The places are made from the flows' own steps.
 */
import { maxTries } from "../../src/flow/machine/limits.ts";
import { describe, expect, test } from "vitest";
import { canonicalJson, type Json } from "../../src/base/index.ts";
import type { FlowLibrary, FlowProgram } from "../../src/flow/index.ts";
import { CUSTOMER, library, OPERATOR, Town, TO_SUMMARY } from "../engine/town.ts";
import { withFlow, knowledge } from "./digression.ts";
import type { Walk } from "./walker.ts";
import { CONTEXT, places, SAMPLES } from "./walker.ts";

const flows = (library as FlowLibrary).list();
const asked = new Map(flows.map((program) => [program.flow, places(program)]));
const talking = flows.filter(({ flow }) => (asked.get(flow) ?? []).length > 0);
const at = (program: FlowProgram): Walk[] =>
  (asked.get(program.flow) ?? []).map((one) => one.copy());
const slotsOf = (walk: Walk): string => canonicalJson(walk.facts.slots);

describe.each(talking.map((program) => [program.flow, program] as const))(
  "%s",
  (_flow, program) => {
    test("asks in words wherever it asks", () => {
      for (const walk of at(program))
        expect(
          program
            .prompt(walk.state, CONTEXT)
            .map(({ text }) => text)
            .join(""),
        ).not.toBe("");
    });

    test("is cancelled anywhere, and says so", () => {
      for (const walk of at(program)) {
        walk.says("cancelar");
        expect(walk.last.ended?.outcome, walk.expects.step).toBe("cancelled");
        expect(walk.said).not.toBe("");
      }
    });

    test("is cancelled in the middle of a correction", () => {
      for (const walk of at(program))
        for (const slot of Object.keys(walk.facts.slots)) {
          const edited = walk.copy().event({ type: "EDIT", slots: [slot] });
          expect(edited.expects.step).toBe(slot);
          expect(edited.says("cancelar").last.ended?.outcome).toBe("cancelled");
        }
    });

    test("takes a correction of any earlier answer, late and twice in a row, and comes back", () => {
      for (const walk of at(program)) {
        const { step, slots } = walk.expects;
        for (const { name, kind, filled, names } of slots) {
          const values = SAMPLES[kind];
          if (
            !filled ||
            !values ||
            name === walk.expects.slot ||
            kind === "choice" ||
            kind === "text"
          )
            continue;
          const changed = walk.copy();
          for (const text of [values[1], values[0], values[1]]) {
            changed.says(`${names[0] ?? name} é ${text}`);
            const kept = changed.expects.slots.find((one) => one.name === name);
            const reading = kept?.read(text, CONTEXT);
            expect(reading?.ok && reading.value, `${step}: ${name}`).toEqual(
              changed.facts.slots[name],
            );
            expect(changed.said).not.toBe("");
          }
          expect(changed.expects.step).toBe(step);
          expect(Object.keys(changed.facts.slots)).toEqual(Object.keys(walk.facts.slots));
        }
      }
    });

    test("asks a corrected answer anew where its name alone is said", () => {
      for (const walk of at(program))
        for (const { name, filled, names } of walk.expects.slots) {
          if (!filled || name === walk.expects.slot) continue;
          const edited = walk.copy().says(`mudar ${names[0] ?? name}`);
          expect(edited.expects.step, `${walk.expects.step}: ${name}`).toBe(name);
          expect(slotsOf(edited)).toBe(slotsOf(walk));
        }
    });

    test("goes back one question, and the same answer leads to where it was", () => {
      for (const walk of at(program)) {
        if (walk.facts.trail.length < 2) continue;
        const back = walk.copy().says("voltar");
        const { slot } = back.expects;
        expect(back.expects.step).not.toBe(walk.expects.step);
        if (slot === undefined) continue;
        back.event({ type: "ANSWER", values: { [slot]: back.facts.slots[slot] as Json } });
        expect(back.expects.step).toBe(walk.expects.step);
        expect(slotsOf(back)).toBe(slotsOf(walk));
      }
    });

    test.each(["por quê?", "por que você precisa disso?", "ajuda", "repete"])(
      "answers “%s” in words, asks again, and forgets nothing",
      (text) => {
        for (const walk of at(program)) {
          const again = walk.copy().says(text);
          expect(again.said, walk.expects.step).not.toBe("");
          expect(again.last.say.at(-1)?.key).toMatch(/^(?:ask|confirm)\./);
          expect(canonicalJson(again.state as Json)).toBe(canonicalJson(walk.state as Json));
        }
      },
    );

    test.each(["espera um pouco", "só um minuto", "já volto", "um momento por favor"])(
      "takes “%s” for no answer, not even where any text is one",
      (text) => {
        for (const walk of at(program))
          expect(walk.means(text), walk.expects.step).toEqual({
            kind: "command",
            command: "moment",
          });
      },
    );

    test("takes an answer and the question beside it", () => {
      for (const walk of at(program)) {
        const { slot, rests, slots } = walk.expects;
        const kind = slots.find(({ name }) => name === slot)?.kind ?? "";
        if (rests !== "ask" || !SAMPLES[kind]) continue;
        const plain = walk.means(walk.sample());
        expect(walk.means(`${walk.sample()}, mas por que precisa disso?`), slot).toEqual({
          ...plain,
          asks: "why",
        });
      }
    });

    test("lets what is optional be refused, and asks on for what is not", () => {
      for (const walk of at(program)) {
        const { optional, slot = "", rests } = walk.expects;
        if (rests === "confirm") continue;
        for (const text of ["pular", "prefiro não informar"]) {
          const refused = walk.copy().says(text);
          if (optional) expect(refused.facts.slots[slot], `${slot}: ${text}`).toBeNull();
          else expect(refused.facts.slots[slot] ?? undefined).not.toBeNull();
          expect(refused.said).not.toBe("");
        }
      }
    });

    test("takes a noun alone, nothing at all and far too much without losing its place or its head", () => {
      for (const walk of at(program))
        for (const text of ["cabelo", "   ", "?!", "😀", "a".repeat(16_000), "1 ".repeat(8_000)]) {
          const after = walk.copy().says(text);
          // A noun may be the last answer; it is never the end of everything.
          expect(after.last.ended?.outcome, text.slice(0, 10)).not.toBe("cancelled");
          for (const [name, value] of Object.entries(walk.facts.slots))
            expect(after.facts.slots[name]).toEqual(value);
        }
    });

    test("calls a person after as many misunderstandings as the step allows", () => {
      for (const walk of at(program)) {
        const { model } = program;
        const step = model.steps.get(walk.expects.step);
        if (!step || ("onMax" in step && step.onMax)) continue;
        const most = maxTries(model, walk.facts as never, step);
        const lost = walk.copy();
        for (let tries = 0; tries < most; tries++) {
          expect(lost.last.demands.some(({ type }) => type === "handoff")).toBe(false);
          lost.event({ type: "BAD", reason: "invalid" });
        }
        expect(lost.last.demands).toContainEqual(
          expect.objectContaining({ type: "handoff", reason: "exhausted" }),
        );
        expect(slotsOf(lost)).toBe(slotsOf(walk));
      }
    });
  },
);

describe("a correction that changes the branch", () => {
  const company = [...TO_SUMMARY.slice(0, 3), "11.444.777/0001-61", "Padaria Souza"];

  test("asks what the other branch needs, and hides it again when it is taken back", () => {
    const town = new Town();
    expect(town.talks(CUSTOMER, TO_SUMMARY)).toContain("Confere");
    expect(town.says(CUSTOMER, "o cnpj é 11.444.777/0001-61").at(-1)).toContain("endereço");
    expect(town.says(CUSTOMER, "o cpf é 529.982.247-25").at(-1)).not.toContain("ndereço");
    expect(town.step(CUSTOMER)).toBe("request-invoice.summary");
  });

  test("before the branch is reached leads through the other one", () => {
    const town = new Town();
    expect(town.talks(CUSTOMER, company)).toContain("endereço");
    town.says(CUSTOMER, "o cpf é 529.982.247-25");
    expect(town.step(CUSTOMER)).toBe("request-invoice.value");
  });
});

describe("one flow and another", () => {
  test("a flow that was cancelled can be begun anew at once, with nothing of before", () => {
    const town = new Town();
    town.talks(CUSTOMER, [...TO_SUMMARY.slice(0, 5), "cancelar"]);
    town.says(CUSTOMER, "preciso da nota");
    expect(town.step(CUSTOMER)).toBe("request-invoice.service");
    expect(slotsAt(town)).toEqual({});
  });

  test("cancelling the upper of two forgets its answers alone", () => {
    const town = new Town(withFlow(library as FlowLibrary, knowledge()));
    town.talks(CUSTOMER, [...TO_SUMMARY.slice(0, 5), "horário de funcionamento"]);
    expect(town.step(CUSTOMER)).toBe("opening-hours.day");
    const back = town.says(CUSTOMER, "cancelar").at(-1);
    expect(back).toContain("Voltando");
    expect(town.step(CUSTOMER)).toBe("request-invoice.value");
    expect(slotsAt(town)).toMatchObject({ name: "Maria Souza", document: "52998224725" });
  });

  test("a question that another flow knows is answered, then the first is asked again", () => {
    const town = new Town(withFlow(library as FlowLibrary, knowledge()));
    town.talks(CUSTOMER, [...TO_SUMMARY.slice(0, 5), "horário de funcionamento"]);
    const said = town.says(CUSTOMER, "sábado").join("\n");
    expect(said).toContain("das 9 às 18");
    expect(said).toMatch(/Voltando a .*[\s\S]*Qual o valor/);
    expect(town.step(CUSTOMER)).toBe("request-invoice.value");
  });

  test("the menu in the middle leads out and back", () => {
    const town = new Town();
    town.talks(CUSTOMER, [...TO_SUMMARY.slice(0, 5), "menu"]);
    expect(town.step(CUSTOMER)).toMatch(/^menu\./);
    town.says(CUSTOMER, "cancelar");
    expect(town.step(CUSTOMER)).toBe("request-invoice.value");
  });
});

describe("time", () => {
  test("“wait a moment” gives the question its whole time again, and costs no try", () => {
    const town = new Town();
    town.talks(CUSTOMER, TO_SUMMARY.slice(0, 4));
    town.after(10 * 60_000);
    expect(town.says(CUSTOMER, "só um minuto")).toEqual(["Sem pressa, fico por aqui."]);
    const before = town.said.get(CUSTOMER)?.length;
    town.after(10 * 60_000);
    expect(town.said.get(CUSTOMER)).toHaveLength(before ?? 0);
    town.after(6 * 60_000);
    expect(town.last(CUSTOMER)).toContain("Ainda por aí?");
  });

  test("an answer with “why?” beside it gets the reason, then the next question", () => {
    const town = new Town();
    town.talks(CUSTOMER, TO_SUMMARY.slice(0, 3));
    const said = town.says(CUSTOMER, "529.982.247-25, por que precisa?").join("\n");
    expect(said).toMatch(/documento de quem recebe vai na nota[\s\S]*Qual o nome/);
  });
});

describe("a person of the business", () => {
  test.each(["sair", "parar", "encerrar", "stop"])("is not lost to requests by “%s”", (word) => {
    const town = new Town();
    town.talks(OPERATOR, ["oi", "cancelar", word]);
    expect(town.sessions.get(OPERATOR)?.optOut).toBeUndefined();
    expect(town.last(OPERATOR)).not.toBe("");
    town.talks(CUSTOMER, [...TO_SUMMARY, "EMITIR"]);
    expect(town.last(OPERATOR)).toContain("Maria");
  });

  test("may still say in so many words that they want to hear no more", () => {
    const town = new Town();
    town.talks(OPERATOR, ["oi", "cancelar", "não quero mais receber mensagens"]);
    expect(town.sessions.get(OPERATOR)?.optOut).toBeDefined();
  });
});

function slotsAt(town: Town): object {
  const frame = town.sessions.get(CUSTOMER)?.frames.at(-1);
  return ((frame?.state.facts ?? {}) as { slots?: object }).slots ?? {};
}
