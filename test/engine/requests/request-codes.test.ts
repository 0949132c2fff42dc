/** Codes are few: a letter and a digit. Which one a request has must not decide what becomes of it. */
import { describe, expect, test } from "vitest";
import type { Mail } from "../../../src/engine/index.ts";
import { codeOf } from "../../../src/engine/requests/request-code.ts";
import { OPERATOR, Town } from "../town.ts";

const ASKER = "c3".padEnd(32, "0");

/** Two requests that have the same code by themselves. */
function twins(): readonly [string, string] {
  const known = new Map<string, string>();
  for (let index = 0; ; index++) {
    const request = `${ASKER}:1.${index}`;
    const other = known.get(codeOf(request));
    if (other !== undefined) return [other, request];
    known.set(codeOf(request), request);
  }
}

function asked(request: string): Mail {
  return {
    kind: "request",
    ...{ request, code: codeOf(request), flow: "approve-invoice", input: {} },
    from: { contact: ASKER, name: "Ana" },
    waiter: { frame: "f1", step: "approval", for: "x", epoch: request.slice(ASKER.length + 1) },
    within: 86_400_000,
  };
}

function open(town: Town): string[] {
  return (town.sessions.get(OPERATOR)?.requests ?? []).map(({ caller }) => caller?.code ?? "");
}

describe("two requests of one code", () => {
  const [first, second] = twins();
  const code = codeOf(first);

  test("are told apart when the second comes after the first was approved", () => {
    const town = new Town();
    town.deliver(OPERATOR, asked(first));
    town.says(OPERATOR, `aprovar ${code}`);
    town.deliver(OPERATOR, asked(second));
    expect(open(town)).toHaveLength(1);

    // Said once more by a thumb, or by a second telephone.
    town.says(OPERATOR, `aprovar ${code}`);

    expect(open(town)).toHaveLength(1);
    expect(open(town)).not.toContain(code);
    town.says(OPERATOR, `aprovar ${open(town)[0] ?? ""}`);
    expect(open(town)).toEqual([]);
  });

  test("are told apart when the first was taken away before it was answered", () => {
    const town = new Town();
    town.deliver(OPERATOR, asked(first));
    town.deliver(OPERATOR, { kind: "withdrawn", request: first, reason: "changed" });
    town.now += 5 * 60_000;
    town.deliver(OPERATOR, asked(second));

    town.says(OPERATOR, `aprovar ${code}`);

    expect(open(town)).toHaveLength(1);
  });

  test("are told by the code each has here when somebody else decided first", () => {
    const town = new Town();
    town.deliver(OPERATOR, asked(first));
    town.deliver(OPERATOR, asked(second));
    const [other = ""] = open(town).filter((one) => one !== code);
    town.says(OPERATOR, `aprovar ${other}`);
    const decided = { kind: "withdrawn", request: second, reason: "answered" } as const;
    town.deliver(OPERATOR, { ...decided, by: "Bia", answered: ASKER, outcome: "refused" });

    expect(town.last(OPERATOR)).toContain(`O pedido ${other} já foi *recusado* por Bia`);
  });
});
