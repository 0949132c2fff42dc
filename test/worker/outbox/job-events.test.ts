/** An event of a device that bears an id like a job's costs little, whoever's message it is about. */
import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import type { EffectView } from "../../../src/store/port/port.ts";
import { bubble, CUSTOMER, rig, type Rig } from "../rig.ts";
import { withSteps } from "../../../src/store/port/with-steps.ts";

let it: Rig;
afterEach(() => it.close());

type Asked = Parameters<Rig["store"]["views"]["effects"]>[0];

/** A worker whose store tells what it is asked for; `answer` in place of the effects it has. */
function watched(answer?: (of: Asked) => EffectView[]) {
  const asked: (Asked | "all")[] = [];
  const warned: string[] = [];
  const store = withSteps(it.store, (method) => {
    if (method === "views.held") return (of: never) => (asked.push("all"), it.store.views.held(of));
    if (method !== "views.effects") return undefined;
    return async (of: Asked) => {
      asked.push(of);
      return answer ? answer(of) : it.store.views.effects(of);
    };
  });
  const quiet = () => undefined;
  const warn = (_fields: object, message: string) => void warned.push(message);
  const { signals } = it.again({ store, log: { debug: quiet, info: quiet, error: quiet, warn } });
  const hears = (account: string, job: string = randomUUID()) =>
    signals.handle(account, "engine-b", {
      ...{ kind: "ack", id: job, at: 1, messageId: job, status: "delivered" },
    });
  return { asked, warned, hears };
}

/** One send that rests in the queue. */
async function enqueued(): Promise<EffectView> {
  it = await rig({
    account: { sendMode: "queue" },
    others: [{ id: "direct", sendMode: "sync" }],
  });
  await it.stage.http("PUT", "/sandbox/delivery", { echo: false, acks: "none" });
  await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
  await it.worker.drain();
  const [effect] = await it.store.views.effects({ state: "enqueued", limit: 1 });
  if (!effect) throw new Error("nothing was enqueued");
  return effect;
}

test("it is looked for among the account's own sends, and nowhere if the account uses no queue", async () => {
  const { job = "" } = await enqueued();
  const { asked, warned, hears } = watched();
  await hears("direct");
  expect(asked).toEqual([]);
  await hears("demo");
  expect(asked).toEqual([{ account: "demo", state: "enqueued", limit: 5_000 }]);
  expect(warned).toEqual([]);
  await hears("demo", job);
  expect(await it.store.views.effects({ limit: 9 })).toEqual([]);
});

test("it is looked for among so many, and the log tells that there may be more", async () => {
  const effect = await enqueued();
  const many = ({ limit }: Asked) =>
    Array.from({ length: limit }, () => ({ ...effect, job: randomUUID() }));
  const { asked, warned, hears } = watched(many);
  await hears("demo");
  expect(asked).toHaveLength(1);
  expect(warned).toEqual(["a device event's job is not among the oldest sends"]);
});
