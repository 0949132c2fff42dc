/** What a refused cancellation leaves behind and says, told as 200 or as 4xx: the authority's words are the same. */
import { afterEach, describe, expect, test } from "vitest";
import { createActions } from "../../../../src/app/operator/actions.ts";
import { loadFlows } from "../../../../src/app/loading/flow-files.ts";
import {
  type Asked,
  CUSTOMER,
  issue,
  OPERATOR,
  type Rig,
  rig,
  WAITER,
} from "../../../worker/rig.ts";

let it: Rig;
afterEach(() => it.close());

const route = "invoicing.cancelamento";
const refuses = (status: number, message: string) =>
  it.fault({
    ...{ route, times: 1 },
    effect:
      status === 200 ? { kind: "business_error", message } : { kind: "status", status, message },
  });
const cancel = (note: string): Asked => ({
  ...{ type: "call", name: "invoice.cancel", class: "fiscal" },
  ...{ waiter: WAITER, input: { note, reason: "error", why: "O valor saiu errado na nota" } },
});

/** An issued note; the operator and the customer have spoken. */
async function issued(options: Parameters<typeof rig>[0] = {}) {
  it = await rig({ account: { cancelTipo: "nfse-cancelamento" }, ...options });
  for (const phone of [OPERATOR, CUSTOMER]) await it.says(phone, "oi");
  await it.worker.drain();
  await it.asks(CUSTOMER, issue());
  await it.worker.drain();
  return note();
}
async function note() {
  const [found] = (await it.worker.invoices.list("demo", { limit: 1 })).items;
  if (!found) throw new Error("no note was issued");
  return found;
}
async function result() {
  const lines = await it.journal(OPERATOR);
  const last = lines.findLast((line) => (line["mail"]?.["kind"] as unknown) === "result");
  return last?.["mail"]?.["result"] as unknown as { outcome: string; out: Record<string, unknown> };
}

describe.each([200, 400, 422])("a cancellation refused by %i", (status) => {
  test("is rejected with the authority's words, which the record keeps", async () => {
    const { id } = await issued();
    await refuses(status, "E0822 - Prazo de cancelamento expirado");

    await it.asks(OPERATOR, cancel(id));
    await it.worker.drain();

    const words = "E0822 - Prazo de cancelamento expirado";
    expect(await result()).toMatchObject({ outcome: "rejected", out: { text: words } });
    expect((await note()).cancel).toMatchObject({ state: "recusada", text: words });
  });

  test("because the note is cancelled already cancels it here, after an answer that was lost", async () => {
    const { id } = await issued();
    await it.fault({ route, effect: { kind: "accepted_then_lost" }, times: 1 });
    await it.asks(OPERATOR, cancel(id));
    await it.worker.drain();
    const [held] = await it.store.views.effects({ account: "demo", state: "held", limit: 5 });
    if (!held) throw new Error("nothing is held");
    const actions = createActions({ store: it.store, worker: it.worker, clock: it.clock } as never);
    const ref = { account: "demo", contact: held.contact, id: held.id };
    const by = { actor: "ana", reason: "não sei", rev: held.rev };
    expect(await actions.decideEffect(ref, "discard", by)).toMatchObject({ ok: true });
    await refuses(status, "E0840 - Nota já cancelada.");

    await it.asks(OPERATOR, cancel(id));
    await it.worker.drain();

    expect(await result()).toMatchObject({ outcome: "done" });
    expect((await note()).cancel).toMatchObject({ state: "cancelada", confirmed: true });
  });

  test("is told as what the town did not accept, with its words", async () => {
    const { library } = await loadFlows();
    const { number } = await issued({ library });
    await refuses(status, "Prazo de cancelamento expirado.");

    for (const text of [
      `cancelar a nota ${number}`,
      "1",
      "o valor saiu errado, era 120",
      "CONFIRMAR",
    ]) {
      await it.says(OPERATOR, text);
      await it.worker.drain();
      // A sentence may have a second part: it is waited for a little.
      it.clock.moveTo(it.clock.now() + 10_000);
      await it.worker.drain();
    }

    expect((await it.received(OPERATOR)).at(-1)).toMatch(
      /A prefeitura não aceitou cancelar a nota .* Prazo de cancelamento expirado\. Ela continua valendo/,
    );
  });
});

test("a cancellation refused without a word is told as one that could not be sent", async () => {
  const { id } = await issued();
  await it.fault({ route, effect: { kind: "html", status: 404 }, times: 1 });

  await it.asks(OPERATOR, cancel(id));
  await it.worker.drain();

  expect(await result()).toMatchObject({ outcome: "failed" });
  expect((await note()).cancel).toMatchObject({ state: "recusada" });
});
