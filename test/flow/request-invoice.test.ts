import { describe, expect, test } from "vitest";
import { ACCOUNT, Chat, CONTEXT, library } from "./fixtures/world.ts";

const loaded = library();
const request = loaded.get("request-sample");
const approve = loaded.get("approve-sample");
if (!request || !approve) throw new Error(JSON.stringify(loaded.findings));

const chat = () => new Chat(request);
const atSummary = () => {
  const one = chat();
  one.fill();
  return one;
};

describe("the sample conversation", () => {
  test("greets, asks the service with its options, and walks to the summary", () => {
    const one = chat();
    expect(one.said).toEqual(["Oi! Vou pedir a nota pra você.", "Qual serviço?"]);
    expect(one.last.say[1]?.choices).toEqual([
      { id: "cut", label: "Corte" },
      { id: "dye", label: "Coloração" },
    ]);
    expect(one.says("1")).toEqual(["Qual o CPF ou CNPJ de quem vai receber a nota?"]);
    expect(one.says("529.982.247-24")).toEqual(["Esse número não confere. Pode mandar de novo?"]);
    expect(one.says("529.982.247-25")).toEqual(["Qual o nome completo?"]);
    expect(one.says("Maria Souza")).toEqual(["Qual o valor?"]);
    one.says("150 reais");
    one.says("corte de cabelo");
    expect(one.says("10/2026")).toEqual([
      "Confere pra mim?\nServiço: Corte\nCPF/CNPJ: ***.982.247-**\nNome: Maria Souza\nValor: R$ 150,00\n" +
        "Descrição: Corte de cabelo\nCompetência: outubro/2026\nResponda *EMITIR* ou diga o que mudar.",
    ]);
  });

  test("takes document and value in one message and does not ask the value again", () => {
    const one = chat();
    one.says("1");
    expect(one.says("529.982.247-25, R$ 150,00")).toEqual(["Qual o nome completo?"]);
    expect(one.says("Maria Souza")).toEqual(["O que foi feito?"]);
  });

  test("notes a value that was given early and asks its own question again", () => {
    const one = chat();
    one.says("1");
    const said = one.says("o valor é 150 reais");
    expect(said).toEqual(["Anotei. Valor: R$ 150,00", "Me manda só o número do CPF ou CNPJ."]);
  });

  test("asks a company's address, and hides it again when the document becomes a person's", () => {
    const one = atSummary();
    expect(one.says("muda o documento para 11.222.333/0001-81")).toEqual([
      "Troquei. CPF/CNPJ: **.222.333/0001-**",
      "Qual o endereço completo, com CEP?",
    ]);
    one.says("Rua das Flores, 123, Centro, São Paulo/SP, 01310-100");
    expect(one.said.join()).toContain(
      "Endereço: Rua das Flores, 123, Centro, São Paulo/SP, 01310-100",
    );
    one.says("o cpf é 529.982.247-25");
    expect(one.at).toBe("summary");
    expect(one.said.join()).not.toContain("Endereço");
    expect(JSON.stringify(one.facts.slots)).toContain("Rua das Flores");
  });

  test("goes on only by the word, and then asks the operators for approval with what was shown", () => {
    const one = atSummary();
    expect(one.says("sim").join()).toContain("escreva exatamente");
    expect(one.says("emitir")).toEqual(["Pedido enviado. Aviso quando responderem."]);
    expect(one.last.demands).toContainEqual(
      expect.objectContaining({
        type: "notify",
        step: "approval",
        flow: "approve-sample",
        to: ["phone:5511900000001"],
        input: { value: 15_000, name: "Maria Souza" },
        withinMs: 86_400_000,
        remindMs: 7_200_000,
      }),
    );
    expect(one.last.demands.at(-1)).toEqual({ type: "quiet" });
  });

  test("a correction while approval is pending makes a new summary and voids the old approval", () => {
    const one = atSummary();
    one.says("EMITIR");
    const old = (one.facts.pending as unknown as { for: string }).for;
    expect(one.says("o valor é 200").join()).toContain("R$ 200,00");
    expect(one.at).toBe("summary");
    const stale = one.event({ type: "approval.approved", for: old, out: {} });
    expect(stale).toEqual([]);
    expect(one.last.handled).toBe(false);
    one.says("EMITIR");
    expect(one.event({ type: "approval.approved", for: old, out: {} })).toEqual([]);
    expect(one.at).toBe("approval");
    one.reports("approval", "approved");
    expect(one.at).toBe("issue");
  });

  test("issues once: the fiscal call seals the flow until a definite end", () => {
    const one = atSummary();
    one.says("EMITIR");
    one.reports("approval", "approved");
    const [call] = one.last.demands.filter((demand) => demand.type === "effect");
    expect(call).toMatchObject({
      name: "sample.issue",
      class: "fiscal",
      input: { document: "52998224725", value: 15_000, service: "cut", competence: "2026-10" },
    });
    expect(one.says("cancelar")).toEqual(["Isso já foi enviado e não dá mais pra mudar por aqui."]);
    expect(one.says("o valor é 300")).toEqual([
      "Isso já foi enviado e não dá mais pra mudar por aqui.",
    ]);
    expect(one.reports("issue", "held")).toEqual(["Em processamento, aviso quando sair."]);
    expect(one.event({ type: "CANCEL" })).toEqual([
      "Isso já foi enviado e não dá mais pra mudar por aqui.",
    ]);
    expect(one.program.expects(one.state, CONTEXT)).toMatchObject({ step: "issue", sealed: true });
    expect(one.reports("issue", "done", { number: "12", link: "http://x" })).toEqual([
      "Nota 12 emitida. http://x",
    ]);
    expect(one.last.ended?.outcome).toBe("issued");
  });

  test("a rejection the customer can fix asks that slot again, then a new summary and a new approval", () => {
    const one = atSummary();
    one.says("EMITIR");
    one.reports("approval", "approved");
    expect(
      one.reports("issue", "rejected", {
        fixable: "customer",
        text: "descrição vazia",
        slots: ["description"],
      }),
    ).toEqual(["A nota voltou: descrição vazia", "Hoje está: Corte de cabelo", "O que foi feito?"]);
    one.says("corte e escova");
    expect(one.at).toBe("summary");
    one.says("EMITIR");
    expect(one.at).toBe("approval");
    one.reports("approval", "approved");
    expect(one.last.demands.filter((demand) => demand.type === "effect")).toHaveLength(1);
    one.reports("issue", "done", { number: "13", link: "l" });
    expect(one.last.ended).toMatchObject({ outcome: "issued" });
  });

  test("a refusal carries the operator's reason back to the customer", () => {
    const operator = new Chat(approve, ACCOUNT, { value: 15_000, name: "Maria Souza" });
    expect(operator.said).toEqual(["Pedido de Maria Souza: R$ 150,00. Aprovar?"]);
    operator.says("recusar");
    operator.says("valor errado");
    expect(operator.last.ended).toMatchObject({
      outcome: "refused",
      out: { decision: "refuse", reason: "Valor errado" },
    });
    const one = atSummary();
    one.says("EMITIR");
    const out = operator.last.ended?.out ?? {};
    expect(one.reports("approval", "refused", out)).toEqual(["Não foi aprovado: Valor errado"]);
    expect(one.last.ended?.outcome).toBe("refused");
  });

  test("after a late approval and a hand-off, nothing is issued without asking for approval again", () => {
    const one = atSummary();
    one.says("EMITIR");
    expect(one.reports("approval", "late")).toEqual(["Ninguém respondeu ainda."]);
    expect(one.at).toBe("handoff-approval-late");
    one.event({ type: "RESUME" });
    expect(one.at).toBe("approval");
    expect(one.last.demands.map((demand) => demand.type)).toEqual(["notify", "quiet"]);
  });

  test("three misunderstood answers call a person and keep the place", () => {
    const one = chat();
    one.says("1");
    one.says("não tenho ideia");
    one.says("sei lá");
    expect(one.says("xyz").at(-1)).toContain("Vou chamar uma pessoa");
    expect(one.last.demands).toContainEqual({
      type: "handoff",
      step: "document",
      reason: "exhausted",
    });
    expect(one.at).toBe("document");
  });

  test("an amount above the account's ceiling is refused with the ceiling in the sentence", () => {
    const one = chat();
    for (const text of ["1", "529.982.247-25", "Maria Souza"]) one.says(text);
    expect(one.says("60.000,00")).toEqual(["Esse valor passa do limite de R$ 50.000,00 por nota."]);
  });

  test("cancel ends the flow with its own words", () => {
    const one = atSummary();
    expect(one.says("cancelar")).toEqual(["Tudo bem, cancelei o pedido."]);
    expect(one.last.ended?.outcome).toBe("cancelled");
    expect(one.event({ type: "BACK" })).toEqual([]);
  });

  test("why answers with the question's own reason and asks again", () => {
    const one = chat();
    one.says("1");
    expect(one.says("por que?")).toEqual([
      "A prefeitura exige o documento de quem recebe.",
      "Me manda só o número do CPF ou CNPJ.",
    ]);
  });
});
