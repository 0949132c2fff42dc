/** What was written before something was shown decides nothing of it: it is shown again. */
import { describe, expect, test } from "vitest";
import type { Content } from "../../../src/engine/index.ts";
import { at, atSummary, BEFORE, hears, HOUR, SORRY } from "../late.ts";
import { CUSTOMER, OPERATOR, SECOND, TO_SUMMARY, Town } from "../town.ts";

function asked(...contacts: readonly string[]): Town {
  const town = new Town();
  for (const contact of contacts) town.talks(contact, [...TO_SUMMARY, "EMITIR"]);
  return town;
}

function codes(town: Town): readonly string[] {
  return town.open.map(({ caller }) => caller.code);
}

describe("EMITIR", () => {
  test.each([8 * HOUR, 10 * 60_000, 2 * 60_000 + 5_000])(
    "that was written %d ms before the summary was shown is no yes: it is shown again",
    (age) => {
      const town = atSummary();
      const said = hears(town, CUSTOMER, at(town, CUSTOMER, town.now - age, "EMITIR"));
      expect(said).toHaveLength(1);
      expect(said[0]).toContain(BEFORE);
      expect(said[0]).toContain("R$ 150,00");
      expect(said[0]?.includes(SORRY)).toBe(age >= HOUR);
      expect(town.step(CUSTOMER)).toBe("request-invoice.summary");
      town.says(CUSTOMER, "EMITIR");
      expect(town.step(CUSTOMER)).toBe("request-invoice.approval");
    },
  );

  test("by a button or a vote is held to the same", () => {
    for (const via of ["button", "poll", "list"] as const) {
      const town = atSummary();
      const press: Content = { type: "choice", via, picks: [{ label: "EMITIR" }] };
      hears(town, CUSTOMER, at(town, CUSTOMER, town.now - 8 * HOUR, press));
      expect(town.step(CUSTOMER)).toBe("request-invoice.summary");
    }
  });

  test("of the business's own note, and a yes to erase everything, are held to the same", () => {
    const whole = "nota de 150 pra Maria Souza cpf 529.982.247-25 corte de cabelo hoje";
    for (const [who, wish, yes] of [
      [OPERATOR, whole, "EMITIR"],
      [CUSTOMER, "apagar meus dados", "sim"],
    ] as const) {
      const town = new Town();
      town.says(who, wish);
      const said = hears(town, who, at(town, who, town.now - 8 * HOUR, yes));
      expect(said.join()).toContain(BEFORE);
      expect(town.calls).toHaveLength(0);
      town.says(who, yes);
      expect(town.calls).toHaveLength(1);
    }
  });

  test("that was shown before and waited on its way counts, also where the summary was said once more", () => {
    const town = atSummary();
    const shown = town.now;
    town.after(3 * HOUR);
    town.says(CUSTOMER, "como assim?");
    hears(town, CUSTOMER, at(town, CUSTOMER, shown + 20_000, "EMITIR"));
    expect(town.step(CUSTOMER)).toBe("request-invoice.approval");
  });

  test("counts for what it was written to, not for what was changed since", () => {
    const town = atSummary();
    const shown = town.now;
    town.after(10 * 60_000);
    town.says(CUSTOMER, "na verdade o valor é 1500");
    hears(town, CUSTOMER, at(town, CUSTOMER, shown + 20_000, "EMITIR"));
    expect(town.step(CUSTOMER)).toBe("request-invoice.summary");
  });

  test("of a clock that is a little behind, or ahead, counts", () => {
    for (const skew of [-50_000, 0, 8 * HOUR]) {
      const town = atSummary();
      hears(town, CUSTOMER, at(town, CUSTOMER, town.now + skew, "EMITIR"));
      expect(town.step(CUSTOMER)).toBe("request-invoice.approval");
    }
  });

  test("of a clock that is hours behind counts the second time, and a backlog of two does not", () => {
    const town = new Town();
    const late = (text: string) =>
      hears(town, CUSTOMER, at(town, CUSTOMER, town.now - 3 * HOUR, text));
    for (const text of [...TO_SUMMARY, "EMITIR"]) late(text);
    expect(town.step(CUSTOMER)).toBe("request-invoice.summary");
    town.after(20_000);
    late("EMITIR");
    expect(town.step(CUSTOMER)).toBe("request-invoice.approval");

    const other = atSummary();
    const written = other.now - 3 * HOUR;
    const two = [written, written + 20_000].map((when) => at(other, CUSTOMER, when, "EMITIR"));
    hears(other, CUSTOMER, ...two);
    expect(other.step(CUSTOMER)).toBe("request-invoice.summary");
    hears(other, CUSTOMER, at(other, CUSTOMER, written + 60_000, "EMITIR"));
    expect(other.step(CUSTOMER)).toBe("request-invoice.summary");
  });

  test.each([0, 4_000, 20_000])(
    "twice, written before the conversation and replayed at the pace of a clock, %d ms apart, counts never",
    (apart) => {
      for (const [who, wish, yes] of [
        [CUSTOMER, TO_SUMMARY, "EMITIR"],
        [CUSTOMER, ["apagar meus dados"], "sim"],
        [
          OPERATOR,
          ["nota de 150 pra Maria Souza cpf 529.982.247-25 corte de cabelo hoje"],
          "EMITIR",
        ],
      ] as const) {
        const town = new Town();
        town.talks(who, wish);
        const written = town.now - 8 * HOUR;
        const step = town.step(who);
        for (const passed of [0, apart, 2 * apart]) {
          hears(town, who, at(town, who, written + passed, yes));
          town.after(apart);
        }
        expect(town.step(who)).toBe(step);
        expect(town.calls).toHaveLength(0);
      }
    },
  );

  test("by SMS, whose time may be in a zone nobody names, counts as it comes", () => {
    const town = atSummary();
    const mail = at(town, CUSTOMER, town.now - 3 * HOUR, "EMITIR");
    hears(town, CUSTOMER, { ...mail, channel: "sms" });
    expect(town.step(CUSTOMER)).toBe("request-invoice.approval");
  });
});

