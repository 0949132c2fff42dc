import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addDays,
  latinText,
  fold,
  formatBrl,
  formatCnpj,
  formatCpf,
  formatPhone,
  isCnpj,
  isCpf,
} from "../../src/brazil/index.ts";
import { modulo11 } from "../../src/brazil/document.ts";
import {
  type TextContext,
  dayEcho,
  freeText,
  monthEcho,
  pickOption,
  plainOf,
  splitStreet,
  tidy,
} from "../../src/understanding/index.ts";
import { KINDS, personOrCompany, understand, type Understood } from "../support/understand.ts";
import { plain } from "../../src/understanding/plain.ts";
import { brlInWords } from "./brl-in-words.ts";

const TODAY = "2026-11-21";
const context: TextContext = {
  now: Date.parse(`${TODAY}T12:00:00-03:00`),
  zone: "America/Sao_Paulo",
};

/** R$ 9.999.999,99: beyond it a bare number may be something else and is only proposed. */
const cents = fc.integer({ min: 1, max: 999_999_999 });
const cpf = fc.stringMatching(/^\d{9}$/).map((body) => {
  const first = modulo11(body, 11);
  return `${body}${first}${modulo11(`${body}${first}`, 11)}`;
});
const cnpj = fc.stringMatching(/^[0-9A-Z]{12}$/).map((body) => {
  const first = modulo11(body, 9);
  return `${body}${first}${modulo11(`${body}${first}`, 9)}`;
});
const day = fc.integer({ min: 0, max: 9_000 }).map((back) => addDays(TODAY, -back));

function value(got: Understood): unknown {
  return got.ok ? got.value : got;
}

describe("what is written by the rules is read back", () => {
  test("money: with sign, with decimals, in English order, in words", () => {
    fc.assert(
      fc.property(cents, (amount) => {
        const [whole = "", part = ""] = formatBrl(amount).slice(3).split(",");
        const forms = [
          formatBrl(amount),
          `${whole},${part}`,
          `${whole.replaceAll(".", "")},${part}`,
          `${whole.replaceAll(".", ",")}.${part}`,
          `${whole},${part} reais`,
          brlInWords(amount),
          `${formatBrl(amount)} (${brlInWords(amount)})`,
        ];
        // "vinte e cinco centavos" alone can also be 20,05: proposed, never taken.
        for (const form of forms)
          if (!(amount < 100 && form.includes("centavo")))
            expect(value(understand("money", form, context)), form).toBe(amount);
      }),
    );
  });

  test("documents: with and without marks, in either case", () => {
    fc.assert(
      fc.property(cpf.filter(isCpf), cnpj.filter(isCnpj), (person, company) => {
        for (const form of [person, formatCpf(person), `cpf ${formatCpf(person)}`]) {
          expect(value(understand("cpf", form, context)), form).toBe(person);
          expect(value(understand("document", form, context)), form).toBe(person);
        }
        for (const form of [company, formatCnpj(company), company.toLowerCase()]) {
          expect(value(understand("cnpj", form, context)), form).toBe(company);
          expect(value(understand("document", form, context)), form).toBe(company);
        }
      }),
    );
  });

  test("days and months", () => {
    fc.assert(
      fc.property(day, (one) => {
        fc.pre(one >= "2003-01-01");
        expect(value(understand("date", one, context))).toBe(one);
        expect(value(understand("date", dayEcho(one, context), context))).toBe(one);
        const month = one.slice(0, 7);
        expect(value(understand("month", monthEcho(month, context), context))).toBe(month);
        expect(value(understand("month", one, context))).toBe(month);
      }),
    );
  });

  test("phones", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^9[1-9]\d{7}$/), (local) => {
        const number = `5511${local}`;
        expect(value(understand("phone", formatPhone(number), context))).toBe(number);
      }),
    );
  });
});

