/** What conversations make of a note's body, judged by rules that were written apart from the mapper. */
import { describe, expect, test } from "vitest";
import { library } from "../engine/town.ts";
import { judged, talk, type Talk } from "./issuing.ts";
import { type Asked, FAULTS, type Mapper, mapperWith, spoiled } from "./mapper-faults.ts";

/** Conversations in each run; `npm run fuzz:dados` has ten thousand. */
const SAMPLE = 80;
const talks: readonly Talk[] = Array.from({ length: SAMPLE }, (_, seed) => talk(seed + 1, library));

describe("A conversation that ends in a note", () => {
  test("ends in one that the layouts take and that says what the person said", () => {
    const wrong = talks.flatMap(({ problems, lines }, index) =>
      problems.map((problem) => `seed ${index + 1}: ${problem}\n${lines.join("\n")}`),
    );

    expect(wrong.slice(0, 3)).toEqual([]);
  });

  test("ends at all, however often the mapping refused", () => {
    const open = talks.flatMap(({ dados, lines }) => (dados ? [] : [lines.slice(-6).join("\n")]));

    expect(open).toEqual([]);
    expect(talks.filter(({ refusals }) => refusals > 0).length).toBeGreaterThan(SAMPLE / 10);
  });
});

const asked: readonly Asked[] = talks.flatMap(({ inputs, account, now }) =>
  inputs.map((input) => ({ input, account, now })),
);
const pool = [...asked.slice(0, 60), ...asked.slice(0, 8).flatMap(spoiled)];

/** What the checker says of the bodies that a mapper lets through. */
function found(mapper: Mapper): string[] {
  return pool.flatMap(({ input, account, now }) => {
    const { issuer, services } = mapper.termsOf(account, input);
    if (!issuer || !services) return [];
    const drawn = { now, code: "01234567", token: "Abc123Abc123", locale: "pt-BR" } as const;
    const mapped = mapper.dadosOf(input, { issuer, services }, drawn);
    const free = { ...account, policy: { ...account.policy, address: "never" as const } };
    return mapped.ok ? judged(mapped.dados, free, now).slice(0, 1) : [];
  });
}

describe("The checker of bodies", () => {
  test("has nothing to say about the mapper as it is, even without its last check", async () => {
    expect(found(await mapperWith("none"))).toEqual([]);
  });

  test.each(
    FAULTS.map((fault, index) => [`${fault.file}: ${fault.from} → ${fault.to}`, index] as const),
  )("notices %s", async (_title, index) => {
    expect(found(await mapperWith(`fault-${index}`, FAULTS[index]))).not.toEqual([]);
  });
});
