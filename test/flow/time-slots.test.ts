/** Days, times, moments and periods as answers of a flow. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { placesOf, slot } from "../../src/flow/index.ts";
import { findingsOf, programOf, smallFlow } from "./fixtures/small.ts";
import { ACCOUNT, Chat, CONTEXT } from "./fixtures/world.ts";

/** A clinic's visit, asked for on a Saturday: 2026-11-21, 10:00. */
const ast = smallFlow(
  "visit",
  {
    version: 1,
    slots: z.object({
      birth: slot.date({ from: "1900-01-01", to: "today" }),
      visit: slot.datetime({ from: "today+1d", to: "today+60d", hours: "08:00-18:00" }),
      call: slot.period({ from: "08:00", to: "18:00" }),
      alarm: slot.time({ from: "06:00", to: "09:00" }),
    }),
  },
  (f, $) => [
    f.ask("birth", { ask: "Quando nasceu?" }),
    f.ask("visit", { ask: "Que dia e hora?" }),
    f.ask("call", { ask: "Quando podemos ligar?" }),
    f.ask("alarm", { ask: "Que horas o lembrete?" }),
    f.when($.visit.below("2026-12-01"), [f.say("soon")], [f.say("later")]),
    f.end(),
  ],
);
const texts = { say: { soon: "Até já: {{visit | until}}.", later: "Vai ser {{visit}}." } };
const begun = () => new Chat(programOf(ast, texts));

describe("a question that says which days and times it takes", () => {
  test("takes what people write, and says how far it is", () => {
    const chat = begun();
    chat.says("12/3/85");
    chat.says("terça às 3 da tarde");
    chat.says("depois das 15h");
    expect(chat.says("às 7").join("\n")).toContain("Até já: em 3 dias.");
    expect(chat.facts.slots).toEqual({
      birth: "1985-03-12",
      visit: "2026-11-24T15:00",
      call: "15:00-18:00",
      alarm: "07:00",
    });
  });

  test("says in a refusal what it takes", () => {
    const chat = begun();
    expect(chat.says("12/03/2030").join()).toContain("de 01/01/1900 a 21/11/2026");
    expect(chat.says("12/03").join()).toContain("De que ano?");
    chat.says("12/03/1985");
    expect(chat.says("hoje às 15h").join()).toContain(
      "de 22/11/2026 a 20/01/2027, das 08:00 às 18:00",
    );
    expect(chat.at).toBe("visit");
  });

  test("keeps half of an answer, and reads the other half behind it", () => {
    const chat = begun();
    expect(chat.says("12/3").join()).toContain("De que ano?");
    chat.says("1985");
    expect(chat.says("terça").join()).toContain("A que horas?");
    expect(chat.says("16h").join()).toContain("Quando podemos ligar?");
    expect(chat.facts["slots"]).toEqual({ birth: "1985-03-12", visit: "2026-11-24T16:00" });
    const other = begun();
    other.says("12/03/1985");
    expect(other.says("16h").join()).toContain("De que dia?");
    other.says("terça");
    expect(other.facts["slots"]).toMatchObject({ visit: "2026-11-24T16:00" });
  });

  test("takes and proposes no moment at which the business is closed", () => {
    const open = smallFlow(
      "open",
      {
        version: 1,
        slots: z.object({ at: slot.datetime({ from: "now", hours: "account.hours" }) }),
      },
      (f) => [f.ask("at", { ask: "Quando?" }), f.end()],
    );
    const hours = { days: [1, 2, 3, 4, 5], from: "08:00", to: "18:00" };
    const chat = new Chat(programOf(open), { ...ACCOUNT, hours });
    expect(chat.says("hoje às 15h").join()).toContain("Nesse dia não abrimos");
    expect(chat.says("domingo ou segunda às 10h").join("\n")).not.toContain("22/11");
    chat.says("segunda às 10h");
    expect(chat.facts["slots"]).toEqual({ at: "2026-11-23T10:00" });
  });

  test("asks which of two readings is meant, and takes the one that is picked", () => {
    const chat = begun();
    chat.says("12/03/1985");
    expect(chat.says("dia 10 ou dia 12 às 9h").join()).toContain("Qual destes?");
    expect(chat.at).toBe("visit");
    chat.says("2");
    expect(chat.facts["slots"]).toMatchObject({ visit: "2026-12-12T09:00" });
  });

  test("can be walked by the model check", () => {
    const { places, whole } = placesOf(programOf(ast, texts), CONTEXT);
    expect(whole).toBe(true);
    expect(new Set(places.map(({ at }) => at))).toEqual(
      new Set(["birth", "visit", "call", "alarm"]),
    );
  });
});

describe("lint", () => {
  const found = (params: object) =>
    findingsOf(
      smallFlow("bad", { version: 1, slots: z.object({ day: slot.datetime(params) }) }, (f) => [
        f.ask("day", { ask: "Quando?" }),
      ]),
    ).join("\n");

  test.each([
    [{ from: "tomorrow" }, "has the parameter from, which is no moment"],
    [{ to: "31/12/2026" }, "has the parameter to, which is no day"],
    [{ hours: "8-18" }, "has the parameter hours, which is no span of hours"],
    [{ from: "2026-12-31", to: "2026-01-01" }, "takes nothing"],
    [{ from: "today+6m", to: "today+1d" }, "takes nothing"],
    [{ hours: "18:00-08:00" }, "has the parameter hours, which is no span of hours"],
    [{ form: "today" }, 'takes no "form"'],
  ])("tells that %j is no limit", (params, message) => {
    expect(found(params)).toContain(message);
  });
});
