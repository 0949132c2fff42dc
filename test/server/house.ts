/** A whole HTTP side over a real store, embedded unless a Redis is given, listening on loopback; what lies behind it is recorded. */
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { FastifyInstance } from "fastify";
import { Registry } from "prom-client";
import {
  type Actions,
  createEventHub,
  createIngest,
  createListener,
  createServerMetrics,
  type EventHub,
  type ListenerDeps,
  type Parts,
  type ServerMetrics,
  type Signal,
} from "../../src/server/index.ts";
import { Certificates } from "../../src/plugins/invoicing/certificates/certificates.ts";
import { systemRandom, VirtualClock } from "../../src/worker/index.ts";
import { createAccountRepository, newToken, openStore, type Store } from "../../src/store/index.ts";
import { model } from "../support/plugins.ts";
import { type NoteActions, noteRoutes } from "../../src/plugins/invoicing/http/notes.ts";
import { uploadRoutes } from "../../src/plugins/invoicing/http/uploads.ts";

/** A signal, with the account and the channel it came by. */
interface Heard {
  readonly account: string;
  readonly channel: string;
  readonly event: Signal;
}

export const TOKEN = "demo0000000000000000000000000000";
export const SECRET = "demo-secret";
export const NOW = Date.UTC(2026, 10, 21, 12);

export const demo = model.schema.parse({
  id: "demo",
  name: "Loja Demo",
  channels: [
    { channel: "engine-b", token: TOKEN },
    { channel: "engine-c", token: TOKEN },
    { channel: "sms", token: TOKEN },
    { channel: "engine-a", token: TOKEN, hmac: { secrets: [SECRET] } },
  ],
  invoicingToken: TOKEN,
  gateway: { token: "gateway-secret", deviceToken: "device-secret" },
});

export interface Line {
  readonly level: string;
  readonly data: object;
  readonly message: string;
}

