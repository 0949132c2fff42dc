/**
 * A person's decision is about what was seen. Two people in a row, with a sending between them whose answer was lost as well:
 * the second one looked before it, and may not have the note, or the call that costs, made once more.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createActions } from "../../../../src/app/operator/actions.ts";
import type { Store } from "../../../../src/store/index.ts";
import type { Actions } from "../../../../src/server/index.ts";
import { openNotes } from "../../../../src/plugins/invoicing/note/open-notes.ts";
import { startRedis, type TestRedis } from "../../../support/redis.ts";
import { answering } from "../../../worker/bot.ts";
import {
  type Asked,
  bubble,
  CUSTOMER,
  issue,
  OTHER,
  rig,
  type Rig,
  textOf,
} from "../../../worker/rig.ts";
import { type NoteActions, noteActions } from "../../../../src/plugins/invoicing/http/notes.ts";
import { withSteps } from "../../../../src/store/port/with-steps.ts";

let it: Rig;
let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
afterEach(() => it.close());

/** What operators can do; flows and charts are no part of it. */
function people(worker = it.worker): Actions & NoteActions {
  const { store, clock } = it;
  const none = {} as never;
  const parts = { store, worker, clock, library: none, layouter: none, works: true };
  return { ...createActions(parts), ...noteActions(worker.context) };
}

const WHY = { reason: "não consta no portal" };
const ana = { ...WHY, actor: "ana" };
const bia = { ...WHY, actor: "bia" };

const calls = async (route: string) =>
  (await it.list("requests")).filter((row) => textOf(row["route"]) === route).length;

/** Its first answers are lost: before the gateway heard of it, then after it did what was asked. */
async function lose(route: string): Promise<void> {
  for (const kind of ["reset", "accepted_then_lost"])
    await it.fault({ route, effect: { kind }, times: 1 });
}

const revIn = (row: object | null | undefined): number =>
  Number((row as { rev?: unknown } | null | undefined)?.rev);

describe.each(["the embedded store", "Redis"])("On %s", (name) => {
  const open = async () => {
    it = await rig(name === "Redis" ? { redisUrl: redis.url } : {});
    if (name === "Redis") await it.store.contacts.erase("demo", await it.contact(CUSTOMER));
  };
  const newest = async () => (await people().invoices("demo"))[0];

  test("a note that was sent again and lost again is not sent a third time by who looked before", async () => {
    await open();
    await lose("invoicing.nfseEnvio");
    await it.asks(CUSTOMER, issue());
    await it.worker.drain();
    const actions = people();
    const ref = { account: "demo", id: textOf((await newest())?.["id"]) };
    const rev = revIn(await actions.invoice(ref));
    expect(revIn(await newest())).toBe(rev);
    // What waits for a person is found without looking through all notes there are.
    const waits = async () => await actions.invoices(undefined, { open: true });
    expect(await waits()).toMatchObject([{ id: ref.id, state: "incerta", rev }]);
    expect(await actions.invoices("other", { open: true })).toEqual([]);

    expect(await actions.resolveInvoice(ref, "not_issued", { ...ana, rev })).toMatchObject({
      ok: true,
    });
    await it.worker.drain();
    const now = await actions.invoice(ref);
    expect(now).toMatchObject({ state: "incerta" });

    for (const decision of ["not_issued", "abandon", "issued"] as const) {
      const chave = decision === "issued" ? { chave: "3".repeat(50) } : {};
      expect(await actions.resolveInvoice(ref, decision, { ...bia, rev, ...chave })).toMatchObject({
        reason: "stale",
        message: expect.stringContaining(
          `incerta with rev ${revIn(now)} now: look at it again`,
        ) as string,
      });
    }
    await it.worker.drain();
    expect(await calls("invoicing.nfseEnvio")).toBe(2);
    expect(await calls("invoicing.nfseConsulta")).toBe(0);
    expect(await it.list("invoices")).toHaveLength(1);
    expect(await actions.invoice(ref)).toMatchObject({ state: "incerta" });
    const again = { ...bia, rev: revIn(now) };
    expect(await actions.resolveInvoice(ref, "abandon", again)).toMatchObject({ ok: true });
    expect(await waits()).toEqual([]);
  });

  test("a costly call that was made again and lost again is not made a third time by who looked before", async () => {
    await open();
    await lose("group.create");
    const input = { subject: "Clientes", participants: [CUSTOMER] };
    const call = { type: "call", class: "costly", name: "group.create", input };
    const [id = ""] = await it.asks(CUSTOMER, call as unknown as Asked);
    await it.worker.drain();
    const actions = people();
    const ref = { account: "demo", contact: await it.contact(CUSTOMER), id };
    const held = async () =>
      (await it.store.views.effects({ account: "demo", state: "held", limit: 5 })).find(
        (one) => one.id === id,
      );
    const rev = revIn(await held());

    for (const decision of ["retry", "done", "failed", "discard"] as const)
      expect(await actions.decideEffect(ref, decision, ana)).toMatchObject({
        reason: "unseen",
        message: expect.stringContaining("send `rev`") as string,
      });
    expect(await actions.decideEffect(ref, "retry", { ...ana, rev })).toEqual({ ok: true });
    await it.worker.drain();
    const now = revIn(await held());
    for (const decision of ["retry", "done", "failed", "discard"] as const)
      expect(await actions.decideEffect(ref, decision, { ...bia, rev })).toMatchObject({
        reason: "stale",
        message: expect.stringContaining(`rev ${now} now`) as string,
      });
    await it.worker.drain();
    expect(await calls("group.create")).toBe(2);
    expect(await actions.decideEffect(ref, "done", { ...bia, rev: now })).toEqual({ ok: true });
    expect(await held()).toBeUndefined();
  });
});

