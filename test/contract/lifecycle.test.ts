/** Two callers live their whole lives at once, each apart; and a month whose plan and money run out. */
import { PNG } from "pngjs";
import decodeQR from "qr/decode.js";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createGateway, type CallOutcome, type Gateway } from "../../src/gateway/index.ts";
import { Alarms } from "../../src/worker/alarms/alarms.ts";
import { Budget } from "../../src/worker/alarms/budget.ts";
import {
  fakeBot,
  rowsOf,
  stage,
  textOf,
  until,
  type Body,
  type Bot,
  type Stage,
} from "../sandbox/stage.ts";
import { rig, type Rig } from "../worker/rig.ts";

interface Life {
  readonly device: string;
  readonly account: string;
  readonly instance: string;
  readonly customer: string;
  readonly gateway: Gateway;
  readonly bot: Bot;
}

let now: Stage;
let lives: Life[];
beforeAll(async () => {
  now = await stage();
  lives = await Promise.all([life("", "5511987651001"), life("-2", "5511987652002")]);
});
afterAll(async () => {
  await Promise.all(lives.map(({ gateway, bot }) => [gateway.close(), bot.close()]).flat());
  await now.close();
});

async function life(suffix: string, customer: string): Promise<Life> {
  const bot = await fakeBot();
  const device = `sandbox-device${suffix}`;
  const gateway = createGateway({
    baseUrl: `${now.sandbox.url()}/api/v2`,
    token: `sandbox-token${suffix}`,
    deviceToken: device,
  });
  return { device, account: `sandbox${suffix}`, instance: `vida${suffix}`, customer, gateway, bot };
}

/** The payload of a call that has to go well. */
function good<T>(outcome: CallOutcome<T>): Body {
  if (outcome.kind !== "ok") throw new Error(JSON.stringify(outcome));
  return outcome.raw as unknown as Body;
}

const advance = () => now.http("POST", "/sandbox/clock", { advance: "5s" });
const list = async (name: string, { account }: Life) =>
  rowsOf((await now.http("GET", `/sandbox/${name}?caller=${account}`)).body);

/** What a phone's camera reads in a `data:` picture. */
function scanned(base64: Body | undefined): string {
  const png = PNG.sync.read(Buffer.from(textOf(base64).split(",")[1] ?? "", "base64"));
  return decodeQR({ width: png.width, height: png.height, data: png.data });
}

/** States of the connection, acks of a message: what this caller's bot was told. */
const statesOf = ({ bot }: Life) =>
  bot.told.flatMap(({ body: { data } }) => (data?.["state"] ? [textOf(data["state"])] : []));
const acksOf = ({ bot }: Life, id: string) =>
  bot.told.flatMap(({ body: { data } }) =>
    data?.["keyId"] !== undefined && textOf(data["keyId"]) === id ? [textOf(data["status"])] : [],
  );

/** create → QR → open → send → acks → logout. Gives the ids of what was sent and queued. */
async function live(one: Life): Promise<{ sent: string; job: string }> {
  const { gateway, device, instance, customer } = one;
  const urls = [`${one.bot.url}/webhooks/engine-b/t`];
  const subscription = { channel: "engine-b", device, urls };
  expect((await now.http("PUT", "/sandbox/subscriptions", subscription)).status).toBe(200);
  good(await gateway.instance.delete());
  expect((await gateway.instance.connectionState()).kind).not.toBe("ok");

  const made = good(await gateway.instance.create({ instanceName: instance, qrcode: true }));
  expect(scanned(made["qrcode"]?.["base64"])).toBe(textOf(made["qrcode"]?.["code"]));
  expect((await gateway.message.sendText({ number: customer, text: "cedo" })).kind).not.toBe("ok");
  await now.http("POST", "/sandbox/instance", { device, do: "scan" });
  await advance();
  const state = good(await gateway.instance.connectionState());
  expect(state["instance"]).toMatchObject({ instanceName: instance, state: "open" });

  const sent = good(await gateway.message.sendText({ number: customer, text: `de ${device}` }));
  const queued = good(await gateway.message.sendText.queue({ number: customer, text: "fila" }));
  const id = textOf(sent["key"]?.["id"]);
  await until(async () => {
    await advance();
    return acksOf(one, id).includes("READ");
  });
  await until(async () => {
    await advance();
    const [job] = good(
      await gateway.jobs.find({ id: [textOf(queued["id"])] }),
    ) as unknown as Body[];
    return textOf(job?.["status"]) === "done";
  });

  good(await gateway.instance.logout());
  await until(() => statesOf(one).at(-1) === "close");
  expect((await gateway.message.sendText({ number: customer, text: "tarde" })).kind).not.toBe("ok");
  return { sent: id, job: textOf(queued["id"]) };
}

