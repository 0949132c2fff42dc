/** What a person of the business writes while a customer's request waits may be a task of their own. */
import { describe, expect, test } from "vitest";
import type { Content } from "../../src/engine/index.ts";
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
  for (let index = 0; index < count; index++) ask(town, index);
  return town;
}

function ask(town: Town, index: number): void {
  town.deliver(OPERATOR, {
    kind: "request",
    ...{ request: `r${index}`, code: `Y${index + 4}`, flow: "approve-invoice", input: {} },
    from: { contact: "c3".padEnd(32, "0"), name: "Ana" },
    waiter: { frame: "f1", step: "approval", for: "x", epoch: `1.${index}` },
    within: 86_400_000,
  });
}

/** Requests that wait, and the one that is being looked at with what is asked of it. */
function left(town: Town): string[] {
  const codes = town.open.map(({ caller }) => caller.code);
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

/** A row of the menu that was shown before the request came, and is over; `of`: whether the press tells the bubble it stood in. */
function pressedLate(label: string, at: "idle" | "looking", of: boolean, kept = true): Town {
  const town = new Town();
  town.says(OPERATOR, "oi");
  const menu = town.sent.get(OPERATOR)?.at(-1) ?? "";
  town.says(OPERATOR, "cancelar");
  ask(town, 0);
  if (at === "looking") town.says(OPERATOR, "Y4");
  const session = town.sessions.get(OPERATOR);
  if (!kept && session) delete session.shown;
  const picks = [{ label }];
  const press: Content = { type: "choice", via: "list", picks, ...(of ? { of: menu } : {}) };
  town.deliver(OPERATOR, town.message(OPERATOR, press));
  return town;
}

describe("a row of an older menu", () => {
  // Older sessions do not know which messages showed what.
  test.each([
    ["while a request waits", "idle", false, true],
    ["while a request waits, with its bubble", "idle", true, true],
    ["while one waits of which no bubble is known", "idle", true, false],
    ["while a request is looked at", "looking", false, true],
    ["while a request is looked at, with its bubble", "looking", true, true],
  ] as const)("begins its task and decides on nothing, %s", (_, at, of, kept) => {
    const town = pressedLate("Emitir nota", at, of, kept);

    expect(left(town)).toEqual(["Y4"]);
    expect(town.calls).toHaveLength(0);
    expect(town.last(OPERATOR)).toContain("Qual serviço?");
  });

  test("never decides, whatever it is called", () => {
    const town = new Town();
    const rows = town
      .says(OPERATOR, "oi")
      .join("\n")
      .matchAll(/^\d+\. (.+)$/gm);
    const labels = [...rows].map(([, label = ""]) => label);
    expect(labels.length).toBeGreaterThan(5);
    for (const label of labels)
      for (const at of ["idle", "looking"] as const)
        expect(left(pressedLate(label, at, false)), `${label} ${at}`).toEqual(["Y4"]);
  });
});
