import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEventHub } from "../../src/server/index.ts";
import { openHouse, type House } from "./house.ts";

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(async () => {
  const closed = house.close();
  // A connection that the client opened and never used holds a close until its headers are overdue; the product waits for
  // two seconds (`app/listen.ts`). Streams that end by themselves are another test's, on a house of its own.
  const late = setTimeout(() => house.app.server.closeAllConnections(), 500);
  await closed;
  clearTimeout(late);
});

interface Told {
  readonly id: number;
  readonly data: Record<string, unknown>;
}

/** Reads a stream until `count` events have come, or it ends. */
async function listen(
  options: { last?: number; query?: string; from?: House } = {},
): Promise<{ next(count: number): Promise<readonly Told[]>; end(): void; ended: Promise<void> }> {
  const abort = new AbortController();
  const answer = await fetch(`${(options.from ?? house).url}/api/events${options.query ?? ""}`, {
    signal: abort.signal,
    headers: options.last === undefined ? {} : { "last-event-id": String(options.last) },
  });
  expect(answer.headers.get("content-type")).toContain("text/event-stream");
  expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
  const told: Told[] = [];
  let wake = (): void => {};
  const ended = (async () => {
    let rest = "";
    try {
      for await (const chunk of answer.body ?? []) {
        rest += Buffer.from(chunk as Uint8Array).toString();
        const blocks = rest.split("\n\n");
        rest = blocks.pop() ?? "";
        for (const block of blocks) {
          const id = /^id: (\d+)$/m.exec(block)?.[1];
          const data = /^data: (.*)$/m.exec(block)?.[1];
          if (id && data) told.push({ id: Number(id), data: JSON.parse(data) as Told["data"] });
        }
        wake();
      }
    } catch {
      // The test let go of the stream.
    }
    wake();
  })();
  return {
    ended,
    end: () => abort.abort(),
    async next(count) {
      while (told.length < count)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      return told;
    },
  };
}

describe("live events", () => {
  test("are made when somebody looks, and only once", () => {
    const hub = createEventHub({ now: () => 1 });
    let made = 0;
    hub.publish(() => ({ type: "turn", made: ++made }));
    expect(made).toBe(0);
    expect(hub.since(0)[0]?.event).toEqual({ type: "turn", made: 1 });
    expect(hub.since(0)[0]?.event).toEqual({ type: "turn", made: 1 });
    expect(made).toBe(1);
  });

  test("come numbered, and what was missed comes first", async () => {
    house.hub.publish({ type: "alarm", code: "a", message: "one" });
    house.hub.publish({ type: "alarm", code: "b", message: "two" });
    const stream = await listen({ last: 1 });
    house.hub.publish({ type: "alarm", code: "c", message: "three" });

    const told = await stream.next(2);

    expect(told.map((one) => [one.id, one.data["code"]])).toEqual([
      [2, "b"],
      [3, "c"],
    ]);
    expect(told[0]?.data).toMatchObject({ seq: 2, type: "alarm" });
    stream.end();
    await stream.ended;
  });

  test("people's numbers are hidden, and shown only by an audited request", async () => {
    const stream = await listen({ last: 0 });
    const open = await listen({ last: 0, query: "?reveal=1" });
    house.hub.publish({
      type: "inbound",
      account: "demo",
      contact: "c",
      text: "meu CPF 52998224725",
    });

    const texts = async (from: typeof stream) => {
      const all = await from.next(4);
      return all.find((one) => one.data["type"] === "inbound")?.data["text"];
    };

    expect(await texts(stream)).toBe("meu CPF *********25");
    expect(await texts(open)).toBe("meu CPF 52998224725");
    const { items } = (await (await fetch(`${house.url}/api/audit`)).json()) as { items: object[] };
    expect(items).toMatchObject([{ action: "events.reveal", actor: "local" }]);
    stream.end();
    open.end();
  });

  test("against a sandbox the made-up people's addresses are shown", async () => {
    const sandbox = await openHouse({ deps: () => ({ sandboxUrl: "http://127.0.0.1:1" }) });
    const stream = await listen({ from: sandbox });
    sandbox.hub.publish({
      type: "turn",
      contact: "c",
      address: "5511900000002",
      view: { address: "5511900000002", text: "5511900000002" },
    });
    const [told] = await stream.next(1);
    expect(told?.data).toMatchObject({
      address: "5511900000002",
      view: { address: "5511900000002", text: "*********0002" },
    });
    await sandbox.close();
    await stream.ended;
  });

  test("more consoles than there is room for are asked to come back", async () => {
    const crowd = await openHouse();
    const streams = await Promise.all(Array.from({ length: 50 }, () => listen({ from: crowd })));
    const refused = await fetch(`${crowd.url}/api/events`);
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).not.toBeNull();
    for (const stream of streams) stream.end();
    await Promise.all(streams.map((stream) => stream.ended));
    await crowd.close();
  });

  test("a stop ends every stream", async () => {
    const stopping = await openHouse();
    const stream = await listen({ from: stopping });
    await stopping.close();
    await stream.ended;
  });
});

describe("the ring of events", () => {
  const hub = () => {
    const made = createEventHub({ now: () => 0, size: 3 });
    for (let n = 1; n <= 5; n++) made.publish({ type: "alarm", n });
    return made;
  };

  test("keeps the last ones only", () => {
    expect(
      hub()
        .since(0)
        .map((one) => one.seq),
    ).toEqual([3, 4, 5]);
    expect(
      hub()
        .since(4)
        .map((one) => one.seq),
    ).toEqual([5]);
  });

  test("gives everything to a console that knew an earlier process", () => {
    expect(
      hub()
        .since(900)
        .map((one) => one.seq),
    ).toEqual([3, 4, 5]);
  });

  test("tells nobody any more once it is closed", () => {
    const closed = hub();
    const heard: number[] = [];
    closed.listen((one) => heard.push(one.seq));
    closed.close();
    closed.publish({ type: "alarm" });
    expect(heard).toEqual([]);
  });
});
