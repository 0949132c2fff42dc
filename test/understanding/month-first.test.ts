/** "11/05/2026" is a day in May to a Brazilian, and one in November to many who write English. */
import { expect, test } from "vitest";
import { understand } from "../support/understand.ts";

const NOW = Date.UTC(2026, 10, 21, 15);
const read = (text: string, locale: "pt-BR" | "en") =>
  understand("month", text, { now: NOW, zone: "America/Sao_Paulo", locale });

test("a day that reads as two months is asked about in English, whichever they are", () => {
  for (let day = 1; day <= 11; day++)
    for (let month = 1; month <= 11; month++) {
      const text = `${String(day).padStart(2, "0")}/${String(month).padStart(2, "0")}/2026`;
      const meant = read(text, "en");
      const [one, other] = [month, day].map((number) => `2026-${String(number).padStart(2, "0")}`);
      if (day === month) expect(meant, text).toMatchObject({ ok: true, value: one });
      else {
        const options = [{ value: one }, { value: other }];
        expect(meant, text).toMatchObject({ ok: false, reason: "ambiguous", options });
      }
      expect(read(text, "pt-BR"), text).toMatchObject({ ok: true, value: one });
    }
});

test("one that reads one way only is taken", () => {
  expect(read("25/10/2026", "en")).toMatchObject({ ok: true, value: "2026-10" });
  expect(read("10/2026", "en")).toMatchObject({ ok: true, value: "2026-10" });
  // December is not over yet: the other reading stands.
  expect(read("12/05/2026", "en")).toMatchObject({ ok: true, value: "2026-05" });
  expect(read("2026-11-05", "en")).toMatchObject({ ok: true, value: "2026-11" });
});
