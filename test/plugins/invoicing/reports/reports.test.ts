import { afterEach, describe, expect, test } from "vitest";
import type { Gateway } from "../../../../src/gateway/index.ts";
import { answering } from "../../../worker/bot.ts";
import { library as flows } from "../../../worker/flow-words.ts";
import { revOf } from "../../../../src/plugins/invoicing/note/invoice.ts";
import {
  type Asked,
  bubble,
  CUSTOMER,
  issue,
  OPERATOR,
  OTHER,
  rig,
  textOf,
  type Rig,
  WAITER,
} from "../../../worker/rig.ts";
import { tomorrowNoon } from "../../../support/days.ts";

let it: Rig;
afterEach(() => it.close());

const HOUR = 3_600_000;
const alarms = (code: string) =>
  it.events.filter((event) => event.type === "alarm" && event.code === code).length;
/** Virtual time goes on; what is due by then is done. */
async function pass(hours: number, worker = it.worker): Promise<void> {
  it.clock.moveTo(it.clock.now() + hours * HOUR);
  await worker.drain();
}
const CREATE: Asked = {
  ...{ type: "call", class: "costly", name: "instance.create", waiter: WAITER },
  input: { instanceName: "segunda", qrcode: true },
};
async function lose(): Promise<void> {
  const effect = { kind: "accepted_then_lost" };
  await it.fault({ route: "invoicing.nfseEnvio", effect, times: 1 });
  await it.asks(CUSTOMER, issue());
  await it.worker.drain();
}

describe("a note nobody knows the fate of", () => {
  test("is an alarm after an hour, once a day, over restarts and several processes, in honest words", async () => {
    it = await rig({ library: flows, account: { alerts: { phones: true, report: "off" } } });
    await lose();
    expect(alarms("invoice.stuck")).toBe(0);
    await pass(1.1);
    expect(alarms("invoice.stuck")).toBe(1);

    const others = [it.again(), it.again()];
    await Promise.all(others.map((worker) => pass(2, worker)));
    expect(alarms("invoice.stuck")).toBe(1);
    await pass(24);
    expect(alarms("invoice.stuck")).toBe(2);

    const said = await it.received(OPERATOR);
    expect(said).toHaveLength(2);
    expect(said.join("\n")).toMatch(/em processamento há mais de uma hora, sem confirmação: 1/);
    expect([...said, ...(await it.received(CUSTOMER))].join("\n")).not.toMatch(
      /emitida|[\d.]{11,}/,
    );
  });

  test("is one that is being processed for an hour as well", async () => {
    it = await rig();
    await it.stage.http("PUT", "/sandbox/invoicing", { mode: "async", delay_ms: 86_400_000 });
    await it.asks(CUSTOMER, issue());
    await it.worker.drain();
    await pass(1.1);
    expect(alarms("invoice.stuck")).toBe(1);
    await pass(3);
    expect(alarms("invoice.stuck")).toBe(1);
  });

  test("is none any more when a person has decided", async () => {
    it = await rig();
    await lose();
    const [note] = (await it.worker.invoices.list("demo", { limit: 1 })).items;
    const rev = note ? revOf(note) : 0;
    const decided = { decision: "abandon", actor: "ana", reason: "paga em dinheiro", rev } as const;
    await it.worker.settling.decide("demo", note?.id ?? "", decided);
    await pass(30);

    expect(alarms("invoice.stuck")).toBe(0);
  });
});

describe("a call that only a person lets go", () => {
  test.each([
    ["a note that was turned away unread", "invoicing.nfseEnvio", issue(), "fiscal.waiting"],
    ["any other call", "instance.create", CREATE, "effect.waiting"],
  ])("is an alarm after an hour, then once a day: %s", async (_name, route, call, code) => {
    it = await rig({ library: flows, account: { alerts: { phones: true, report: "off" } } });
    await it.fault({ route, effect: { kind: "status", status: 429 }, times: 1 });
    await it.asks(CUSTOMER, call);
    await it.worker.drain();
    for (const scope of ["credits:demo", "plan:demo"]) await it.worker.scopes.resume(scope);
    await pass(0.9);
    expect(alarms(code)).toBe(0);
    const others = [it.again(), it.again()];
    await Promise.all(others.map((worker) => pass(0.1, worker)));
    expect(alarms(code)).toBe(1);
    await pass(20);
    expect(alarms(code)).toBe(1);
    await pass(5);
    expect(alarms(code)).toBe(2);
    expect((await it.received(OPERATOR)).join("\n")).toMatch(/até uma pessoa decidir: 1/);
    const [held] = await it.store.views.effects({ state: "held", limit: 9 });
    await it.store.effects.resolve({
      ...{ id: held?.id ?? "", account: "demo", contact: held?.contact ?? "", action: "finish" },
    });
    await pass(30);
    expect(alarms(code)).toBe(2);
    await pass(30);
    expect((await it.store.documents.list("held-told")).items).toEqual([]);
  });
});

