/** What a flow is told of a note without an end: what only waits is not called lost, and what is lost not called waiting. */
import { afterEach, describe, expect, test } from "vitest";
import { resultOf } from "../../../../src/plugins/invoicing/note/invoice-answer.ts";
import { CUSTOMER, issue, rig, type Rig } from "../../../worker/rig.ts";

let it: Rig | undefined;
afterEach(async () => {
  await it?.close();
  it = undefined;
});

type Result = { readonly outcome: string; readonly out: Readonly<Record<string, string>> };
const told = async (on: Rig): Promise<readonly Result[]> =>
  (await on.journal(CUSTOMER)).flatMap(({ mail }) =>
    (mail?.["kind"] as unknown) === "result" ? [mail?.["result"] as unknown as Result] : [],
  );
const turnedAway = { kind: "status", status: 429 };
const route = "invoicing.nfseEnvio";

describe.each(["all", "messages", "hold"] as const)("under the policy %s", (onRateLimit) => {
  test("a note that a rate limit turned away waits, in words that are true however it is let go", async () => {
    it = await rig({ account: { onRateLimit } });
    await it.fault({ route, effect: turnedAway, times: 1 });
    await it.asks(CUSTOMER, issue());
    await it.worker.drain();

    const [first] = await told(it);
    expect(first).toMatchObject({ outcome: "held", out: { code: "waiting" } });
    expect(first?.out["text"]).toMatch(/ainda não saiu.*quando der, ou quando a empresa a liberar/);
    expect(await it.list("invoices")).toEqual([]);
  });
});

test("what waits goes by itself where the account says so, and its end is told", async () => {
  it = await rig({ account: { onRateLimit: "all" } });
  await it.fault({ route, effect: turnedAway, times: 1 });
  await it.asks(CUSTOMER, issue());
  await it.worker.drain();
  await it.worker.scopes.resume("credits:demo");
  await it.worker.drain();

  expect((await told(it)).map(({ outcome }) => outcome)).toEqual(["held", "done"]);
  expect(await it.list("invoices")).toHaveLength(1);
});

test("a note that the town has not decided is being processed", async () => {
  it = await rig();
  await it.stage.http("PUT", "/sandbox/invoicing", { mode: "async", delay_ms: 600_000 });
  await it.asks(CUSTOMER, issue());
  await it.worker.drain();
  expect(await told(it)).toMatchObject([{ outcome: "held", out: { code: "processing" } }]);
});

test("a note whose answer was lost is uncertain, and so is one that another attempt is sending", async () => {
  it = await rig();
  await it.fault({ route, effect: { kind: "accepted_then_lost" }, times: 1 });
  await it.asks(CUSTOMER, issue());
  await it.worker.drain();
  expect(await told(it)).toMatchObject([{ outcome: "held", out: { code: "uncertain" } }]);

  const [lost] = (await it.worker.invoices.list("demo", { limit: 1 })).items;
  if (!lost) throw new Error("a record was expected");
  const sending = resultOf({ ...lost, state: "enviando" });
  expect(sending).toMatchObject({ outcome: "held", out: { code: "uncertain" } });
});
