import { describe, expect, test } from "vitest";
import {
  explainRejection,
  unknownWords,
} from "../../../../src/plugins/invoicing/fiscal/rejection.ts";
import { NFSE_PROBLEMS } from "../../../../src/plugins/invoicing/fiscal/nfse-problem.ts";
import {
  REJECTIONS,
  UNKNOWN_REJECTION,
} from "../../../../src/plugins/invoicing/fiscal/rejection-table.ts";

describe("rejections", () => {
  test("a national code decides whatever the words are", () => {
    expect(explainRejection("E0206", "qualquer coisa")).toMatchObject({
      code: "E0206",
      slots: ["document"],
      fixable: "customer",
      duplicateHint: false,
    });
  });

  test("the code is found in the text when it is given nowhere else", () => {
    expect(explainRejection(null, "Rejeição E0240: CEP não pertence ao município")).toMatchObject({
      code: "E0240",
      slots: ["address"],
    });
  });

  test.each([
    ["E10", "RPS já informado"],
    ["E999", "Esta nota já foi emitida"],
    ["", "DPS duplicada"],
    ["E0014", ""],
    ["E0206", "documento já processado anteriormente"],
    ["", "Invoice already exists"],
  ])("%s %j may mean that the note exists, so it is held", (code, text) => {
    expect(explainRejection(code, text)).toMatchObject({
      duplicateHint: true,
      slots: [],
      fixable: "nobody",
    });
  });

  test.each([
    ["E999", "Erro"],
    ["RNG9999", "Erro não catalogado"],
    ["", "RNG9999: falha"],
    ["", "Internal error: Object reference not set to an instance of an object."],
    ["E160", "System.NullReferenceException em Nfse.Ws.Emissor.Gerar() na linha 412"],
    ["", "java.lang.NullPointerException\n\tat br.gov.Nfse.gerar(Nfse.java:88)"],
    ["X1", "ORA-00060: deadlock detected while waiting for resource"],
    ["", "Tempo limite de execução esgotado. Tente novamente."],
    ["", "The operation has timed out"],
    ["E", "Erro inesperado no servidor da prefeitura"],
    ["", "Falha na comunicação com o banco de dados"],
    ["", ""],
    ["", "   "],
    ["", "Erro 500"],
    ["", "HTTP 502"],
    ["", "(503) Server Unavailable"],
    ["", "Serviço temporariamente indisponível. Tente novamente mais tarde."],
    ["E43", "O sistema da prefeitura está fora do ar"],
    ["", "The service is temporarily unavailable"],
    ["", "java.lang.StackOverflowError"],
    ["", "PHP Fatal error: Uncaught TypeError in /var/www/nfse.php"],
    ["", "Tempo esgotado"],
    ["", "Sem resposta da prefeitura"],
    ["", "A prefeitura não respondeu"],
    ["", "Não foi possível conectar ao webservice"],
    ["", "Erro de comunicação com a prefeitura"],
    ["", "Erro no servidor"],
    ["soap:Server", "Server was unable to process request."],
    ["", "Violation of PRIMARY KEY constraint 'PK_NFSE'"],
    ["", "Index was outside the bounds of the array."],
    ["", "Erro ao processar a requisição"],
    ["", "Erro no sistema, tente mais tarde"],
    ["E43", "Erro"],
    ["", "null"],
    ["", "<!DOCTYPE html><html><title>Runtime Error</title>"],
  ])("%j %j is the authority's own crash, which says nothing of the note", (code, text) => {
    expect(explainRejection(code, text)).toMatchObject({ crashed: true, duplicateHint: false });
  });

  test.each([
    ["E0206", "Erro interno: CPF inválido"],
    ["", "CNPJ do tomador não encontrado no banco de dados da Receita"],
    ["E16", "Data de emissão posterior à data atual"],
    ["", "Alíquota não informada; exceções previstas na lei"],
    ["E10", "RPS já informado. Internal error"],
    ["ZZ", "Serviço não permitido para este prestador"],
    ["ZZ", "Tempo de opção pelo Simples Nacional excedido"],
    ["ZZ", "Exceção ao ISS não se aplica ao serviço"],
    ["", "Erro ao processar o RPS: CNPJ do tomador inválido"],
    ["E43", "Recusada"],
    ["ZZ", "Serviço indisponível para este prestador"],
    ["", "Sistema em manutenção, indisponível até as 8h"],
    ["E1217", "Serviço indisponível"],
  ])("%j %j is a word about the document, and no crash", (code, text) => {
    expect(explainRejection(code, text).crashed).toBe(false);
  });

  test("a town's code yields to words that say something else", () => {
    expect(explainRejection("E18", "").slots).toEqual(["value"]);
    expect(explainRejection("E18", "CNPJ do tomador inválido").slots).toEqual(["document"]);
  });

  test.each([
    ["E0316", "issuer", ["service"]],
    ["E0712", "issuer", ["issuer"]],
    ["E1217", "nobody", []],
    ["certificado_vencido", "issuer", ["issuer"]],
    [402, "nobody", []],
  ])("%s is for %s", (code, fixable, slots) => {
    expect(explainRejection(code, "")).toMatchObject({ fixable, slots });
  });

  test("an unknown rejection is nobody's to fix in the chat and repeats none of the authority's words", () => {
    const told = explainRejection("X1", "Falha 12345 do documento 529.982.247-25", "en");
    expect(told).toEqual({
      crashed: false,
      known: false,
      code: "X1",
      text: "The town did not accept the note, for a reason I do not know.",
      slots: [],
      fixable: "nobody",
      duplicateHint: false,
    });
  });

  test("what it says is no question: the flow asks for the answer anew, in the same bubble", () => {
    const rows = [...REJECTIONS, UNKNOWN_REJECTION, ...Object.values(NFSE_PROBLEMS)];
    for (const { pt, en } of rows) expect(`${pt} ${en}`).not.toContain("?");
  });

  test("no code is in two rows, and only what a customer can fix asks a customer's answer", () => {
    const codes = REJECTIONS.flatMap((row) => [...row.codes, ...(row.townCodes ?? [])]);
    expect(new Set(codes).size).toBe(codes.length);
    for (const row of REJECTIONS)
      expect(row.slots.length > 0 || row.fixable !== "customer").toBe(true);
  });
});

test("the town's own words are for a reason nobody knows, without people's numbers, links or marks", () => {
  const said =
    "Item *fora* da lista. Tomador 529.982.247-25, fone (11) 98765-4321, veja https://town.example/x?y=1";
  const words = unknownWords("E9999", said);
  expect(words).toBe("Item fora da lista. Tomador ...25, fone (...) ...4321, veja");
  expect(words).not.toMatch(/529|98765|https|\*/);
  expect(unknownWords("E0206", "CPF do tomador inválido.")).toBe("");
  expect(unknownWords("E9999", "palavra ".repeat(100)).length).toBeLessThanOrEqual(200);
});
