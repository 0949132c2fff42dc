/** What a session makes of a timer that fails: it stands aside until its letter is released, or its step is left. */
import { describe, expect, test } from "vitest";
import {
  type FailingTimer,
  nextDue,
  putTimerOff,
  type Session,
  setTimerAside,
} from "../../../src/engine/index.ts";
import { CUSTOMER, OPERATOR, SECOND, TO_SUMMARY, Town } from "../town.ts";

const HOUR = 3_600_000;
const TO_DESCRIPTION = ["oi", "1", "1", "529.982.247-25", "Maria Souza", "150"] as const;

type Failing = FailingTimer & { readonly mail: { readonly kind: "timer" } };

function sessionOf(town: Town, contact = CUSTOMER): Session {
  const session = town.sessions.get(contact);
  if (!session) throw new Error("nobody wrote");
  return session;
}

/** As the worker does it: the failing timer is set aside in the session that is stored. */
function fails(town: Town, contact = CUSTOMER): Failing {
  const failing = setTimerAside(sessionOf(town, contact), town.now);
  if (failing?.mail.kind !== "timer") throw new Error("no timer is due");
  town.sessions.set(contact, JSON.parse(JSON.stringify(failing.session)) as Session);
  return { ...failing, mail: failing.mail };
}

const names = (of: { timers: Session["timers"] } | undefined): string[] =>
  (of?.timers ?? []).map(({ name }) => name);
const top = (town: Town) => sessionOf(town).frames.at(-1);
const aside = (town: Town): string[] => (top(town)?.aside ?? []).map(({ name }) => name);

function asked(): Town {
  const town = new Town();
  town.talks(CUSTOMER, TO_DESCRIPTION.slice(0, 4));
  const nudge = top(town)?.timers.find(({ name }) => name === "quiet.nudge");
  town.now = nudge?.due ?? 0;
  return town;
}

describe("a timer that is set aside", () => {
  test("is not due any more, the others are, and the session is one revision on", () => {
    const town = asked();
    const before = sessionOf(town);
    const text = JSON.stringify(before);

    const failing = fails(town);

    expect(JSON.stringify(before)).toBe(text);
    expect(failing.session.rev).toBe(before.rev + 1);
    expect([names(top(town)), aside(town)]).toEqual([["quiet.expire"], ["quiet.nudge"]]);
    expect(failing.due).toBe(top(town)?.timers[0]?.due);
    expect(failing.due).toBe(nextDue(sessionOf(town)));
    const { id, flow } = top(town) ?? {};
    expect(failing.mail).toMatchObject({ kind: "timer", name: "quiet.nudge", frame: id, flow });
    expect(failing.event).toBe(`timer:${id}.quiet.nudge:${failing.mail.gen}`);
    expect(setTimerAside(sessionOf(town), town.now)).toBeNull();
  });

  test("is not wound again by the notice, and says nothing by itself", () => {
    const town = asked();
    fails(town);
    town.now = top(town)?.timers[0]?.due ?? 0;
    fails(town);
    expect([names(top(town)), aside(town)]).toEqual([[], ["quiet.nudge", "quiet.expire"]]);
    const bubbles = town.said.get(CUSTOMER)?.length ?? 0;

    town.deliver(CUSTOMER, { kind: "parked", event: "timer:x", reason: "x", unasked: true });
    expect(town.said.get(CUSTOMER)).toHaveLength(bubbles + 1);
    expect([names(top(town)), aside(town)]).toEqual([[], ["quiet.nudge", "quiet.expire"]]);
    town.deliver(CUSTOMER, { kind: "tick", due: town.now });
    expect(town.journal.at(-1)).toMatchObject({ quiet: "stale", timers: [] });
  });

  test("fires when it is released, once", () => {
    const town = asked();
    const { mail } = fails(town);
    const bubbles = town.said.get(CUSTOMER)?.length ?? 0;
    town.now += HOUR / 2;

    town.deliver(CUSTOMER, mail);
    expect(town.said.get(CUSTOMER)).toHaveLength(bubbles + 1);
    expect(town.journal.at(-1)).toMatchObject({ mail: { kind: "timer" }, lateMs: HOUR / 2 });
    expect(aside(town)).toEqual([]);
    town.deliver(CUSTOMER, mail);
    expect(town.said.get(CUSTOMER)).toHaveLength(bubbles + 1);
    expect(town.journal.at(-1)?.quiet).toBe("stale");
  });

  test("gives way to a new one of its name: what is released then is another one's", () => {
    const town = asked();
    const { mail } = fails(town);

    town.says(CUSTOMER, "Maria Souza");
    expect(names(top(town))).toContain("quiet.nudge");
    expect(aside(town)).toEqual([]);
    const bubbles = town.said.get(CUSTOMER)?.length ?? 0;
    town.deliver(CUSTOMER, mail);
    expect(town.said.get(CUSTOMER)).toHaveLength(bubbles);
    expect(names(top(town))).toContain("quiet.nudge");
  });

  test("of a step goes with its step", () => {
    const town = new Town();
    town.talks(CUSTOMER, TO_SUMMARY);
    town.says(CUSTOMER, "EMITIR");
    const late = top(town)?.timers.find(({ name }) => name.endsWith(".late"));
    town.now = late?.due ?? 0;
    while (!aside(town).some((name) => name.endsWith(".late"))) fails(town);

    const waits = town.step(CUSTOMER);

    town.says(OPERATOR, "aprovar");
    expect([top(town)?.flow, town.step(CUSTOMER) === waits]).toEqual(["request-invoice", false]);
    expect(aside(town).filter((name) => name.endsWith(".late"))).toEqual([]);
  });

  test("of the session goes with what it was for", () => {
    const town = new Town();
    town.talks(CUSTOMER, TO_DESCRIPTION);
    town.deliver(CUSTOMER, { kind: "operator", action: "take", actor: "Ana" });
    town.now = sessionOf(town).timers.find(({ name }) => name === "handoff.end")?.due ?? 0;
    let failing = fails(town);
    while (failing.mail.name !== "handoff.end") failing = fails(town);
    expect(sessionOf(town).aside?.map(({ name }) => name)).toEqual(["handoff.end"]);
    expect(failing.mail.frame).toBeUndefined();

    town.deliver(CUSTOMER, { kind: "operator", action: "return", actor: "Ana" });
    expect(sessionOf(town).aside).toBeUndefined();
    expect(sessionOf(town).handoff).toBeUndefined();
  });
});

