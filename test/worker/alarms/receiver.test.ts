/** `ALERT_URL`: an alarm reaches a receiver that asks for credentials, and no trouble with it tells them to the log. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { readSettings } from "../../../src/app/settings.ts";
import { Alarms } from "../../../src/worker/alarms/alarms.ts";
import { bubble, CUSTOMER, rig } from "../rig.ts";
import { withSteps } from "../../../src/store/port/with-steps.ts";

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function receiver(
  status = 200,
  before: () => Promise<void> = async () => undefined,
): Promise<{ port: number; heard: IncomingHttpHeaders[] }> {
  const heard: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    heard.push(request.headers);
    request.resume();
    void before().then(() => response.writeHead(status).end());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  undo.push(() => new Promise((done) => server.close(done)));
  return { port: (server.address() as AddressInfo).port, heard };
}

/** Raises one alarm at an address as `ALERT_URL` gives it; answers what the log was told of it. */
async function raisedAt(address: string): Promise<readonly unknown[][]> {
  const errors: unknown[][] = [];
  const quiet = () => undefined;
  const { alertUrl: url } = readSettings({ ALERT_URL: address });
  const alarms = new Alarms({
    log: { debug: quiet, info: quiet, warn: quiet, error: (...told) => errors.push(told) },
    ...{ emit: quiet, now: () => 1, ...(url === undefined ? {} : { url }) },
  });
  alarms.raise({ code: "test.alarm", message: "A test." });
  await alarms.settle();
  return errors;
}

/** All that a log could write of it. */
function written(told: readonly unknown[][]): string {
  return told
    .flat()
    .flatMap((one): unknown[] => (typeof one === "object" ? Object.values(one as object) : [one]))
    .map((one) => (one instanceof Error ? `${one.stack} ${String(one.cause)}` : String(one)))
    .join("\n");
}

test("credentials of the address go as a header, read as they are written in an address", async () => {
  const { port, heard } = await receiver();
  expect(await raisedAt(`http://prosa:s%40nha%3A1@127.0.0.1:${port}/alerts`)).toEqual([]);
  const basic = Buffer.from("prosa:s@nha:1").toString("base64");
  expect(heard.map(({ authorization }) => authorization)).toEqual([`Basic ${basic}`]);
});

test("a percent sign that stands for itself in a password keeps no alarm back", async () => {
  const { port, heard } = await receiver();
  expect(await raisedAt(`http://prosa:100%@127.0.0.1:${port}/`)).toEqual([]);
  const basic = Buffer.from("prosa:100%").toString("base64");
  expect(heard.map(({ authorization }) => authorization)).toEqual([`Basic ${basic}`]);
});

test("without credentials no header is sent", async () => {
  const { port, heard } = await receiver();
  await raisedAt(`http://127.0.0.1:${port}/`);
  expect(heard.map(({ authorization }) => authorization)).toEqual([undefined]);
});

test("a receiver that is away is told by the error's code, without its address", async () => {
  const { port } = await receiver();
  await Promise.all(undo.splice(0).map((close) => close()));
  const errors = await raisedAt(`http://prosa:secret-1@127.0.0.1:${port}/hooks/secret-2`);
  expect(errors.map(([fields]) => fields)).toEqual([{ code: "ECONNREFUSED" }]);
  expect(written(errors)).not.toMatch(/secret|127\.0\.0\.1/);
});

test("a stop waits for what the receiver is told, also where the store failed at the stop", async () => {
  let hasEnded = false;
  const { port, heard } = await receiver(200, async () => {
    await pause(300);
    hasEnded = true;
  });
  const it = await rig();
  undo.push(() => it.close());
  let isAway = false;
  const store = withSteps(it.store, (method) =>
    isAway && (method === "documents.get" || method === "documents.put")
      ? () => Promise.reject(new Error("the store is away"))
      : undefined,
  );
  const worker = it.again({ store, alertUrl: `http://127.0.0.1:${port}/` });
  await worker.start();
  // A call of this process that is to be counted at the stop.
  await it.asks(CUSTOMER, bubble(CUSTOMER, "oi"));
  await worker.drain();
  isAway = true;
  worker.alarms.raise({ code: "test.alarm", message: "A test." });
  await expect(worker.stop(5_000)).rejects.toThrow("the store is away");
  expect(heard).toHaveLength(1);
  expect(hasEnded).toBe(true);
});

test("a receiver that refuses an alarm is told of by its answer", async () => {
  const { port } = await receiver(401);
  const errors = await raisedAt(`http://prosa:secret-1@127.0.0.1:${port}/`);
  expect(errors.map(([fields]) => fields)).toEqual([{ code: "401" }]);
});
