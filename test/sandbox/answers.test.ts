/** What a client written from the interface alone sends and reads: timestamps, keys, places of payloads, test mode. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readAccessKey } from "../../src/gateway/index.ts";
import { routeOf, type RouteId } from "../../src/gateway/index.ts";
import { submit } from "./notes.ts";
import { CUSTOMER, rowsOf, stage, textOf, type Stage } from "./stage.ts";

let now: Stage;
beforeAll(async () => {
  now = await stage();
});
beforeEach(async () => {
  await now.http("POST", "/sandbox/reset");
});
afterAll(() => now.close());

/** The same moment in other forms; the note's own text ends in `-03:00`. */
const FORMS: readonly (readonly [string, (text: string) => string])[] = [
  ["Z", (text) => new Date(text).toISOString().replace(".000", "")],
  ["+00:00", (text) => new Date(text).toISOString().replace(".000Z", "+00:00")],
  ["milliseconds", (text) => text.replace("-03:00", ".123-03:00")],
  ["a comma", (text) => text.replace("-03:00", ",123-03:00")],
  ["-0300", (text) => text.replace("-03:00", "-0300")],
  ["-03", (text) => text.replace("-03:00", "-03")],
  ["the basic form", (text) => text.replace(/[-:]/g, "").replace(/0300$/, "-0300")],
];

describe("timestamps", () => {
  test.each(FORMS)("with %s are taken, and refused where the town is strict", async (_, form) => {
    const change = (note: Record<string, unknown>): void => {
      for (const key of ["data_emissao", "data_competencia"]) note[key] = form(textOf(note[key]));
    };
    expect((await submit(now, change)).body).toMatchObject({ error: false });
    await now.http("PUT", "/sandbox/invoicing", { timestamps: "strict" });
    expect((await submit(now, change)).body).toMatchObject({ error: true, codigo: "E1235" });
    expect((await submit(now)).body).toMatchObject({ error: false });
  });
});

test.each([44, 50])(
  "keys have %i positions when told so, and pass their check digit",
  async (digits) => {
    await now.http("PUT", "/sandbox/invoicing", { key_digits: digits });
    for (const nacional of [true, false]) {
      const { body } = await submit(now, (note) => (note["nacional"] = nacional));
      const chave = textOf(body["data"]?.["chave"]);
      expect(chave).toHaveLength(digits);
      expect(readAccessKey(chave)).toMatchObject({ ok: true });
    }
  },
);

const CALLS: readonly (readonly [RouteId, object | undefined])[] = [
  ["message.sendText", { number: CUSTOMER, text: "oi" }],
  ["engineA.sendText", { number: CUSTOMER, text: "oi" }],
  ["engineC.sendText", { number: CUSTOMER, text: "oi" }],
  ["sms.send", { number: CUSTOMER, message: "oi" }],
  ["instance.connectionState", undefined],
  ["settings.find", undefined],
  ["chat.findChats", {}],
  ["label.findLabels", undefined],
];

describe.each(CALLS)("the payload of %s", (id, body) => {
  test("stands under response and data, or where the switch says", async () => {
    const both = (await now.call(id, body)).body;
    expect(both["data"]).toEqual(both["response"]);
    expect(both["data"]).toBeDefined();
    await now.http("PUT", "/sandbox/answers", { payload: "data" });
    const data = (await now.call(id, body)).body;
    expect([data["response"], data["data"] === undefined]).toEqual([undefined, false]);
    await now.http("PUT", "/sandbox/answers", { payload: "response" });
    const response = (await now.call(id, body)).body;
    expect([response["data"], response["response"] === undefined]).toEqual([undefined, false]);
  });
});

test.each(["message.sendText", "engineA.sendText", "engineC.sendText"] as const)(
  "an enqueued %s in test mode has a job that ends, and nobody receives it",
  async (id) => {
    expect(routeOf(id).queue).toBe("yes");
    const body = { number: CUSTOMER, text: "oi", homolog: true };
    const answer = (await now.call(id, body, { queued: true })).body;
    expect(answer).toMatchObject({
      error: false,
      data: { id: answer["id"], message: answer["message"] },
    });
    await now.http("POST", "/sandbox/clock", { advance: "1m" });
    const [job] = rowsOf((await now.call("jobs.find", { id: [answer["id"]] })).body);
    expect(job).toMatchObject({ id: answer["id"], status: "done" });
    expect((await now.http("GET", `/sandbox/messages?number=${CUSTOMER}`)).body).toEqual([]);
    expect((await now.http("GET", "/sandbox/ledger")).body).toEqual([]);
  },
);
