/**
 * A chat file's world: the real worker over the embedded store in memory (`chat-runtime.ts`). At its edge stand a gateway that
 * answers what the file says (`chat-gateway.ts`) and people with phones.
 */
import { durationMs, type JsonObject } from "../../base/index.ts";
import { eventId } from "../../channels/index.ts";
import type { Account, CallResult, Frame, InboundEvent, Session } from "../../engine/index.ts";
import {
  type Catalogues,
  type ChatMessage,
  type ChatFile,
  type ChatSent,
  type ChatState,
  type ChatWorld,
  type ClockMove,
  CUSTOMER,
  type FlowLibrary,
} from "../../flow/index.ts";
import type { Stage } from "../bot/plugin.ts";
import type { LoadedBot } from "../bot/loaded-bot.ts";
import { eventOf, groupEvents } from "./chat-content.ts";
import { ChatCrashes, ChatFaults } from "./chat-faults.ts";
import { deployed, type Revision } from "./chat-deploy.ts";
import { rehearsalsOf } from "./chat-process.ts";
import { ChatGateway } from "./chat-gateway.ts";
import { ChatPeople, type Person } from "./chat-people.ts";
import { type Call, type ChatClock, ChatRuntime } from "./chat-runtime.ts";
import { type ChatSetting, instantIn, phrasesOf, settingOf } from "./chat-setting.ts";

/** Messages of one burst come this far apart. */
const BURST_GAP_MS = 300;
/** Free text waits this long for more. */
const SETTLE_MS = 1_000;
/** Deliveries of one webhook that a line may ask for. */
const REDELIVER_MAX = 200;

