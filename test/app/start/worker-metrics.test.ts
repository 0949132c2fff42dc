/** Numbers of the store on the metrics page: asked when the page is read. */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { deadGauges } from "../../../src/app/start/metrics.ts";
import { openStore } from "../../../src/store/index.ts";
import { withSteps } from "../../../src/store/port/with-steps.ts";

const KEYS = `test:${Buffer.alloc(32, 7).toString("base64")}`;

test("the metrics page tells how many dead letters wait and how old the oldest is, also while the store is away", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "prosa-metrics-"));
  const store = await openStore({ dataDir: folder, keys: KEYS, limits: { mailbox: 1 } });
  const registry = new Registry();
  let isAway = false;
  const asked = <T>(answer: () => Promise<T>) =>
    isAway ? Promise.reject(new Error("the store is away")) : answer();
  deadGauges(
    registry,
    withSteps(store, {
      "views.backlog": () => asked(() => store.views.backlog()),
      "deadLetters.list": (options) => asked(() => store.deadLetters.list(options)),
      now: async () => (await store.now()) + 90_000,
    }),
  );
  const read = async () =>
    [...(await registry.metrics()).matchAll(/^prosa_dead\S* (\S+)$/gm)].map(([, value]) =>
      Math.round(Number(value)),
    );
  expect(await read()).toEqual([0, 0]);
  const contact = await store.contacts.identify("demo", ["phone:5511987650001"]);
  for (const event of ["a", "b", "c"])
    await store.mail.accept([{ account: "demo", contact, event, mail: { kind: "tick", due: 0 } }]);

  expect(await read()).toEqual([2, 90]);
  isAway = true;
  expect(await read()).toEqual([2, 90]);
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});