test("a note whose request was written anew between two lost ones is no longer what was seen", async () => {
  it = await rig();
  await lose("invoicing.nfseEnvio");
  await it.asks(CUSTOMER, issue());
  await it.worker.drain();
  const actions = people();
  const ref = { account: "demo", id: textOf((await actions.invoices("demo"))[0]?.["id"]) };
  const rev = revIn(await actions.invoice(ref));

  // Turned away for certain: its bytes and its record are made anew, and its history begins again.
  let turnedAway = false;
  const gateway = answering(it, (route) => {
    if (route !== "invoicing.nfseEnvio" || turnedAway) return undefined;
    turnedAway = true;
    return { kind: "refused", status: 402, message: "Saldo insuficiente.", ms: 1 };
  });
  const worker = it.again({ gatewayFor: () => gateway });
  expect(await people(worker).resolveInvoice(ref, "not_issued", { ...ana, rev })).toMatchObject({
    ok: true,
  });
  await worker.drain();
  await worker.scopes.resume("credits:demo");
  await worker.drain();

  const now = await actions.invoice(ref);
  expect(now).toMatchObject({ state: "incerta" });
  expect(revIn(now)).toBeGreaterThan(rev);
  expect(await actions.resolveInvoice(ref, "not_issued", { ...bia, rev })).toMatchObject({
    reason: "stale",
  });
});

test("a process that stands still after it wrote a decision lets go nothing that was lost since", async () => {
  it = await rig();
  await lose("invoicing.nfseEnvio");
  await it.asks(CUSTOMER, issue());
  await it.worker.drain();
  const actions = people();
  const ref = { account: "demo", id: textOf((await actions.invoices("demo"))[0]?.["id"]) };
  let goOn = () => {};
  const still = new Promise<void>((resolve) => (goOn = resolve));
  let written = () => {};
  const isWritten = new Promise<void>((resolve) => (written = resolve));
  const answers: boolean[] = [];
  const store = withSteps(it.store, (name) => {
    const slow: Store["effects"]["resolve"] = async (input) => {
      written();
      await still;
      answers.push(await it.store.effects.resolve(input));
      return answers[0] === true;
    };
    return name === "effects.resolve" ? slow : undefined;
  });
  const seen = async () => ({ rev: revIn(await actions.invoice(ref)) });
  const first = people(it.again({ store })).resolveInvoice(ref, "not_issued", {
    ...ana,
    ...(await seen()),
  });
  await isWritten;
  // The other one sees it waiting, and sends it; that is lost, too.
  expect(
    await actions.resolveInvoice(ref, "not_issued", { ...bia, ...(await seen()) }),
  ).toMatchObject({ ok: true });
  await it.worker.drain();
  goOn();
  await first;

  expect(answers).toEqual([false]);
  expect(await it.store.views.effects({ state: "held", limit: 5 })).toHaveLength(1);
});

test("a person who ends a pause has what it turned away stand in its place before any worker sends", async () => {
  it = await rig();
  await it.fault({
    route: "message.sendText",
    effect: { kind: "status", status: 429 },
    times: 1,
  });
  await it.asks(CUSTOMER, bubble(CUSTOMER, "um"), bubble(CUSTOMER, "dois"));
  await it.worker.drain();
  await it.asks(CUSTOMER, bubble(CUSTOMER, "três"));
  await it.asks(OTHER, bubble(OTHER, "oi"));

  expect(await people().resumeScope("plan:demo")).toBe(true);
  // One that never saw the pause.
  await it.again().drain();

  expect(await it.received(CUSTOMER)).toEqual(["um", "dois", "três"]);
  expect(await it.received(OTHER)).toEqual(["oi"]);
  expect(await people().resumeScope("plan:demo")).toBe(false);
});

test("a note that rests behind any number of failed sends is among those that wait for a person", async () => {
  it = await rig({ account: { onRateLimit: "hold" } });
  for (const route of ["message.sendText", "invoicing.nfseEnvio"])
    await it.fault({ route, effect: { kind: "status", status: 429 } });
  await it.asks(CUSTOMER, bubble(CUSTOMER, "um"), bubble(CUSTOMER, "dois"));
  await it.worker.drain();
  await it.asks(OTHER, issue());
  await it.worker.drain();
  expect(await it.store.views.effects({ state: "held", limit: 9 })).toHaveLength(3);
  // As if a page of the store were one effect.
  const store = withSteps(it.store, (name) => {
    const held: Store["views"]["held"] = (options) => it.store.views.held({ ...options, limit: 1 });
    const effects: Store["views"]["effects"] = (options) =>
      it.store.views.effects({ ...options, limit: 1 });
    const own: unknown =
      name === "views.held" ? held : name === "views.effects" ? effects : undefined;
    return own;
  });
  const { invoices } = it.worker;

  expect(await openNotes({ store, invoices }, "demo", 50)).toMatchObject([{ state: "pendente" }]);
  expect(await openNotes({ store, invoices }, "other", 50)).toEqual([]);
});

test("a note the gateway turned away unread waits for a person, too, where its account says so", async () => {
  it = await rig({ account: { onRateLimit: "hold" } });
  await it.fault({
    route: "invoicing.nfseEnvio",
    effect: { kind: "status", status: 429 },
    times: 1,
  });
  await it.asks(CUSTOMER, issue());
  await it.worker.drain();
  const [note] = await people().invoices("demo", { open: true });
  expect(note).toMatchObject({ state: "pendente", taker: { name: expect.any(String) as string } });
});
