/**
 * A town for chat files: contacts with sessions, the post between them (`town-post.ts`) and a virtual clock, around the pure turn. What is
 * committed is kept as text before anything is done (`town-store.ts`), so a worker may be lost at any line. There is no
 * gateway: calls wait for a `*` line, or end at once as a `!` line says the world will misbehave.
 */
import { durationMs, type JsonObject } from "../../base/index.ts";
import type { Account, Frame, Session, TurnResult } from "../../engine/index.ts";
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
import type { LoadedBot } from "../bot/loaded-bot.ts";
import { eventOf } from "./chat-content.ts";
import { groupEvents } from "./chat-group.ts";
import { ChatEffects, rehearsalsOf } from "./chat-effects.ts";
import { phrasesOf } from "./chat-phrases.ts";
import { type ChatSetting, instantIn, settingOf } from "./chat-setting.ts";
import { deployed, type Revision } from "../town/town-deploy.ts";
import { TownCrashes } from "../town/town-crashes.ts";
import { TownFaults } from "../town/town-faults.ts";
import { type Person, TownPeople } from "../town/town-people.ts";
import { type Outcome, TownPost } from "../town/town-post.ts";
import { type Letter, TownStore } from "../town/town-store.ts";

/** Messages of one burst come this far apart. */
const BURST_GAP_MS = 300;
/** Free text waits this long for more. */
const SETTLE_MS = 1_000;
/** Deliveries of one webhook that a line may ask for. */
const REDELIVER_MAX = 200;

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
  readonly #crashes: TownCrashes;
  readonly #options: TownOptions;
  readonly #effects: ChatEffects;
  readonly #chat: ChatFile;
  #isPrepared = false;
  readonly #post: TownPost;
  #library: FlowLibrary;
  readonly #bot: LoadedBot;
  #outcome: string | undefined;
  #webhook: Letter | undefined;
  #now: number;

  /** Throws `file:line …` for a header that means nothing. */
  constructor(
    chat: ChatFile,
    flows: {
      readonly library: FlowLibrary;
      readonly texts: ReadonlyMap<string, Catalogues>;
      readonly bot: LoadedBot;
    },
    account: Account,
    options: TownOptions = {},
  ) {
    this.#library = flows.library;
    this.#bot = flows.bot;
    this.#texts = new Map(flows.texts);
    this.#options = options;
    this.#chat = chat;
    const headers = rehearsalsOf(flows.bot).flatMap((one) => Object.keys(one.headers ?? {}));
    this.#setting = settingOf(chat, account, flows.bot.accountModel, headers);
    this.#now = this.#setting.at;
    this.#people = new TownPeople(this.#setting.account, this.#setting.contacts);
    const faults = new TownFaults(this.#setting, flows.bot);
    this.#faults = faults;
    this.#crashes = new TownCrashes((effect) => faults.routeBehind(effect));
    this.#effects = new ChatEffects({
      ...{ bot: flows.bot, account: this.#setting.account, now: () => this.#now },
      people: {
        contactOf: (speaker) => this.#people.of(speaker).contact,
        byAliases: (aliases) => this.#people.named(aliases).contact,
        sessionOf: (contact) => this.#store.session(contact),
      },
    });
    this.#post = new TownPost({
      ...{ account: this.#setting.account, store: this.#store, people: this.#people },
      accountModel: flows.bot.accountModel,
      ...{ faults: this.#faults, crashes: this.#crashes, effects: this.#effects },
      ...{ library: () => this.#library, now: () => this.#now },
      committed: (person, result) => this.#committed(person, result),
    });
  }

  async send(speaker: string, burst: readonly ChatSent[]): Promise<void> {
    await this.#prepare();
    const person = this.#people.of(speaker);
    const { channel } = this.#setting;
    for (const [index, sent] of burst.entries()) {
      if (index > 0) this.#pass(BURST_GAP_MS);
      const id = `m${this.#post.event()}`;
      const from = {
        address: `${person.number}@s.whatsapp.net`,
        ...{ phone: person.number, name: person.name },
      };
      if (sent.type === "action" && sent.name === "group") {
        const message = { id, at: this.#now, number: person.number, name: person.name };
        for (const event of groupEvents(channel, { ...message, text: sent.text }))
          this.#post.mail(person.contact, {
            ...{ kind: "inbound", channel, acceptedAt: this.#now, event },
          });
        continue;
      }
      const got = person.bubbles.map((bubble) => bubble.id);
      const event = eventOf(sent, { id, at: this.#now, from, messageId: id }, { ...person, got });
      if (event.kind === "message") person.own.push(id);
      this.#webhook = {
        to: person.contact,
        event: id,
        mail: { kind: "inbound", channel, acceptedAt: this.#now, event },
      };
      this.#post.deliver(this.#webhook);
    }
    this.#pass(SETTLE_MS);
    await this.#post.settle();
  }

  async clock(move: ClockMove): Promise<void> {
    if ("by" in move) this.#pass(move.by);
    else if ("to" in move) this.#pass(instantIn(move.to, this.#setting.account.zone) - this.#now);
    else this.#pass(SETTLE_MS);
    await this.#post.settle();
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
      this.#post.mail(this.#customer.contact, { kind: "operator", action, actor: "operator" });
      return;
    }
    const dot = event.lastIndexOf(".");
    const call = this.#post
      .calls()
      .findLast(({ effect: { waiter, name } }) =>
        [waiter?.step, name].includes(event.slice(0, dot)),
      );
    if (call) {
      const late = this.#faults.lateMs(call.effect.id, this.#now);
      if (late > 0) throw new Error(`the answer is slow: it comes in ${Math.ceil(late / 1_000)}s`);
      const outcome = event.slice(dot + 1) as Outcome;
      if (outcome === "done") await this.#effects.done(call.effect, call.of, fields);
      this.#post.end(call, outcome, fields);
    } else
      // No call of a step: something that happened outside.
      this.#post.mail(this.#customer.contact, {
        kind: "event",
        name: event,
        data: fields as never,
      });
    this.#pass(0);
    await this.#post.settle();
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
    const session = this.#post.worker.session(this.#customer.contact);
    const frame = session?.frames.at(-1);
    const program = frame && this.#library.get(frame.flow, frame.hash);
    const facts = (frame?.state as { facts?: { slots?: JsonObject } } | undefined)?.facts;
    const owners: (Session | Frame)[] = session ? [session, ...session.frames] : [];
    return {
      step: program ? program.expects(frame.state, this.#context(session)).step : "",
      slots: facts?.slots ?? {},
      effects: this.#post.calls().map(({ effect }) => ({ name: effect.name, input: effect.input })),
      ...(this.#outcome === undefined ? {} : { outcome: this.#outcome }),
      ...(session?.handoff ? { handoff: session.handoff.reason } : {}),
      timers: owners.flatMap((owner) =>
        owner.timers.map(({ name, due }) => ({ name, inMs: due - this.#now })),
      ),
      calls: this.#post.sent,
    };
  }

  /** What the headers of plugins say is there, before anybody does anything. */
  async #prepare(): Promise<void> {
    if (this.#isPrepared) return;
    this.#isPrepared = true;
    await this.#effects.prepare(this.#chat.file, this.#chat.headers);
  }

  get #customer(): Person {
    return this.#people.of(CUSTOMER);
  }

  #context(session: Session | null) {
    const locale = session?.locale ?? this.#setting.locale;
    return { now: this.#now, zone: this.#setting.account.zone, locale, variant: 0 } as const;
  }

  #committed(person: Person, { journal }: TurnResult): void {
    if (person !== this.#customer) return;
    for (const { moves } of journal)
      for (const { to } of moves)
        if (to?.startsWith("ended-")) this.#outcome = to.slice("ended-".length);
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
    for (let time = 0; time < times; time++) this.#post.deliver(this.#webhook);
    if (told() !== before)
      throw new Error("the webhook was taken again: it changed what was said or what is so");
  }

  /** Exchanges a flow's newest version, as a deploy does; who is in the one before is the engine's care. */
  async #deploy(what: string): Promise<void> {
    const made = await deployed(what, this.#library, this.#texts, {
      ...this.#options,
      bot: this.#bot,
    });
    this.#library = made.library;
    this.#texts.set(made.flow, made.texts);
    // A deploy is a new process.
    this.#post.restart();
  }

  /** Goes to each due time in order, so that one timer's work is done before the next is due. */
  #pass(ms: number): void {
    const until = this.#now + Math.max(0, ms);
    for (;;) {
      const next = this.#store.due(until);
      if (!next) break;
      this.#now = Math.max(this.#now, next.due);
      this.#post.mail(next.contact, { kind: "tick", due: next.due });
    }
    this.#now = until;
  }
}