describe("a note on its way whose person was erased, and then its process died", () => {
  test("is found by the report, is uncertain, and is an alarm from then on", async () => {
    it = await rig();
    let isOut = () => {};
    const out = new Promise<void>((resolve) => (isOut = resolve));
    // It sends, and is killed before it hears.
    const call = async (route: string) => {
      if (route === "invoicing.nfseEnvio") isOut();
      return new Promise<never>(() => undefined);
    };
    const gateway = { ...answering(it, () => undefined), call: call as unknown as Gateway["call"] };
    await it.asks(CUSTOMER, issue());
    void it.again({ gatewayFor: () => gateway }).drain();
    await out;
    await it.store.contacts.erase("demo", await it.contact(CUSTOMER));
    await pass(1.1);
    expect((await it.worker.reconciliation(it.account)).open.counts).toEqual({ incerta: 1 });

    await pass(1.1);
    expect(alarms("invoice.stuck")).toBe(1);
  });
});

describe("alarms on phones", () => {
  test("come at once the first time, then together after an hour, and name nobody", async () => {
    it = await rig({ library: flows, account: { alerts: { phones: true, report: "off" } } });
    const raise = (code: string, subject: string) =>
      it.worker.alarms.raise({ code, account: "demo", subject, message: `de ${CUSTOMER}` });
    for (let index = 0; index < 5; index++) raise("event.parked", `a${index}`);
    await it.worker.drain();
    for (let index = 0; index < 40; index++) raise("event.parked", `b${index}`);
    await it.worker.drain();
    expect(await it.received(OPERATOR)).toHaveLength(1);
    await pass(1.1);

    const [first, second, ...more] = await it.received(OPERATOR);
    expect(first).toMatch(/não consegui processar: 5\./);
    expect(second).toMatch(/não consegui processar: 40\./);
    expect(more).toEqual([]);
    expect(first).not.toContain("5511");
  });

  test("wait while sending is paused, and are not told of that pause afterwards", async () => {
    it = await rig({ library: flows, account: { alerts: { phones: true, report: "off" } } });
    await it.worker.scopes.pause("plan:demo", "unreachable");
    it.worker.alarms.raise({ code: "send.failed", account: "demo", message: "x" });
    await it.worker.drain();
    expect(await it.received(OPERATOR)).toEqual([]);

    await it.worker.scopes.resume("plan:demo");
    await it.worker.drain();
    expect(await it.received(OPERATOR)).toEqual([
      expect.stringMatching(/não consegui entregar: 1/),
    ]);
    expect((await it.received(OPERATOR)).join()).not.toMatch(/parad/);
  });

  test("stop at the day's number, but for those about notes", async () => {
    const alerts = { phones: true, perDay: 2, report: "off" };
    it = await rig({ library: flows, account: { alerts } });
    const codes = ["event.parked", "send.failed", "effect.held", "channel.filter", "invoice.stuck"];
    for (const code of codes) {
      it.worker.alarms.raise({ code, account: "demo", message: "x" });
      await it.worker.drain();
    }

    const said = await it.received(OPERATOR);
    expect(said).toHaveLength(3);
    expect(said[1]).toMatch(/Por hoje não mando mais/);
    expect(said[1]).toMatch(/a não ser sobre notas/);
    expect(said[2]).toMatch(/Notas em processamento/);
  });

  test("are told once when a process dies between writing and telling", async () => {
    it = await rig({ library: flows, account: { alerts: { phones: true, report: "off" } } });
    it.worker.alarms.raise({ code: "send.failed", account: "demo", message: "x" });
    await it.worker.pager.stored();
    const others = [it.again(), it.again(), it.again()];
    await Promise.all(others.map((worker) => worker.pager.round()));
    await it.worker.drain();

    expect(await it.received(OPERATOR)).toHaveLength(1);
  });
});

