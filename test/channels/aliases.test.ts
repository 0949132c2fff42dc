import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aliases, numberFor, phoneForms, readJid } from "../../src/channels/index.ts";

describe("aliases of a person", () => {
  test("a Brazilian mobile has one set of aliases, with or without its ninth digit", () => {
    const both = ["phone:5511987650001", "phone:551187650001"];
    expect(aliases({ address: "x", phone: "5511987650001" }, "engine-b")).toEqual(both);
    expect(aliases({ address: "x", phone: "551187650001" }, "engine-b")).toEqual(both);
  });

  test("both forms of any phone lead to the same set", () => {
    const national = fc.stringMatching(/^[1-9]{2}9?\d{8}$/);
    fc.assert(
      fc.property(national, (digits) => {
        const forms = phoneForms(`55${digits}`);
        for (const form of forms) expect(phoneForms(form)).toEqual(forms);
        expect(forms).toContain(`55${digits}`);
      }),
    );
  });

  test("a landline is not the mobile that ends alike, and foreign numbers have one form", () => {
    expect(phoneForms("551133334444")).toEqual(["551133334444"]);
    expect(phoneForms("5511933334444")).toEqual(["5511933334444"]);
    expect(phoneForms("351912345678")).toEqual(["351912345678"]);
  });

  test("a linked id is an alias of its own and never a phone", () => {
    expect(aliases({ address: "98765432101234@lid", lid: "98765432101234" }, "engine-b")).toEqual([
      "lid:98765432101234",
    ]);
  });

  test("what a send call takes as number keeps a linked id whole", () => {
    expect(numberFor("5511987650001:12@s.whatsapp.net")).toBe("5511987650001");
    expect(numberFor("5511987650001@c.us")).toBe("5511987650001");
    expect(numberFor("98765432101234:3@lid")).toBe("98765432101234@lid");
    expect(readJid("120363000000000001@g.us")?.kind).toBe("group");
    expect(readJid("no address")).toBeUndefined();
  });
});
