/** The places of a conversation: named so that a write by the clock moves none, halved the same way each day, none skipped. */
import { describe, expect, test } from "vitest";
import { attemptsOf, halfOf, isDeathAt, named, placesOf, planOf, scarce, Toll } from "./places.ts";

const QUESTION = [
  "mail.accept:before",
  "mail.accept:after",
  "mail.commit:after",
  "effects.end:before",
];
const NOTE = [
  ...([
    "mail.accept:after",
    "documents.put:before invoices",
    "documents.put:after invoices",
  ] as const),
  ...([
    "documents.put:before invoices",
    "documents.put:after invoices",
    "effects.end:before",
  ] as const),
];
const CALM = [named(QUESTION), named(NOTE)];
const ALL = placesOf([CALM, CALM]);

describe("a place", () => {
  test("is named by its step, its collection and its number in the scene, and dies there", () => {
    expect(named(NOTE)[3]).toBe("documents.put:before invoices #2");
    expect(planOf("documents.put:before invoices #2")).toEqual({
      ...{ point: "documents.put:before", of: "invoices", nth: 2 },
    });
    expect(planOf("mail.commit:after #1")).toEqual({ point: "mail.commit:after", nth: 1 });
  });

  test("keeps its name when a write by the clock comes between", () => {
    const busy = named([
      ...QUESTION.slice(0, 2),
      "documents.put:before workers",
      ...QUESTION.slice(2),
    ]);
    expect(busy.filter((name) => !CALM[0]?.includes(name))).toEqual([
      "documents.put:before workers #1",
    ]);
  });

  test("is demanded when every calm conversation had it, and does not come by the clock", () => {
    const [first] = placesOf([
      [[...named(QUESTION), "effects.renew:after #1", "documents.put:after workers #1"]],
      [
        [
          ...named(QUESTION),
          "effects.renew:after #1",
          "documents.put:after workers #1",
          "mail.claim:after #1",
        ],
      ],
    ]);
    expect(first?.filter(({ always }) => always).map(({ name }) => name)).toEqual(named(QUESTION));
    expect(first).toHaveLength(QUESTION.length + 3);
  });

  test("is in one half, the same one whatever else there is", () => {
    const halves = ([0, 1] as const).map((half) =>
      halfOf(ALL, half).flatMap((scene, at) => scene.map(({ name }) => `${at} ${name}`)),
    );
    const whole = ALL.flatMap((scene, at) => scene.map(({ name }) => `${at} ${name}`));
    expect(halves.flat().sort()).toEqual([...whole].sort());
    const more = placesOf([[["effects.renew:after #1", ...named(QUESTION)], named(NOTE)]]);
    const also = halfOf(more, 0).flatMap((scene, at) => scene.map(({ name }) => `${at} ${name}`));
    expect(also.filter((one) => !one.includes("renew"))).toEqual(halves[0]);
  });
});

describe("calm conversations", () => {
  const judged = (calm: readonly (readonly (readonly string[])[])[], least = 10) =>
    scarce(calm, placesOf(calm), least);

  test("are enough when each told its writes, whatever came by the clock beside", () => {
    expect(judged([CALM, CALM, CALM])).toEqual([]);
    const clock = Array.from({ length: 9 }, (_, nth) => `effects.renew:after #${nth + 1}`);
    expect(judged([CALM, CALM, [[...(CALM[0] ?? []), ...clock], ...CALM.slice(1)]])).toEqual([]);
  });

  test("are enough when one had a hiccup, however much it wrote", () => {
    const more = Array.from({ length: 9 }, (_, nth) => `mail.accept:after #${nth + 9}`);
    expect(judged([CALM, CALM, [[...(CALM[0] ?? []), ...more], ...CALM.slice(1)]])).toEqual([]);
  });

  test("are not when one told less than the others, when all told nothing, when there is little to die at", () => {
    expect(judged([CALM, CALM, [CALM[0] ?? [], []]], 1)).toEqual([
      "calm conversation 3 told 4 of 10 writes",
    ]);
    expect(judged([[], [], []])).toEqual(["only 0 places, 10 at least"]);
    expect(
      judged([
        [[], []],
        [[], []],
      ]),
    ).toEqual(["only 0 places, 10 at least"]);
    expect(judged([CALM, CALM, CALM], 11)).toEqual(["only 10 places, 11 at least"]);
  });
});

test("a death is one at a place when its process says so", () => {
  const place = "documents.put:before invoices #2";
  expect(isDeathAt({ point: "documents.put:before" }, place)).toBe(true);
  for (const point of ["documents.put:after", "outside", "random", "mail.accept:before"])
    expect(isDeathAt({ point }, place)).toBe(false);
});

describe("the toll", () => {
  test("is content once there was a death at every place", () => {
    const toll = new Toll(ALL);
    for (const attempt of attemptsOf(ALL)) expect(toll.note(attempt, attempt.at)).toBeUndefined();
    expect(toll.missed).toEqual([]);
    expect(toll.counts).toEqual({ chosen: 10, died: 10 });
  });

  test("has a place that was passed alive tried again, and then names it", () => {
    const toll = new Toll(ALL);
    const [, second, ...others] = attemptsOf(ALL);
    if (!second) throw new Error("no second attempt");
    for (const attempt of [...attemptsOf(ALL).slice(0, 1), ...others])
      toll.note(attempt, attempt.at);
    // Its process dies in the first scene, and in the second one where it was not to.
    const again = toll.note(second, [second.at[0], undefined]);
    expect(again?.at).toEqual([undefined, "documents.put:before invoices #1"]);
    let left = again;
    for (let tries = 0; left && tries < 9; tries++) left = toll.note(left, [undefined, undefined]);
    expect(left).toBeUndefined();
    expect(toll.missed).toEqual(["documents.put:before invoices #1 of scene 2"]);
    expect(toll.counts).toEqual({ chosen: 10, died: 9 });
  });
});
