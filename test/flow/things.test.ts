/** Files and places, answers that depend on others, and limits that the account sets. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Content } from "../../src/engine/index.ts";
import { meaning } from "../../src/engine/answers/meaning.ts";
import { slot } from "../../src/flow/index.ts";
import { spanMs } from "../../src/flow/ast/durations.ts";
import { programOf, smallFlow } from "./fixtures/small.ts";
import { ACCOUNT, Chat, CONTEXT } from "./fixtures/world.ts";

const HOUR = 3_600_000;

function sends(chat: Chat, content: Content): string[] {
  const meant = meaning(chat.program.expects(chat.state, CONTEXT), content, CONTEXT);
  return meant.kind === "flow" ? chat.event(meant.event) : [];
}

describe("files and places", () => {
  const ast = smallFlow(
    "damage",
    {
      version: 1,
      slots: z.object({
        photo: slot.media({ of: ["image"], maxBytes: 1_000 }),
        place: slot.location(),
      }),
    },
    (f, $) => [
      f.ask("photo", { ask: "Uma foto?" }),
      f.ask("place", { ask: "Onde foi?" }),
      f.say("map", { location: $.place }),
      f.say("paper", {
        media: { kind: "document", url: "https://example.com/a.pdf", mimetype: "application/pdf" },
      }),
      f.end(),
    ],
  );
  const begun = () => new Chat(programOf(ast, { say: { map: "Aqui.", paper: "O formulário." } }));
  const image = (bytes: number): Content => ({
    type: "media",
    media: "image",
    ref: { bytes, key: "k1" },
    caption: "a porta",
  });

  test("are answers where a slot takes them, and leave with words", () => {
    const chat = begun();
    expect(sends(chat, image(500))).toEqual(["Onde foi?"]);
    expect(chat.facts.slots).toEqual({
      photo: { media: "image", bytes: 500, key: "k1", caption: "a porta" },
    });
    sends(chat, { type: "location", latitude: -23.5, longitude: -46.6, name: "Praça" });
    expect(chat.last.say.map(({ location, media }) => location ?? media)).toEqual([
      { latitude: -23.5, longitude: -46.6, name: "Praça" },
      { kind: "document", url: "https://example.com/a.pdf", mimetype: "application/pdf" },
    ]);
  });

  test("of another sort or too large are told to be", () => {
    const chat = begun();
    const sound: Content = { type: "media", media: "audio", ref: { seconds: 3 } };
    expect(sends(chat, sound).join()).toContain("tipo de arquivo");
    expect(sends(chat, image(2_000)).join()).toContain("grande demais");
    expect(chat.at).toBe("photo");
  });

  test("a place comes before it is asked for, or as coordinates", () => {
    const chat = begun();
    expect(sends(chat, { type: "location", latitude: 1, longitude: 2 }).join()).toContain("Anotei");
    const typed = begun();
    sends(typed, image(1));
    typed.says("https://maps.example.com/?q=-23.5505,-46.6333");
    expect(typed.facts.slots).toMatchObject({ place: { latitude: -23.5505, longitude: -46.6333 } });
  });
});

describe("an answer that depends on another", () => {
  const ast = smallFlow(
    "town",
    { version: 1, slots: z.object({ city: slot.city(), cep: slot.cep(), note: slot.text() }) },
    (f, $) => [
      f.ask("city", { ask: "Cidade?" }),
      f.ask("cep", { ask: "CEP?", from: [$.city] }),
      f.ask("note", { ask: "Referência?", from: ["city"] }),
      f.handoff("done"),
    ],
  );
  const begun = () => {
    const chat = new Chat(programOf(ast));
    chat.says("São Paulo/SP");
    return chat;
  };

  test("is refused where it does not fit", () => {
    const chat = begun();
    expect(chat.says("20040-002").join()).toContain("outro estado");
    expect(chat.at).toBe("cep");
  });

  test("is kept while it fits, asked again when it does not, and when nobody can tell", () => {
    const chat = begun();
    for (const text of ["01310-100", "perto da praça"]) chat.says(text);
    const correct = (values: object) => chat.event({ type: "CORRECT", values: values as never });
    correct({ city: { code: "3548500", name: "Santos", uf: "SP" } });
    expect(chat.at).toBe("note");
    chat.says("na praia");
    correct({ city: { code: "3304557", name: "Rio de Janeiro", uf: "RJ" } });
    expect(chat.at).toBe("cep");
  });
});

describe("limits that the account sets", () => {
  const ast = smallFlow(
    "limits",
    {
      version: 1,
      max: "account.policy.tries",
      quiet: { nudge: "account.policy.nudge", expire: "2bh" },
      slots: z.object({ value: slot.money() }),
    },
    (f) => [f.ask("value", { ask: "Valor?" })],
  );
  const begun = (policy: object, more: object = {}) =>
    new Chat(programOf(ast), { ...ACCOUNT, ...more, policy });
  const lost = (chat: Chat) => {
    let tries = 0;
    do tries++;
    while (
      chat.event({ type: "BAD", reason: "invalid" }) &&
      !chat.last.demands.some(({ type }) => type === "handoff")
    );
    return tries;
  };

  test("count tries and time as it says, and as always where it says nothing", () => {
    expect(lost(begun({ tries: 5 }))).toBe(5);
    expect(lost(begun({}))).toBe(3);
    const quiet = (chat: Chat) => chat.last.demands.find(({ type }) => type === "quiet");
    expect(quiet(begun({ nudge: "5m" }))).toMatchObject({ nudgeMs: 300_000 });
    expect(quiet(begun({ nudge: "soon" }))).toMatchObject({ nudgeMs: 900_000 });
  });

  test("count business hours in the account's zone, wherever the day of a note begins", () => {
    const hours = { days: [0, 1, 2, 3, 4, 5, 6], from: "09:00", to: "18:00" };
    const account = { ...ACCOUNT, hours, zone: "America/Sao_Paulo" };
    // 10:00 in São Paulo is 08:00 in Rio Branco, where the business would not have opened yet.
    const { demands } = programOf(ast).start(
      { input: {}, account, contact: { role: "customer" } },
      { ...CONTEXT, zone: "America/Rio_Branco" },
    );
    expect(demands).toContainEqual(expect.objectContaining({ expireMs: 2 * HOUR }));
  });

  test("count business hours over a night and a weekend", () => {
    // 2026-11-21 10:00 in São Paulo is a Saturday.
    const week = { days: [1, 2, 3, 4, 5], from: "09:00", to: "18:00" };
    expect(spanMs("2bh", week, CONTEXT)).toBe((14 + 24 + 9 + 2) * HOUR);
    const daily = { days: [0, 1, 2, 3, 4, 5, 6], from: "09:00", to: "18:00" };
    expect(spanMs("2bh", daily, CONTEXT)).toBe(2 * HOUR);
    expect(spanMs("10bh", daily, CONTEXT)).toBe(25 * HOUR);
    expect(spanMs("2bh", undefined, CONTEXT)).toBe(2 * HOUR);
    expect(spanMs("1bd", undefined, CONTEXT)).toBe(24 * HOUR);
    expect(spanMs("1bd", daily, CONTEXT)).toBe(24 * HOUR);
    expect(spanMs("1bd", week, CONTEXT)).toBe((14 + 24 + 9 + 24) * HOUR);
    expect(spanMs("1bd", { days: [], from: "09:00", to: "18:00" }, CONTEXT)).toBe(30 * 24 * HOUR);
    expect(spanMs("2bh", { days: [], from: "09:00", to: "18:00" }, CONTEXT)).toBe(30 * 24 * HOUR);
    expect(spanMs("soon", week, CONTEXT)).toBeNull();
  });
});