describe("what is wrong is never taken", () => {
  test("a CPF or CNPJ with one wrong digit is refused, and what is proposed is valid", () => {
    fc.assert(
      fc.property(
        fc.oneof(cpf.filter(isCpf), cnpj.filter(isCnpj)),
        fc.nat(),
        fc.integer({ min: 1, max: 9 }),
        (good, at, shift) => {
          const place = good.length - 2 + (at % 2);
          const wrong =
            good.slice(0, place) +
            String((Number(good[place]) + shift) % 10) +
            good.slice(place + 1);
          fc.pre(!isCpf(wrong) && !isCnpj(wrong));
          const got = understand("document", wrong, context);
          expect(got.ok).toBe(false);
          if (got.ok) return;
          const proposed = (got.options ?? []).filter((option) => !option.kind);
          expect(
            proposed.filter(({ value: v }) => typeof v !== "string" || !(isCpf(v) || isCnpj(v))),
          ).toEqual([]);
        },
      ),
    );
  });

  test("money is a positive whole number of cents, a date never lies ahead", () => {
    const piece = fc.constantFrom(
      ..."1 5 12 150 1.500 2,50 1.5 0 mil cem duzentos e reais centavos R$ - + x , . cada ou hoje ontem dia 5 05/11 31/12 2026 2027 segunda passada outubro novembro %".split(
        " ",
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join(" ");
        const amount = understand("money", text, context);
        if (amount.ok)
          expect(Number.isSafeInteger(amount.value) && amount.value > 0, text).toBe(true);
        const when = understand("date", text, context);
        if (when.ok) expect(when.value <= TODAY, text).toBe(true);
        const month = understand("month", text, context);
        if (month.ok) expect(month.value <= TODAY.slice(0, 7), text).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe("any text at all", () => {
  const options = [
    { id: "a", label: "Corte de cabelo" },
    { id: "b", label: "Barba" },
  ];
  const unicode = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.string({ unit: "grapheme", maxLength: 100 }),
    fc.string({ maxLength: 300 }),
  );

  test("throws nowhere, and every answer is plain data with an echo", () => {
    fc.assert(
      fc.property(unicode, (text) => {
        for (const kind of KINDS) {
          const got = understand(kind, text, context);
          expect(JSON.parse(JSON.stringify(got))).toEqual(got);
          expect(got.kind).toBe(kind);
          if (got.ok) expect(got.echo).not.toBe("");
        }
        personOrCompany(text);
        freeText(text);
        splitStreet(text);
        pickOption(text, options);
      }),
    );
  });

  test("the comparable form keeps every place, so that what is found can be cut from the original", () => {
    fc.assert(
      fc.property(unicode, (text) => {
        const tidied = tidy(text);
        expect(plain(tidied)).toHaveLength(tidied.length);
        expect(tidy(tidied)).toBe(tidied);
      }),
    );
  });

  /** In processor time: what the work takes when nothing disturbs it. */
  function ms(work: () => void): number {
    const from = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(from);
    return (user + system) / 1_000;
  }

  /** Below this a measure is noise. */
  const FLOOR_MS = 0.1;
  /** Eight times the text: linear work takes 8 times as long, quadratic 64. */
  const TIMES = 8;
  const MOST = 40;

  /** Runs of the long text at most: a busy machine can make one measure look bad, quadratic work makes all of them bad. */
  const TRIES = 30;
  /** Runs of the short text, of which the shortest counts. */
  const SHORT_RUNS = 5;

  /** How many times as long the long text takes as the short one. The shortest runs count, and a good one is enough. */
  function grows(work: (text: string) => void, unit: string, long: number): number {
    // Between two letters, so that no trim at an end can make the stretch disappear at once.
    const text = (size: number): string =>
      `a${unit.repeat(Math.ceil(size / unit.length)).slice(0, size - 2)}a`;
    const [short, full] = [text(long / TIMES), text(long)];
    const time = (given: string): number => {
      // The text that was folded last is remembered: each run is to do its own work.
      work("a");
      return ms(() => work(given));
    };
    let [base, whole, ratio] = [Infinity, Infinity, Infinity];
    for (let tried = 0; tried < TRIES && ratio >= MOST; tried += 1) {
      base = Math.min(base, ...Array.from({ length: SHORT_RUNS }, () => time(short)));
      whole = Math.min(whole, time(full));
      ratio = whole / Math.max(FLOOR_MS, base);
    }
    return ratio;
  }

  const HOSTILE = [
    "1",
    "1.",
    "1 ",
    "a",
    "e ",
    "- ",
    " ",
    "dia 5 ",
    "pra a ",
    "R$",
    "cpf ",
    "@",
    "a@a.",
    "mil e ",
    "(",
    ".,",
    "não ",
    "1/",
    "11 98765",
    "O0",
    "de ",
    "Á",
    "s/n ",
    "\u0301",
    "👍",
  ];

  test.each(HOSTILE)("the time for 50 kB of %j grows no faster than the text", (unit) => {
    for (const work of [tidy, plainOf, fold, latinText, personOrCompany, freeText, splitStreet])
      expect(grows(work, unit, 50_000), work.name).toBeLessThan(MOST);
    expect(grows((text) => void pickOption(text, options), unit, 50_000)).toBeLessThan(MOST);
    for (const kind of KINDS)
      expect(
        grows((text) => void understand(kind, text, context), unit, 50_000),
        kind,
      ).toBeLessThan(MOST);
  });

  test.each(HOSTILE)("so does the time for the longest answer that is read, of %j", (unit) => {
    for (const kind of KINDS)
      expect(
        grows((text) => void understand(kind, text, context), unit, 2_000),
        kind,
      ).toBeLessThan(MOST);
  });
});
