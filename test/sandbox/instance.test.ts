import { PNG } from "pngjs";
import decodeQR from "qr/decode.js";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  CUSTOMER,
  FIRST,
  SECOND,
  rowsOf,
  stage,
  textOf,
  until,
  type Body,
  type Stage,
} from "./stage.ts";

let now: Stage;
beforeAll(async () => {
  now = await stage();
});
afterAll(() => now.close());
beforeEach(async () => {
  await now.http("POST", "/sandbox/reset", {});
  now.bot.told.length = 0;
});

const control = (body: object) => now.http("POST", "/sandbox/instance", body);
const pairing = (body: object) => now.http("PUT", "/sandbox/pairing", body);
const advance = (time: string) => now.http("POST", "/sandbox/clock", { advance: time });
const sendText = (as = FIRST) =>
  now.call("message.sendText", { number: CUSTOMER, text: "oi" }, { as });

async function state(as = FIRST): Promise<Body | undefined> {
  const answer = await now.call("instance.connectionState", undefined, { as });
  return answer.body["response"]?.["instance"]?.["state"];
}

/** States of the connection that engine B told, with their reasons. */
function told(): readonly string[] {
  return now.bot.of("engine-b").flatMap(({ body: { data } }) => {
    const { state: name, statusReason } = (data ?? {}) as Record<string, unknown>;
    return typeof name === "string" ? [`${name} ${String(statusReason)}`] : [];
  });
}

/** What a phone's camera reads in a `data:` picture. */
function scanned(base64: Body | undefined): string {
  const picture = textOf(base64);
  const prefix = "data:image/png;base64,";
  expect(picture.startsWith(prefix)).toBe(true);
  const png = PNG.sync.read(Buffer.from(picture.slice(prefix.length), "base64"));
  return decodeQR({ width: png.width, height: png.height, data: png.data });
}

describe("pairing", () => {
  test("asked for twice still shows one new code at a time", async () => {
    await pairing({ scan_ms: null });
    await now.call("instance.logout");
    await now.call("instance.connect");
    await now.call("instance.connect");
    await advance("41s");
    const [row] = rowsOf((await now.http("GET", "/sandbox/instances")).body);
    expect(row).toMatchObject({ state: "connecting", codes_shown: 3 });
  });

  test("shows a code that a phone can scan, another one at each connect, and opens when it is scanned", async () => {
    await now.call("instance.logout");
    expect(await state()).toBe("close");
    const first = (await now.call("instance.connect")).body["response"];
    expect(scanned(first?.["base64"])).toBe(first?.["code"]);
    expect(first).toMatchObject({ pairingCode: null, count: 1 });
    const second = (await now.call("instance.connect")).body["response"];
    expect(scanned(second?.["base64"])).toBe(second?.["code"]);
    expect(second?.["code"]).not.toBe(first?.["code"]);
    expect(second?.["count"]).toBe(2);
    expect(await state()).toBe("connecting");
    await advance("5s");
    expect(await state()).toBe("open");
    expect((await now.call("instance.connect")).body["response"]).toEqual({
      instance: { instanceName: "loja", state: "open" },
    });
    await until(() => told().length === 3);
    expect(told()).toEqual(["close 401", "connecting 200", "open 200"]);
  });

  test("waits for the control when nobody scans by itself, and replaces a code that grew old", async () => {
    await pairing({ scan_ms: null });
    await now.call("instance.logout");
    expect((await control({ do: "scan" })).status).toBe(409);
    const first = (await now.call("instance.connect")).body["response"]?.["code"];
    await advance("40s");
    const [row] = rowsOf((await now.http("GET", "/sandbox/instances")).body);
    expect(row).toMatchObject({ state: "connecting", codes_shown: 2 });
    expect(row?.["code"]).not.toBe(first);
    const codes = () =>
      now.bot.of("engine-b").flatMap((one) => one.body["data"]?.["qrcode"]?.["code"] ?? []);
    await until(() => codes().length === 2);
    expect(codes()).toEqual([first, row?.["code"]]);
    expect((await control({ do: "scan" })).status).toBe(200);
    expect(await state()).toBe("open");
  });

  test("ends as refused when nobody scanned the last code", async () => {
    await pairing({ scan_ms: null, qr_limit: 2 });
    await now.call("instance.logout");
    await now.call("instance.connect");
    await advance("40s");
    expect(await state()).toBe("connecting");
    await advance("40s");
    expect(await state()).toBe("close");
    await until(() => told().length === 4);
    expect(told()).toEqual(["close 401", "connecting 200", "refused 428", "close 428"]);
    const limit = now.bot.of("engine-b").map((one) => one.body["data"]?.["message"]);
    expect(limit).toContain("QR code limit reached, please login again");
    expect((await now.call("instance.connect")).body["response"]).toMatchObject({ count: 1 });
  });

  test("gives a code to type where a number was given", async () => {
    await now.call("instance.delete");
    const body = { instanceName: "nova", qrcode: true, number: "5511911112222" };
    const made = (await now.call("instance.create", body)).body["response"];
    expect(made?.["qrcode"]?.["pairingCode"]).toMatch(/^[A-Z1-9]{8}$/);
    expect((await now.call("instance.connect")).body["response"]?.["pairingCode"]).toMatch(
      /^[A-Z1-9]{8}$/,
    );
  });
});

