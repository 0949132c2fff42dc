/** The table of effects: what plugins add to it, and what it refuses. */
import { expect, test } from "vitest";
import { z } from "zod";
import type { RuntimeEffects } from "../../src/flow/index.ts";
import { routeOf } from "../../src/gateway/index.ts";
import type { InvoicingEffects } from "../../src/plugins/invoicing/index.ts";
import { createEffects } from "../../src/worker/effects/table.ts";
import { done, type EffectSpec, type LocalSpec } from "../../src/worker/effects/spec.ts";
import { routeEffect } from "../../src/worker/effects/route-effect.ts";
import { plugins } from "../support/plugins.ts";

const track: LocalSpec = {
  ...{ name: "parcels.track", class: "read", version: 1, input: z.object({}), result: ["place"] },
  perform: async () => done({ place: "here" }),
};
const bare = routeEffect(routeOf("message.sendText"));

test("a plugin's effects stand beside the runtime's", () => {
  const { calls, locals } = createEffects([{ name: "parcels", effects: [track] }]);
  expect(locals.get("parcels.track")).toBe(track);
  expect(locals.has("privacy.export")).toBe(true);
  expect(calls.has("message.sendText")).toBe(true);
});

test("a name that two plugins claim is refused by both names", () => {
  const two = [
    { name: "parcels", effects: [track] },
    { name: "letters", effects: [track] },
  ];
  expect(() => createEffects(two)).toThrow(
    "The effect parcels.track is defined by the plugin parcels and by the plugin letters: rename one of them",
  );
});

test("an effect of the runtime cannot be defined by a plugin", () => {
  const own = [{ name: "parcels", effects: [{ ...track, name: "privacy.export" }] }];
  expect(() => createEffects(own)).toThrow("is defined by the runtime and by the plugin parcels");
});

test("a gateway route is taken over by a call under its id, by one plugin, and by nothing else", () => {
  const led: EffectSpec = { ...bare, perform: async () => null };
  const one = { name: "parcels", effects: [led] };
  expect(createEffects([one]).calls.get("message.sendText")).toBe(led);
  expect(() => createEffects([one, { ...one, name: "letters" }])).toThrow(
    "by the plugin parcels and by the plugin letters",
  );
  const local = { ...one, effects: [{ ...track, name: "message.sendText" }] };
  expect(() => createEffects([local])).toThrow("has the name of a gateway route");
});

test("a fiscal route is no effect of its own: a plugin's effect calls it", () => {
  const { calls } = createEffects();
  expect(calls.has("invoicing.nfseEnvio")).toBe(false);
  expect(calls.has("invoicing.emitentesLista")).toBe(true);
});

type Overview<E extends { "privacy.overview": { ends: { done: object } } }> = Readonly<
  Record<keyof E["privacy.overview"]["ends"]["done"], true>
>;

test("flows read of the overview what the runtime tells, and what a plugin adds by the plugin's own type", () => {
  const own: Overview<RuntimeEffects> = {
    ...{ name: true, phone: true, messages: true },
    ...{ chatDays: true, draftDays: true, fiscalYears: true },
  };
  const added: Overview<InvoicingEffects> = { notes: true, list: true };
  const told = (...of: Parameters<typeof createEffects>) =>
    [...(createEffects(...of).locals.get("privacy.overview")?.result ?? [])].sort();
  expect(told()).toEqual(Object.keys(own).sort());
  expect(told(plugins)).toEqual(Object.keys({ ...own, ...added }).sort());
});
