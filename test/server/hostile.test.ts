/** Bodies no honest engine posts, through the real route of every channel: answered, nothing lost, nothing left behind. */
import { createHmac } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ChannelName } from "../../src/engine/index.ts";
import { hostileBodies } from "../support/hostile.ts";
import { inbound, openHouse, post, SECRET, TOKEN, type House } from "./house.ts";

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

async function send(channel: ChannelName, body: string): Promise<number> {
  const signature = createHmac("sha256", SECRET).update(body).digest("hex");
  const url = `${house.url}/webhooks/${channel}/${TOKEN}`;
  // As senders do: a process under pressure (this one, on a busy machine) says 503 and takes the same bytes later.
  for (let again = 0; ; again++) {
    const { status } = await post(url, body, { "x-signature": signature });
    if (status !== 503 || again === 20) return status;
    await new Promise((wake) => setTimeout(wake, 100));
  }
}

const cases = ChannelName.options.flatMap((channel) =>
  hostileBodies.map((hostile) => ({ channel, ...hostile })),
);

describe("hostile bodies", () => {
  test.each(cases)("$channel: $title", async ({ channel, text, read }) => {
    const tooLarge = channel === "sms" && Buffer.byteLength(text) > 1024 * 1024;
    const expected = tooLarge ? [413] : read === true ? [200] : read ? [200, 400] : [400];
    expect(expected).toContain(await send(channel, text));
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("hold what a person said all the same", async () => {
    const mail = JSON.stringify(await house.mail());
    // The button with 50,000 braces, the half characters, the text that was no number.
    for (const id of ["P1", "S1\\ufffd", "N1"].map((id) => JSON.parse(`"${id}"`) as string))
      expect(mail).toContain(JSON.stringify(id).slice(1, -1));
    expect(mail).not.toContain("{{{{");
  });

  test("of any bytes get an answer that is no trouble of ours", async () => {
    const bytes = fc.oneof(fc.json({ maxDepth: 5 }), fc.string({ unit: "binary", maxLength: 200 }));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...ChannelName.options), bytes, async (channel, body) => {
        expect([200, 400]).toContain(await send(channel, body));
      }),
      { numRuns: 60 },
    );
  });

  test("leave the next good one whole", async () => {
    const before = (await house.store.views.backlog()).counters.accepted;
    expect(await send("engine-b", JSON.stringify(inbound("oi", "AFTER")))).toBe(200);
    expect((await house.store.views.backlog()).counters.accepted).toBe(before + 1);
    expect(house.log.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("an answer of a short message that names nobody is counted and shown, not kept", async () => {
    const seen: unknown[] = [];
    const end = house.hub.listen(({ event }) => void seen.push(event));
    const body = [{ id: "never-sent", status: "reply", message: "meu segredo" }];
    expect(await send("sms", JSON.stringify(body))).toBe(200);
    end();
    expect(seen).toEqual([
      {
        type: "unmatched",
        account: "demo",
        channel: "sms",
        kind: "message",
        messageId: "never-sent",
      },
    ]);
    expect(await house.metrics.registry.metrics()).toContain(
      'prosa_events_total{channel="sms",kind="message",outcome="nobody"}',
    );
  });
});