describe("an instance", () => {
  test("refuses sends, restarts and another logout while it is closed", async () => {
    expect((await now.call("instance.logout")).status).toBe(200);
    const refused = await sendText();
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      error: true,
      message: "Connection Closed",
      response: { status: 400, error: "Bad Request" },
    });
    for (const id of ["instance.restart", "instance.restartPost"] as const) {
      const restart = await now.call(id, {});
      expect([restart.status, restart.body["error"]]).toEqual([200, true]);
    }
    expect((await now.call("instance.logout")).status).toBe(400);
    expect((await sendText(SECOND)).status).toBe(200);
  });

  test("comes back from a restart without a scan, and not from a logout", async () => {
    expect((await now.call("instance.restart", {})).body["response"]).toEqual({
      instance: { instanceName: "loja", state: "connecting" },
    });
    expect((await sendText()).status).toBe(400);
    await advance("1s");
    expect(await state()).toBe("open");
    await pairing({ scan_ms: null });
    await now.call("instance.logout");
    await now.call("instance.connect");
    const restart = await now.call("instance.restartPost", {});
    expect(restart.body["response"]).toMatchObject({ count: 2 });
    await advance("10s");
    expect(await state()).toBe("connecting");
  });

  test("is made with or without a code, under a free name only", async () => {
    await now.call("instance.delete");
    const gone = await now.call("instance.connectionState");
    expect(gone.status).toBe(404);
    expect(gone.body["message"]).toBe('The "loja" instance does not exist');
    expect((await now.call("instance.connect")).status).toBe(404);
    const taken = await now.call("instance.create", { instanceName: "loja-2", qrcode: true });
    expect(taken.status).toBe(403);
    expect(taken.body["message"]).toMatch(/already in use/);
    const bare = await now.call("instance.create", { instanceName: "nova", qrcode: false });
    expect(bare.body["response"]).toMatchObject({
      instance: { instanceName: "nova", status: "close" },
    });
    expect(bare.body["response"]).not.toHaveProperty("qrcode");
    await now.call("instance.delete");
    const shown = await now.call("instance.create", { instanceName: "outra", qrcode: true });
    expect(shown.body["response"]).toMatchObject({
      instance: { instanceName: "outra", status: "connecting" },
      qrcode: { count: 1 },
    });
  });

  test("forgets its messages when it is deleted, and nobody takes back what people received", async () => {
    await sendText();
    await now.call("instance.delete");
    await now.call("instance.create", { instanceName: "nova", qrcode: true });
    const found = await now.call("chat.findMessages", {});
    expect(found.body["response"]?.["messages"]?.["total"]).toBe(0);
    expect(await received()).toHaveLength(1);
  });

  test("keeps its settings, apart from the other device's", async () => {
    const settings = { reject_call: true, msg_call: "Escreva.", groups_ignore: true };
    await now.call("settings.set", { ...settings, unknown: 1 });
    expect((await now.call("settings.find")).body["response"]).toEqual(settings);
    const other = await now.call("settings.find", undefined, { as: SECOND });
    expect(other.body["response"]?.["reject_call"]).toBe(false);
  });
});

async function received(): Promise<readonly Body[]> {
  return rowsOf((await now.http("GET", `/sandbox/messages?number=${CUSTOMER}`)).body);
}

