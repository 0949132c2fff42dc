/** A bubble that failed for good: what the flow that said it may do, and what happens where it says nothing. */
import { describe, expect, test } from "vitest";
import type { Library, Mail } from "../../src/engine/index.ts";
import { type Ast, type FlowSource, createLibrary, parseCatalogue } from "../../src/flow/index.ts";
import { flow, slot, z } from "../../src/index.ts";
import { CUSTOMER, library as shipped, Town } from "./town.ts";

const TEXTS = `locale: pt-BR
title: Visita
start: [visita]
say: { bye: "Até lá.", plainly: "Só em texto:" }
ask: { name: "Seu nome?", day: "Que dia?" }
`;
const OPTIONS = { version: 1, title: "Visita", audience: "anyone" } as const;
const slots = z.object({ name: slot.name(), day: slot.text() });

const silent: Ast = flow("visit", { ...OPTIONS, slots }, (f) => [
  ...[f.ask("name"), f.ask("day"), f.say("bye")],
  f.end(),
]);
const speaking: Ast = flow(
  "visit",
  { ...OPTIONS, slots, onSendFailed: (f) => [f.say("plainly")] },
  (f) => [f.ask("name"), f.ask("day"), f.say("bye"), f.end()],
);
const calling: Ast = flow(
  "visit",
  { ...OPTIONS, slots, onSendFailed: (f) => [f.handoff("undelivered")] },
  (f) => [f.ask("name"), f.ask("day"), f.say("bye"), f.end()],
);
const booking: Ast = flow(
  "visit",
  {
    ...{ ...OPTIONS, slots },
    onSendFailed: (f) => [
      f.call("note.down" as never, { id: "noted", rejected: [], failed: [] } as never),
      f.end("cancelled"),
    ],
  },
  (f) => [f.ask("name"), f.ask("day"), f.say("bye"), f.end()],
);

function townOf(ast: Ast): Town {
  const parsed = parseCatalogue(TEXTS, "texts.pt-BR.yaml");
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings));
  const texts: FlowSource["texts"] = { "pt-BR": parsed.catalogue };
  const effects = [
    { name: "note.down", class: "replace", input: [{ name: "name" }] },
  ] as never as Parameters<typeof createLibrary>[0]["effects"];
  const own = createLibrary({ flows: [{ ast, texts }], older: [], common: {}, effects });
  const library: Library = {
    ...own,
    word: (key, vars, context) => shipped.word(key, vars, context),
  };
  return new Town(library);
}

/** The bubble the town said last, as the worker tells that it failed. */
function lastFailed(town: Town): Mail {
  const sends = town.journal.flatMap((record) => record.effects).filter((e) => e.type === "send");
  const last = sends.at(-1);
  if (last?.type !== "send") throw new Error("nothing was said");
  return {
    kind: "send-failed",
    effect: last.id,
    reason: "failed:status_422",
    ...(last.frame === undefined ? {} : { frame: last.frame }),
  };
}

describe("a reply that could not be delivered", () => {
  test("is the flow's to answer: its own words leave, and the question again behind them", () => {
    const town = townOf(speaking);
    town.talks(CUSTOMER, ["visita", "Ana Lima"]);
    const said = town.said.get(CUSTOMER)?.length ?? 0;
    town.deliver(CUSTOMER, lastFailed(town));

    const since = town.said.get(CUSTOMER)?.slice(said) ?? [];
    expect(since).toHaveLength(1);
    expect(since[0]).toContain("Só em texto:\n\nQue dia?");
    expect(town.step(CUSTOMER)).toBe("visit.day");
    // The question stands again: what comes now is its answer.
    town.says(CUSTOMER, "sexta");
    expect(town.last(CUSTOMER)).toContain("Até lá.");
  });

  test("is told to the flow once until the person writes again, so that two failures make no circle", () => {
    const town = townOf(speaking);
    town.talks(CUSTOMER, ["visita", "Ana Lima"]);
    town.deliver(CUSTOMER, lastFailed(town));
    const said = town.said.get(CUSTOMER)?.length ?? 0;
    town.deliver(CUSTOMER, lastFailed(town));
    town.deliver(CUSTOMER, lastFailed(town));

    expect(town.said.get(CUSTOMER)).toHaveLength(said);
    expect(town.journal.at(-1)?.quiet).toBe("send-failed");
    // As without a word of the flow: the next message meets the question, and the one after it is an answer.
    expect(town.says(CUSTOMER, "oi?").at(-1)).toContain("Que dia?");
    town.says(CUSTOMER, "sexta");
    expect(town.last(CUSTOMER)).toContain("Até lá.");
  });

  test("is told again after the person wrote", () => {
    const town = townOf(speaking);
    town.talks(CUSTOMER, ["visita"]);
    town.deliver(CUSTOMER, lastFailed(town));
    town.says(CUSTOMER, "Ana Lima");
    town.deliver(CUSTOMER, lastFailed(town));

    expect(town.last(CUSTOMER)).toContain("Só em texto:\n\nQue dia?");
  });

  test("may call a person of the business", () => {
    const town = townOf(calling);
    town.talks(CUSTOMER, ["visita", "Ana Lima"]);
    town.deliver(CUSTOMER, lastFailed(town));

    expect(town.sessions.get(CUSTOMER)?.handoff?.reason).toBe("undelivered");
  });

  test("may ask for an effect, with what is known filled in, and end the flow", () => {
    const town = townOf(booking);
    town.talks(CUSTOMER, ["visita", "Ana Lima"]);
    town.deliver(CUSTOMER, lastFailed(town));

    expect(town.calls.at(-1)?.effect).toMatchObject({
      name: "note.down",
      input: { name: "Ana Lima" },
    });
    town.answers("done", {});
    expect(town.sessions.get(CUSTOMER)?.frames).toEqual([]);
  });

  test("of a flow that is over is nobody's to answer", () => {
    const town = townOf(speaking);
    town.talks(CUSTOMER, ["visita", "Ana Lima", "sexta"]);
    const failed = lastFailed(town);
    town.says(CUSTOMER, "visita");
    const said = town.said.get(CUSTOMER)?.length ?? 0;
    town.deliver(CUSTOMER, failed);

    expect(town.said.get(CUSTOMER)).toHaveLength(said);
  });

  test("while a person has the conversation changes nothing in the flow", () => {
    const town = townOf(speaking);
    town.talks(CUSTOMER, ["visita", "Ana Lima"]);
    const failed = lastFailed(town);
    town.says(CUSTOMER, "atendente");
    const said = town.said.get(CUSTOMER)?.length ?? 0;
    town.deliver(CUSTOMER, failed);

    expect(town.said.get(CUSTOMER)).toHaveLength(said);
    expect(town.sessions.get(CUSTOMER)?.handoff?.reason).toBe("asked");
  });

  test("goes as it always did where the flow says nothing of it", () => {
    const town = townOf(silent);
    town.talks(CUSTOMER, ["visita", "Ana Lima"]);
    const said = town.said.get(CUSTOMER)?.length ?? 0;
    town.deliver(CUSTOMER, lastFailed(town));

    expect(town.said.get(CUSTOMER)).toHaveLength(said);
    expect(town.sessions.get(CUSTOMER)?.unsaid).toBe(true);
    expect(town.says(CUSTOMER, "oi?").at(-1)).toContain("Que dia?");
  });
});
