import { describe, expect, test } from "vitest";
import type { Content } from "../../../src/engine/index.ts";
import { CUSTOMER, Town } from "../town.ts";

const picture = (more: Partial<Extract<Content, { type: "media" }>> = {}): Content => ({
  type: "media",
  media: "image",
  ref: { key: "k" },
  ...more,
});

/** Answers that a customer got to each of these messages. */
function answersTo(town: Town, ...contents: readonly Content[]): number {
  const before = count(town);
  for (const content of contents) town.deliver(CUSTOMER, town.message(CUSTOMER, content));
  return count(town) - before;
}

function count(town: Town): number {
  return (town.said.get(CUSTOMER) ?? []).length;
}

describe("pictures that were sent together", () => {
  test("are answered once, however many an album holds and however slowly it comes", () => {
    const town = new Town();
    expect(answersTo(town, picture({ album: "A" }))).toBe(1);
    for (let sent = 0; sent < 4; sent++) {
      town.after(20_000);
      expect(answersTo(town, picture({ album: "A" }), picture({ album: "A" }))).toBe(0);
    }
    town.after(20_000);
    expect(answersTo(town, picture({ album: "B" }))).toBe(1);
  });

  test("without an album are those that follow each other within seconds", () => {
    const town = new Town();
    expect(answersTo(town, picture(), picture(), picture({ media: "video" }))).toBe(1);
    town.after(60_000);
    expect(answersTo(town, picture())).toBe(1);
  });

  test("count as no stream of messages", () => {
    const town = new Town();
    answersTo(town, ...Array.from({ length: 60 }, () => picture({ album: "A" })));
    town.after(60_000);
    town.says(CUSTOMER, "oi");
    expect(town.sessions.get(CUSTOMER)?.flood?.until).toBeUndefined();
  });

  test("leave the words under one of them heard", () => {
    const town = new Town();
    answersTo(town, picture({ album: "A" }));
    const words = picture({ album: "A", caption: "preciso da nota" });
    town.deliver(CUSTOMER, town.message(CUSTOMER, words));
    expect(town.sessions.get(CUSTOMER)?.frames.at(-1)?.flow).not.toBe("menu");
  });

  test("are those of a first picture, when it comes in a second size", () => {
    const town = new Town();
    const mail = town.message(CUSTOMER, picture());
    const id = "messageId" in mail.event ? mail.event.messageId : "";
    const before = count(town);
    town.deliver(CUSTOMER, mail);
    town.after(30_000);
    town.deliver(CUSTOMER, town.message(CUSTOMER, picture({ album: id })));
    expect(count(town) - before).toBe(1);
  });

  test("are not taken for those of another message of another sort", () => {
    const town = new Town();
    expect(answersTo(town, picture({ media: "audio" }), picture({ media: "audio" }))).toBe(2);
  });
});

describe("words under a picture or a file that ask for something", () => {
  test.each([
    ["oi, preciso da nota", "request-invoice"],
    ["me manda a segunda via da nota 12", "look-up-note"],
  ])("begin it, before the menu and at it: %s", (caption, flow) => {
    for (const before of [[], ["oi"]]) {
      const town = new Town();
      town.talks(CUSTOMER, before);
      const file = picture({ media: "document", caption });
      town.deliver(CUSTOMER, town.message(CUSTOMER, file));
      expect(town.sessions.get(CUSTOMER)?.frames.map((frame) => frame.flow)).toContain(flow);
    }
  });

  test("end everything, also at a question, where they wish to hear no more", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["preciso da nota"]);
    const caption = "não quero mais receber mensagens";
    town.deliver(CUSTOMER, town.message(CUSTOMER, picture({ caption })));
    expect(town.sessions.get(CUSTOMER)?.optOut).toBeDefined();
  });

  test("leave the picture told of where they ask for nothing", () => {
    const town = new Town();
    town.deliver(CUSTOMER, town.message(CUSTOMER, picture({ caption: "olha que lindo" })));
    expect((town.said.get(CUSTOMER) ?? []).join()).toContain("Recebi a imagem");
  });
});
