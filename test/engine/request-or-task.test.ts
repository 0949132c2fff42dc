/** What a person of the business writes while a customer's request waits may be a task of their own. */
import { describe, expect, test } from "vitest";
import { Dice } from "../support/dice.ts";
import { library, OPERATOR, Town } from "./town.ts";

const PHRASES = library
  .list()
  .filter(({ audience }) => audience !== "customer")
  .flatMap(({ starts }) => starts);
/** A few of the hundreds, and those that hold a yes or a no. */
const SAMPLE = [
  ...new Dice(7).shuffled(PHRASES).slice(0, 60),
  ...["emitir nota", "emite nota", "a nota saiu errada", "a nota veio errada"],
];

function waiting(count: number): Town {
  const town = new Town();
  for (let index = 0; index < count; index++)
    town.deliver(OPERATOR, {
      kind: "request",
      ...{ request: `r${index}`, code: `Y${index + 4}`, flow: "approve-invoice", input: {} },
      from: { contact: "c3".padEnd(32, "0"), name: "Ana" },
      waiter: { frame: "f1", step: "approval", for: "x", epoch: `1.${index}` },
      within: 86_400_000,
    });
  return town;
}

/** Requests that wait, and the one that is being looked at with what is asked of it. */
function left(town: Town): string[] {
  const session = town.sessions.get(OPERATOR);
  const codes = [...(session?.requests ?? []), ...(session?.frames ?? [])].flatMap(
    ({ caller }) => caller?.code ?? [],
  );
  return town.step(OPERATOR) === "approve-invoice.reason" ? ["reason asked"] : codes.sort();
}

describe("a phrase that begins a flow", () => {
  // "Emitir" is also a yes, and "errada" a no.
  test("begins it, and decides on no request that waits or is looked at", () => {
    for (const phrase of SAMPLE) {
      expect(PHRASES).toContain(phrase);
      const idle = waiting(1);
      idle.says(OPERATOR, phrase);
      expect(left(idle), phrase).toEqual(["Y4"]);
      const looking = waiting(1);
      looking.talks(OPERATOR, ["Y4", phrase]);
      expect(left(looking), phrase).toEqual(["Y4"]);
    }
  });

  test("begins with polite words in front of it, too, and waits for no row of a list", () => {
    const town = waiting(2);
    expect(town.says(OPERATOR, "quero emitir nota").at(-1)).toContain("Qual serviço?");
    town.says(OPERATOR, "1");
    expect(left(town)).toEqual(["Y4", "Y5"]);
    expect(town.step(OPERATOR)).toBe("issue-invoice.document");
  });

  test("is the reason of a refusal where that is asked", () => {
    const town = waiting(1);
    town.talks(OPERATOR, ["recusar", "a nota saiu errada"]);
    expect(left(town)).toEqual([]);
  });

  test("leaves what agrees to a request as it was", () => {
    for (const yes of ["pode emitir", "emitir", "pode emitir essa nota", "sim", "aprovar"]) {
      const town = waiting(1);
      town.says(OPERATOR, yes);
      expect(left(town), yes).toEqual([]);
    }
  });
});
