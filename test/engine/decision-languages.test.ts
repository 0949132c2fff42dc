/** A request is decided in the words of either language, whichever the operator is spoken to in. */
import { describe, expect, test } from "vitest";
import { OPERATOR, Town } from "./town.ts";

const REFUSED = [
  ...["não aprovo #", "recusar #", "recusado", "# não", "não autorizo, valor errado", "negado #"],
  ...[
    "don't approve #",
    "not approved",
    "nope",
    "no #",
    "reject #",
    "can't approve #, wrong value",
  ],
  ...["refuse", "do not issue it", "# declined"],
] as const;
const APPROVED = [
  ...["aprovar #", "# aprovado", "aprovo o pedido #", "approve #", "# approved", "approved"],
] as const;

/** What became of the only request, answered in words of which `#` is its code. */
function answered(english: boolean, text: string): string {
  const town = new Town();
  if (english) town.talks(OPERATOR, ["speak english", "cancel"]);
  town.deliver(OPERATOR, {
    kind: "request",
    ...{ request: "r1", code: "N3", flow: "approve-invoice", input: {} },
    from: { contact: "c3".padEnd(32, "0"), name: "Ana" },
    waiter: { frame: "f1", step: "approval", for: "x", epoch: "1.1" },
    within: 86_400_000,
  });
  town.says(OPERATOR, text.replace("#", "n3"));
  if (town.step(OPERATOR) === "approve-invoice.reason") town.says(OPERATOR, "pular");
  return /(?:aprovado|approved)\./.test(town.last(OPERATOR))
    ? "approved"
    : /(?:recusado|refused)\./.test(town.last(OPERATOR))
      ? "refused"
      : town.last(OPERATOR);
}

describe.each([
  ["Portuguese", false],
  ["English", true],
])("an operator spoken to in %s", (_language, english) => {
  test.each(REFUSED)("refuses by %j", (text) => {
    expect(answered(english, text)).toBe("refused");
  });

  test.each(APPROVED)("approves by %j", (text) => {
    expect(answered(english, text)).toBe("approved");
  });
});
