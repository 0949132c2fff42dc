/**
 * One build's side of `bench:turn`, in a process of its own: many people fill in the form of the message benchmark, stage
 * by stage, without network and store. Its parent says when to run a round.
 *
 * This file is copied beside the sources of the build it measures, and imports that build's.
 */
import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import type { Dispatcher } from "undici";
import { demoAccount } from "../../../src/app/start/demo.ts";
import type { Json } from "../../../src/base/index.ts";
import { aliases, channels } from "../../../src/channels/index.ts";
import * as engine from "../../../src/engine/index.ts";
import type { Mail, Session, TurnResult } from "../../../src/engine/index.ts";
import { createGateway } from "../../../src/gateway/index.ts";
import { parseGuarded } from "../../../src/server/body.ts";
import type { MailItem, NewEffect } from "../../../src/store/port/port.ts";
import type { SendContext } from "../../../src/worker/context/contexts.ts";
import { Echoes } from "../../../src/worker/outbox/sending/echoes.ts";
import { sendEnd } from "../../../src/worker/outbox/ending.ts";
import { scopeOf } from "../../../src/worker/effects/table.ts";
import { payloadOf, type SendEntry } from "../../../src/worker/outbox/entry.ts";
import { performSend } from "../../../src/worker/outbox/sending/send.ts";
import type { Held } from "../../../src/worker/fleet/effect-lease.ts";
import { effects } from "../../support/plugins.ts";
import { forms } from "../message/form-flow.ts";
import { endings, lines, sent, webhook } from "../message/form.ts";
import type { Length } from "../message/form.ts";
import { model } from "../../support/plugins.ts";

export const STAGES = ["parse", "check", "turn", "write", "send"] as const;
export type Stage = (typeof STAGES)[number];

export interface Ask {
  readonly length: Length;
  readonly people: number;
}

/** What one round cost, per message. */
export interface Told {
  /** CPU of the whole process, compiler and collector included, µs. */
  readonly us: Readonly<Record<Stage, number>>;
  /** Put on the heap, bytes. */
  readonly heap: number;
  /** Mean length of what is kept, before sealing, bytes. The journal has two records a message: the turn, and its send. */
  readonly kept: { readonly session: number; readonly journal: number; readonly effect: number };
}

/** People whose messages go through a stage together. */
const ABREAST = 30;

/** What one person's message becomes, stage by stage. */
interface Person {
  readonly number: number;
  readonly contact: string;
  stored: string | null;
  raw: Buffer;
  event: string;
  mail: string;
  session: Session | null;
  read: Mail | undefined;
  result: TurnResult | undefined;
  effects: readonly NewEffect[];
  said: string;
}

const library = await forms();
const account = demoAccount({ gateway: {} } as Parameters<typeof demoAccount>[0], model);
const kept = { session: 0, journal: 0, effect: 0 };
let calls = 0;

/** Answers every call at once, as the gateway would. */
const answering = {
  dispatch(request: { body: Uint8Array }, handler: Required<Dispatcher.DispatchHandler>): boolean {
    const controller = { abort: () => undefined } as unknown as Dispatcher.DispatchController;
    if (request.body.byteLength === 0) throw new Error("a send without a body");
    handler.onRequestStart(controller, {});
    handler.onResponseStart(controller, 200, { "content-type": "application/json" }, "OK");
    handler.onResponseData(controller, Buffer.from(sent(`3EB0${++calls}`)));
    handler.onResponseEnd(controller, {});
    return true;
  },
} as unknown as Dispatcher;
const gateway = createGateway({
  ...{ baseUrl: "http://127.0.0.1:9/api/v2", dispatcher: answering },
  ...{ token: "sandbox-token", deviceToken: "sandbox-device" },
});
/** The way out as the worker has it; what a plain send does not use is not there. */
const context = {
  store: {},
  clock: { now: () => Date.now(), real: () => Date.now() },
  channels: {
    render: (message: engine.Outbound, to: { channel: engine.ChannelName; address: string }) =>
      channels[to.channel].render(message, to.address, {}),
  },
  gatewayFor: () => gateway,
  budget: {
    allows: () => Promise.resolve(true),
    count: () => undefined,
  } satisfies Partial<SendContext["budget"]>,
  queue: { mayRest: () => false, isRefused: () => false } satisfies Partial<SendContext["queue"]>,
  emit: () => undefined,
  echoes: new Echoes({} as never, { hash: (text) => hash("sha256", text) }, () => Date.now()),
} as unknown as SendContext;

/** How this build writes a turn down; one from before `keptRecord` writes all of it. */
const { keptRecord = (record: engine.JournalRecord): unknown => record } = engine as {
  keptRecord?: (record: engine.JournalRecord, carried?: ReadonlySet<engine.Effect>) => unknown;
};

/** How this build reads what the store gives; one from before `worker/turns/read-stored.ts` checks and copies all of it. */
interface Reading {
  sessionOf(stored: Json | null): Session | null | "unreadable";
  readable(items: readonly MailItem[]): readonly { readonly event: string; readonly mail: Mail }[];
}
const STORED = path.resolve(import.meta.dirname, "../../../src/worker/turns/read-stored.ts");
const stored: Reading = existsSync(STORED)
  ? ((await import(STORED)) as Reading)
  : ({
      sessionOf: (stored) => (stored === null ? null : engine.Session.parse(stored)),
      readable: (items) =>
        items.map(({ event, mail }) => ({ event, mail: engine.Mail.parse(mail) })),
    } satisfies Reading);

