/** A document that is said where something else is asked: with letters in it or not, it is a document. */
import { describe, expect, test } from "vitest";
import { documentType } from "../../src/brazil/index.ts";
import type { Mail } from "../../src/engine/index.ts";
import { Dice } from "../support/dice.ts";
import { CUSTOMER, library, account, OPERATOR, TO_SUMMARY, Town } from "./town.ts";

const DIGITS = [..."0123456789"];
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** A valid one of letters and digits, of digits, or of a person. */
function drawn(dice: Dice): string {
  const kind = dice.pick(["letters", "company", "person"] as const);
  const any = () =>
    kind === "letters" && dice.chance(0.4) ? dice.pick(LETTERS) : dice.pick(DIGITS);
  for (;;) {
    const base = Array.from({ length: kind === "person" ? 9 : 12 }, any).join("");
    for (let check = 0; check < 100; check++) {
      const bare = base + String(check).padStart(2, "0");
      if (documentType(bare)) return bare;
    }
  }
}

function dotted(bare: string): string {
  const groups = bare.length === 11 ? [3, 3, 3, 2] : [2, 3, 3, 4, 2];
  const marks = bare.length === 11 ? [".", ".", "-", ""] : [".", ".", "/", "-", ""];
  let at = 0;
  return groups.map((size, index) => bare.slice(at, (at += size)) + (marks[index] ?? "")).join("");
}

/** `#` stands for the number. */
const SAYINGS = ["#", "é #", "na verdade é #", "não, é #", "# por favor", "o certo é #", "it's #"];
/** Answers before the question at which it is said, counted from "oi". */
const QUESTIONS = { name: 4, value: 5, description: 6, competence: 7, summary: 8 } as const;

describe("a document said where something else is asked", () => {
  test("is who receives the note, whatever letters are in it, and nothing else of it", () => {
    const dice = new Dice(2026);
    for (let run = 0; run < 90; run++) {
      const bare = drawn(dice);
      const [asked, count] = dice.pick(Object.entries(QUESTIONS));
      const form = dice.pick([dotted(bare), bare, dotted(bare).toLowerCase()]);
      // Eleven digits without a mark may be a phone number or a sum.
      if (/^\d{11}$/.test(form)) continue;
      const said = dice.pick(SAYINGS).replace("#", form);
      const policy = { ...account.policy, address: "never" as const };
      const town = new Town(library, { ...account, policy });
      town.talks(CUSTOMER, TO_SUMMARY.slice(0, count));
      const before = answers(town);

      const bubbles = town.says(CUSTOMER, said).join("\n");

      const what = `${said} at ${asked}`;
      expect(answers(town), what).toEqual({ ...before, document: bare });
      expect(bubbles.replace(/\W/g, "").toUpperCase(), what).not.toContain(bare);
    }
  });

  // "B4" might be a code, the "N" behind it a no, and the last one has a "SIM" and a "NAO".
  test("names no request, and agrees to none, by the letters in it", () => {
    for (const number of ["B4.W4J.6N4/797N-30", "S9.8N6.0SX/X712-92", withWords()]) {
      expect(documentType(number.replace(/\W/g, ""))).toBe("cnpj");
      const town = new Town();
      expect(town.says(OPERATOR, `cnpj ${number}`).at(-1), number).toContain("Qual serviço?");
      for (const saying of ["#", "cnpj #", "# por favor"]) {
        const busy = new Town();
        busy.deliver(OPERATOR, request("B4"));
        busy.says(OPERATOR, saying.replace("#", number));
        expect(busy.step(OPERATOR), number).toBe("");
        expect(busy.sessions.get(OPERATOR)?.requests, number).toHaveLength(1);
      }
    }
  });
});

/** A company's number with a yes and a no in it. */
function withWords(): string {
  const checks = Array.from({ length: 100 }, (_, index) => String(index).padStart(2, "0"));
  const check = checks.find((one) => documentType(`12SIM345NAO1${one}`));
  return `12.SIM.345/NAO1-${check ?? ""}`;
}

function request(code: string): Mail {
  return {
    kind: "request",
    ...{ request: "r1", code, flow: "approve-invoice", input: {} },
    from: { contact: "c3".padEnd(32, "0"), name: "Ana" },
    waiter: { frame: "f1", step: "approval", for: "x", epoch: "1.1" },
    within: 86_400_000,
  };
}

function answers(town: Town): Record<string, unknown> {
  const frame = town.sessions.get(CUSTOMER)?.frames.at(-1);
  const program = frame && town.library.get(frame.flow, frame.hash);
  if (!frame || !program?.answers) throw new Error("no flow in progress");
  return program.answers(frame.state);
}
