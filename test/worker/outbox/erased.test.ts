/** A person who is erased while we write to them stays erased: what is learnt from the answer brings nobody back. */
import { afterEach, expect, test } from "vitest";
import { sentAlias } from "../../../src/channels/index.ts";
import type { Store } from "../../../src/store/index.ts";
import type { WorkerDeps } from "../../../src/worker/ports.ts";
import { between } from "../../server/house.ts";
import { type Asked, bubble, CUSTOMER, hear, rig, textOf, type Rig } from "../rig.ts";

let it: Rig;
afterEach(() => it.close());

const short = (text: string) => ({ ...bubble(CUSTOMER, text), channel: "sms" }) as Asked;
const phone = `phone:${CUSTOMER}`;
/** A gateway in whose every answered call something happens. */
const answering = (then: () => Promise<unknown>): WorkerDeps["gatewayFor"] => {
  const { gateway } = it;
  const call = (async (...given: Parameters<typeof gateway.call>) => {
    const outcome = await gateway.call(...given);
    await then();
    return outcome;
  }) as typeof gateway.call;
  return () => ({ exactBytes: gateway.exactBytes.bind(gateway), call });
};
/** The name that an answer to the first short message would have. */
async function sentName(): Promise<string> {
  const [row] = await it.list("messages");
  return sentAlias("sms", textOf(row?.["id"]));
}

test("the answer to a short message finds whom it was sent to", async () => {
  it = await rig();
  await it.asks(CUSTOMER, short("oi"));
  await it.worker.drain();

  expect(await it.store.lookup("demo", await sentName())).toBe(await it.contact(CUSTOMER));
});

test("a short message on its way to somebody who is erased meanwhile names nobody", async () => {
  it = await rig();
  const contact = await it.contact(CUSTOMER);
  const gatewayFor = answering(() => it.store.erase("demo", contact));
  await it.asks(CUSTOMER, short("oi"));
  await it.again({ gatewayFor }).drain();

  expect(await it.list("messages")).toHaveLength(1);
  expect(await it.store.lookup("demo", phone)).toBeNull();
  expect(await it.store.lookup("demo", await sentName())).toBeNull();
});

test("nor does one whose person is erased between the look for them and the naming", async () => {
  it = await rig();
  const contact = await it.contact(CUSTOMER);
  let looks = 0;
  const store = between(it.store, (method) =>
    method === "lookup"
      ? async (...given: Parameters<Store["lookup"]>) => {
          const found = await it.store.lookup(...given);
          looks += 1;
          await it.store.erase("demo", contact);
          return found;
        }
      : undefined,
  );
  await it.asks(CUSTOMER, short("oi"));
  await it.again({ store }).drain();

  expect(looks).toBeGreaterThan(0);
  expect(await it.list("messages")).toHaveLength(1);
  expect(await it.store.lookup("demo", phone)).toBeNull();
  expect(await it.store.lookup("demo", await sentName())).toBeNull();
});

test("the echo of what we wrote before an erasure brings nobody back", async () => {
  it = await rig();
  await it.asks(CUSTOMER, bubble(CUSTOMER, "oi"));
  await it.worker.drain();
  await hear(it, "own", 1, []);
  // Echoes tell whole seconds: an erasure counts from the next one.
  await new Promise((done) => setTimeout(done, 1_000 - (Date.now() % 1_000)));
  expect(await it.store.erase("demo", await it.contact(CUSTOMER))).toBe(true);
  await hear(it, "own", 1, ["oi"]);

  expect(await it.store.lookup("demo", phone)).toBeNull();
});
