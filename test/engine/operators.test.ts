import { describe, expect, test } from "vitest";
import type { Content, Mail } from "../../src/engine/index.ts";
import { account, CUSTOMER, library, OPERATOR, SECOND, TO_SUMMARY, Town } from "./town.ts";

const THIRD = "c3".padEnd(32, "0");

/** Both customers ask; gives the codes of their requests. */
function twoRequests(town: Town): [string, string] {
  town.talks(CUSTOMER, [...TO_SUMMARY, "EMITIR"]);
  const first = codeIn(town.last(OPERATOR));
  town.talks(SECOND, [...TO_SUMMARY.slice(0, 4), "João Lima", "90", "barba", "hoje", "EMITIR"]);
  return [first, codeIn(town.last(OPERATOR))];
}

function codeIn(text: string): string {
  return /Pedido \*([A-Z]\d+)\*/.exec(text)?.[1] ?? "";
}

function request(town: Town, index: number): Mail {
  return {
    kind: "request",
    ...{ request: `r${index}`, code: "A2", flow: "approve-invoice", input: {} },
    from: { contact: THIRD, name: "Ana" },
    waiter: { frame: "f1", step: "approval", for: "x", epoch: `1.${index}` },
    within: 1,
  } satisfies Mail & { kind: "request" };
}

describe("the answer to which request is meant", () => {
  test("is not taken from a number that answers a newer announcement", () => {
    const town = new Town();
    twoRequests(town);
    town.says(OPERATOR, "aprovar");
    town.talks(THIRD, [...TO_SUMMARY.slice(0, 4), "Ana Reis", "70", "tintura", "hoje", "EMITIR"]);
    expect(town.last(OPERATOR)).toContain("1. Aprovar");

    town.says(OPERATOR, "1");

    expect(town.calls).toHaveLength(0);
  });

  test("is a vote of the list as well, which tells the row and no id", () => {
    const town = new Town();
    const [first, second] = twoRequests(town);
    const row = town
      .says(OPERATOR, "recusar")
      .at(-1)
      ?.split("\n")
      .find((line) => line.includes(second))
      ?.replace(/^\d\. /, "");
    const vote: Content = { type: "choice", via: "poll", picks: [{ label: row ?? "" }] };

    town.deliver(OPERATOR, town.message(OPERATOR, vote));

    expect(town.step(OPERATOR)).toBe("approve-invoice.reason");
    const open = town.sessions.get(OPERATOR)?.requests.map(({ caller }) => caller?.code);
    expect(open).toEqual([first]);
  });

  test("is forgotten once the operator talked about something else", () => {
    const town = new Town();
    twoRequests(town);
    town.talks(OPERATOR, ["aprovar", "oi", "cancelar", "2"]);

    expect(town.calls).toHaveLength(0);
  });

  test("is asked when a message names two codes", () => {
    const town = new Town();
    const [first, second] = twoRequests(town);
    const which = town.says(OPERATOR, `aprovar ${second}, ${first} depois`).at(-1);

    expect(town.calls).toHaveLength(0);
    expect(which).toContain(first);
    expect(which).toContain(second);
  });
});

