/** What a process that only takes webhooks hears of and pays for: told on phones and counted by those that work. */
import { afterEach, describe, expect, test } from "vitest";
import { until } from "../../sandbox/stage.ts";
import { revOf } from "../../../src/plugins/invoicing/note/invoice.ts";
import type { Store } from "../../../src/store/index.ts";
import { library as flows } from "../flow-words.ts";
import {
  CUSTOMER,
  issue,
  OPERATOR,
  rig,
  textOf,
  type Rig,
  type RigWorker as Worker,
} from "../rig.ts";
import { withSteps } from "../../../src/store/port/with-steps.ts";

let it: Rig;
let ingress: Worker | undefined;
afterEach(async () => {
  await ingress?.stop(1_000);
  ingress = undefined;
  await it.close();
});

const alerts = { phones: true, report: "off" };
const alarms = (code: string) =>
  it.events.filter((event) => event.type === "alarm" && event.code === code);

/** Another process on the same store, that only takes webhooks. */
async function listening(other: Parameters<Rig["again"]>[0] = {}): Promise<Worker> {
  ingress = it.again(other);
  await ingress.start({ works: false });
  return ingress;
}

/** A note that exists although its person gave it up; answers the issuer's notice about it. */
async function givenUp(): Promise<object> {
  await it.fault({ route: "invoicing.nfseEnvio", effect: { kind: "accepted_then_lost" } });
  await it.asks(CUSTOMER, issue());
  await it.worker.drain();
  const [mine] = (await it.worker.invoices.list("demo", { limit: 5 })).items;
  if (!mine) throw new Error("a record was expected");
  await it.worker.settling.decide("demo", mine.id, {
    ...{ rev: revOf(mine), decision: "abandon", actor: "ana", reason: "cliente desistiu" },
  });
  await it.worker.drain();
  const note = (await it.list("invoices")).at(-1);
  return {
    ...{ evento: "nfse.autorizada", status: "autorizada", chave: textOf(note?.["chave"]) },
    ...{ valor_servicos: 150, cIntContrib: mine.token, emitente_id: mine.issuer.emitente_id },
  };
}

/** A note that was issued; answers a notice by which its issuer takes it back. */
async function takenBack(): Promise<object> {
  await it.asks(CUSTOMER, issue());
  await it.worker.drain();
  const [mine] = (await it.worker.invoices.list("demo", { limit: 5 })).items;
  const emitente_id = mine?.issuer.emitente_id;
  return { status: "rejeitada", chave: mine?.key, cIntContrib: mine?.token, emitente_id };
}

/** What is wrong with the store while `isAway` says so: pages cannot be written. */
function pagesAway(store: Store, isAway: () => boolean): Store {
  return withSteps(store, (name, own) =>
    name === "documents.put"
      ? async (...args: Parameters<Store["documents"]["put"]>) => {
          if (args[0] === "pages" && isAway()) throw new Error("the store is away");
          return (own as Store["documents"]["put"])(...args);
        }
      : undefined,
  );
}

describe.each([
  {
    what: "that exists although it was given up",
    notice: givenUp,
    said: "settled",
    words: /encerradas aqui: 1/,
  },
  {
    what: "that its issuer takes back",
    notice: takenBack,
    said: "unproven",
    words: /não consegui confirmar: 1/,
  },
])("a notice of a note $what", ({ notice, said, words }) => {
  test("is told on phones by a process that works, whoever took it and however soon that ended", async () => {
    it = await rig({ library: flows, account: { alerts } });
    const body = await notice();
    // Killed at once: nothing but what the answer to the notice waited for.
    const taker = it.again();
    expect(await taker.settling.fromWebhook("demo", body as never)).toBe(said);
    await it.worker.drain();
    expect((await it.received(OPERATOR)).join("\n")).toMatch(words);
  });

  test("is refused while the alarm cannot be written down, and told when it is posted again", async () => {
    it = await rig({ library: flows, account: { alerts } });
    const body = await notice();
    let isAway = true;
    const taker = it.again({ store: pagesAway(it.store, () => isAway) });
    await expect(taker.settling.fromWebhook("demo", body as never)).rejects.toThrow(/away/);
    isAway = false;
    expect(await taker.settling.fromWebhook("demo", body as never)).toBe(said);
    await it.worker.drain();
    expect((await it.received(OPERATOR)).join("\n")).toMatch(words);
  });

  test("stands in the report of its day, once however often it is posted", async () => {
    it = await rig({ library: flows });
    const body = await notice();
    for (let times = 0; times < 2; times++)
      await it.again().settling.fromWebhook("demo", body as never);
    const report = await it.worker.reconciliation(it.account);
    expect(report).toMatchObject({ contradicted: 1, needsSomebody: true });
  });
});

test("an alarm nobody waits for is written down while it runs, and told elsewhere", async () => {
  it = await rig({ library: flows, account: { alerts } });
  const taker = await listening();
  taker.alarms.raise({ code: "channel.filter", account: "demo", message: "x" });
  await until(async () => (await it.worker.pager.of("demo")).codes["channel.filter"]);
  expect(await it.received(OPERATOR)).toEqual([]);
  await it.worker.drain();
  expect((await it.received(OPERATOR)).join("\n")).toMatch(/canal C/);
});

test("a lookup that a notice was charged for is in the month's usage while it runs", async () => {
  it = await rig({ library: flows });
  const body = await givenUp();
  const before = (await it.worker.usage("demo")).credits.used;
  const taker = await listening();
  await taker.settling.fromWebhook("demo", body as never);
  const used = async () => (await it.worker.usage("demo")).credits.used;
  expect(await until(async () => ((await used()) > before ? await used() : undefined))).toBe(
    before + 1,
  );
});

test("what it heard and counted last is written down when it stops", async () => {
  it = await rig({ library: flows, account: { alerts } });
  const body = await givenUp();
  const before = (await it.worker.usage("demo")).credits.used;
  const taker = await listening();
  await taker.settling.fromWebhook("demo", body as never);
  taker.alarms.raise({ code: "channel.filter", account: "demo", message: "x" });
  await taker.stop(1_000);
  expect((await it.worker.usage("demo")).credits.used).toBe(before + 1);
  expect((await it.worker.pager.of("demo")).codes["channel.filter"]?.untold).toBe(1);
  expect(alarms("channel.filter")).toHaveLength(1);
});

test("it makes no turn, sends nothing and fires no timer", async () => {
  it = await rig({ library: flows });
  const taker = await listening();
  await it.says(CUSTOMER, "oi");
  taker.wake();
  taker.alarms.raise({ code: "channel.filter", account: "demo", message: "x" });
  await until(async () => (await it.worker.pager.of("demo")).codes["channel.filter"]);
  expect(await it.received(CUSTOMER)).toEqual([]);
  expect((await it.store.views.backlog()).counters.queued).toBe(1);
});
