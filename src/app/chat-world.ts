/**
 * A town for chat files: contacts with sessions, the post between them and a virtual clock, around the pure turn. What is
 * committed is kept as text before anything is done (`town-store.ts`), so a worker may be lost at any line. There is no
 * gateway: calls wait for a `*` line, or end at once as a `!` line says the world will misbehave.
 */
import { durationMs, type JsonObject } from "../base/index.ts";
import type {
  Account,
  CallEffect,
  CallResult,
  Effect,
  Frame,
  Mail,
  Session,
  TurnResult,
} from "../engine/index.ts";
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
} from "../flow/index.ts";
import { eventOf } from "./chat-content.ts";
import { ChatShelf } from "./chat-shelf.ts";
import { phrasesOf } from "./chat-phrases.ts";
import { type ChatSetting, instantIn, settingOf } from "./chat-setting.ts";
import { deployed, type Revision } from "./town-deploy.ts";
import { TownFaults } from "./town-faults.ts";
import { type Person, TownPeople } from "./town-people.ts";
import { type Letter, type Parcel, TownStore } from "./town-store.ts";
import { Crashed, TownWorker } from "./town-worker.ts";
import { TownCrashes } from "./town-crashes.ts";

/** Messages of one burst come this far apart. */
const BURST_GAP_MS = 300;
/** Free text waits this long for more. */
const SETTLE_MS = 1_000;
/** Turns and effects of one move; more is a ring of contacts that write to each other. */
const MAX_STEPS = 5_000;
/** Deliveries of one webhook that a line may ask for. */
const REDELIVER_MAX = 200;

type Outcome = CallResult["outcome"];
type Call = { readonly of: string; readonly effect: CallEffect };

export interface TownOptions {
  /** Reads what `! deploy flow@REV` names. */
  readonly revision?: Revision;
}

export class ChatTown implements ChatWorld {
  readonly #setting: ChatSetting;
  readonly #texts: Map<string, Catalogues>;
  readonly #people: TownPeople;
  readonly #store = new TownStore();
  readonly #faults: TownFaults;
  readonly #crashes = new TownCrashes();
  readonly #options: TownOptions;
  readonly #sent: Record<string, number> = {};
  readonly #shelf: ChatShelf;
  /** What the house does itself, asked for and not done yet. */
  readonly #errands: Parcel[] = [];
  #library: FlowLibrary;
  #worker: TownWorker;
  #outcome: string | undefined;
  #webhook: Letter | undefined;
  #now: number;
  #events = 0;

