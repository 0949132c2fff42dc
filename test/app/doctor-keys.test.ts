/** What doctor says of `PROSA_KEYS`: which entry is needed, which may go, which is missing. */
import { expect, test } from "vitest";
import { keysFinding } from "../../src/app/operator/doctor.ts";

type Entry = Parameters<typeof keysFinding>[0]["entries"][number];
const entry = (name: string, keys: number, more: Partial<Entry> = {}): Entry => ({
  ...{ entry: name, keys, given: true, inUse: false },
  ...more,
});
const of = (damaged: number, ...entries: Entry[]) =>
  keysFinding({ active: "new", entries, damaged, rewrapped: 0 });
const found = (...entries: Entry[]) => of(0, ...entries);

test("one entry is told with how much it wraps", () => {
  const said = found(entry("new", 12, { inUse: true }));

  expect(said).toEqual({ what: "keys", ok: true, found: "12 data keys are wrapped by new" });
});

test("an older entry that wraps something is still needed, and doctor says what wraps the rest anew", () => {
  const said = found(entry("new", 12), entry("old", 3));

  expect(said).toMatchObject({ ok: true });
  expect(said.found).toContain("still needed: 3 by old (prosa keys rewrap");
});

test("an older entry that a running process may still wrap with is needed too", () => {
  expect(found(entry("new", 12), entry("old", 0, { inUse: true })).found).toContain(
    "still needed: 0 by old",
  );
});

test("an older entry that wraps nothing may be taken out and destroyed", () => {
  expect(found(entry("new", 12), entry("old", 0)).found).toContain(
    "old wraps nothing: take it out of PROSA_KEYS",
  );
});

test("an entry that wraps something and is not given is a fault, with what to do", () => {
  const said = found(entry("new", 12), entry("lost", 2, { given: false }));

  expect(said).toMatchObject({ ok: false });
  expect(said.found).toContain("2 by lost");
  expect(said.fix).toContain("put the named entries back");
});

test("keys that open under none of the entries are a fault, and no entry is said to be free then", () => {
  const said = of(2, entry("new", 12), entry("old", 0));

  expect(said).toMatchObject({ ok: false });
  expect(said.found).toContain("2 data keys open under none of the entries");
  expect(said.found).not.toContain("destroy");
  expect(said.fix).toContain("bytes of each entry");
});
