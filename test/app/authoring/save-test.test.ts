/** A conversation that happened, as a test that replays: nobody's numbers in it, and the same properties. */
import { describe, expect, test } from "vitest";
import { Masker } from "../../../src/app/authoring/recorded-line.ts";
import { saveTest } from "../../../src/app/authoring/save-test.ts";
import { isCnpj, isCpf } from "../../../src/brazil/index.ts";
import { loadFlows } from "../../../src/app/loading/flow-files.ts";
import type { Json } from "../../../src/base/index.ts";
import { CUSTOMER, OPERATOR, Town } from "../../engine/town.ts";

const records = (town: Town): Json[] =>
  JSON.parse(
    JSON.stringify(
      // Only the customer's own: a journal is one contact's.
      town.journal.filter(({ effects, mail }) =>
        [...effects.map(({ id }) => id), "waiter" in mail ? mail.waiter.epoch : ""].length > 0
          ? belongs(
              mail,
              effects.map(({ id }) => id),
            )
          : true,
      ),
    ),
  ) as Json[];

function belongs(
  mail: { readonly kind: string; readonly event?: unknown },
  ids: readonly string[],
): boolean {
  if (ids.length > 0) return ids.every((id) => id.startsWith(CUSTOMER));
  return JSON.stringify(mail).includes(CUSTOMER) || mail.kind === "tick";
}

describe("what tells who somebody is", () => {
  test("becomes something else with the same properties, the same each time; money stays", () => {
    const masker = new Masker();
    masker.name("Beatriz Nogueira");
    masker.name("Serralheria Nogueira Ltda");
    const said =
      "CPF 123.456.789-09 e 12345678909, errado 123.456.789-00, CNPJ 19.131.243/0001-97, celular (21) 97777-1234, R$ 1.234,56, Beatriz Nogueira da Serralheria Nogueira Ltda, bia@nogueira.com.br";
    masker.learn(said);
    const made = masker.mask(said);
    const [right, again, wrong] = [...made.matchAll(/\d{3}\.?\d{3}\.?\d{3}-?\d{2}/g)].map(([one]) =>
      one.replace(/\D/g, ""),
    );
    expect(isCpf(right ?? "")).toBe(true);
    expect(again).toBe(right);
    expect(isCpf(wrong ?? "")).toBe(false);
    const [company] = /\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2}/.exec(made) ?? [""];
    expect(isCnpj(company.replace(/\D/g, ""))).toBe(true);
    expect(made).toContain("R$ 1.234,56");
    expect(made).toMatch(/\(11\) 98888-\d{4}/);
    for (const own of [
      "123.456.789",
      "12345678909",
      "19.131.243",
      "97777",
      "Beatriz",
      "Nogueira",
      "nogueira.com",
    ])
      expect(made).not.toContain(own);
  });
});

describe("a recorded conversation", () => {
  test("is a chat file without a trace of its people, and replays green", async () => {
    const town = new Town();
    town.talks(CUSTOMER, [
      "oi",
      "1",
      "1",
      "123.456.789-00",
      "123.456.789-09",
      "Beatriz Nogueira",
      "150",
    ]);
    town.after(16 * 60_000);
    town.talks(CUSTOMER, ["corte de cabelo", "hoje", "o valor é 200", "EMITIR"]);
    town.says(OPERATOR, "aprovar");
    town.answers("done", { number: "12", key: "k", link: "http://x" });

    const saved = await saveTest(
      records(town),
      "Beatriz Nogueira pede uma nota",
      await loadFlows(),
    );
    expect(saved.failure).toBeUndefined();
    for (const own of ["123.456.789", "12345678909", "Beatriz", "Nogueira"])
      expect(saved.text).not.toContain(own);
    for (const line of [
      "> o valor é 200",
      "operator> aprovar",
      "* issue.done number=",
      "= outcome done",
      "= effects notes.similar*1 invoice.issue*1",
    ])
      expect(saved.text).toContain(line);
    expect(saved.text).toMatch(/^~ 9\d\ds$/m);
    expect(saved.text).toContain("Ainda por aí");
    expect(saved.text).toContain("R$ 200,00");
    expect(saved.left).toEqual([]);
  });

  test("keeps reactions, several lines of one message, and answers of any shape", async () => {
    const town = new Town();
    town.talks(CUSTOMER, ["oi", "1", "1"]);
    const like = {
      kind: "reaction",
      id: "r1",
      at: town.now,
      messageId: "r1",
      emoji: "👍",
      of: "b1",
    };
    const from = { address: `${CUSTOMER}@s.whatsapp.net`, name: "Beatriz Nogueira" };
    town.deliver(CUSTOMER, {
      ...{ kind: "inbound", channel: "engine-b", acceptedAt: town.now },
      event: { ...like, from } as never,
    });
    town.talks(CUSTOMER, ["123.456.789-09", "Beatriz Nogueira", "150"]);
    town.talks(CUSTOMER, ["[urgente] corte de cabelo\ne barba", "hoje", "EMITIR"]);
    town.says(OPERATOR, "aprovar");
    const deep = { notes: [{ number: 12, cpf: "123.456.789-09" }], sums: [1, 2], found: false };
    const out = { number: "12", key: "k", link: "http://x", text: 'a "b"\nc\\', none: {}, ...deep };
    town.answers("done", out as never);

    const saved = await saveTest(records(town), "Uma\nnota", await loadFlows());
    expect(saved.failure).toBeUndefined();
    for (const line of [
      "# Uma nota",
      "> [reaction 👍]",
      "> \\[urgente] corte de cabelo\n  e barba",
      'text="a \\"b\\"\n  c\\\\"',
      'sums:="[1,2]"',
      'found:="false"',
      'none:="{}"',
    ])
      expect(saved.text).toContain(line);
    expect(saved.text).toMatch(
      /notes:="\[\{\\"number\\":12,\\"cpf\\":\\"\d{3}\.\d{3}\.\d{3}-\d\d\\"\}\]"/,
    );
    expect(saved.text).not.toContain("123.456.789-09");
    expect(saved.left).toEqual([]);
  });

  test("keeps what an operator wrote in several lines", async () => {
    const town = new Town();
    town.talks(CUSTOMER, ["oi", "1", "1", "123.456.789-09", "Beatriz Nogueira", "150"]);
    town.talks(CUSTOMER, ["corte de cabelo", "hoje", "EMITIR"]);
    town.says(OPERATOR, "recusar");
    town.says(OPERATOR, "O valor está errado.\nFale com a loja.");

    // As the console's field takes it; on a phone it is made one line before it is kept.
    const kept = JSON.stringify(records(town)).replaceAll("errado. Fale", "errado.\\nFale");
    const saved = await saveTest(JSON.parse(kept) as Json[], "Recusada", await loadFlows());
    expect(saved.failure).toBeUndefined();
    expect(saved.text).toContain("operator> O valor está errado.\n  Fale com a loja.\n");
  });

  test("that no longer has its beginning is refused with a sentence", async () => {
    const town = new Town();
    town.talks(CUSTOMER, ["oi", "1", "1"]);
    await expect(saveTest(records(town).slice(2), "x")).rejects.toThrow(
      /no longer holds its beginning.*the last 10 turns are kept in production, 200 /,
    );
  });
});