  /** Throws `file:line …` for a header that means nothing. */
  constructor(
    chat: ChatFile,
    flows: { readonly library: FlowLibrary; readonly texts: ReadonlyMap<string, Catalogues> },
    account: Account,
    options: TownOptions = {},
  ) {
    this.#library = flows.library;
    this.#texts = new Map(flows.texts);
    this.#options = options;
    this.#setting = settingOf(chat, account);
    this.#now = this.#setting.at;
    this.#people = new TownPeople(this.#setting.account, this.#setting.contacts);
    this.#faults = new TownFaults(this.#setting);
    this.#worker = this.#hired();
    this.#shelf = new ChatShelf(
      this.#setting.account,
      chat.headers.flatMap(({ name, rest }) => (name === "note" ? [rest] : [])),
      {
        contactOf: (speaker) => this.#people.of(speaker).contact,
        byAliases: (aliases) => this.#people.named(aliases).contact,
        sessionOf: (contact) => this.#store.session(contact),
      },
    );
  }

  async send(speaker: string, burst: readonly ChatSent[]): Promise<void> {
    const person = this.#people.of(speaker);
    const { channel } = this.#setting;
    for (const [index, sent] of burst.entries()) {
      if (index > 0) this.#pass(BURST_GAP_MS);
      const id = `m${++this.#events}`;
      const from = {
        address: `${person.number}@s.whatsapp.net`,
        ...{ phone: person.number, name: person.name },
      };
      const got = person.bubbles.map((bubble) => bubble.id);
      const event = eventOf(sent, { id, at: this.#now, from, messageId: id }, { ...person, got });
      if (event.kind === "message") person.own.push(id);
      this.#webhook = {
        to: person.contact,
        event: id,
        mail: { kind: "inbound", channel, acceptedAt: this.#now, event },
      };
      this.#deliver(this.#webhook);
    }
    this.#pass(SETTLE_MS);
    await this.#settle();
  }

  async clock(move: ClockMove): Promise<void> {
    if ("by" in move) this.#pass(move.by);
    else if ("to" in move) this.#pass(instantIn(move.to, this.#setting.account.zone) - this.#now);
    else this.#pass(SETTLE_MS);
    await this.#settle();
  }

  async misbehave(what: string): Promise<void> {
    const [kind = "", ...rest] = what.trim().split(/\s+/);
    if (kind === "crash") this.#crashes.arm(what);
    else if (kind === "gateway") this.#faults.arm(what);
    else if (kind === "redeliver") this.#redeliver(rest);
    else if (kind === "deploy") await this.#deploy(rest.join(" "));
    else throw new Error(`"! ${kind}" is none of gateway, redeliver, crash, deploy`);
  }

  unstruck(): readonly string[] {
    return [...this.#faults.unstruck(), ...this.#crashes.unstruck()];
  }

  async report(event: string, fields: JsonObject): Promise<void> {
    if (event === "human") {
      const action = "takes" in fields ? "take" : "return";
      this.#mail(this.#customer.contact, { kind: "operator", action, actor: "operator" });
      return;
    }
    const dot = event.lastIndexOf(".");
    const call = this.#calls().findLast(
      ({ effect }) => effect.waiter?.step === event.slice(0, dot),
    );
    if (call) {
      const late = this.#faults.lateMs(call.effect.id, this.#now);
      if (late > 0) throw new Error(`the answer is slow: it comes in ${Math.ceil(late / 1_000)}s`);
      const outcome = event.slice(dot + 1) as Outcome;
      if (outcome === "done") await this.#shelf.issued(call.effect, call.of, fields, this.#now);
      this.#end(call, outcome, fields);
    } else
      // No call of a step: something that happened outside.
      this.#mail(this.#customer.contact, { kind: "event", name: event, data: fields as never });
    this.#pass(0);
    await this.#settle();
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

  async state(): Promise<ChatState> {
    return this.#state();
  }

  phrases(key: string): readonly string[] {
    return phrasesOf(this.#texts.get(this.#setting.flow ?? ""), this.#setting.locale, key);
  }

  #state(): ChatState {
    const session = this.#worker.session(this.#customer.contact);
    const frame = session?.frames.at(-1);
    const program = frame && this.#library.get(frame.flow, frame.hash);
    const facts = (frame?.state as { facts?: { slots?: JsonObject } } | undefined)?.facts;
    const owners: (Session | Frame)[] = session ? [session, ...session.frames] : [];
    return {
      step: program ? program.expects(frame.state, this.#context(session)).step : "",
      slots: facts?.slots ?? {},
      effects: this.#calls().map(({ effect }) => ({ name: effect.name, input: effect.input })),
      ...(this.#outcome === undefined ? {} : { outcome: this.#outcome }),
      ...(session?.handoff ? { handoff: session.handoff.reason } : {}),
      timers: owners.flatMap((owner) =>
        owner.timers.map(({ name, due }) => ({ name, inMs: due - this.#now })),
      ),
      calls: this.#sent,
    };
  }

  get #customer(): Person {
    return this.#people.of(CUSTOMER);
  }

  #context(session: Session | null) {
    const locale = session?.locale ?? this.#setting.locale;
    return { now: this.#now, zone: this.#setting.account.zone, locale, variant: 0 } as const;
  }

  /** A worker with nothing in its memory. */
  #hired(): TownWorker {
    return new TownWorker({
      ...{ store: this.#store, people: this.#people, account: this.#setting.account },
      ...{ library: () => this.#library, now: () => this.#now },
      point: (at, effect) => this.#crashes.point(at, effect),
      perform: (parcel) => this.#perform(parcel),
      made: (letter, result) => this.#crashes.made(letter, result),
      committed: (person, result) => this.#committed(person, result),
    });
  }

  #committed(person: Person, { journal }: TurnResult): void {
    if (person !== this.#customer) return;
    for (const { moves } of journal)
      for (const { to } of moves)
        if (to?.startsWith("ended-")) this.#outcome = to.slice("ended-".length);
  }

  #mail(to: string, mail: Mail): void {
    this.#deliver({ to, event: `e${++this.#events}`, mail });
  }

  #deliver(letter: Letter): void {
    this.#store.accept(letter, this.#now);
    this.#work();
  }

  /** Until nobody has anything to do; a worker that was lost is followed by another one. */
  #work(): void {
    for (let steps = 0; ; steps++) {
      if (steps > MAX_STEPS) throw new Error("contacts write to each other without end");
      try {
        if (!this.#worker.step()) return;
      } catch (error) {
        if (!(error instanceof Crashed)) throw error;
        this.#worker = this.#hired();
        this.#judgeBegun();
      }
    }
  }

  /** What the lost worker had begun: the engine's echo proves a bubble, everything else is judged by its class. */
  #judgeBegun(): void {
    for (const parcel of this.#store.begun()) {
      const { effect, of } = parcel;
      if (effect.type === "send") {
        const arrived = this.#people.withContact(of).bubbles.some(({ id }) => id === effect.id);
        parcel.state = arrived ? "done" : "waiting";
      } else if (effect.type === "peer") parcel.state = "waiting";
      else {
        const judged = this.#faults.lost(effect.name, parcel.attempt);
        parcel.state = judged === "again" ? "waiting" : "done";
        if (judged !== "again") this.#result(parcel, judged);
      }
    }
  }

  #perform(parcel: Parcel): "done" | "again" | "paused" {
    const { effect, of, attempt } = parcel;
    const person = this.#people.withContact(of);
    switch (effect.type) {
      case "send": {
        const struck = this.#faults.send(effect, attempt);
        this.#count(struck.route);
        if (struck.arrives) this.#people.got(person, effect);
        if (struck.end === "failed") this.#accept(of, `f:${effect.id}`, failedMail(effect));
        return struck.end === "failed" ? "done" : struck.end;
      }
      case "peer": {
        const { contact } = this.#people.at(effect.to);
        this.#accept(contact, effect.id, effect.mail as unknown as Mail);
        return "done";
      }
      case "call": {
        if (this.#shelf.does(effect.name)) {
          this.#errands.push(parcel);
          return "done";
        }
        const struck = this.#faults.call(effect, attempt, this.#now);
        this.#count(struck.route);
        if (struck.arrives) this.#people.gotByCall(effect.id, struck.route, effect.input);
        if (struck.result) this.#result(parcel, struck.result);
        return struck.end;
      }
    }
  }

  /** The house's own work, each piece in the order it was asked for. */
  async #settle(): Promise<void> {
    for (let errand = this.#errands.shift(); errand; errand = this.#errands.shift()) {
      const { effect, of } = errand;
      if (effect.type !== "call") continue;
      const { result, mail } = await this.#shelf.perform(effect, of, this.#now);
      for (const [index, one] of mail.entries())
        this.#accept(one.to, `${effect.id}:${index}`, one.mail);
      if (result) this.#result(errand, result);
      this.#work();
    }
  }

  #accept(to: string, event: string, mail: Mail): void {
    this.#store.accept({ to, event, mail }, this.#now);
  }

  #result({ of, effect, attempt }: Parcel, result: CallResult): void {
    const mail = effect.type === "call" ? resultMail(effect, result) : undefined;
    if (mail) this.#accept(of, `r:${effect.id}:${attempt}`, mail);
  }

  #calls(): readonly Call[] {
    return this.#store
      .parcels()
      .flatMap(({ of, effect }) => (effect.type === "call" ? [{ of, effect }] : []));
  }

  #end({ of, effect }: Call, outcome: Outcome, out: JsonObject): void {
    const known = Object.entries(out).filter(([, value]) => value !== undefined);
    const mail = resultMail(effect, { outcome, out: Object.fromEntries(known) as never });
    if (mail) this.#mail(of, mail);
  }

  #count(route: string): void {
    this.#sent[route] = (this.#sent[route] ?? 0) + 1;
  }

  /** The last webhook again. It was heard before, so nothing may come of it. */
  #redeliver(rest: readonly string[]): void {
    const after = rest.indexOf("after");
    const ms = after < 0 ? 0 : durationMs(rest[after + 1] ?? "");
    const times = Number(/^x(\d+)$/.exec(rest[0] ?? "")?.[1] ?? 1);
    if (ms === null || times > REDELIVER_MAX)
      throw new Error(`write redeliver x20 after 6d; at most x${REDELIVER_MAX}`);
    if (!this.#webhook) throw new Error("nobody has written yet: there is no webhook");
    this.#pass(ms);
    const told = (): string => JSON.stringify([this.#state(), this.#people.all()]);
    const before = told();
    for (let time = 0; time < times; time++) this.#deliver(this.#webhook);
    if (told() !== before)
      throw new Error("the webhook was taken again: it changed what was said or what is so");
  }

  /** Exchanges a flow's newest version, as a deploy does; who is in the one before is the engine's care. */
  async #deploy(what: string): Promise<void> {
    const made = await deployed(what, this.#library, this.#texts, this.#options.revision);
    this.#library = made.library;
    this.#texts.set(made.flow, made.texts);
    // A deploy is a new process.
    this.#worker = this.#hired();
  }

  /** Goes to each due time in order, so that one timer's work is done before the next is due. */
  #pass(ms: number): void {
    const until = this.#now + Math.max(0, ms);
    for (;;) {
      const next = this.#store.due(until);
      if (!next) break;
      this.#now = Math.max(this.#now, next.due);
      this.#mail(next.contact, { kind: "tick", due: next.due });
    }
    this.#now = until;
  }
}

function resultMail({ id, waiter }: CallEffect, result: CallResult): Mail | undefined {
  return waiter ? { kind: "result", effect: id, waiter, result } : undefined;
}

function failedMail(effect: Extract<Effect, { type: "send" }>): Mail {
  const { id, frame } = effect;
  return {
    ...{ kind: "send-failed", effect: id, reason: "failed" },
    ...(frame === undefined ? {} : { frame }),
  };
}
