import { describe, expect, test } from "vitest";
import { noteFacts, reasonOf } from "../../../../src/plugins/invoicing/note/invoice-answer.ts";

const KEY = "35261111222333000181550010000000011123456780";

describe("what an answer says about a note", () => {
  test("a key without a status is an issued note", () => {
    expect(noteFacts({ chave: KEY, numero: 7 })).toMatchObject({
      status: "autorizada",
      key: KEY,
      number: "7",
    });
  });

  test.each([
    ["autorizada", "autorizada"],
    ["autorizado", "autorizada"],
    ["processando_autorizacao", "processando"],
    ["em processamento", "processando"],
    ["erro_autorizacao", "rejeitada"],
    ["Cancelada", "cancelada"],
    ["Não autorizada", "unknown"],
    ["nao_emitida", "unknown"],
    ["not issued", "unknown"],
    ["unauthorized", "unknown"],
    ["Ainda não emitida", "unknown"],
    ["E1001", "unknown"],
    ["100", "autorizada"],
  ])("the status %s reads as %s", (said, status) => {
    expect(noteFacts({ status: said }).status).toBe(status);
  });

  test("a key does not outweigh a status that says there is no note", () => {
    expect(noteFacts({ chave: KEY, status: "Não autorizada" }).status).toBe("unknown");
  });

  test.each(["erro", "Erro ao enviar o e-mail", "falha_pdf", "emitida com falhas"])(
    "a key beside the status %s is neither a refusal nor an issue, for the one may follow the other",
    (said) => {
      expect(noteFacts({ chave: KEY, status: said })).toMatchObject({
        status: "incerta",
        key: KEY,
      });
      expect(noteFacts({ status: said }).status).toBe("rejeitada");
    },
  );

  test("a key that is told beside a refusal does not undo it", () => {
    expect(noteFacts({ chave: KEY, status: "rejeitada por erro" }).status).toBe("rejeitada");
  });

  test("an empty answer is not taken for a note", () => {
    expect(noteFacts({}).status).toBe("unknown");
    expect(noteFacts(null).status).toBe("unknown");
  });

  test("the first of several errors is the reason", () => {
    const facts = noteFacts({
      status: "rejeitada",
      erros: [{ codigo: "E0206", mensagem: "CPF inválido" }, { codigo: "E0240" }],
    });

    expect(facts.error).toEqual({ code: "E0206", message: "CPF inválido" });
  });

  test("one of several errors that hints at a duplicate is the reason, wherever it stands", () => {
    const erros = [{ codigo: "E0206" }, "x", { mensagem: "Nota já emitida" }, { codigo: "E0240" }];

    expect(noteFacts({ status: "rejeitada", erros }).error).toEqual({ message: "Nota já emitida" });
  });
});

test("a refusal names answers of the customer, never the settings of the business", () => {
  const reason = reasonOf({ code: "E0206", message: "CPF do tomador inválido" }, "pt-BR");
  expect(reason.doubt).toBeUndefined();

  expect(reason).toMatchObject({ fixable: "customer", slots: ["document"] });
});
