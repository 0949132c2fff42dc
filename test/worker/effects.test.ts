/** What is known of a person's own takers, and of notes like the one that is asked for: to whom, and for how long. */
import type { RuntimeContext } from "../../src/worker/context/contexts.ts";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { CallResult } from "../../src/engine/index.ts";
import { openStore, type Store } from "../../src/store/index.ts";
import { Invoice } from "../../src/plugins/invoicing/note/invoice.ts";
import { Invoices } from "../../src/plugins/invoicing/note/invoices.ts";
import { type LocalWork } from "../../src/worker/index.ts";
import { forgetOwn } from "../../src/plugins/invoicing/book/documents.ts";
import { account } from "../engine/town.ts";
import { KEYS } from "./rig.ts";
import { invoicingOf } from "../../src/plugins/invoicing/account.ts";
import { effects } from "../support/plugins.ts";

const ANA = "a".repeat(32);
const BIA = "b".repeat(32);
const NOW = Date.UTC(2026, 10, 21, 13);
const HOUR = 3_600_000;
const hash = (text: string) => createHash("sha256").update(text).digest("hex");
const folder = mkdtempSync(path.join(os.tmpdir(), "prosa-takers-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MARIA = { document: "52998224725", name: "Maria Souza" };
const ACME = { document: "12ABC34501DE35", name: "ACME Ltda" };
const PADARIA = { document: "11444777000161", name: "Padaria Estrela Ltda" };
const ISSUER = { emitente_id: "i", cnpj: "", town: "3550308", zone: "America/Sao_Paulo" };
const ADDRESS = { logradouro: "Rua A", numero: "1", bairro: "Centro", uf: "SP", cep: "01310100" };

let store: Store;
let invoices: Invoices;
let made = 0;
beforeEach(async () => {
  store = await openStore({ dataDir: mkdtempSync(path.join(folder, "s")), keys: KEYS });
  invoices = new Invoices(store, { hash });
});

async function issued(of: Partial<Invoice> = {}): Promise<void> {
  const id = hash(`note ${++made}`).slice(0, 32);
  const createdAt = of.createdAt ?? NOW - HOUR;
  const one = Invoice.parse({
    ...{ id, account: account.id, contact: ANA, effect: `e:${made}`, locale: "pt-BR" },
    ...{ state: "autorizada", taker: MARIA, cents: 15_000, competence: "2026-11" },
    issuer: {
      ...{ emitente_id: "i", cnpj: invoicingOf(account).issuers[0]?.cnpj, town: "3550308" },
      zone: "America/Sao_Paulo",
    },
    ...{
      service: "Corte",
      description: "Corte",
      businessKey: id,
      window: null,
      token: "t",
      code: "c",
    },
    ...{ createdAt, number: String(made), key: String(made).padStart(50, "3") },
    history: [{ at: createdAt, state: "autorizada", by: "worker" }],
    ...of,
  });
  await invoices.open({ ...one, state: "pendente" });
  await invoices.change(account.id, id, () => one);
}

async function asks(name: string, input: object, contact = ANA): Promise<CallResult["out"]> {
  const spec = effects.locals.get(name);
  if (!spec) throw new Error(name);
  const context: object = {
    ...{ store, invoices, keys: { hash }, clock: { now: () => NOW } },
    certificates: { tickets: { dropOf: async () => undefined } },
    use: () => context,
  };
  const begun = { id: "x", account: account.id, contact };
  const work = { context, begun, account, at: NOW } as unknown as LocalWork<RuntimeContext>;
  const ending = await spec.perform(work, spec.input.parse(input));
  return ending?.result?.out ?? {};
}

describe("takers.find", () => {
  test("gives the one taker of the contact's own notes, its document masked where it is shown", async () => {
    await issued({ taker: { ...MARIA, address: { ...ADDRESS, codigo_municipio: "3550308" } } });
    expect(await asks("takers.find", {})).toEqual({
      ...{ found: "one", rows: [], ...MARIA },
      label: "Maria Souza · ***.982.247-** · São Paulo/SP",
      address: { ...ADDRESS, codigo_municipio: "3550308" },
      proposes: false,
    });
    expect(await asks("takers.find", {}, BIA)).toEqual({ found: "none", rows: [] });
  });

  test("knows those of every name the person had, the last served first", async () => {
    const now = await store.contacts.identify(account.id, ["phone:5511988880001"]);
    await store.mail.accept([{ account: account.id, contact: now, event: "e", mail: {} }]);
    const [claim] = await store.mail.claim({ owner: "t", contacts: 1, events: 1, leaseMs: 5_000 });
    if (!claim) throw new Error("nothing to claim");
    const { contact, epoch, rev } = claim;
    const session = { joined: [{ contact: ANA, at: NOW }] };
    const some = { account: account.id, contact, epoch, rev, applied: 1, session };
    await store.mail.commit([{ ...some, effects: [], due: null, journal: [] }]);
    await issued({ createdAt: NOW - 2 * HOUR });
    await issued({ contact: now, taker: ACME });
    const found = await asks("takers.find", {}, now);
    const rows = found["rows"] as { label: string }[];
    expect(rows.map(({ label }) => label.split(" · ")[0])).toEqual([
      ...["ACME Ltda", "Maria Souza", "Outra pessoa ou empresa"],
    ]);
  });

  test("proposes its last note's service as long as it is offered, and none where one was said", async () => {
    const [first, second] = invoicingOf(account).services;
    await issued({ serviceId: first?.id, createdAt: NOW - 2 * HOUR });
    await issued({ serviceId: second?.id });
    // The business sent it here; nobody here asked for it.
    await issued({ contact: BIA, shared: [ANA], serviceId: first?.id, createdAt: NOW - 1 });
    expect(await asks("takers.find", {})).toMatchObject({
      ...{ proposes: true, service: second?.id, serviceLabel: second?.name },
    });
    const said = await asks("takers.find", { service: first?.id });
    expect(said).toMatchObject({ found: "one", proposes: false });
    expect(said).not.toHaveProperty("service");

    await issued({ serviceId: "gone", service: "Tosa", createdAt: NOW - 1 });
    const gone = await asks("takers.find", {});
    expect(gone).toMatchObject({ found: "one", proposes: false });
    expect(gone).not.toHaveProperty("service");
  });

  test("gives several to choose from, the last note's first, and one of them by its row only to its own contact", async () => {
    await issued({ taker: PADARIA, createdAt: NOW - 3 * HOUR });
    await issued({ taker: ACME, createdAt: NOW - 2 * HOUR });
    await issued({ taker: PADARIA, createdAt: NOW - 4 * HOUR });
    const found = await asks("takers.find", {});
    const rows = found["rows"] as { id: string; label: string }[];
    expect([found["found"], rows.map(({ label }) => label)]).toEqual([
      "many",
      [
        "ACME Ltda · **.ABC.345/01DE-**",
        "Padaria Estrela Ltda · **.444.777/0001-**",
        "Outra pessoa ou empresa",
      ],
    ]);
    const id = rows[1]?.id;
    expect(await asks("takers.find", { id })).toMatchObject({ found: "one", ...PADARIA });
    expect(await asks("takers.find", { id: "other" })).toMatchObject({ found: "none" });
    expect(await asks("takers.find", { id }, BIA)).toMatchObject({ found: "none" });
  });

  test("knows nobody from a refused note, or from one the business only sent there", async () => {
    await issued({ state: "rejeitada" });
    await issued({ contact: BIA, shared: [ANA], taker: ACME });
    expect(await asks("takers.find", {})).toEqual({ found: "none", rows: [] });
  });

  test("knows nobody the business forgot, and nothing once the person was erased", async () => {
    await issued();
    await issued({ taker: ACME });
    await invoices.customers.forgetDocument(account.id, MARIA.document);
    expect(await asks("takers.find", {})).toMatchObject({ found: "one", ...ACME });
    const certificates = { forget: async () => undefined };
    const person = { contact: ANA, contacts: new Set([ANA]), session: undefined };
    await forgetOwn({ invoices, certificates } as never, account.id, person);
    expect(await asks("takers.find", {})).toEqual({ found: "none", rows: [] });
  });
});

describe("a note that is asked for once more", () => {
  const repeat = { wish: { last: true }, purpose: "repeat" };

  test("is of those the customer asked for, never one that the business only sent there", async () => {
    await issued({ description: "Barba", createdAt: NOW - 2 * HOUR });
    await issued({ contact: BIA, shared: [ANA], taker: ACME });
    const shown = await asks("notes.find", { wish: { last: true } });
    expect(shown).toMatchObject({ found: "one", name: ACME.name });
    const own = await asks("notes.find", repeat);
    expect(own).toMatchObject({ found: "one", name: MARIA.name });
    expect(await asks("notes.draft", { id: own["id"] })).toMatchObject({
      ...{ ...MARIA, description: "Barba", value: 15_000 },
    });
    expect(await asks("notes.draft", { id: shown["id"] })).not.toHaveProperty("document");
    expect(await asks("notes.find", { ...repeat, id: shown["id"] })).toEqual({
      ...{ found: "none", rows: [] },
    });
  });
});

describe("notes.similar", () => {
  const like = { document: MARIA.document, value: 15_000 };

  test("finds a note of the same taker and value, whoever asked for it, and says no name", async () => {
    await issued({ contact: BIA, number: "7", competence: "2026-10", service: "Barba" });
    expect(await asks("notes.similar", like)).toEqual({
      found: true,
      label: "nota 7 de R$ 150,00, de 21/11",
    });
  });

  test("finds one whose fate nobody knows, and none that was refused", async () => {
    await issued({ state: "rejeitada" });
    expect(await asks("notes.similar", like)).toMatchObject({ found: false });
    await issued({ state: "incerta", number: undefined, key: undefined });
    expect(await asks("notes.similar", like)).toEqual({
      found: true,
      label: "nota de R$ 150,00, de 21/11",
    });
  });

  test.each([
    ["of another value", { cents: 15_001 }],
    ["of another taker", { taker: ACME }],
    ["of before the account's hours", { createdAt: NOW - 24 * HOUR - 1 }],
    ["of another issuer", { issuer: { ...ISSUER, cnpj: "11444777000161" } }],
  ])("says nothing of a note %s", async (_what, other) => {
    await issued(other);
    expect(await asks("notes.similar", like)).toEqual({ found: false, label: "" });
  });
});

describe("a balance that was used up", () => {
  const scope = `credits:${account.id}`;
  /** A context whose scopes are the store's. */
  async function does(name: "credits.state" | "credits.resume") {
    const spec = effects.locals.get(name);
    const scopes = { resume: async (one: string) => void (await store.scopes.resume(one)) };
    const work = { context: { store, scopes }, account } as unknown as LocalWork<RuntimeContext>;
    return (await spec?.perform(work, {}))?.result;
  }

  test("is told, and goes on by the business's word; twice is as once", async () => {
    expect(await does("credits.state")).toEqual({ outcome: "done", out: { state: "open" } });
    await store.scopes.pause(scope, "no_balance");
    expect(await does("credits.state")).toEqual({ outcome: "done", out: { state: "no_balance" } });
    for (const _ of [1, 2]) {
      expect(await does("credits.resume")).toEqual({ outcome: "done", out: {} });
      expect([...(await store.scopes.pauses()).keys()]).toEqual([]);
    }
  });

  test("no other pause is ended by it", async () => {
    await store.scopes.pause(scope, "operator");
    expect(await does("credits.state")).toEqual({ outcome: "done", out: { state: "other" } });
    expect(await does("credits.resume")).toMatchObject({ outcome: "rejected" });
    expect([...(await store.scopes.pauses()).keys()]).toEqual([scope]);
  });
});