export interface House {
  readonly url: string;
  readonly app: FastifyInstance;
  readonly store: Store;
  readonly hub: EventHub;
  readonly metrics: ServerMetrics;
  readonly deps: ListenerDeps;
  readonly uploads: Certificates;
  readonly log: Line[];
  readonly signals: Heard[];
  readonly claims: object[];
  readonly done: { readonly what: string; readonly args: readonly unknown[] }[];
  /** Mail that the one contact of a phone has waiting, in order. */
  mail(): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

/** A table in parts; of February it breaks off in the middle. */
async function* tableOf(month: string): AsyncGenerator<string> {
  yield "\ufeffNumero;Valor\r\n";
  // Long enough to have left before the next one is asked for.
  for (let number = 1; number <= 3; number++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (month === "2026-02" && number === 3) throw new Error("the store is gone");
    yield `${number};150,00\r\n`;
  }
}

/** Actions that only note what was asked for. */
function noting(done: House["done"], store: Store): Actions {
  const note = (what: string, ...args: unknown[]) => void done.push({ what, args });
  return {
    documentsOf: async () => ({}),
    async forget(account, contact) {
      if (!(await store.contacts.erase(account, contact))) return { ok: false, reason: "absent" };
      note("forget", { account, contact });
      return { ok: true };
    },
    async decideEffect(ref, decision, by) {
      note("decideEffect", ref, decision, by);
      if (ref.id === "absent") return { ok: false, reason: "absent" };
      if (ref.id === "costly" && by.rev !== 4)
        return by.rev === undefined
          ? { ok: false, reason: "unseen", message: "Send rev." }
          : { ok: false, reason: "stale", message: "It is 4 now." };
      return decision === "retry" && ref.id === "fiscal"
        ? { ok: false, reason: "refused", message: "Decide about the invoice.", why: "a-note" }
        : { ok: true };
    },
    usage: async () => ({ month: "2026-11" }),
    alarms: async () => ({ codes: { "send.failed": { count: 2 } }, day: "2026-11-21", sent: 1 }),
    holds: async () => [{ class: "fiscal", reason: "fail-over" }],
    releaseHold: async (name) => name === "fiscal",
    resumeScope: (scope) => store.scopes.resume(scope),
    flows: async () => [{ flow: "menu", title: "Menu", lint: [] }],
    occupied: async () => [{ flow: "menu", hash: "h", version: 1, steps: { wish: 2 }, ast: null }],
    chart: async (flow) =>
      flow === "menu"
        ? { flow, title: "Menu", hash: "h", nodes: [], edges: [], groups: [], anywhere: [] }
        : null,
    layout: async (flow) => (flow === "menu" ? { width: 1 } : null),
    async setClock(now) {
      note("setClock", now);
      return now;
    },
    async drain() {
      note("drain");
    },
  };
}

/** The same of the routes about notes. */
function notingNotes(done: House["done"]): NoteActions {
  const note = (what: string, ...args: unknown[]) => void done.push({ what, args });
  return {
    invoices: async (_account, { open } = {}) => [
      {
        ...(open ? { state: "incerta" } : {}),
        id: "i1",
        taker: "529.982.247-25",
        chave: "3".repeat(50),
      },
    ],
    async sheet(account, month) {
      note("sheet", account, month);
      return month === "2026-01" ? null : tableOf(month);
    },
    invoice: async ({ id }) => (id === "i1" ? { id, taker: "529.982.247-25" } : null),
    async resolveInvoice(ref, decision, by) {
      note("resolveInvoice", ref, decision, by);
      return { ok: true };
    },
    reconciliation: async ({ id }, day) => ({ account: id, day: day ?? "today" }),
  };
}

export interface Options {
  /** What stands behind the one-time pages. */
  readonly uploads?: (deps: Pick<ListenerDeps, "store" | "accounts">) => Certificates;
  readonly parts?: Partial<Parts>;
  readonly deps?: (deps: ListenerDeps) => Partial<ListenerDeps>;
  readonly isOurs?: boolean;
  /** Instead of an embedded store. */
  readonly redisUrl?: string;
  /** Stands between the server and the store. */
  readonly store?: (store: Store) => Store;
}

export async function openHouse(options: Options = {}): Promise<House> {
  const folder = mkdtempSync(path.join(tmpdir(), "prosa-server-"));
  const { redisUrl } = options;
  const real = await openStore({
    ...(redisUrl === undefined ? { dataDir: folder } : { redisUrl }),
    keys: `k1:${randomBytes(32).toString("base64")}`,
  });
  const store = options.store?.(real) ?? real;
  const accounts = createAccountRepository(store, model, () => performance.now());
  await createAccountRepository(real, model, () => 0).put(demo);
  const hub = createEventHub({ now: () => NOW });
  const metrics = createServerMetrics(new Registry());
  const log: Line[] = [];
  const signals: Heard[] = [];
  const claims: object[] = [];
  const done: House["done"] = [];
  const line = (level: string) => (data: object, message: string) =>
    void log.push({ level, data, message });
  const ingest = createIngest({
    store,
    hub,
    metrics,
    mail: store.mail,
    clock: { now: () => NOW, offsetMs: 0 },
    echoes: { isOurs: async () => options.isOurs ?? false, whose: async () => "nobody" },
    automatic: { are: async () => false },
    signals: {
      handle: async (account, channel, event) => void signals.push({ account, channel, event }),
      whoseLinked: async () => undefined,
      saidTo: async () => undefined,
      unmatched: async () => undefined,
    },
  });
  const uploads =
    options.uploads?.({ store, accounts }) ??
    new Certificates({
      ...{ store, random: systemRandom, wake: () => undefined },
      accounts: {
        get: async (id) => (await accounts.get(id))?.account ?? null,
        ids: async () => [],
      },
      clock: new VirtualClock(),
    });
  const base: ListenerDeps = {
    ...{ store, accounts, ingest, hub, metrics },
    live: (session, about) => ({
      contact: session.contact,
      account: session.account,
      role: session.role,
      ...(session.name ? { name: session.name } : {}),
      ...(session.address ? { address: session.address } : {}),
      ...(session.handoff ? { handoff: session.handoff } : {}),
      frames: [],
      requests: [],
      queued: about.queued,
    }),
    files: async () => null,
    plugins: {
      routes: noteRoutes(notingNotes(done)),
      pages: [
        { plugin: "invoicing", page: (to, about) => uploadRoutes(to, { ...about, uploads }) },
      ],
      webhooks: new Map([["invoicing", async (_account, body) => void claims.push(body)]]),
    },
    clock: { now: () => NOW, offsetMs: () => 0 },
    newId: randomUUID,
    newToken: () => newToken(randomBytes),
    actions: noting(done, store),
    log: { debug: line("debug"), info: line("info"), warn: line("warn"), error: line("error") },
    version: "0.1.0",
    startedAt: NOW,
    roles: ["ingress", "worker"],
    publicUrl: "http://localhost:3000",
    gatewayUrl: "http://127.0.0.1:3001/api/v2",
    sandboxUrl: null,
  };
  const deps = { ...base, ...options.deps?.(base) };
  const app = await createListener(deps, { ingress: true, admin: true, ...options.parts });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  return {
    ...{ url, app, store: real, hub, metrics, deps, uploads, log, signals, claims, done },
    async mail() {
      const claimed = await real.mail.claim({
        owner: "test",
        contacts: 10,
        events: 100,
        leaseMs: 1,
      });
      return claimed.flatMap((one) => one.mail.map((item) => item.mail));
    },
    async close() {
      await app.close();
      await real.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A message of a contact as engine B posts it. */
export function inbound(text: string, id = "3A1F0C9D2B7E4A5566F1", phone = "5511987650001") {
  return {
    instance: "loja1",
    data: {
      key: { remoteJid: `${phone}@s.whatsapp.net`, fromMe: false, id },
      pushName: "Marina Lopes",
      message: { conversation: text },
      messageType: "conversation",
      messageTimestamp: NOW / 1_000,
    },
  };
}

export function post(url: string, body: unknown, headers: Record<string, string> = {}) {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
  });
}
