/** A note that is told anew for somebody else: no name goes with the document of another. */
import { describe, expect, test } from "vitest";
import type { Mail } from "../../../../src/engine/index.ts";
import { account, CUSTOMER, library, OPERATOR, Town } from "../../../engine/town.ts";
import { invoicingOf } from "../../../../src/plugins/invoicing/account.ts";

const FIRST = "nota de 150 pra Maria Souza cpf 529.982.247-25, corte de cabelo, hoje";

function answers(town: Town): Readonly<Record<string, unknown>> {
  const frame = town.sessions.get(CUSTOMER)?.frames.at(-1);
  const program = frame && library.get(frame.flow, frame.hash);
  return (frame && program?.answers?.(frame.state)) ?? {};
}

/** At the summary of a note for Maria; with the id of the message that told it. */
function told(): { readonly town: Town; readonly first: Extract<Mail, { kind: "inbound" }> } {
  const town = new Town();
  const first = town.message(CUSTOMER, { type: "text", text: FIRST });
  town.deliver(CUSTOMER, first);
  town.after(1_100);
  expect(town.step(CUSTOMER)).toBe("request-invoice.summary");
  return { town, first };
}

function edits(town: Town, first: Extract<Mail, { kind: "inbound" }>, text: string): string {
  const { event } = first;
  if (event.kind !== "message") throw new Error("no message");
  const { at, from, id } = event;
  const before = (town.said.get(CUSTOMER) ?? []).length;
  town.deliver(CUSTOMER, {
    ...first,
    event: { kind: "edit", id: `${id}e`, at, from, messageId: id, text },
  });
  return (town.said.get(CUSTOMER) ?? []).slice(before).join("\n");
}

const WRONG = [
  "nota de 170 pra Mario cpf 111.111.111-11",
  "nota de 170 pra Mario Lima cpf 529.982.247-26",
  "nota de 170 pra Mario Lima, cpf 529.982.247-2",
  "nota de 170 pra Mario Lima 52998224726",
  "nota pra Mario Lima cpf 529.982.247-26",
] as const;

describe("a note told anew with a document that is none", () => {
  test.each(WRONG)("asks for it, and takes the rest: %s", (text) => {
    for (const how of ["says", "edits"] as const) {
      const { town, first } = told();
      const said = how === "says" ? town.says(CUSTOMER, text).join("\n") : edits(town, first, text);

      expect(town.step(CUSTOMER), how).toBe("request-invoice.document");
      expect(said, how).toMatch(/não (confere|existe)|dígito|número|inválid/i);
      expect(said, how).not.toContain("529.982");
      town.says(CUSTOMER, "111.444.777-35");
      expect(town.step(CUSTOMER), how).toBe("request-invoice.summary");
      expect(answers(town), how).toMatchObject({ document: "11144477735" });
      expect(answers(town)["name"], how).toMatch(/^Mario/);
      if (text.includes("170")) expect(answers(town)["value"], how).toBe(17000);
    }
  });
});

describe("a note told anew for somebody else without a document", () => {
  test.each([
    "nota de 170 pra Mario Lima",
    "170 reais pra João Souza, barba",
    "nota de 170 pra Ana",
  ])("asks for it: %s", (text) => {
    for (const how of ["says", "edits"] as const) {
      const { town, first } = told();
      if (how === "says") town.says(CUSTOMER, text);
      else edits(town, first, text);

      expect(town.step(CUSTOMER), how).toBe("request-invoice.document");
      town.says(CUSTOMER, "EMITIR");
      expect(town.said.get(OPERATOR) ?? [], how).toEqual([]);
      town.says(CUSTOMER, "111.444.777-35");
      expect(answers(town), how).toMatchObject({ document: "11144477735", value: 17000 });
      town.talks(CUSTOMER, ["EMITIR"]);
      town.says(OPERATOR, "aprovar");
      expect(town.calls.at(-1)?.effect.input, how).toMatchObject({ document: "11144477735" });
    }
  });

  test("asks for it also before the summary", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["oi", "1", "1", "529.982.247-25", "Maria Souza"]);
    expect(town.step(CUSTOMER)).toBe("request-invoice.value");
    town.says(CUSTOMER, "170 reais pra Mario Lima");
    expect(town.step(CUSTOMER)).toBe("request-invoice.document");
    town.says(CUSTOMER, "111.444.777-35");
    expect(answers(town)).toMatchObject({
      ...{ document: "11144477735", name: "Mario Lima", value: 17000 },
    });
  });

  test.each([
    "nota de 170 pra Mario Souza",
    "nota de 170 pra Maria",
    "nota de 170 pra Maria Sousa",
  ])("is the same person's where the name is only spelt otherwise: %s", (text) => {
    const { town } = told();
    town.says(CUSTOMER, text);
    expect(town.step(CUSTOMER)).toBe("request-invoice.summary");
    expect(answers(town)).toMatchObject({ document: "52998224725", value: 17000 });
  });

  test("asks for both where its amount is none of this business, too", () => {
    const { town } = told();
    const { ceiling } = invoicingOf(account).policy;
    town.says(CUSTOMER, `nota de ${Math.round(ceiling / 100) + 1} pra Mario Lima`);
    const asked = [town.step(CUSTOMER)];
    town.says(CUSTOMER, asked[0]?.endsWith("document") ? "111.444.777-35" : "170");
    asked.push(town.step(CUSTOMER));
    town.says(CUSTOMER, asked[1]?.endsWith("document") ? "111.444.777-35" : "170");
    expect(asked.sort()).toEqual(["request-invoice.document", "request-invoice.value"]);
    expect(answers(town)).toMatchObject({
      ...{ document: "11144477735", name: "Mario Lima", value: 17000 },
    });
  });
});