describe("the day's report", () => {
  const daily = { alerts: { phones: false, report: "daily", reportAt: "07:00" } };

  test("counts the day, names what is open, and comes once for several processes and restarts", async () => {
    it = await rig({ library: flows, account: daily });
    await it.asks(CUSTOMER, issue());
    await it.asks(OTHER, issue());
    await it.worker.drain();
    await it.asks(CUSTOMER, issue({ value: 7_700, document: "11144477735" }));
    await it.worker.drain();
    await lose();
    await it.asks(OTHER, issue({ value: 9_900 }));
    const before = await it.worker.reconciliation(it.account);
    expect(before).toMatchObject({
      issued: { count: 2, cents: 22_700 },
      blocked: 2,
      refused: { count: 0 },
    });
    const others = [it.again(), it.again()];
    it.clock.moveTo(tomorrowNoon(it.clock.now()));
    await Promise.all([it.worker, ...others].map((worker) => worker.drain()));

    const said = (await it.received(OPERATOR)).filter((text) => /Resumo das notas/.test(text));
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(/Emitidas: 2, no total de R\$ 227,00/);
    expect(said[0]).not.toContain(CUSTOMER);
    const again = await it.worker.reconciliation(it.account, before.day);
    expect(again.issued).toEqual(before.issued);
  });

  test.each([
    ["America/Rio_Branco", 5],
    ["America/Sao_Paulo", 3],
    ["America/Noronha", 2],
  ])("comes at the hour of %s, not a minute before", async (zone, west) => {
    it = await rig({ library: flows, account: { ...daily, zone } });
    await it.asks(CUSTOMER, bubble(CUSTOMER, "oi"));
    await it.worker.drain();
    const day = 24 * HOUR;
    const midnight = Math.ceil((it.clock.now() - west * HOUR) / day) * day + west * HOUR;
    it.clock.moveTo(midnight + 6 * HOUR + 58 * 60_000);
    await it.worker.drain();
    expect(await it.received(OPERATOR)).toEqual([]);
    it.clock.moveTo(midnight + 7 * HOUR);
    await it.worker.drain();

    const [report, ...more] = await it.received(OPERATOR);
    expect(more).toEqual([]);
    const [, month, date] = new Date(midnight - west * HOUR - day).toISOString().split(/[-T]/);
    expect(report).toContain(`${date}/${month}`);
  });

  test.each([
    ["when the minute before midnight passed unseen", "23:59", 0.01, 1],
    ["when the bot was away over its hour and midnight", "20:00", 1.5, 1],
    ["not in the middle of the next night", "16:00", 3, 0],
  ])("comes late %s", async (_name, reportAt, hours, count) => {
    it = await rig({ library: flows, account: { alerts: { ...daily.alerts, reportAt } } });
    await it.asks(CUSTOMER, issue());
    await it.worker.drain();
    const day = 24 * HOUR;
    const midnight = Math.ceil((it.clock.now() - 3 * HOUR) / day) * day + 3 * HOUR;
    it.clock.moveTo(midnight + day + hours * HOUR);
    await it.worker.drain();
    await it.again().drain();

    const said = await it.received(OPERATOR);
    expect(said).toHaveLength(count);
    // Of the day the note was issued on: its report was due on the next, which is just over.
    if (count > 0) expect(said[0]).toMatch(/Emitidas: 1, no total de R\$ 150,00/);
  });

  test.each([
    ["that waited over midnight", true],
    ["whose hour and night nobody was there", false],
  ])("%s is told at the hour of the next one, once", async (_name, isThere) => {
    it = await rig({ library: flows, account: { alerts: { ...daily.alerts, report: "needed" } } });
    await it.worker.drain();
    it.clock.moveTo(tomorrowNoon(it.clock.now()));
    await it.worker.drain();
    // Refused: the sandbox' day is another one.
    await it.asks(CUSTOMER, issue());
    await it.worker.drain();
    const { day, refused } = await it.worker.reconciliation(it.account);
    expect(refused.count).toBe(1);
    const noon = tomorrowNoon(it.clock.now());
    it.clock.moveTo(noon);
    await it.worker.scopes.pause("plan:demo", "no_device_token");
    if (isThere) await it.worker.drain();
    // A night later the phone writes again.
    it.clock.moveTo(noon + 16 * HOUR);
    await it.worker.scopes.resume("plan:demo");
    await it.worker.drain();
    expect((await it.received(OPERATOR)).join("\n")).not.toMatch(/Resumo/);
    it.clock.moveTo(noon + 20 * HOUR);
    await Promise.all([it.worker, it.again(), it.again()].map((worker) => worker.drain()));

    const said = (await it.received(OPERATOR)).filter((text) => /Resumo/.test(text));
    expect(said).toHaveLength(1);
    const [, month, date] = day.split("-");
    expect(said[0]).toContain(`${date}/${month}`);
    expect(said[0]).toMatch(/Não aceitas pela prefeitura: 1\./);
    it.clock.moveTo(noon + 44 * HOUR);
    await it.again().drain();
    expect((await it.received(OPERATOR)).filter((text) => /Resumo/.test(text))).toHaveLength(1);
  });

  test("says that notes may be missing when the store came back from a copy that day", async () => {
    it = await rig({ library: flows, account: { alerts: { phones: false, report: "needed" } } });
    const day = (await it.worker.reconciliation(it.account)).day;
    await it.store.documents.put("told-holds", "hold:fiscal 1", { at: it.clock.now() });
    it.clock.moveTo(tomorrowNoon(it.clock.now()));
    await it.worker.drain();

    const said = await it.received(OPERATOR);
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(/voltou de uma cópia: podem faltar notas/);
    expect(await it.worker.reconciliation(it.account, day)).toMatchObject({ moved: true });
    // The day after it is over.
    it.clock.moveTo(it.clock.now() + 24 * HOUR);
    await it.worker.drain();
    expect(await it.received(OPERATOR)).toHaveLength(1);
  });

  test("is not told when there is nothing to look at, unless each day is wished for", async () => {
    it = await rig({ account: { alerts: { phones: false, report: "needed" } } });
    await it.asks(CUSTOMER, bubble(CUSTOMER, "oi"));
    await it.worker.drain();
    it.clock.moveTo(tomorrowNoon(it.clock.now()));
    await it.worker.drain();

    expect(await it.received(OPERATOR)).toEqual([]);
    const calls = (await it.list("requests")).map((row) => textOf(row["route"]));
    expect(calls).toEqual(["message.sendText"]);
  });
});
