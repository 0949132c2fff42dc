import { describe, expect, test } from "vitest";
import { type Library, type Mail, type Program, run } from "../../../src/engine/index.ts";
import { account, CUSTOMER, library, OPERATOR, SECOND, START, TO_SUMMARY, Town } from "../town.ts";
import { model } from "../../support/plugins.ts";

describe("a turn", () => {
  test("gives the same session and the same effect ids for the same input", () => {
    const town = new Town();
    town.talks(CUSTOMER, TO_SUMMARY);
    const session = town.sessions.get(CUSTOMER) ?? null;
    const once = (event: string) =>
      run(
        session,
        [{ event, mail: { kind: "operator", action: "say", actor: "ana", text: "Olá!" } }],
        {
          ...{ account, accountModel: model, accountId: account.id, contact: CUSTOMER, library },
          ...{ role: "customer", now: START + 60_000 },
        },
      );

    expect(once("e")).toEqual(once("e"));
    expect(once("e").effects[0]?.id).toBe(`${CUSTOMER}:${(session?.rev ?? 0) + 1}:0`);
  });

  test("that throws changes nothing, is named, and later events of the batch wait", () => {
    const bomb: Program = {
      ...programOf("menu"),
      flow: "menu",
      step: () => {
        throw new Error("boom");
      },
    };
    const broken: Library = {
      get: (flow, hash) => (flow === "menu" ? bomb : library.get(flow, hash)),
      list: () => library.list().map((program) => (program.flow === "menu" ? bomb : program)),
      word: (key, vars, context) => library.word(key, vars, context),
    };
    const town = new Town(broken);
    town.says(CUSTOMER, "oi");
    const before = town.sessions.get(CUSTOMER) ?? null;
    const say = { kind: "operator", action: "say", actor: "ana", text: "um" } as const;
    const result = run(
      before,
      [
        { event: "good", mail: say },
        { event: "bad", mail: inbound("1") },
        { event: "later", mail: say },
      ],
      {
        ...{
          account,
          accountModel: model,
          accountId: account.id,
          contact: CUSTOMER,
          library: broken,
        },
        ...{ role: "customer", now: START },
      },
    );

    expect(result.failed).toEqual({ event: "bad", reason: "boom" });
    expect(result.applied).toBe(1);
    expect(result.effects).toHaveLength(1);
    expect(result.session.frames).toEqual(before?.frames);
  });

  test("parked for a contact apologises and asks the question again", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["oi", "1"]);
    town.deliver(CUSTOMER, { kind: "parked", event: "x", reason: "boom" });

    expect(town.last(CUSTOMER)).toContain("Qual serviço?");
    expect(town.step(CUSTOMER)).toBe("request-invoice.service");
  });

  test("merges free text of one burst into one answer, and answers once", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["oi", "1", "1", "529.982.247-25", "Maria Souza", "150"]);
    const before = town.said.get(CUSTOMER)?.length ?? 0;
    for (const text of ["corte de cabelo", "e barba"]) town.deliver(CUSTOMER, inbound(text));
    town.after(5_000);

    expect(town.said.get(CUSTOMER)?.length).toBe(before + 1);
    expect(town.sessions.get(CUSTOMER)?.frames.at(-1)?.state).toMatchObject({
      facts: { slots: { description: "Corte de cabelo e barba" } },
    });
  });
});

describe("the menu", () => {
  test("takes a whole sentence for what it says, not for a choice of one of its words", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["oi", "nota de 80 pra Rui Melo cpf 111.444.777-35, barba, ontem", "1"]);

    expect(town.step(CUSTOMER)).toBe("request-invoice.summary");
    expect(town.last(CUSTOMER)).toContain("R$ 80,00");
    expect(town.sessions.get(CUSTOMER)?.frames).toHaveLength(1);
  });

  test("still takes a word or a number as a choice", () => {
    for (const choice of ["1", "nota", "preciso da nota"]) {
      const town = new Town();
      town.talks(CUSTOMER, ["oi", choice]);
      expect(town.step(CUSTOMER)).toBe("request-invoice.service");
    }
  });
});

