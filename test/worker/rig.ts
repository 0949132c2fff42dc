/** A worker on a real store and a real sandbox, without a server: tests put mail in and look at what came out. */
import { createHash } from "node:crypto";
import { mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { channels } from "../../src/channels/index.ts";
import type { Account } from "../../src/engine/index.ts";
import {
  type Effect,
  type InboundEvent,
  type Library,
  type Program,
} from "../../src/engine/index.ts";
import { createGateway } from "../../src/gateway/index.ts";
import { createAccountRepository } from "../../src/store/accounts.ts";
import { type Claimed, type Commit, openStore, type Store } from "../../src/store/index.ts";
import {
  createWorker,
  systemRandom,
  VirtualClock,
  type Log,
  type Worker,
  type WorkerDeps,
  type WorkerEvent,
} from "../../src/worker/index.ts";
import { scopeOf } from "../../src/worker/effects/table.ts";
import type { Reconciliation } from "../../src/plugins/invoicing/reports/reconciliation.ts";
import { type Services, servicesOf } from "../../src/plugins/invoicing/services.ts";
import { effects as shippedEffects, plugins } from "../support/plugins.ts";
import { stage, until, type Body, type Stage } from "../sandbox/stage.ts";
import { model } from "../support/plugins.ts";
import { removeFolder } from "../support/remove-folder.ts";

export const CUSTOMER = "5511987650001";
export const OTHER = "5511987650002";
export const OPERATOR = "5511900000001";
export const ISSUER = "6f1f7d3e-0000-4000-8000-000000000001";

export const KEYS = `test:${Buffer.alloc(32, 7).toString("base64")}`;

export const ACCOUNT = {
  id: "demo",
  name: "Estúdio Aurora",
  // The sandbox has no pace; tests of the pace set one.
  pace: null,
  issuers: [
    {
      emitente_id: ISSUER,
      cnpj: "11222333000181",
      razao: "Estúdio Aurora Ltda",
      town: "3550308",
      uf: "SP",
      regime: "simples",
      regime_apuracao: "1",
      percentual_simples: 6,
      default: true,
    },
  ],
  services: [
    {
      id: "haircut",
      name: "Corte de cabelo",
      codigo: "060101",
      codigo_interno: "CORTE",
      codigo_tributacao_municipio: "001",
      codigo_nbs: "126021000",
    },
  ],
  operators: [{ name: "Operador", alias: `phone:${OPERATOR}`, address: OPERATOR }],
  // Alarms on phones are bubbles of their own; where they are tried, a test turns them on.
  alerts: { phones: false, report: "off" },
};

/** Answers every message with the key of the engine's own word; a text that begins a bomb throws. */
const bomb = {
  flow: "bomb",
  version: 1,
  hash: "h",
  title: "Bomba",
  starts: ["bomba"],
  outcomes: [],
  audience: "anyone",
  start: () => {
    throw new Error("the flow is broken");
  },
} as unknown as Program;

export const library: Library = {
  get: (flow) => (flow === "bomb" ? bomb : undefined),
  list: () => [bomb],
  word: (key) => `[${key}]`,
};

/** A worker with the services of the shipped plugin. */
export interface RigWorker extends Worker, Services {
  reconciliation(...of: Parameters<Services["reports"]["of"]>): Promise<Reconciliation>;
}

export interface Rig {
  readonly store: Store;
  readonly stage: Stage;
  readonly worker: RigWorker;
  readonly clock: VirtualClock;
  readonly events: WorkerEvent[];
  readonly account: Account;
  readonly gateway: ReturnType<typeof createGateway>;
  /** Another worker on the same store, or with other surroundings: what starts after the first was killed. */
  again(other?: Partial<WorkerDeps>): RigWorker;
  contact(phone: string): Promise<string>;
  /** A text of a person, as the ingress would accept it. */
  says(phone: string, text: string, id?: string): Promise<void>;
  /** Puts effects into a contact's outbox, as a turn of a flow would. */
  asks(phone: string, ...effects: Asked[]): Promise<string[]>;
  /** The same in another account of the store. */
  asksIn(account: string, phone: string, ...effects: Asked[]): Promise<string[]>;
  /** Texts a phone received, in order. */
  received(phone: string): Promise<string[]>;
  list(what: "invoices" | "requests" | "ledger" | "messages"): Promise<readonly Body[]>;
  fault(fault: object): Promise<void>;
  /** Journal lines and records of a contact, newest last. */
  journal(phone: string): Promise<readonly Body[]>;
  close(): Promise<void>;
}

export type Asked = Effect extends infer E ? (E extends Effect ? Omit<E, "id"> : never) : never;

export async function rig(
  options: {
    account?: object;
    gatewayUrl?: string;
    timeoutMs?: number;
    redisUrl?: string;
    library?: Library;
    /** Smaller bounds of the store. */
    limits?: { readonly mailbox?: number; readonly dead?: number; readonly deadLetters?: number };
    /** Accounts stand in the store, where effects may change them. */
    kept?: boolean;
    /** More accounts in the same store, by the same schema. */
    others?: readonly object[];
  } = {},
): Promise<Rig> {
  const set = await stage();
  const folder = mkdtempSync(path.join(os.tmpdir(), "prosa-worker-"));
  const where = options.redisUrl ? { redisUrl: options.redisUrl } : { dataDir: folder };
  const limits = options.limits ?? {};
  const store: Store = await openStore({ ...where, keys: KEYS, journalLimit: 200, limits });
  const account = model.schema.parse({ ...ACCOUNT, ...options.account });
  const others = (options.others ?? []).map((other) =>
    model.schema.parse({ ...ACCOUNT, ...other }),
  );
  const accounts = [account, ...others];
  const repository = createAccountRepository(store, model, () => performance.now());
  if (options.kept === true) for (const one of accounts) await repository.put(one, 0);
  const timeoutMs = options.timeoutMs ?? 2_000;
  const gateway = createGateway({
    baseUrl: options.gatewayUrl ?? set.sandbox.gatewayUrl(),
    token: "sandbox-token",
    deviceToken: "sandbox-device",
    timeoutMs,
    fiscalTimeoutMs: timeoutMs,
  });
  const clock = new VirtualClock();
  const events: WorkerEvent[] = [];
  const errors: unknown[] = [];
  const log: Log = {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: (fields) => errors.push(fields),
  };
  const make = (other: Partial<WorkerDeps> = {}): RigWorker => {
    const worker = createWorker({
      store,
      accountModel: model,
      accounts: {
        get: async (id) => accounts.find((one) => one.id === id) ?? null,
        ids: async () => accounts.map(({ id }) => id),
        ...(options.kept === true
          ? {
              get: async (id: string) => (await repository.get(id))?.account ?? null,
              change: (id: string, change: Parameters<typeof repository.change>[1]) =>
                repository.change(id, change),
              onChange: (listener: () => void) => repository.onChange(listener),
            }
          : {}),
      },
      library: options.library ?? library,
      gatewayFor: () => gateway,
      channels: {
        render: (message, to) => channels[to.channel].render(message, to.address),
      },
      clock,
      random: systemRandom,
      log,
      publicUrl: "https://bot.example.org",
      keys: { hash: (text) => createHash("sha256").update(`k${text}`).digest("hex") },
      timeouts: { callMs: timeoutMs, fiscalMs: timeoutMs },
      plugins,
      ...other,
    });
    worker.onEvent((event) => events.push(event));
    const services = servicesOf(worker.context);
    return { ...worker, ...services, reconciliation: (...of) => services.reports.of(...of) };
  };
  let serial = 0;
  const contact = (phone: string) => store.contacts.identify(account.id, [`phone:${phone}`]);
  const made: Rig = {
    ...{ store, stage: set, clock, events, account, gateway, contact },
    worker: make(),
    again: make,
    async says(phone, text, id = `m${++serial}`) {
      const mail = inbound(phone, text, id, clock.now());
      const to = await contact(phone);
      await store.mail.accept([{ account: account.id, contact: to, event: id, mail }]);
    },
    asks: async (phone, ...effects) => made.asksIn(account.id, phone, ...effects),
    async asksIn(id, phone, ...effects) {
      const to = await store.contacts.identify(id, [`phone:${phone}`]);
      return commitEffects(store, id, to, effects, `x${++serial}`, clock.now());
    },
    async received(phone) {
      const { body } = await set.http("GET", `/sandbox/messages?number=${phone}`);
      return (body as unknown as { text: string }[]).map(({ text }) => text);
    },
    async list(what) {
      return (await set.http("GET", `/sandbox/${what}`)).body as unknown as readonly Body[];
    },
    async fault(fault) {
      const { status, text } = await set.http("POST", "/sandbox/faults", fault);
      if (status >= 300) throw new Error(text);
    },
    async journal(phone) {
      const lines = await store.views.journal(account.id, await contact(phone), 200);
      return [...lines].reverse() as unknown as readonly Body[];
    },
    async close() {
      await made.worker.stop(1_000);
      await gateway.close();
      await store.close();
      await set.close();
      await removeFolder(folder);
      // A worker tells what it did not expect only here: no test may cause it.
      expect(errors).toEqual([]);
    },
  };
  return made;
}

type Own = Extract<InboundEvent, { kind: "own" }>;

/**
 * Hands the worker what the sandbox told since, read as the ingress reads it: waits for `count` events of a kind, and
 * answers them. `texts`: only those with these words; an empty list hands none over.
 */
export async function hear(
  it: Rig,
  kind: "own",
  count = 1,
  texts?: readonly string[],
  worker = it.worker,
  channel: "engine-a" | "engine-b" | "engine-c" = "engine-b",
): Promise<readonly Own[]> {
  const found = await until(() => {
    const events = it.stage.bot.of(channel).flatMap(({ raw, headers }) => {
      const body = JSON.parse(raw) as unknown;
      const parsed = channels[channel].parse({ headers, body, receivedAt: it.clock.now() });
      return parsed.ok ? parsed.events : [];
    });
    const own = events.filter((event): event is Own => event.kind === kind);
    return own.length >= count ? own : undefined;
  });
  for (const event of found)
    if (!texts || texts.includes(event.text)) await worker.signals.handle("demo", channel, event);
  return found;
}

export function inbound(phone: string, text: string, id: string, now: number) {
  const from = { address: phone, phone };
  return {
    kind: "inbound",
    channel: "engine-b",
    acceptedAt: now,
    event: { kind: "message", id, at: now, from, messageId: id, content: { type: "text", text } },
  };
}

/**
 * Claims the contact by hand and commits effects, as a turn does. The session is left as it is.
 *
 * A worker that runs meanwhile may be handed the contact before us: the store gives it to who puts mail in only while
 * nobody else waits. What it does with a tick is nothing, and another one is put in. At most 5 s.
 */
async function commitEffects(
  store: Store,
  account: string,
  contact: string,
  effects: readonly Asked[],
  event: string,
  now: number,
): Promise<string[]> {
  const mail = { kind: "tick", due: now };
  const lease = { events: 1, leaseMs: 5_000 };
  const end = Date.now() + 5_000;
  for (let tries = 0; ; tries++) {
    if (Date.now() > end) throw new Error("somebody else had the contact for 5 s");
    const taken: Claimed[] = [];
    const claimed = (one: Claimed) => void taken.push(one);
    const tick = `${event}:${tries}`;
    await store.mail.accept([{ account, contact, event: tick, mail }], { ...lease, claimed });
    if (taken.length === 0)
      taken.push(...(await store.mail.claim({ owner: "test", contacts: 32, ...lease })));
    const mine = taken.find((one) => one.contact === contact);
    await store.mail.commit(taken.filter((one) => one !== mine).map((one) => handedBack(one)));
    if (!mine) {
      await pause(20);
      continue;
    }
    const ids = effects.map((_, index) => `${contact}:${event}:${index}`);
    const [answer] = await store.mail.commit([
      {
        ...{ account, contact, epoch: mine.epoch, rev: mine.rev },
        applied: 1,
        session: mine.session,
        effects: effects.map((effect, index) => ({
          id: ids[index] ?? "",
          class: effect.class,
          scope: scopeOf({ ...effect, id: "" }, account, shippedEffects),
          ordered: effect.type === "send",
          payload: { ...effect, id: ids[index], work: { at: now } } as never,
        })),
        due: null,
        journal: [],
      },
    ]);
    if (!answer?.ok) throw new Error("the effects could not be committed");
    return ids;
  }
}

/** A claim that is let go as it was. */
function handedBack({ account, contact, epoch, rev }: Claimed): Commit {
  const nothing = { applied: 0, session: null, effects: [], due: "same", journal: [] } as const;
  return { account, contact, epoch, rev, ...nothing, blameless: true };
}

/** A text in an answer; tests know where texts are. */
export function textOf(value: unknown): string {
  if (typeof value !== "string") throw new Error("expected a text");
  return value;
}

export const WAITER = { frame: "f1", step: "issue", for: "d", epoch: "e1" };

/** An `invoice.issue` as a flow asks for it. */
export function issue(input: object = {}): Asked {
  return {
    type: "call",
    class: "fiscal",
    name: "invoice.issue",
    waiter: WAITER,
    input: {
      service: "haircut",
      document: "52998224725",
      name: "Marina Lopes",
      value: 15_000,
      description: "Corte de cabelo",
      competence: "2026-11",
      ...input,
    },
  };
}

export function bubble(phone: string, text: string, turn = "t1"): Asked {
  return {
    type: "send",
    class: "message",
    channel: "engine-b",
    address: phone,
    message: { text },
    turn,
  };
}
