/**
 * A chat file's world: the real worker over the embedded store in memory, with a clock that goes on only where the file says
 * so. At the edge stand a gateway that answers what the file says (`chat-gateway.ts`) and people with phones.
 */
import { createHash } from "node:crypto";
import { setImmediate as nextTick } from "node:timers/promises";
import { durationMs, type Json, type JsonObject } from "../../base/index.ts";
import { eventId } from "../../channels/index.ts";
import type { Account, CallResult, InboundEvent, Mail, Session } from "../../engine/index.ts";
import {
  type Catalogues,
  type ChatBubble,
  type ChatFile,
  type ChatSent,
  type ChatState,
  type ChatWorld,
  type ClockMove,
  CUSTOMER,
  type FlowLibrary,
} from "../../flow/index.ts";
import { memoryStore, type MemoryStore, type Store } from "../../store/index.ts";
import { VirtualClock } from "../../worker/index.ts";
import type { Stage } from "../authoring/rehearsal.ts";
import type { LoadedBot } from "../bot/loaded-bot.ts";
import { eventOf } from "./chat-content.ts";
import { ChatCrashes } from "./chat-crashes.ts";
import { deployed, type Revision } from "./chat-deploy.ts";
import { rehearsalsOf, scripted } from "./chat-effects.ts";
import { ChatFaults } from "./chat-faults.ts";
import { ChatGateway } from "./chat-gateway.ts";
import { groupEvents } from "./chat-group.ts";
import { ChatPeople, type Person } from "./chat-people.ts";
import { phrasesOf } from "./chat-phrases.ts";
import { ChatProcess, onlyAccount } from "./chat-process.ts";
import { type Call, ChatRecord } from "./chat-record.ts";
import { type ChatSetting, instantIn, settingOf } from "./chat-setting.ts";

/** Messages of one burst come this far apart. */
const BURST_GAP_MS = 300;
/** Free text waits this long for more. */
const SETTLE_MS = 1_000;
/** What is tried again within this is waited for. */
const SOON_MS = 5_000;
/** Deliveries of one webhook that a line may ask for. */
const REDELIVER_MAX = 200;
/** Steps of one move; more is a ring of contacts that write to each other. */
const MAX_STEPS = 5_000;

export interface WorldOptions {
  /** Reads what `! deploy flow@REV` names. */
  readonly revision?: Revision;
}

/** What is there once the first line is played. */
interface Running {
  readonly memory: MemoryStore;
  store: Store;
  process: ChatProcess;
  /** Those before a deploy, which end what they have in hand. */
  readonly before: ChatProcess[];
}

export class RuntimeWorld implements ChatWorld {
  readonly #setting: ChatSetting;
  readonly #texts: Map<string, Catalogues>;
  readonly #people: ChatPeople;
  readonly #faults = new ChatFaults();
  readonly #crashes = new ChatCrashes();
  readonly #gateway: ChatGateway;
  readonly #options: WorldOptions;
  readonly #chat: ChatFile;
  readonly #bot: LoadedBot;
  readonly #clock: VirtualClock;
  readonly #contacts = new Map<Person, string>();
  readonly #record: ChatRecord;
  #running: Promise<Running> | undefined;
  #library: FlowLibrary;
  #webhook: InboundEvent | undefined;
  #now: number;
  #events = 0;

