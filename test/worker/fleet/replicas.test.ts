/** Where replicas are required, nothing that must not be made twice leaves before they have what says that it was begun. */
import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { until } from "../../sandbox/stage.ts";
import { startRedis } from "../../support/redis.ts";
import { bubble, CUSTOMER, issue, rig, textOf } from "../rig.ts";
import { withSteps } from "../../../src/store/port/with-steps.ts";

test("a note whose key and bytes no replica confirmed is not sent, waits with an alarm, and is sent once when they are back", async () => {
  const args = ["--repl-diskless-sync-delay", "0", "--min-replicas-to-write", "1"];
  const primary = await startRedis({ args });
  const replica = await startRedis({ args: ["--replicaof", "127.0.0.1", String(primary.port)] });
  const redis = new Redis(primary.url);
  await until(async () => /state=online/.test(await redis.info("replication")) || undefined);
  const it = await rig({ redisUrl: primary.url });
  try {
    // The replica stops in the very moment between the first step and the freeze.
    let frozen = 0;
    const store = withSteps(it.store, (method) =>
      method === "effects.amend"
        ? async (input: Parameters<typeof it.store.effects.amend>[0]) => {
            frozen += 1;
            if (frozen === 1) replica.process?.kill("SIGSTOP");
            return it.store.effects.amend(input);
          }
        : undefined,
    );
    const worker = it.again({ store });
    await it.asks(CUSTOMER, issue(), bubble(CUSTOMER, "um momento"));
    await worker.start();
    const alarm = await until(() => it.events.find((event) => event.type === "alarm"));
    expect(alarm).toMatchObject({ code: "replicas.missing" });
    expect(await it.list("invoices")).toEqual([]);
    expect(
      (await it.list("requests")).filter((row) => textOf(row["route"] ?? "").includes("nfse")),
    ).toEqual([]);
    // Words may be said twice; they do not wait.
    expect(await it.received(CUSTOMER)).toEqual(["um momento"]);
    await until(
      async () =>
        (await it.store.views.effects({ state: "pending", limit: 5 })).length === 1 || undefined,
    );
    expect(await it.store.views.effects({ limit: 5 })).toMatchObject([
      { class: "fiscal", attempt: 0 },
    ]);
    replica.process?.kill("SIGCONT");
    await until(async () => (await it.list("invoices")).length === 1 || undefined);
    await worker.stop();
    expect(await it.list("invoices")).toHaveLength(1);
    expect(frozen).toBeGreaterThan(1);
  } finally {
    await it.close();
    redis.disconnect();
    await replica.stop();
    await primary.stop();
  }
});
