/** The outside world of the kill runs: what it posts, and in which order it holds the bot to it. */
import { createServer } from "node:http";
import { afterEach, expect, test } from "vitest";
import { Dice } from "../support/dice.ts";
import { Feeder } from "./feeder.ts";

interface Item {
  readonly from: string;
  readonly message: string;
}

const servers = new Set<{ close: () => void }>();
afterEach(() => {
  for (const server of servers) server.close();
  servers.clear();
});

/** Refuses every third body, until it comes again. */
async function gateway(): Promise<{ readonly url: string; readonly taken: (readonly Item[])[] }> {
  const taken: (readonly Item[])[] = [];
  let calls = 0;
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => (text += part));
    request.on("end", () => {
      calls += 1;
      const isTaken = calls % 3 > 0;
      const body = JSON.parse(text) as unknown;
      if (isTaken && request.url?.includes("/sms/")) taken.push(body as readonly Item[]);
      response.writeHead(isTaken ? 200 : 503).end();
    });
  });
  servers.add(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address() as { readonly port: number };
  return { url: `http://127.0.0.1:${address.port}`, taken };
}

test("several messages of one contact come in one body, whole each time, and are held to its order", async () => {
  const { url, taken } = await gateway();
  const feeder = new Feeder({
    ...{ urls: [url], dice: new Dice(5), contacts: 4, each: 8, gapMs: 0, repeats: 0.5 },
    enough: () => true,
  });
  await feeder.run();
  const [single, , , several] = feeder.fed;
  expect(single?.bodies.every((body) => body.length === 1)).toBe(true);
  expect(several?.bodies.some((body) => body.length > 1)).toBe(true);
  expect(several?.acked).toEqual(several?.bodies.flat());
  expect([...(several?.acked ?? [])].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  const told = taken.map((body) => body.map(({ message }) => message).join(" "));
  expect(taken.flat().every(({ from }) => from === several?.phone)).toBe(true);
  const known = several?.bodies.map((body) => body.map((number) => `#${number}`).join(" ")) ?? [];
  // Each body as it was, the first time in this order; what came again is one of them.
  expect([...new Set(told)]).toEqual(["oi", ...known]);
  expect(told.length).toBeGreaterThan(known.length + 1);
  expect(feeder.events).toBe(32);
});