  /** Throws `file:line …` for a header that means nothing. */
  constructor(
    chat: ChatFile,
    flows: {
      readonly library: FlowLibrary;
      readonly texts: ReadonlyMap<string, Catalogues>;
      readonly bot: LoadedBot;
    },
    account: Account,
    options: WorldOptions = {},
  ) {
    this.#library = flows.library;
    this.#bot = flows.bot;
    this.#texts = new Map(flows.texts);
    this.#options = options;
    this.#chat = chat;
    const headers = rehearsalsOf(flows.bot).flatMap((one) => Object.keys(one.headers ?? {}));
    this.#setting = settingOf(chat, account, flows.bot.accountModel, headers);
    this.#now = this.#setting.at;
    const now = () => this.#now;
    this.#clock = new VirtualClock(now);
    this.#people = new ChatPeople(this.#setting.account, this.#setting.contacts);
    this.#record = new ChatRecord(
      this.#crashes,
      (contact) => contact === this.#contacts.get(this.#people.of(CUSTOMER)),
    );
    this.#gateway = new ChatGateway({
      ...{ people: this.#people, faults: this.#faults, crashes: this.#crashes, now },
    });
  }

  /** Lets go of what it holds in memory. */
  async close(): Promise<void> {
    const running = await this.#running?.catch(() => undefined);
    if (!running) return;
    for (const one of [running.process, ...running.before]) void one.die();
    running.memory.close();
  }

  async send(speaker: string, burst: readonly ChatSent[]): Promise<void> {
    const running = await this.#start();
    const person = this.#people.of(speaker);
    const { channel } = this.#setting;
    for (const [index, sent] of burst.entries()) {
      if (index > 0) await this.#pass(BURST_GAP_MS);
      const messageId = `m${++this.#events}`;
      const { number, name } = person;
      if (sent.type === "action" && sent.name === "group") {
        const message = { id: messageId, at: this.#now, number, name, text: sent.text };
        await this.#take(running, groupEvents(channel, message));
        continue;
      }
      const from = { address: `${number}@s.whatsapp.net`, phone: number, name };
      const head = { id: eventId("message", messageId), at: this.#now, from, messageId };
      const got = person.bubbles.map((bubble) => bubble.id);
      const event = eventOf(sent, head, { ...person, got });
      if (event.kind === "message") person.own.push(messageId);
      this.#webhook = event;
      await this.#take(running, [event]);
    }
    await this.#pass(SETTLE_MS);
  }

  async clock(move: ClockMove): Promise<void> {
    const running = await this.#start();
    if ("by" in move) await this.#pass(move.by);
    else if ("to" in move)
      await this.#pass(instantIn(move.to, this.#setting.account.zone) - this.#now);
    else await this.#pass(SETTLE_MS);
    // Pauses that are over by now.
    running.process.wake();
    await this.#quiet();
  }

  async misbehave(what: string): Promise<void> {
    const [kind = "", ...rest] = what.trim().split(/\s+/);
    if (kind === "crash") this.#crashes.arm(what);
    else if (kind === "gateway") this.#faults.arm(what);
    else if (kind === "redeliver") await this.#redeliver(rest);
    else if (kind === "deploy") await this.#deploy(rest.join(" "));
    else throw new Error(`"! ${kind}" is none of gateway, redeliver, crash, deploy`);
  }

  unstruck(): readonly string[] {
    return [...this.#faults.unstruck(), ...this.#crashes.unstruck()];
  }

  async report(event: string, fields: JsonObject): Promise<void> {
    const running = await this.#start();
    const customer = await this.#contact(running, this.#people.of(CUSTOMER));
    const dot = event.lastIndexOf(".");
    const call = this.#record.calls.findLast(({ effect: { waiter, name } }) =>
      [waiter?.step, name].includes(event.slice(0, dot)),
    );
    if (event === "human") {
      const action = "takes" in fields ? "take" : "return";
      await this.#mail(running, customer, { kind: "operator", action, actor: "operator" });
    } else if (call)
      await this.#end(running, call, event.slice(dot + 1) as CallResult["outcome"], fields);
    // No call of a step: something that happened outside.
    else await this.#mail(running, customer, { kind: "event", name: event, data: fields as never });
    await this.#pass(0);
  }

  async heard(speaker: string): Promise<readonly ChatBubble[]> {
    const person = this.#people.of(speaker);
    const news = person.bubbles.slice(person.heard);
    person.heard = person.bubbles.length;
    return news;
  }

  /** What is wrong with what people were told, as their channel shows it. */
  misshown(): readonly string[] {
    return this.#people.all().flatMap((person) => person.misshown);
  }

  /** Everything a person was told so far, whoever has heard it. */
  told(speaker: string): readonly ChatBubble[] {
    return this.#people.of(speaker).bubbles;
  }

  phrases(key: string): readonly string[] {
    return phrasesOf(this.#texts.get(this.#setting.flow ?? ""), this.#setting.locale, key);
  }

  async state(): Promise<ChatState> {
    const running = await this.#start();
    const customer = await this.#contact(running, this.#people.of(CUSTOMER));
    const view = await running.store.session(this.#setting.account.id, customer);
    const session = (view?.session ?? null) as Session | null;
    const { account, locale } = this.#setting;
    return {
      ...this.#record.state(session, this.#library, { now: this.#now, zone: account.zone, locale }),
      calls: this.#gateway.calls,
    };
  }

  #start(): Promise<Running> {
    return (this.#running ??= this.#begin());
  }

  /** What the headers say is there, before anybody does anything. */
  async #begin(): Promise<Running> {
    let made = 0;
    const memory = await memoryStore({
      now: () => this.#now,
      contactId: () => (++made).toString(16).padStart(32, "0"),
    });
    const store = memory.open();
    const running: Running = { memory, store, process: this.#process(store, false), before: [] };
    for (const person of this.#people.all()) await this.#contact(running, person);
    const stage = this.#stage(running);
    for (const { name, rest, line } of this.#chat.headers)
      for (const { headers = {} } of rehearsalsOf(this.#bot))
        try {
          await headers[name]?.(rest, stage);
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error);
          throw new Error(`${this.#chat.file}:${line} @${name}: ${why}`, { cause: error });
        }
    return running;
  }

  #stage(running: Running): Stage {
    return {
      context: running.process.worker.context,
      account: this.#setting.account,
      contactOf: (speaker) => this.#contact(running, this.#people.of(speaker)),
    };
  }

  async #contact({ store }: Running, person: Person): Promise<string> {
    const known = this.#contacts.get(person);
    if (known !== undefined) return known;
    const contact = await store.identify(this.#setting.account.id, [`phone:${person.number}`]);
    this.#contacts.set(person, contact);
    return contact;
  }

  #process(store: Store, isNext = true): ChatProcess {
    const { account, locale } = this.#setting;
    return new ChatProcess(store, this.#record, isNext, (caller) => ({
      ...scripted(this.#bot, locale, { gateway: this.#gateway, caller }),
      ...{ accounts: onlyAccount(account), accountModel: this.#bot.accountModel },
      ...{
        library: this.#library,
        clock: this.#clock,
        log: this.#record.log,
        plugins: this.#bot.plugins,
      },
      gatewayFor: () => this.#gateway.client(caller),
      channels: this.#gateway.channels,
      random: { int: () => 0 },
      publicUrl: "https://bot.example",
      keys: { hash: (text) => createHash("sha256").update(text).digest("hex") },
    }));
  }

  /** A webhook of these events comes in. */
  async #take({ process }: Running, events: readonly InboundEvent[]): Promise<void> {
    await process.ingest(this.#setting.account, this.#setting.channel, events);
    await this.#quiet();
  }

  async #mail({ store }: Running, contact: string, mail: Mail): Promise<void> {
    const event = `e${++this.#events}`;
    const json = JSON.parse(JSON.stringify(mail)) as Json;
    await store.accept([{ account: this.#setting.account.id, contact, event, mail: json }]);
    await this.#quiet();
  }

  /** A `*` line: how a call ended. One that waits no more is settled as a person does. */
  async #end(
    running: Running,
    { of, effect }: Call,
    outcome: CallResult["outcome"],
    fields: JsonObject,
  ): Promise<void> {
    const late = this.#gateway.lateMs(effect.id);
    if (late > 0) throw new Error(`the answer is slow: it comes in ${Math.ceil(late / 1_000)}s`);
    const call = { effect, contact: of, now: this.#now };
    if (outcome === "done")
      for (const { done } of rehearsalsOf(this.#bot))
        await done?.(call, fields, this.#stage(running));
    const known = Object.entries(fields).filter(([, value]) => value !== undefined);
    const result: CallResult = { outcome, out: Object.fromEntries(known) as CallResult["out"] };
    if (this.#gateway.answer(effect.id, result)) await this.#quiet();
    else if (effect.waiter)
      await this.#mail(running, of, {
        ...{ kind: "result", effect: effect.id, waiter: effect.waiter, result },
      });
  }

  /** The last webhook again. It was heard before, so nothing may come of it. */
  async #redeliver(rest: readonly string[]): Promise<void> {
    const after = rest.indexOf("after");
    const ms = after < 0 ? 0 : durationMs(rest[after + 1] ?? "");
    const times = Number(/^x(\d+)$/.exec(rest[0] ?? "")?.[1] ?? 1);
    if (ms === null || times > REDELIVER_MAX)
      throw new Error(`write redeliver x20 after 6d; at most x${REDELIVER_MAX}`);
    const webhook = this.#webhook;
    if (!webhook) throw new Error("nobody has written yet: there is no webhook");
    const running = await this.#start();
    await this.#pass(ms);
    const told = async () => JSON.stringify([await this.state(), this.#people.all()]);
    const before = await told();
    for (let time = 0; time < times; time++) await this.#take(running, [webhook]);
    if ((await told()) !== before)
      throw new Error("the webhook was taken again: it changed what was said or what is so");
  }

  /** A new process with the new version; the one before ends what it has in hand. */
  async #deploy(what: string): Promise<void> {
    const { bot, library, texts } = { bot: this.#bot, library: this.#library, texts: this.#texts };
    const made = await deployed(what, library, texts, { ...this.#options, bot });
    this.#library = made.library;
    this.#texts.set(made.flow, made.texts);
    const running = await this.#start();
    running.before.push(running.process);
    running.process = this.#process(running.store);
  }

  /** Goes to each due time in order, so that one timer's work is done before the next is due. */
  async #pass(ms: number): Promise<void> {
    const until = this.#now + Math.max(0, ms);
    for (let steps = 0; ; steps++) {
      if (steps > MAX_STEPS) throw new Error("timers come due without end");
      const next = this.#record.nextAfter(this.#now);
      if (next > until) break;
      await this.#goTo(next);
      await this.#quiet();
    }
    this.#now = Math.max(this.#now, until);
  }

  /** Something is due then. */
  async #goTo(time: number): Promise<void> {
    this.#now = Math.max(this.#now, time);
    (await this.#start()).process.wake();
  }

  /** Until nobody has anything to do, nor will have in a moment. */
  async #quiet(): Promise<void> {
    const running = await this.#start();
    for (let steps = 0; ; steps++) {
      if (steps > MAX_STEPS) throw new Error("contacts write to each other without end");
      const more = await this.#step(running);
      if (this.#record.broken !== undefined) throw new Error(this.#record.broken);
      if (more) continue;
      const soon = this.#record.nextRetryAfter(this.#now);
      if (soon > this.#now + SOON_MS) return;
      await this.#goTo(soon);
    }
  }

  /** One step of the worker, until what it began waits for the file. A process that died is followed by another one. */
  async #step(running: Running): Promise<boolean> {
    const { process, before } = running;
    await Promise.race([process.step(), process.death]);
    const inHand = () =>
      [process, ...before].reduce((sum, one) => sum + (one.isDead ? 0 : one.worker.inHand()), 0);
    while (!process.isDead && inHand() > this.#gateway.waiting) await nextTick();
    if (process.isDead) {
      running.store = running.memory.open();
      running.process = this.#process(running.store);
    }
    for (const { id, text, channel, address } of this.#gateway.echoes())
      await running.process.ingest(this.#setting.account, channel, [
        {
          ...{ kind: "own", id: eventId("own", id), at: this.#now, messageId: id, text },
          from: { address, phone: address.replace(/@.*$/, "") },
        } as InboundEvent,
      ]);
    if (process.isDead) await running.process.worker.round("reaper");
    return running.process.hasWork;
  }
}