interface WorldOptions {
  /** Reads what `! deploy flow@REV` names. */
  readonly revision?: Revision;
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
  readonly #clock: ChatClock;
  readonly #contacts = new Map<Person, string>();
  #running: Promise<ChatRuntime> | undefined;
  #library: FlowLibrary;
  #webhook: InboundEvent | undefined;
  #messages = 0;
  #serial = 0;

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
    const clock = { now: this.#setting.at };
    this.#clock = clock;
    this.#people = new ChatPeople(this.#setting.account, this.#setting.contacts);
    this.#gateway = new ChatGateway({
      people: this.#people,
      faults: this.#faults,
      crashes: this.#crashes,
      now: () => clock.now,
    });
  }

  /** Lets go of what it holds in memory. */
  async close(): Promise<void> {
    (await this.#running?.catch(() => undefined))?.close();
  }

  async send(speaker: string, burst: readonly ChatSent[]): Promise<void> {
    const runtime = await this.#start();
    const person = this.#people.of(speaker);
    const { number, name } = person;
    for (const [index, sent] of burst.entries()) {
      if (index > 0) await runtime.pass(BURST_GAP_MS);
      const messageId = `m${++this.#messages}`;
      const at = this.#clock.now;
      if (sent.type === "action" && sent.name === "group") {
        const message = { id: messageId, at, number, name, text: sent.text };
        await runtime.take(groupEvents(this.#setting.channel, message));
        continue;
      }
      const from = { address: `${number}@s.whatsapp.net`, phone: number, name };
      const head = { id: eventId("message", messageId), at, from, messageId };
      const got = person.messages.map((message) => message.id);
      const event = eventOf(sent, head, { ...person, got });
      if (event.kind === "message") person.own.push(messageId);
      this.#webhook = event;
      await runtime.take([event]);
    }
    await runtime.pass(SETTLE_MS);
  }

  async clock(move: ClockMove): Promise<void> {
    const runtime = await this.#start();
    const { zone } = this.#setting.account;
    if ("by" in move) await runtime.pass(move.by);
    else if ("to" in move) await runtime.pass(instantIn(move.to, zone) - this.#clock.now);
    else await runtime.pass(SETTLE_MS);
    await runtime.wake();
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
    const runtime = await this.#start();
    const customer = await this.#contact(runtime, this.#people.of(CUSTOMER));
    const dot = event.lastIndexOf(".");
    const call = runtime.calls.findLast(({ effect: { waiter, name } }) =>
      [waiter?.step, name].includes(event.slice(0, dot)),
    );
    if (event === "human") {
      const action = "takes" in fields ? "take" : "return";
      await runtime.mail(customer, { kind: "operator", action, actor: "operator" });
    } else if (call)
      await this.#end(runtime, call, event.slice(dot + 1) as CallResult["outcome"], fields);
    // No call of a step: something that happened outside.
    else await runtime.mail(customer, { kind: "event", name: event, data: fields as never });
    await runtime.pass(0);
  }

  async heard(speaker: string): Promise<readonly ChatMessage[]> {
    const person = this.#people.of(speaker);
    const news = person.messages.slice(person.heard);
    person.heard = person.messages.length;
    return news;
  }

  /** What is wrong with what people were told, as their channel shows it. */
  misshown(): readonly string[] {
    return this.#people.all().flatMap((person) => person.misshown);
  }

  /** Everything a person was told so far, whoever has heard it. */
  told(speaker: string): readonly ChatMessage[] {
    return this.#people.of(speaker).messages;
  }

  phrases(key: string): readonly string[] {
    return phrasesOf(this.#texts.get(this.#setting.flow ?? ""), this.#setting.locale, key);
  }

  async state(): Promise<ChatState> {
    const runtime = await this.#start();
    const customer = await this.#contact(runtime, this.#people.of(CUSTOMER));
    const session = await runtime.session(customer);
    const frame = session?.frames.at(-1);
    const program = frame && this.#library.get(frame.flow, frame.hash);
    const facts = (frame?.state as { facts?: { slots?: JsonObject } } | undefined)?.facts;
    const owners: (Session | Frame)[] = session ? [session, ...session.frames] : [];
    const { account, locale } = this.#setting;
    const { now } = this.#clock;
    const context = { now, zone: account.zone, locale: session?.locale ?? locale, variant: 0 };
    const outcome = runtime.outcomes.get(customer);
    return {
      step: program ? program.expects(frame.state, context).step : "",
      slots: facts?.slots ?? {},
      effects: runtime.calls.map(({ effect }) => ({ name: effect.name, input: effect.input })),
      outcome,
      handoff: session?.handoff?.reason,
      timers: owners.flatMap((owner) =>
        owner.timers.map(({ name, due }) => ({ name, inMs: due - now })),
      ),
      calls: this.#gateway.calls,
    };
  }

  #start(): Promise<ChatRuntime> {
    return (this.#running ??= this.#begin());
  }

  /** With what the headers say is there, before anybody does anything. */
  async #begin(): Promise<ChatRuntime> {
    const { file, headers } = this.#chat;
    const runtime = await ChatRuntime.open({
      bot: this.#bot,
      setting: this.#setting,
      library: this.#library,
      crashes: this.#crashes,
      gateway: this.#gateway,
      clock: this.#clock,
    });
    for (const person of this.#people.all()) await this.#contact(runtime, person);
    const stage = this.#stage(runtime);
    for (const { name, rest, line } of headers)
      for (const { headers: own = {} } of rehearsalsOf(this.#bot))
        try {
          await own[name]?.(rest, stage);
        } catch (error) {
          runtime.close();
          const why = error instanceof Error ? error.message : String(error);
          throw new Error(`${file}:${line} @${name}: ${why}`, { cause: error });
        }
    return runtime;
  }

  #stage(runtime: ChatRuntime): Stage {
    return {
      context: runtime.context,
      account: this.#setting.account,
      contactOf: (speaker) => this.#contact(runtime, this.#people.of(speaker)),
      serial: () => this.#serial++,
    };
  }

  async #contact(runtime: ChatRuntime, person: Person): Promise<string> {
    const contact = this.#contacts.get(person) ?? (await runtime.contact(person.number));
    this.#contacts.set(person, contact);
    return contact;
  }

  /** A `*` line: how a call ended. One that waits no more is settled as a person does. */
  async #end(
    runtime: ChatRuntime,
    { of, effect }: Call,
    outcome: CallResult["outcome"],
    fields: JsonObject,
  ): Promise<void> {
    const late = this.#gateway.lateMs(effect.id);
    if (late > 0) throw new Error(`the answer is slow: it comes in ${Math.ceil(late / 1_000)}s`);
    const call = { effect, contact: of, now: this.#clock.now };
    if (outcome === "done")
      for (const { done } of rehearsalsOf(this.#bot))
        await done?.(call, fields, this.#stage(runtime));
    const known = Object.entries(fields).filter(([, value]) => value !== undefined);
    const result: CallResult = { outcome, out: Object.fromEntries(known) as CallResult["out"] };
    const { id, waiter } = effect;
    if (this.#gateway.answer(id, result)) await runtime.quiet();
    else if (waiter) await runtime.mail(of, { kind: "result", effect: id, waiter, result });
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
    const runtime = await this.#start();
    await runtime.pass(ms);
    const told = async () => JSON.stringify([await this.state(), this.#people.all()]);
    const before = await told();
    for (let time = 0; time < times; time++) await runtime.take([webhook]);
    if ((await told()) !== before)
      throw new Error("the webhook was taken again: it changed what was said or what is so");
  }

  /** Exchanges a flow's newest version; who is in the one before is the engine's care. */
  async #deploy(what: string): Promise<void> {
    const made = await deployed(what, this.#library, this.#texts, {
      ...this.#options,
      bot: this.#bot,
    });
    this.#library = made.library;
    this.#texts.set(made.flow, made.texts);
    (await this.#start()).deploy(made.library);
  }
}