describe("a burst whose turn fails", () => {
  function waiting(): { town: Town; failing: Failing } {
    const town = new Town();
    town.talks(CUSTOMER, TO_DESCRIPTION);
    town.deliver(CUSTOMER, town.message(CUSTOMER, { type: "text", text: "corte de cabelo" }));
    expect(names(sessionOf(town))).toContain("burst");
    town.now += 1_100;
    return { town, failing: fails(town) };
  }
  const description = (town: Town): unknown =>
    (top(town)?.state["facts"] as { slots: Record<string, unknown> }).slots["description"];

  test("goes with its letter, so that the next message does not meet it again", () => {
    const { town, failing } = waiting();
    expect(sessionOf(town).burst).toBeUndefined();
    expect(sessionOf(town).aside).toBeUndefined();
    expect(failing.mail.burst?.texts).toEqual(["corte de cabelo"]);

    town.says(CUSTOMER, "manicure");
    expect(description(town)).toBe("Manicure");
  });

  test("is the answer after all when it is released and the question still rests", () => {
    const { town, failing } = waiting();
    town.deliver(CUSTOMER, failing.mail);
    expect(description(town)).toBe("Corte de cabelo");
    // What was said stands in no journal twice.
    expect(JSON.stringify(town.journal.at(-1)?.mail)).not.toMatch(/corte/i);
  });

  test("decides nothing when another question rests by then", () => {
    const { town, failing } = waiting();
    town.says(CUSTOMER, "manicure");
    const step = town.step(CUSTOMER);
    town.deliver(CUSTOMER, failing.mail);
    expect([town.step(CUSTOMER), description(town)]).toEqual([step, "Manicure"]);
  });
});

describe("a timer that was set aside by a contact that proved to be another one", () => {
  test("fires in the session that goes on", () => {
    const town = asked();
    const { mail } = fails(town);
    const session = JSON.parse(JSON.stringify(sessionOf(town))) as never;
    town.says(SECOND, "bom dia");
    town.deliver(SECOND, { kind: "joined", from: CUSTOMER, session });
    const bubbles = town.said.get(SECOND)?.length ?? 0;
    const before = sessionOf(town, SECOND).frames.flatMap((frame) => frame.aside ?? []);
    expect(before.map(({ name }) => name)).toEqual(["quiet.nudge"]);

    town.deliver(SECOND, { ...mail, via: CUSTOMER });
    expect(sessionOf(town, SECOND).frames.flatMap((frame) => frame.aside ?? [])).toEqual([]);
    expect(town.said.get(SECOND)?.length ?? 0).toBe(bubbles + 1);
  });
});

describe("of several timers that are due", () => {
  test("one that is put off is due then, and the rest as before", () => {
    const town = asked();
    const session = sessionOf(town);
    const later = putTimerOff(session, town.now, town.now + 60_000);
    expect(later?.due).toBe(town.now + 60_000);
    expect(later?.session.rev).toBe(session.rev + 1);
    const frame = later?.session.frames.at(-1);
    expect(names(frame)).toEqual(names(top(town)));
    expect(frame?.aside).toBeUndefined();
    expect(putTimerOff(session, town.now - 1, town.now)).toBeNull();
  });
});

test("an operator's timers are set aside like anybody's", () => {
  const town = new Town();
  town.says(OPERATOR, "oi");
  const due = nextDue(sessionOf(town, OPERATOR));
  if (due === null) throw new Error("the operator was asked nothing");
  town.now = due;
  expect(fails(town, OPERATOR).mail.due).toBe(due);
});
