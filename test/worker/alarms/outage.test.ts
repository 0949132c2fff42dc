/** An hour in which the phone is away, as the business's people live it: nothing that was to be told them is left out. */
import { afterEach, expect, test } from "vitest";
import { library as flows } from "../flow-words.ts";
import { tellOperators } from "../../../src/worker/operators.ts";
import { bubble, OPERATOR, rig, type Rig } from "../rig.ts";
import { tomorrowNoon } from "../../support/days.ts";

let it: Rig;
afterEach(() => it.close());

const HOUR = 3_600_000;

test("what waited for the phone on its way to the operators is told whole, bubble by bubble, and not as one apology", async () => {
  it = await rig({ library: flows });
  await it.worker.scopes.pause("plan:demo", "instance_not_open");
  const context = { store: it.store, wake: () => undefined };
  const tell = (key: string, n: number) =>
    tellOperators(context, it.account, `n${n}`, {
      ...{ kind: "notice", key: "alarm", vars: {} },
      lines: [{ key, vars: { count: n } }],
    });
  await tell("alarm-send-failed", 3);
  await it.worker.drain();
  await tell("alarm-dead", 4);
  await it.worker.drain();
  await tell("alarm-held", 5);
  await it.worker.drain();
  // An answer of the conversation itself is put again in words that fit: of those only the last is said.
  await it.asks(OPERATOR, bubble(OPERATOR, "Qual serviço?", "t1"));
  await it.asks(OPERATOR, bubble(OPERATOR, "Qual valor?", "t2"));
  it.clock.moveTo(it.clock.now() + HOUR);
  await it.worker.scopes.resume("plan:demo");
  await it.worker.drain();

  const said = (await it.received(OPERATOR)).join("\n");
  expect(said).toMatch(/entregar: 3[\s\S]*processar: 4[\s\S]*decidir: 5[\s\S]*Qual valor/);
  expect(said).not.toContain("Qual serviço");
});

test("an operator on another number is told while the business's own phone is away, and one on that phone afterwards", async () => {
  const A = { channel: "engine-a", token: "t".repeat(32) };
  const channels = [{ channel: "engine-b", token: "t".repeat(32) }, A];
  const alerts = { phones: true, report: "daily", reportAt: "07:00" };
  it = await rig({ library: flows, account: { channels, alerts } });
  const wrote = { from: { address: OPERATOR, phone: OPERATOR }, at: it.clock.now() };
  const event = { kind: "message", id: "a1", ...wrote, messageId: "a1" };
  const content = { type: "text", text: "oi" };
  const mail = { kind: "inbound", channel: "engine-a", acceptedAt: wrote.at };
  const contact = await it.contact(OPERATOR);
  await it.store.mail.accept([
    { account: "demo", contact, event: "a1", mail: { ...mail, event: { ...event, content } } },
  ]);
  await it.worker.drain();
  const before = (await it.received(OPERATOR)).length;

  await it.worker.scopes.pause("plan:demo", "instance_not_open");
  it.worker.alarms.raise({ code: "send.failed", account: "demo", message: "x" });
  it.clock.moveTo(tomorrowNoon(it.clock.now()));
  await it.worker.drain();
  const said = (await it.received(OPERATOR)).slice(before);
  expect(said.join("\n")).toMatch(/não consegui entregar: 1/);
  expect(said.join("\n")).toMatch(/Resumo das notas/);

  // When his own number is away too, it waits, and is told once.
  await it.worker.scopes.pause("plan:demo:engine-a", "instance_not_open");
  it.worker.alarms.raise({ code: "effect.held", account: "demo", message: "x" });
  await it.worker.drain();
  expect((await it.worker.pager.of("demo")).codes["effect.held"]).toMatchObject({ untold: 1 });
  await it.worker.scopes.resume("plan:demo:engine-a");
  await it.worker.drain();
  expect((await it.received(OPERATOR)).slice(before)).toHaveLength(3);
});