describe("an operator's requests", () => {
  test("are set aside, never piled up, when one code after the other is looked at", () => {
    const town = new Town();
    for (let index = 0; index < 20; index++) town.deliver(OPERATOR, request(town, index));
    const codes = (town.sessions.get(OPERATOR)?.requests ?? []).map(
      (one) => one.caller?.code ?? "",
    );
    for (const code of codes) town.says(OPERATOR, `recusar ${code}`);

    expect(town.sessions.get(OPERATOR)?.frames).toHaveLength(1);
    expect(town.sessions.get(OPERATOR)?.requests).toHaveLength(19);
  });

  test("have codes of their own however many there are, and the one too many is refused alone", () => {
    const town = new Town();
    let refused = 0;
    for (let index = 0; index < 210; index++)
      if (town.deliver(OPERATOR, request(town, index)).failed) refused++;
    const open = town.sessions.get(OPERATOR)?.requests ?? [];

    expect(new Set(open.map((one) => one.caller?.code)).size).toBe(open.length);
    expect(refused).toBeGreaterThan(0);
    expect(open.length + refused).toBe(210);
    expect(town.says(OPERATOR, "aprovar").at(-1)).toContain("Qual deles?");
  });

  test("are not answered by a code inside the answer to another question", () => {
    const town = new Town();
    const [code] = twoRequests(town);
    const filled = ["oi", "1", "1", "11.444.777/0001-61", "Loja Lima"];
    town.talks(OPERATOR, filled);
    const address = `Quadra ${code} Lote 4, 12, Centro, São Paulo/SP, 01310-100`;
    town.says(OPERATOR, address);

    expect(town.step(OPERATOR)).toBe("issue-invoice.value");
    expect(town.calls).toHaveLength(0);
  });

  test("that somebody decided first are told to who decided the other way while that was on its way", () => {
    const town = new Town();
    const asked = request(town, 0);
    town.deliver(OPERATOR, asked);
    town.says(OPERATOR, "aprovar");
    const decided = { kind: "withdrawn", request: "r0", reason: "answered" } as const;
    town.deliver(OPERATOR, { ...decided, by: "Bia", answered: THIRD, outcome: "refused" });

    expect(town.last(OPERATOR)).toContain("já foi *recusado* por Bia");
  });

  test("that were withdrawn while the answer was on its way are told not to count", () => {
    const town = new Town();
    town.deliver(OPERATOR, request(town, 0));
    town.says(OPERATOR, "aprovar");
    town.deliver(OPERATOR, { kind: "withdrawn", request: "r0", reason: "changed" });

    expect(town.last(OPERATOR)).toContain("ela não vale");
  });

  test("are not decided by an answer that was written before the one it was for was gone", () => {
    const town = new Town();
    town.deliver(OPERATOR, request(town, 0));
    const written = town.message(OPERATOR, { type: "text", text: "aprovar" });
    town.deliver(OPERATOR, { kind: "withdrawn", request: "r0", reason: "changed" });
    town.deliver(OPERATOR, request(town, 1));
    // It lay on a phone without a net.
    town.now += 3_600_000;
    town.deliver(OPERATOR, written);
    town.after(3_000);

    expect(town.last(OPERATOR)).toContain("Confere o que está esperando agora");
    expect(town.sessions.get(OPERATOR)?.requests).toHaveLength(1);
    town.says(OPERATOR, "aprovar");
    expect(town.sessions.get(OPERATOR)?.requests).toHaveLength(0);
  });

  test("are decided by a bare word once it is clear that they were read", () => {
    const town = new Town();
    town.deliver(OPERATOR, request(town, 0), request(town, 1));
    town.deliver(OPERATOR, { kind: "withdrawn", request: "r0", reason: "cancelled" });
    town.now += 5 * 60_000;
    town.says(OPERATOR, "aprovar");

    expect(town.sessions.get(OPERATOR)?.requests).toHaveLength(0);
    expect(town.last(OPERATOR)).toContain("aprovado");
  });

  test("hear a change of mind instead of taking it for the reason", () => {
    const town = new Town();
    town.talks(CUSTOMER, [...TO_SUMMARY, "EMITIR"]);
    town.talks(OPERATOR, ["recusar", "aprovar"]);

    expect(town.step(CUSTOMER)).toBe("request-invoice.approval");
    expect(town.calls).toHaveLength(0);
    town.says(OPERATOR, "aprovar");
    expect(town.calls).toHaveLength(1);
  });

  test("are announced and answered while a person has the operator's own conversation", () => {
    const town = new Town();
    town.talks(OPERATOR, ["oi", "8"]);
    expect(town.sessions.get(OPERATOR)?.handoff).toBeDefined();
    town.talks(CUSTOMER, [...TO_SUMMARY, "EMITIR"]);
    const code = codeIn(town.last(OPERATOR));

    expect(code).not.toBe("");
    town.talks(OPERATOR, [`recusar ${code}`, "valor errado"]);
    expect(town.last(CUSTOMER)).toContain("Valor errado");
    expect(town.says(OPERATOR, "oi")).toEqual([]);
  });

  test("find the bot again by a bare word where nobody took the operator's conversation", () => {
    const town = new Town();
    twoRequests(town);
    town.talks(OPERATOR, ["falar com uma pessoa", "kkkk"]);
    expect(town.sessions.get(OPERATOR)?.handoff).toBeDefined();
    expect(town.says(OPERATOR, "aprovar").at(-1)).toContain("Tem 2 pedidos esperando");
  });

  test.each(["emitir nota", "nota de 49 pra Maria Souza cpf 529.982.247-25"])(
    "of the business go on with the bot by asking for work, which is done: %j",
    (text) => {
      const town = new Town();
      town.talks(OPERATOR, ["emitir nota", "zxcv", "hgfd", "qwer"]);
      expect(town.sessions.get(OPERATOR)?.handoff).toBeDefined();
      expect(town.says(OPERATOR, "tá bom")).toEqual([]);
      expect(town.says(OPERATOR, text)).not.toEqual([]);
      expect(town.sessions.get(OPERATOR)?.handoff).toBeUndefined();
    },
  );

  test("leave a customer to the person that was called, whatever is asked for", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["falar com uma pessoa"]);
    expect(town.says(CUSTOMER, "emitir nota")).toEqual([]);
  });

  test("wait on when the operator opts out in the middle of one", () => {
    const town = new Town();
    town.talks(CUSTOMER, [...TO_SUMMARY, "EMITIR"]);
    const code = codeIn(town.last(OPERATOR));
    town.talks(OPERATOR, ["recusar", "não quero mais receber mensagens"]);

    expect(town.sessions.get(OPERATOR)?.requests).toHaveLength(1);
    town.talks(OPERATOR, ["oi", "cancelar", `aprovar ${code}`]);
    town.after(25 * 3_600_000);
    expect(town.last(CUSTOMER)).toContain("ainda não respondeu");
  });

  test("that are set aside are neither nudged nor expired by the operator's silence", () => {
    const town = new Town();
    town.talks(CUSTOMER, [...TO_SUMMARY, "EMITIR"]);
    town.talks(OPERATOR, ["recusar", "cancelar"]);
    const before = town.said.get(OPERATOR)?.length ?? 0;
    town.after(90 * 60_000);

    expect(town.said.get(OPERATOR)?.length).toBe(before);
  });

  // "N3" has the short "não" in it, and "S3" the short "sim".
  test.each([..."ABCDEFHJKMNPRSTUVXZ"])("are decided as written under a code with %s", (letter) => {
    const answered = (text: string): string => {
      const town = new Town();
      const code = `${letter}3`;
      town.deliver(OPERATOR, { ...request(town, 0), code } as Mail);
      return town.says(OPERATOR, text.replace("#", code)).at(-1) ?? "";
    };

    for (const text of ["aprovar #", "Aprovo o pedido #!", "# aprovado", "aprovar #, por favor"])
      expect(answered(text), text).toContain(`${letter}3 aprovado`);
    for (const text of ["recusar #", "não aprovo #", "# recusado"])
      expect(answered(text), text).toContain("Por quê?");
    expect(answered("#"), letter).toContain(`*aprovar ${letter}3* ou *recusar ${letter}3*`);
  });

  test("are withdrawn when the customer's conversation is released", () => {
    const town = new Town();
    town.talks(CUSTOMER, [...TO_SUMMARY, "EMITIR"]);
    town.deliver(CUSTOMER, { kind: "operator", action: "release", actor: "ana" });

    expect(town.sessions.get(OPERATOR)?.requests).toEqual([]);
    expect(town.last(OPERATOR)).toContain("cancelado");
  });

  test("outlive the release of the operator's own conversation", () => {
    const town = new Town();
    town.talks(CUSTOMER, [...TO_SUMMARY, "EMITIR"]);
    town.says(OPERATOR, "recusar");
    town.deliver(OPERATOR, { kind: "operator", action: "release", actor: "ana" });

    expect(town.sessions.get(OPERATOR)?.requests).toHaveLength(1);
    expect(town.step(OPERATOR)).toBe("");
  });
});

describe("an operator who never wrote", () => {
  const addressOf = (operator: { alias: string; address?: string }) => {
    const town = new Town(library, { ...account, operators: [{ name: "Op", ...operator }] });
    const notice: Mail = { kind: "notice", key: "sorry", vars: {} };
    const [effect] = town.deliver(OPERATOR, notice).effects;
    return effect?.type === "send" ? effect.address : "";
  };

  test("is written to at the address that the account tells", () => {
    expect(addressOf({ alias: "lid:123456", address: "5511900000009" })).toBe("5511900000009");
  });

  test("is written to at the LID as a LID, never as if it were a phone number", () => {
    expect(addressOf({ alias: "lid:123456" })).toBe("123456@lid");
    expect(addressOf({ alias: "phone:5511900000001" })).toBe("5511900000001");
  });
});

test("a request that can go to nobody is told at once, not after a day", () => {
  const town = new Town(library, { ...account, operators: [] });
  town.talks(CUSTOMER, [...TO_SUMMARY, "EMITIR"]);
  town.after(1_000);

  expect(town.last(CUSTOMER)).toContain("chamar uma pessoa");
  expect(town.sessions.get(CUSTOMER)?.handoff?.reason).toBe("approval-late");
});
