/** What is no answer: greetings in front, thanks in the middle, and what cannot be read, at every question there is. */
import { describe, expect, test } from "vitest";
import { run, Session, SESSION_SCHEMA, type Content } from "../../src/engine/index.ts";
import type { FlowLibrary } from "../../src/flow/index.ts";
import { places, CONTEXT } from "../flows/walker.ts";
import { account, CUSTOMER, library, OPERATOR, START, Town } from "./town.ts";
import { model } from "../support/plugins.ts";

const bubbles = (town: Town) => town.said.get(CUSTOMER) ?? [];
const text = (words: string): Content => ({ type: "text", text: words });

describe("a burst that begins with a greeting", () => {
  test.each([[["oi", "1"]], [["oi", "bom dia", "preciso de uma nota"]], [["oi", "tudo bem?"]]])(
    "means in one batch what it means one by one: %j",
    (lines) => {
      const [together, apart] = [new Town(), new Town()];
      together.deliver(CUSTOMER, ...lines.map((line) => together.message(CUSTOMER, text(line))));
      for (const line of lines) apart.deliver(CUSTOMER, apart.message(CUSTOMER, text(line)));
      expect(bubbles(apart).length).toBeGreaterThan(0);
      expect(bubbles(together).at(-1)).toBe(bubbles(apart).at(-1));
    },
  );
});

describe("thanks in the middle", () => {
  test("of what was only looked at are answered kindly, and nothing is asked again", () => {
    const town = new Town();
    town.says(CUSTOMER, "oi");
    expect(town.says(CUSTOMER, "obrigado")).toEqual([
      "Por nada! Se precisar de mais alguma coisa, é só escrever.",
    ]);
    // The question still waits.
    expect(town.says(CUSTOMER, "1").join("\n")).toContain("Qual serviço?");
  });

  test("of a request go on with it", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["preciso de uma nota", "1"]);
    const [said = ""] = town.says(CUSTOMER, "obrigada!");
    expect(said).toContain("Por nada! Seguimos:");
    expect(said).toContain("CPF ou CNPJ");
  });
});

describe("a phrase that the bot tells people to write", () => {
  const operator = (...lines: string[]) => {
    const town = new Town();
    return lines.map((line) => town.says(OPERATOR, line).join("\n")).at(-1) ?? "";
  };

  test("begins its conversation at the menu, too, and not the row that has one of its words", () => {
    expect(operator("oi", "cadastrar empresa")).toContain("Vamos cadastrar a empresa");
    expect(operator("oi", "7", "cadastrar uma empresa")).toContain("Vamos cadastrar");
  });

  test("is the row where a row is called just that", () => {
    expect(operator("oi", "cancelar uma nota")).toBe(operator("oi", "6"));
    expect(operator("oi", "certificado")).toContain("Sobre a empresa");
  });
});

const UNREADABLE: readonly Content[] = [
  { type: "media", media: "audio", ref: { seconds: 12, key: "k" } },
  { type: "media", media: "image", ref: { key: "k" } },
  { type: "media", media: "sticker", ref: { key: "k" } },
  { type: "media", media: "video", ref: { key: "k" } },
  { type: "location", latitude: -23.5, longitude: -46.6 },
];

/** The turn's own choice among a text's forms: by contact and revision. */
const AS_SAID = { ...CONTEXT, variant: Number.parseInt(CUSTOMER.slice(0, 6), 16) + 3 };

describe.each((library as FlowLibrary).list().map((program) => [program.flow, program] as const))(
  "what %s cannot read",
  (flow, program) => {
    test("is answered in words at every question, with the question and without losing anything", () => {
      for (const place of places(program))
        for (const content of UNREADABLE) {
          const role = program.audience === "operator" ? "operator" : "customer";
          const frame = {
            ...{ id: "f1", flow, version: 1, hash: program.hash },
            ...{ state: place.state, invocations: [], timers: [] },
          };
          const session = Session.parse({
            ...{ schema: SESSION_SCHEMA, account: account.id, contact: CUSTOMER, rev: 3 },
            ...{ frames: [frame], requests: [], role, locale: "pt-BR", timers: [], count: 9 },
            noticeAt: START,
          });
          const mail = new Town().message(CUSTOMER, content);
          const env = {
            account,
            accountModel: model,
            accountId: account.id,
            contact: CUSTOMER,
            role,
            now: START,
          } as const;
          const turn = run(session, [{ event: "e", mail }], { ...env, library });
          const where = `${place.expects.step}: ${content.type === "media" ? content.media : "place"}`;
          expect(turn.failed, where).toBeUndefined();
          const said = turn.effects.flatMap((one) =>
            one.type === "send" ? [one.message.text] : [],
          );
          expect(said, where).toHaveLength(1);
          const { step, slot, slots } = place.expects;
          const takes = slots.find(({ name }) => name === slot)?.take?.(content, CONTEXT);
          if (takes?.ok) continue;
          const now = turn.session.frames[0];
          expect(program.expects(now?.state as never, CONTEXT).step, where).toBe(step);
          if (takes) continue; // Told in the slot's own words what is wrong with it.
          expect(said[0], where).toMatch(/^(?:Recebi|Gostei)/);
          for (const { text: question } of program.prompt(place.state, AS_SAID))
            expect(said[0], where).toContain(question.trim());
        }
    });
  },
);
