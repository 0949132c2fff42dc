/** What a company's own numbers may look like in a chat. */
import { describe, expect, test } from "vitest";
import { registrationKind } from "../../src/flow/kinds/kinds-registration.ts";

const context = { locale: "pt-BR", params: {} } as unknown as Parameters<
  typeof registrationKind.read
>[1];
const read = (text: string) => registrationKind.read(text, context);

describe("a registration at a town or state", () => {
  test.each([
    ["98.765-4", "98.765-4"],
    ["é 110.042.490.114", "110.042.490.114"],
    ["inscrição municipal 123456-7.", "123456-7"],
    ["p-01100424.3/002", "P-01100424.3/002"],
    ["Isento", "ISENTO"],
    ["exempt", "ISENTO"],
  ])("is found in “%s”", (text, value) => {
    expect(read(text)).toMatchObject({ ok: true, value });
  });

  test.each(["não", "não tem", "a empresa é presente", "..."])("is not in “%s”", (text) => {
    expect(read(text)).toMatchObject({ ok: false, reason: "absent" });
  });

  test("is taken from a postal code only by who says it once more", () => {
    const own = [{ value: "01310-100", echo: "01310-100" }];
    expect(read("01310-100")).toMatchObject({ ok: false, hint: "cep", options: own });
    // Of no state.
    expect(read("00000-100")).toMatchObject({ ok: true });
  });

  test("of more than 30 characters is refused by its length", () => {
    expect(read("1".repeat(31))).toMatchObject({ ok: false, hint: "too-long" });
    expect(read("1".repeat(30))).toMatchObject({ ok: true });
  });
});
