/** Something happens outside: it meets the step that waits for it, now or a little later, and no other. */
import { z } from "zod";
import { describe, expect, test } from "vitest";
import { slot, type FlowLibrary } from "../../../src/flow/index.ts";
import { programOf, smallFlow } from "../../flow/fixtures/small.ts";
import { withFlow } from "../../flows/digression.ts";
import { account, CUSTOMER, library, Town } from "../town.ts";

const ast = smallFlow(
  "pick-up",
  { version: 1, audience: "anyone", slots: z.object({ order: slot.text() }) },
  (f, $) => [
    f.ask("order"),
    f.wait("parcel.ready", {
      id: "parcel",
      where: (it) => it["order"]!.is($.order),
      within: "account.parcel.within",
      on: {
        got: (it) => [f.say("ready", { with: { shelf: it["shelf"]! } })],
        late: [f.say("late")],
      },
      repair: { cancel: "off" },
    }),
    f.say("bye"),
    f.end(),
  ],
);
const program = programOf(ast, {
  start: ["buscar pedido"],
  ask: { order: "Qual pedido?" },
  say: { ready: "Chegou! Prateleira {{shelf}}.", late: "Ainda não chegou.", bye: "Até logo." },
});

const town = (): Town => new Town(withFlow(library as FlowLibrary, program), account);
const arrives = (at: Town, order: string, shelf = "B2") =>
  at.deliver(CUSTOMER, { kind: "event", name: "parcel.ready", data: { order, shelf } });

describe("an event from outside", () => {
  test("is taken by the step that waits for this very one", () => {
    const chat = town();
    chat.talks(CUSTOMER, ["buscar pedido", "A17"]);
    expect(chat.step(CUSTOMER)).toBe("pick-up.parcel");
    arrives(chat, "B99");
    expect(chat.step(CUSTOMER)).toBe("pick-up.parcel");
    arrives(chat, "A17");
    expect(chat.last(CUSTOMER)).toContain("Prateleira B2");
    expect(chat.step(CUSTOMER)).toBe("");
  });

  test("that comes before anybody waits is kept for a day", () => {
    const chat = town();
    chat.says(CUSTOMER, "buscar pedido");
    arrives(chat, "A17", "C3");
    chat.says(CUSTOMER, "A17");
    expect(chat.last(CUSTOMER)).toContain("Prateleira C3");

    const slow = town();
    slow.says(CUSTOMER, "buscar pedido");
    arrives(slow, "A17");
    slow.now += 25 * 3_600_000;
    slow.deliver(CUSTOMER, slow.message(CUSTOMER, { type: "text", text: "A17" }));
    slow.after(1_100);
    expect(slow.last(CUSTOMER)).not.toContain("Prateleira");
  });

  test("is never kept without bound", () => {
    const chat = town();
    chat.says(CUSTOMER, "oi");
    for (let index = 0; index < 50; index++) arrives(chat, `X${index}`);
    expect(chat.sessions.get(CUSTOMER)?.events).toHaveLength(20);
    expect(chat.sessions.get(CUSTOMER)?.events?.at(-1)?.data).toEqual({
      order: "X49",
      shelf: "B2",
    });
  });

  test("may be refused a cancel while it is waited for", () => {
    const chat = town();
    chat.talks(CUSTOMER, ["buscar pedido", "A17"]);
    expect(chat.says(CUSTOMER, "cancelar").join()).toContain("Agora isso não dá");
    expect(chat.step(CUSTOMER)).toBe("pick-up.parcel");
  });
});