describe("a request between contacts", () => {
  test("is approved once and issued once", () => {
    const town = new Town();
    town.talks(CUSTOMER, [...TO_SUMMARY, "o valor é 200", "EMITIR"]);

    expect(town.last(OPERATOR)).toMatch(/Pedido \*[A-Z]\d\*[\s\S]*R\$ 200,00/);
    expect(town.last(OPERATOR)).not.toContain("529.982.247-25");
    expect(town.calls).toHaveLength(0);

    town.says(OPERATOR, "aprovar");
    town.says(OPERATOR, "aprovar");

    expect(town.calls).toHaveLength(1);
    expect(town.calls[0]?.effect).toMatchObject({
      name: "invoice.issue",
      class: "fiscal",
      input: { value: 20_000, document: "52998224725", service: "haircut" },
    });
    town.answers("done", { number: "7", key: "k", link: "http://x" });

    expect(town.last(CUSTOMER)).toContain("Nota *7* emitida");
    expect(town.last(OPERATOR)).toContain("7");
    expect(town.step(CUSTOMER)).toBe("");
  });

  test("with two open, a plain yes asks which, and only the one that is meant is issued", () => {
    const town = new Town();
    town.talks(CUSTOMER, [...TO_SUMMARY, "EMITIR"]);
    town.talks(SECOND, [...TO_SUMMARY.slice(0, 4), "João Lima", "90", "barba", "hoje", "EMITIR"]);
    const codes = [...(town.said.get(OPERATOR) ?? []).join("\n").matchAll(/Pedido \*([A-Z]\d)\*/g)];

    const which = town.says(OPERATOR, "aprovar").at(-1) ?? "";

    expect(town.calls).toHaveLength(0);
    expect(which).toContain(codes[0]?.[1]);
    expect(which).toContain(codes[1]?.[1]);

    town.says(OPERATOR, codes[1]?.[1]?.toLowerCase() ?? "");

    expect(town.calls).toHaveLength(1);
    expect(town.calls[0]).toMatchObject({ contact: SECOND, effect: { input: { value: 9_000 } } });
    expect(town.step(CUSTOMER)).toBe("request-invoice.approval");
  });

  test("can be answered by its code in any order, also in one message", () => {
    const town = new Town();
    town.talks(CUSTOMER, [...TO_SUMMARY, "EMITIR"]);
    town.talks(SECOND, [...TO_SUMMARY.slice(0, 4), "João Lima", "90", "barba", "hoje", "EMITIR"]);
    const codes = [...(town.said.get(OPERATOR) ?? []).join("\n").matchAll(/Pedido \*([A-Z]\d)\*/g)];

    town.says(OPERATOR, `aprovar ${codes[1]?.[1] ?? ""}`);
    town.says(OPERATOR, `recusar ${codes[0]?.[1] ?? ""}`);
    town.says(OPERATOR, "valor errado");

    expect(town.calls.map((call) => call.contact)).toEqual([SECOND]);
    expect(town.last(CUSTOMER)).toContain("Valor errado");
  });

  test("is void once the customer corrects an answer: the old approval issues nothing", () => {
    const town = new Town();
    town.talks(CUSTOMER, [...TO_SUMMARY, "EMITIR"]);
    const old = /Pedido \*([A-Z]\d)\*/.exec(town.last(OPERATOR))?.[1] ?? "";
    const stale = structuredClone(town.sessions.get(OPERATOR));
    town.says(CUSTOMER, "o valor é 300");

    expect(town.step(CUSTOMER)).toBe("request-invoice.summary");
    expect(town.last(OPERATOR)).toContain(old);

    // The operator's phone had not heard of it yet when the answer was typed.
    if (stale) town.sessions.set(OPERATOR, stale);
    town.says(OPERATOR, `aprovar ${old}`);

    expect(town.calls).toHaveLength(0);

    town.says(CUSTOMER, "EMITIR");

    expect(town.last(OPERATOR)).toContain("R$ 300,00");
    town.says(OPERATOR, "aprovar");
    expect(town.calls.map((call) => call.effect.input["value"])).toEqual([30_000]);
  });

  test("nobody answers is told to the customer and handed to a person", () => {
    const town = new Town();
    town.talks(CUSTOMER, [...TO_SUMMARY, "EMITIR"]);
    town.after(2 * 3_600_000);

    expect(town.last(OPERATOR)).toMatch(/Pedido/);
    town.after(23 * 3_600_000);

    expect(town.last(CUSTOMER)).toContain("ainda não respondeu");
    expect(town.sessions.get(CUSTOMER)?.handoff?.reason).toBe("approval-late");
    expect(town.sessions.get(OPERATOR)?.requests).toEqual([]);
  });
});