const WORK: Record<Stage, (person: Person) => void | Promise<void>> = {
  parse(person) {
    const json = parseGuarded(person.raw);
    if (!json.ok) throw new Error(json.reason);
    const now = Date.now();
    const delivery = { headers: {}, body: json.value, receivedAt: now, filter: [] };
    const parsed = channels["engine-b"].parse(delivery);
    const event = parsed.ok ? parsed.events[0] : undefined;
    if (event?.kind !== "message") throw new Error("a message was not read");
    if (aliases(event.from, "engine-b").length === 0) throw new Error("nobody");
    const mail: Mail = { kind: "inbound", channel: "engine-b", event, acceptedAt: now };
    person.event = event.id;
    person.mail = JSON.stringify(mail);
  },
  check(person) {
    const session = person.stored === null ? null : (JSON.parse(person.stored) as Json);
    const found = stored.sessionOf(session);
    if (found === "unreadable") throw new Error("the session was not read");
    person.session = found;
    const item = { seq: 1, event: person.event, acceptedAt: 1 };
    person.read = stored.readable([{ ...item, mail: JSON.parse(person.mail) as Json }])[0]?.mail;
  },
  turn(person) {
    const mail = person.read as Mail;
    person.result = engine.run(person.session, [{ event: person.event, mail }], {
      ...{
        account,
        accountModel: model,
        accountId: account.id,
        contact: person.contact,
        role: "customer",
      },
      ...{ now: Date.now(), library },
    });
    if (person.result.failed) throw new Error(person.result.failed.reason);
  },
  write(person) {
    const result = person.result as TurnResult;
    const work = { at: Date.now() };
    person.effects = result.effects.map((effect) => ({
      ...{ id: effect.id, class: effect.class, ordered: effect.type === "send" },
      scope: scopeOf(effect, account.id, effects),
      payload: payloadOf({ ...effect, work }),
    }));
    person.stored = JSON.stringify(result.session);
    kept.session += person.stored.length;
    for (const record of result.journal)
      kept.journal += JSON.stringify(keptRecord(record, new Set(result.effects))).length;
    for (const { payload } of person.effects) kept.effect += JSON.stringify(payload).length;
  },
  async send(person) {
    for (const effect of person.effects) {
      const entry = effect.payload as unknown as SendEntry;
      const begun = {
        ...{ id: effect.id, account: account.id, contact: person.contact, class: effect.class },
        ...{ scope: effect.scope, ordered: true, payload: effect.payload, token: "t".repeat(22) },
        ...{ attempt: 1, createdAt: Date.now() },
        ...{ lease: { isHeld: () => true } },
      } as unknown as Held;
      const ending = await performSend(context, begun, entry, account, person.result?.session);
      if (ending.outcome.kind !== "done") throw new Error("a send was not done");
      const end = sendEnd(context, begun, entry, ending);
      kept.journal += JSON.stringify(end.journal).length;
      person.said = entry.message.text;
    }
  },
};

/** One message of each, every stage for all before the next begins. `spent` sums up CPU, µs. */
async function message(people: readonly Person[], spent: Record<Stage, number>): Promise<void> {
  for (const stage of STAGES) {
    const work = WORK[stage];
    const before = process.cpuUsage();
    for (const person of people) await work(person);
    const { user, system } = process.cpuUsage(before);
    spent[stage] += user + system;
  }
}

let rounds = 0;
/** Everybody fills in the form once. */
async function round({ length, people: count }: Ask): Promise<Told> {
  rounds++;
  const us = Object.fromEntries(STAGES.map((stage) => [stage, 0])) as Record<Stage, number>;
  Object.assign(kept, { session: 0, journal: 0, effect: 0 });
  const people = Array.from({ length: count }, (_, index): Person => {
    const number = rounds * 1_000 + index;
    const contact = number.toString(16).padStart(32, "0");
    return {
      ...{ number, contact, stored: null, raw: Buffer.alloc(0), event: "", mail: "" },
      ...{ session: null, read: undefined, result: undefined, effects: [], said: "" },
    };
  });
  const said = people.map(({ number }) => lines(length, number));
  const heap: number[] = [];
  for (let place = 0; place <= length; place++) {
    for (const [index, person] of people.entries())
      person.raw = Buffer.from(
        webhook(person.number, `3A${rounds}-${person.number}-${place}`, said[index]?.[place] ?? ""),
      );
    for (let first = 0; first < count; first += ABREAST) {
      const some = people.slice(first, first + ABREAST);
      const from = process.memoryUsage().heapUsed;
      await message(some, us);
      heap.push((process.memoryUsage().heapUsed - from) / some.length);
    }
  }
  for (const { number, said: last } of people)
    if (!endings(length, number).some((ending) => last.endsWith(ending)))
      throw new Error(`a wrong reply: ${last}`);
  const messages = count * (length + 1);
  for (const stage of STAGES) us[stage] /= messages;
  // A collection takes away what the messages before it put there: most groups are over before the next one.
  const rises = heap.filter((bytes) => bytes > 0).sort((a, b) => a - b);
  return {
    us,
    heap: rises[Math.floor(rises.length / 2)] ?? Number.NaN,
    kept: {
      session: kept.session / messages,
      journal: kept.journal / messages,
      effect: kept.effect / messages,
    },
  };
}

process.on("disconnect", () => process.exit(0));
process.on("message", (ask) => void round(ask as Ask).then((told) => process.send?.(told)));
process.send?.("ready");
