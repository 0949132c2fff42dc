import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Content } from "../../../src/engine/index.ts";
import { meaning } from "../../../src/engine/answers/meaning.ts";
import { Chat, CONTEXT, library } from "../../flow/fixtures/world.ts";

const program = library().get("request-sample");
if (!program) throw new Error("the sample does not load");

const STEPS = ["1", "529.982.247-25", "Maria Souza", "150 reais", "corte de cabelo", "10/2026"];
/** The conversation after so many answers: 0 service, 1 document, 2 name, 3 value, 4 description, 5 month, 6 summary. */
function after(answers: number): Chat {
  const chat = new Chat(program as NonNullable<typeof program>);
  for (const text of STEPS.slice(0, answers)) chat.says(text);
  return chat;
}
const meant = (chat: Chat, content: Content) =>
  meaning(chat.program.expects(chat.state, CONTEXT), content, CONTEXT);
const said = (answers: number, text: string) => meant(after(answers), { type: "text", text });
const flow = (event: object) => ({ kind: "flow", event });

describe("a message at a question", () => {
  test.each([
    [0, "coloração", { type: "ANSWER", values: { service: "dye" } }],
    [0, "2", { type: "ANSWER", values: { service: "dye" } }],
    [1, "529.982.247-25", { type: "ANSWER", values: { document: "52998224725" } }],
    [2, "Maria Souza", { type: "ANSWER", values: { name: "Maria Souza" } }],
    [3, "150", { type: "ANSWER", values: { value: 15_000 } }],
    [3, "o valor é 200", { type: "ANSWER", values: { value: 20_000 } }],
    [
      4,
      "cancelamento de contrato",
      { type: "ANSWER", values: { description: "Cancelamento de contrato" } },
    ],
    [
      4,
      "valor do aluguel de maio",
      { type: "ANSWER", values: { description: "Valor do aluguel de maio" } },
    ],
  ])("after %i answers, %j answers it", (answers, text, event) => {
    expect(said(answers, text)).toEqual(flow(event));
  });

  test.each([
    [1, "529.982.247-25, R$ 150,00", { document: "52998224725", value: 15_000 }],
    [
      1,
      "529.982.247-25\n150 reais\n10/2026",
      { document: "52998224725", value: 15_000, competence: "2026-10" },
    ],
    [2, "Maria Souza, 150 reais", { name: "Maria Souza", value: 15_000 }],
  ])("after %i answers, %j gives several at once", (answers, text, values) => {
    expect(said(answers, text)).toEqual(flow({ type: "ANSWER", values }));
  });

  test("a value that can only be another empty slot's is an answer to that one", () => {
    expect(said(1, "R$ 150,00")).toEqual(flow({ type: "ANSWER", values: { value: 15_000 } }));
  });

  test.each([
    [4, "na verdade o cpf é 111.444.777-35", { document: "11144477735" }],
    [4, "nome: Ana Lima", { name: "Ana Lima" }],
    [5, "muda o serviço para coloração", { service: "dye" }],
    [6, "o valor é 200", { value: 20_000 }],
    [6, "200 reais", { value: 20_000 }],
    [6, "200", { value: 20_000 }],
    [6, "na verdade o valor é 200", { value: 20_000 }],
  ])("after %i answers, %j corrects an earlier one", (answers, text, values) => {
    expect(said(answers, text)).toEqual(flow({ type: "CORRECT", values }));
  });

  test.each([
    [4, "quero mudar o nome", ["name"]],
    [6, "o nome está errado", ["name"]],
    [6, "valor", ["value"]],
    [6, "corrigir o cpf", ["document"]],
    [6, "sim, mas muda o valor", ["value"]],
    [5, "sim, mas muda o valor", ["value"]],
  ])("after %i answers, %j names a slot to edit", (answers, text, slots) => {
    expect(said(answers, text)).toEqual(flow({ type: "EDIT", slots }));
  });

  test.each([
    [1, "529.982.247-24", "invalid"],
    [2, "3x 50", "absent"],
    [4, "1", "absent"],
    [4, "não sei", "absent"],
    [0, "nada disso", "absent"],
    [6, "sim", "word-needed"],
    [6, "pode emitir a nota do mês que vem talvez", "unsure"],
  ])("after %i answers, %j is not understood, with a reason", (answers, text, reason) => {
    expect(said(answers, text)).toMatchObject(flow({ type: "BAD", reason }));
  });
});