describe("an approval that was written before the request was shown", () => {
  test.each(["aprovar", "pode emitir", "1", "recusar", "recusar, não é minha cliente"])(
    "decides nothing, by a word: %s",
    (words) => {
      const town = asked(CUSTOMER);
      const [said = ""] = hears(town, OPERATOR, at(town, OPERATOR, town.now - 8 * HOUR, words));
      expect(said).toContain(BEFORE);
      expect(said).toContain(codes(town)[0]);
      expect(town.step(CUSTOMER)).toBe("request-invoice.approval");
      expect(town.calls).toHaveLength(0);
      town.says(OPERATOR, "aprovar");
      expect(town.calls).toHaveLength(1);
    },
  );

  test("decides nothing, by its code, a button or a vote", () => {
    for (const say of [
      (code: string): string | Content => `aprovar ${code}`,
      ...(["button", "poll"] as const).map((via) => (code: string): Content => {
        return { type: "choice", via, picks: [{ label: `Aprovar \u00b7 ${code}` }] };
      }),
    ]) {
      const town = asked(CUSTOMER, SECOND);
      const said = say(codes(town)[1] ?? "");
      hears(town, OPERATOR, at(town, OPERATOR, town.now - 8 * HOUR, said));
      expect(town.calls).toHaveLength(0);
    }
  });

  test("decides by a reply to the very message that showed it", () => {
    const town = asked(CUSTOMER);
    const shown = town.sent.get(OPERATOR)?.at(-1) ?? "";
    hears(town, OPERATOR, at(town, OPERATOR, town.now - 8 * HOUR, "aprovar", shown));
    expect(town.calls).toHaveLength(1);
  });

  test("picks no row of a list that was shown since", () => {
    const town = asked(CUSTOMER, SECOND);
    town.says(OPERATOR, "aprovar");
    hears(town, OPERATOR, at(town, OPERATOR, town.now - 8 * HOUR, "2"));
    expect(town.calls).toHaveLength(0);
    town.says(OPERATOR, "2");
    expect(town.calls).toHaveLength(1);
  });
});