describe("two callers at once", () => {
  test("go from create to logout, and neither sees anything of the other", async () => {
    const [a, b] = lives as [Life, Life];
    await now.http("PUT", "/sandbox/delivery", { acks: "read" });
    const [ofA, ofB] = await Promise.all([live(a), live(b)]);

    for (const [one, own, other, foreign] of [
      [a, ofA, b, ofB],
      [b, ofB, a, ofA],
    ] as const) {
      expect(acksOf(one, own.sent).sort()).toEqual(["DELIVERY_ACK", "READ", "SERVER_ACK"]);
      expect(acksOf(one, foreign.sent)).toEqual([]);
      expect(statesOf(one)).toEqual(expect.arrayContaining(["connecting", "open", "close"]));
      expect(one.bot.told.every(({ body }) => textOf(body["instance"]) !== other.instance)).toBe(
        true,
      );

      const jobs = await list("jobs", one);
      expect(jobs.map((job) => textOf(job["id"]))).toEqual([own.job]);
      expect(await one.gateway.jobs.find({ id: [foreign.job] })).toMatchObject({
        kind: "refused",
        status: 422,
      });
      const messages = await list("messages", one);
      expect(new Set(messages.map((row) => textOf(row["body"]?.["number"])))).toEqual(
        new Set([one.customer]),
      );
      const ledger = await list("ledger", one);
      expect(ledger.length).toBeGreaterThan(5);
      expect(new Set(ledger.map((row) => textOf(row["scope"])))).toEqual(
        new Set([`plan:${one.device}`]),
      );
    }
  });
});

describe("a month of 1,100 sends with billing enforced", () => {
  let worker: Rig;
  beforeEach(async () => {
    worker = await rig();
    await now.http("POST", "/sandbox/reset", {});
  });
  afterEach(() => worker.close());

  const quiet = {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: () => undefined,
  };
  /** Sends under way at a time. */
  const AT_ONCE = 20;

  test("alarms at 80 and 95 percent, refuses from the quota on, and other purses stay open", async () => {
    const [a, b] = lives as [Life, Life];
    const told: { subject: string; used: number }[] = [];
    let used = 0;
    const alarms = new Alarms({
      ...{ log: quiet, now: () => 1, counted: () => undefined },
      emit: (event) =>
        void (event.type === "alarm" && told.push({ subject: event.subject ?? "", used })),
    });
    const budget = new Budget(worker.store, alarms, () => Date.parse("2026-11-21T12:00:00Z"));
    await now.http("PUT", "/sandbox/billing", { enforce: true, quota: 1_000, balance: 0.75 });

    const kinds = { ok: 0, refused: 0 };
    const statuses = new Set<number>();
    for (let sent = 0; sent < 1_100; sent += AT_ONCE) {
      const batch = Array.from({ length: AT_ONCE }, (_, at) =>
        a.gateway.message.sendText({ number: a.customer, text: `${sent + at}` }),
      );
      for (const outcome of await Promise.all(batch)) {
        if (outcome.kind === "ok") {
          kinds.ok += 1;
          used = Math.max(used, outcome.limit?.used ?? 0);
        } else if (outcome.kind === "refused") {
          kinds.refused += 1;
          statuses.add(outcome.status);
        }
        budget.count("demo", "message.sendText", outcome);
      }
    }

    expect(kinds).toEqual({ ok: 1_000, refused: 100 });
    expect([...statuses]).toEqual([402]);
    expect(told.map(({ subject }) => subject)).toEqual(["2026-11 0.8", "2026-11 0.95"]);
    expect(told[0]?.used).toBeGreaterThanOrEqual(800);
    expect(told[0]?.used).toBeLessThan(800 + AT_ONCE);
    expect(told[1]?.used).toBeGreaterThanOrEqual(950);
    expect(told[1]?.used).toBeLessThan(950 + AT_ONCE);
    expect(await list("ledger", a)).toHaveLength(1_000);
    expect((await list("messages", a)).length).toBe(1_000);

    // The queue takes from the same plan; the other caller's plan and this one's credits are purses of their own.
    expect(await a.gateway.message.sendText.queue({ number: a.customer, text: "x" })).toMatchObject(
      {
        kind: "refused",
        status: 402,
      },
    );
    expect((await b.gateway.message.sendText({ number: b.customer, text: "x" })).kind).toBe("ok");
    const look = () =>
      a.gateway.invoicing.nfseConsulta({
        emitente_id: "6f1f7d3e-0000-4000-8000-000000000001",
        chave: "3".repeat(44),
      });
    expect(await look()).toMatchObject({ kind: "business_error", tax: 500 });
    expect(await look()).toMatchObject({ kind: "refused", status: 402 });
    expect((await a.gateway.invoicing.emitentesLista()).kind).toBe("ok");
  });
});
