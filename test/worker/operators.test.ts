/** Who is one of the business's people: remembered, but never so that somebody who has just become one is nobody. */
import { afterEach, expect, test } from "vitest";
import { Roles } from "../../src/worker/operators.ts";
import { OPERATOR, OTHER, rig, type Rig } from "./rig.ts";

let it: Rig;
afterEach(() => it.close());

test("an operator whom another process met is known at once to one that asked in vain before", async () => {
  it = await rig();
  const roles = new Roles(it.store, () => 0);
  const somebody = await it.contact(OTHER);
  // Asked in vain: nobody of that alias has written.
  expect(await roles.of(it.account, somebody, false)).toEqual({ role: "customer" });

  // Another process makes the contact; no time passes.
  const operator = await it.contact(OPERATOR);

  const known = { role: "operator", alias: `phone:${OPERATOR}` };
  expect(await roles.of(it.account, operator, true)).toEqual(known);
  // From now on without asking anew.
  expect(await roles.of(it.account, operator, false)).toEqual(known);
});

test("an operator stays one for a worker that looked in vain before another one met them", async () => {
  it = await rig();
  const other = it.again();
  await it.says(OTHER, "oi");
  await other.drain();
  await it.says(OPERATOR, "oi");
  await it.worker.drain();

  await it.says(OPERATOR, "oi de novo");
  await other.drain();

  const view = await it.store.views.session("demo", await it.contact(OPERATOR));
  expect(view).toMatchObject({ rev: 2, session: { role: "operator" } });
});

test("an operator who was erased and writes again is the operator, not a customer", async () => {
  it = await rig();
  let now = 0;
  const roles = new Roles(it.store, () => now);
  const before = await it.contact(OPERATOR);
  const known = { role: "operator", alias: `phone:${OPERATOR}` };
  expect(await roles.of(it.account, before, false)).toEqual(known);

  await it.store.contacts.erase("demo", before);
  now += 1_000;
  const after = await it.contact(OPERATOR);

  expect(after).not.toBe(before);
  expect(await roles.of(it.account, after, true)).toEqual(known);
});