describe("an answer that is plainly another question's", () => {
  test("a number and a name come in one message, in either order", () => {
    const both = { document: "52998224725", name: "Maria Souza" };
    for (const text of ["529.982.247-25 Maria Souza", "Maria Souza cpf 529.982.247-25"])
      expect(said(1, text), text).toEqual(flow({ type: "ANSWER", values: both }));
  });

  test("an amount is no name, and a day is no description", () => {
    expect(said(2, "150 conto")).toEqual(flow({ type: "ANSWER", values: { value: 15_000 } }));
    const [event] = [said(4, "10/2026")];
    expect(event).toEqual(flow({ type: "ANSWER", values: { competence: "2026-10" } }));
  });
});

describe("a command", () => {
  test.each([
    [4, "cancelar", "cancel"],
    [1, "voltar", "back"],
    [1, "por que?", "why"],
    [1, "pq", "why"],
    [3, "ajuda", "help"],
    [6, "falar com um atendente", "human"],
    [2, "obrigado", "thanks"],
    [3, "repete", "repeat"],
  ])("after %i answers, %j is one", (answers, text, command) => {
    expect(said(answers, text)).toEqual({ kind: "command", command });
  });

  test("is an answer when it is part of one, or the label of an option", () => {
    expect(said(4, "consultoria para cancelar contratos")).toMatchObject({ kind: "flow" });
    const expectation = after(0).program.expects(after(0).state, CONTEXT);
    const choices = [{ id: "back", label: "Voltar" }];
    expect(meaning({ ...expectation, choices }, { type: "text", text: "voltar" }, CONTEXT)).toEqual(
      flow({ type: "ANSWER", values: { service: "back" } }),
    );
  });
});

describe("a confirm", () => {
  test.each(["EMITIR", "emitir", "Emitir!", "sim, pode emitir"])("takes %j for yes", (text) => {
    expect(said(6, text)).toEqual(flow({ type: "YES" }));
  });
  test.each(["não emitir", "não pode emitir", "ok", "1", "👍"])(
    "never takes %j for yes",
    (text) => {
      expect(said(6, text)).not.toEqual(flow({ type: "YES" }));
    },
  );
  test("takes a press on the word, and no for wanting a change", () => {
    const pick = { type: "choice", via: "button", picks: [{ label: "EMITIR" }] } as const;
    expect(meant(after(6), { ...pick, picks: [...pick.picks] })).toEqual(flow({ type: "YES" }));
    expect(said(6, "não")).toEqual(flow({ type: "NO" }));
  });
});

describe("a press", () => {
  const press = (picks: { id?: string; label: string }[], answers = 0) =>
    meant(after(answers), { type: "choice", via: "poll", picks });
  test("answers by id or by label, whatever shape the channel gives it", () => {
    const event = flow({ type: "ANSWER", values: { service: "dye" } });
    expect(press([{ id: "dye", label: "?" }])).toEqual(event);
    expect(press([{ label: "Coloração" }])).toEqual(event);
  });
  test("of nothing means nothing, and of two is ambiguous", () => {
    expect(press([])).toEqual({ kind: "none" });
    expect(
      press([
        { id: "cut", label: "x" },
        { id: "dye", label: "y" },
      ]),
    ).toMatchObject(flow({ type: "BAD", reason: "ambiguous" }));
  });
});

describe("an answer with several readings", () => {
  test("offers them, and takes one by number, by press or by saying it anew", () => {
    const chat = after(3);
    chat.says("1.5");
    const { choices } = chat.program.expects(chat.state, CONTEXT);
    expect(choices?.map(({ label }) => label)).toEqual(["R$ 1,50", "R$ 1.500,00"]);
    const second = choices?.[1];
    const expected = flow({ type: "ANSWER", values: { value: 150_000 } });
    expect(meant(chat, { type: "text", text: "2" })).toEqual(expected);
    expect(
      meant(chat, { type: "choice", via: "button", picks: [{ id: second?.id ?? "", label: "" }] }),
    ).toEqual(expected);
    chat.says("1500,00");
    expect(chat.facts.slots).toMatchObject({ value: 150_000 });
    expect(chat.facts.offer).toEqual([]);
  });
});

describe("anything else", () => {
  test("media without words, places and unknown things mean nothing", () => {
    for (const content of [
      { type: "media", media: "audio", ref: {} },
      { type: "location", latitude: 1, longitude: 2 },
      { type: "other", what: "order" },
    ] satisfies Content[])
      expect(meant(after(1), content)).toEqual({ kind: "none" });
  });

  test("no text makes it throw, at any question", () => {
    const chats = [0, 1, 2, 3, 4, 5, 6].map(after);
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ maxLength: 300 }), fc.string({ unit: "grapheme", maxLength: 100 })),
        fc.constantFrom(...chats),
        (text, chat) => {
          expect(["flow", "command", "none"]).toContain(meant(chat, { type: "text", text }).kind);
        },
      ),
      { numRuns: 300 },
    );
  });
});
