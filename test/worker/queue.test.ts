import { afterEach, describe, expect, test } from "vitest";
import { bubble, CUSTOMER, rig, textOf, type Rig } from "./rig.ts";

let it: Rig;
afterEach(() => it.close());

const requests = async () =>
  (await it.list("requests")).filter((row) => textOf(row["path"]).includes("/message/"));

describe("queue mode", () => {
  test("enqueues once; the send rests under its job until the device says that it left", async () => {
    it = await rig({ account: { sendMode: "queue" } });
    const [effect = ""] = await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
    await it.worker.drain();
    const [resting] = await it.store.effects({ state: "enqueued", limit: 5 });
    expect(resting).toMatchObject({ id: effect });

    const ack = { kind: "ack" as const, id: "a1", at: 1, messageId: resting?.job ?? "" };
    await it.worker.signals.handle("demo", "engine-b", { ...ack, status: "sent" });

    expect(await it.store.effects({ limit: 5 })).toEqual([]);
    expect(await requests()).toHaveLength(1);
  });

  test("never enqueues again when the answer was lost: it was charged", async () => {
    it = await rig({ account: { sendMode: "queue" } });
    const effect = { kind: "accepted_then_lost" };
    await it.fault({ route: "message.sendTextQueue", effect });
    await it.fault({ route: "message.sendText", effect });
    await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
    await it.worker.drain();
    it.clock.moveTo(it.clock.now() + 600_000);
    await it.worker.drain();

    expect(await requests()).toHaveLength(1);
    expect(await it.store.effects({ state: "held", limit: 5 })).toHaveLength(1);
  });
});

test("acknowledgements are a maximum, in whatever order they come", async () => {
  it = await rig();
  const ack = { kind: "ack" as const, id: "a", at: 1, messageId: "M1" };
  for (const status of ["read", "sent", "delivered", "error"] as const)
    await it.worker.signals.handle("demo", "engine-b", { ...ack, status });

  expect(it.worker.signals.progress("demo", "M1")).toBe("read");
});