describe("on demand", () => {
  test("a phone loses its connection and comes back by itself, unless it was logged out or banned", async () => {
    await control({ do: "drop", reason: 503 });
    expect(await state()).toBe("close");
    await advance("1s");
    await advance("1s");
    expect(await state()).toBe("open");
    await until(() => told().length === 3);
    expect(told()).toEqual(["close 503", "connecting 200", "open 200"]);
    await control({ do: "drop", reason: 403 });
    await advance("1h");
    expect(await state()).toBe("close");
    expect((await now.call("instance.connect")).body["response"]).toEqual({
      instance: { instanceName: "loja", state: "connecting" },
    });
    await advance("1s");
    await control({ do: "drop", reason: 401 });
    expect((await now.call("instance.connect")).body["response"]).toHaveProperty("code");
  });

  test("a phone flaps with passing reasons and ends open", async () => {
    expect((await control({ do: "flap", times: 5 })).status).toBe(200);
    await until(() => told().length === 15);
    expect(told().filter((one) => one.startsWith("close"))).toEqual([
      "close 428",
      "close 408",
      "close 515",
      "close 503",
      "close 428",
    ]);
    expect(told().at(-1)).toBe("open 200");
    expect((await sendText()).status).toBe(200);
  });

  test("a phone is open and silent: calls answer, nothing is told until it restarts", async () => {
    await control({ do: "silent" });
    expect(await state()).toBe("open");
    expect((await sendText()).body["response"]).toMatchObject({ status: "PENDING" });
    const lost = await now.http("POST", "/sandbox/inbound", { from: CUSTOMER, text: "alô?" });
    expect(lost.body).toMatchObject({ delivered: false, status: null });
    await advance("1m");
    expect(now.bot.of("engine-b")).toEqual([]);
    const found = await now.call("chat.findMessages", {});
    const records = rowsOf(found.body["response"]?.["messages"]?.["records"]);
    expect(records.map((row) => row["MessageUpdate"])).toEqual([[], []]);
    await now.call("instance.restart", {});
    await advance("1s");
    await until(() => told().length === 2);
    await now.http("POST", "/sandbox/inbound", { from: CUSTOMER, text: "voltou" });
    expect(now.bot.of("engine-b").at(-1)?.body["data"]).toMatchObject({
      message: { conversation: "voltou" },
    });
  });

  test.each([
    [{ do: "explode" }, 422],
    [{ do: "flap", times: 501 }, 422],
    [{ do: "drop", device: "nobody" }, 422],
    [{ do: "drop", reason: 42 }, 422],
    [{ do: "scan" }, 409],
  ])("%j is refused with %i", async (body, status) => {
    expect((await control(body)).status).toBe(status);
  });
});

test("two instances of two callers live apart, from creation to logout", async () => {
  const lives = [FIRST, SECOND].map(async (as, index) => {
    await now.call("instance.delete", undefined, { as });
    const body = { instanceName: `apart-${index}`, qrcode: true };
    const made = await now.call("instance.create", body, { as });
    expect(made.body["response"]?.["instance"]).toMatchObject({ status: "connecting" });
    expect(await state(as)).toBe("connecting");
    return textOf(made.body["response"]?.["qrcode"]?.["code"]);
  });
  const codes = await Promise.all(lives);
  expect(new Set(codes).size).toBe(2);
  await control({ do: "scan" });
  expect([await state(FIRST), await state(SECOND)]).toEqual(["open", "connecting"]);
  await control({ do: "scan", device: "sandbox-device-2" });
  const sent = await Promise.all([sendText(FIRST), sendText(SECOND)]);
  expect(sent.map((one) => one.status)).toEqual([200, 200]);
  await advance("1s");
  const ids = sent.map((one) => one.body["response"]?.["key"]?.["id"]);
  for (const [index, as] of [FIRST, SECOND].entries()) {
    const found = await now.call("chat.findMessages", {}, { as });
    const records = rowsOf(found.body["response"]?.["messages"]?.["records"]);
    expect(records.map((row) => row["key"]?.["id"])).toEqual([ids[index]]);
    expect(records[0]?.["MessageUpdate"]).toEqual([
      { status: "SERVER_ACK" },
      { status: "DELIVERY_ACK" },
    ]);
  }
  await now.call("instance.logout", undefined, { as: SECOND });
  expect([await state(FIRST), await state(SECOND)]).toEqual(["open", "close"]);
});