describe("an uncertain note", () => {
  test("is told as it is to customer and operator, and cannot be cancelled or repeated", () => {
    const town = new Town();
    town.talks(CUSTOMER, [...TO_SUMMARY, "EMITIR"]);
    town.says(OPERATOR, "aprovar");
    town.answers("held", { text: "sem resposta", support: "S-1" });

    expect(town.last(CUSTOMER)).toContain("em processamento");
    expect(town.last(OPERATOR)).not.toContain("aprovado");
    town.says(CUSTOMER, "cancelar");
    town.says(CUSTOMER, "EMITIR");
    town.says(CUSTOMER, "o valor é 500");

    expect(town.calls).toHaveLength(1);
    town.answers("done", { number: "9", key: "k", link: "" });
    expect(town.last(CUSTOMER)).toContain("Nota *9* emitida");
  });
});

describe("silence", () => {
  test("a nudge comes once after a quarter of an hour, and the end after a day", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["oi", "1", "1"]);
    const before = town.said.get(CUSTOMER)?.length ?? 0;
    town.after(15 * 60_000);
    town.after(15 * 60_000);

    expect(town.said.get(CUSTOMER)?.length).toBe(before + 1);
    town.after(24 * 3_600_000);
    expect(town.step(CUSTOMER)).toBe("");
  });

  test("a person of the business typing on the phone makes the bot quiet, and it comes back", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["oi", "1"]);
    town.deliver(CUSTOMER, {
      ...{ kind: "inbound", channel: "engine-b", acceptedAt: town.now },
      event: {
        ...{ kind: "own", id: "h", at: town.now, messageId: "h", api: false, text: "Oi Maria" },
        from: { address: "x@s.whatsapp.net" },
      },
    });

    expect(town.says(CUSTOMER, "1")).toEqual([]);
    town.after(31 * 60_000);
    expect(town.last(CUSTOMER)).toContain("Qual serviço?");
  });

  test("opting out ends everything, says so once, and only the person begins again", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["oi", "1"]);
    const last = town.says(CUSTOMER, "não quero mais receber mensagens");

    expect(last).toHaveLength(1);
    expect(town.sessions.get(CUSTOMER)?.optOut).toBeDefined();
    expect(town.says(CUSTOMER, "obrigado")).toEqual([]);
    expect(town.says(CUSTOMER, "oi").at(-1)).toContain("Como posso ajudar?");
  });

  test("thanks after the end get no menu", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["oi", "1", "cancelar"]);

    expect(town.says(CUSTOMER, "obrigado")).toEqual([]);
  });
});

function programOf(flow: string): Program {
  const program = library.get(flow);
  if (!program) throw new Error(`no flow ${flow}`);
  // Methods live on the class: a spread would lose them.
  return {
    ...{ flow: program.flow, version: program.version, hash: program.hash, title: program.title },
    ...{ starts: program.starts, outcomes: program.outcomes, audience: program.audience },
    ...(program.role === undefined ? {} : { role: program.role }),
    start: (...args) => program.start(...args),
    step: (...args) => program.step(...args),
    expects: (...args) => program.expects(...args),
    prompt: (...args) => program.prompt(...args),
    summary: (...args) => program.summary(...args),
    adopt: (...args) => program.adopt(...args),
  };
}

function inbound(text: string): Mail {
  return {
    kind: "inbound",
    channel: "engine-b",
    acceptedAt: START,
    event: {
      kind: "message",
      id: `i-${text}`,
      at: START,
      messageId: `i-${text}`,
      from: { address: "x@s.whatsapp.net", name: "Maria" },
      content: { type: "text", text },
    },
  };
}
