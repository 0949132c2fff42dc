/**
 * A town for chat files: contacts with sessions, the post between them and a virtual clock, around the pure turn. No store
 * and no gateway: effects wait for a `*` line, or end at once as a `!` line says the world will misbehave.
 */
import type { JsonObject } from "../base/index.ts";
import { instantOf } from "../brazil/index.ts";
import {
  type Account,
  type CallEffect,
  type Content,
  type Frame,
  type Mail,
  run,
  type Session,
  withNumbers,
} from "../engine/index.ts";
import type {
  Catalogue,
  Catalogues,
  ChatBubble,
  ChatFile,
  ChatSent,
  ChatState,
  ChatWorld,
  ClockMove,
  FlowLibrary,
} from "../flow/index.ts";

/** 2026-11-21 10:00 in São Paulo, where a file names no time. */
const START = Date.UTC(2026, 10, 21, 13);
/** Messages of one burst come this far apart. */
const BURST_GAP_MS = 300;
/** Free text waits this long for more. */
const SETTLE_MS = 1_000;
/** Posts between contacts in one move; more is a ring. */
const MAX_POSTS = 1_000;

interface Person {
  readonly contact: string;
  readonly number: string;
  readonly name: string;
  session: Session | null;
  readonly bubbles: ChatBubble[];
  /** How many bubbles the file has heard. */
  heard: number;
}

type Outcome = "done" | "rejected" | "held" | "failed";

export class ChatTown implements ChatWorld {
  readonly #library: FlowLibrary;
  readonly #account: Account;
  readonly #texts: ReadonlyMap<string, Catalogues>;
  readonly #people = new Map<string, Person>();
  readonly #calls: { readonly person: Person; readonly effect: CallEffect }[] = [];
  readonly #faults: { outcome: Outcome; text: string; times: number }[] = [];
  readonly #sent: Record<string, number> = {};
  readonly #flow: string | undefined;
  #locale: Session["locale"] | undefined;
  #outcome: string | undefined;
  /** The next turn is made, lost, and made again. */
  #crash = false;
  #now = START;
  #events = 0;

  constructor(
    chat: ChatFile,
    flows: { readonly library: FlowLibrary; readonly texts: ReadonlyMap<string, Catalogues> },
    account: Account,
  ) {
    this.#library = flows.library;
    this.#texts = flows.texts;
    this.#account = account;
    for (const { name, rest } of chat.headers) {
      const [first = "", second = ""] = rest.split(/\s+/);
      if (name === "at") this.#now = this.#instant(`${first} ${second}`.trim());
      if (name === "contact") this.#person(first, second, first);
      if (name === "locale") this.#locale = first === "en" ? "en" : "pt-BR";
    }
    this.#flow = chat.headers.find(({ name }) => name === "flow")?.rest.trim();
  }

  async send(speaker: string, burst: readonly ChatSent[]): Promise<void> {
    const person = this.#person(speaker);
    for (const [index, sent] of burst.entries()) {
      if (index > 0) this.#pass(BURST_GAP_MS);
      const id = `m${++this.#events}`;
      this.#deliver(person, {
        kind: "inbound",
        channel: "engine-b",
        acceptedAt: this.#now,
        event: {
          ...{ kind: "message", id, at: this.#now, messageId: id },
          from: {
            address: `${person.number}@s.whatsapp.net`,
            phone: person.number,
            name: person.name,
          },
          content: contentOf(sent),
        },
      });
    }
    this.#pass(SETTLE_MS);
  }

  async clock(move: ClockMove): Promise<void> {
    if ("by" in move) this.#pass(move.by);
    else if ("to" in move) this.#pass(this.#instant(move.to) - this.#now);
    else this.#pass(SETTLE_MS);
  }

  async misbehave(what: string): Promise<void> {
    if (what === "crash before commit") {
      this.#crash = true;
      return;
    }
    const [kind = "", , effect = "", ...rest] = what.split(/\s+/);
    if (kind !== "gateway") throw new Error(`"! ${what}" needs a whole runtime, not this runner`);
    const times = Number(/\bx(\d+)$/.exec(what)?.[1] ?? 1);
    const text = /"([^"]*)"/.exec(what)?.[1] ?? rest.join(" ");
    const outcome =
      effect === "business_error" ? "rejected" : effect === "no_balance" ? "failed" : "held";
    this.#faults.push({ outcome, text, times });
  }

  async report(event: string, fields: JsonObject): Promise<void> {
    if (event === "human") {
      const takes = "takes" in fields;
      const action = takes ? "take" : "return";
      this.#deliver(this.#customer, { kind: "operator", action, actor: "operator" });
      return;
    }
    const dot = event.lastIndexOf(".");
    const step = event.slice(0, dot);
    const call = this.#calls.findLast(({ effect }) => effect.waiter?.step === step);
    if (!call) {
      // No call of a step: something that happened outside.
      this.#deliver(this.#customer, { kind: "event", name: event, data: fields as never });
      this.#pass(0);
      return;
    }
    this.#end(call, event.slice(dot + 1) as Outcome, fields);
    this.#pass(0);
  }

  async heard(speaker: string): Promise<readonly ChatBubble[]> {
    const person = this.#person(speaker);
    const news = person.bubbles.slice(person.heard);
    person.heard = person.bubbles.length;
    return news;
  }

  /** Everything a person was told so far, whoever has heard it. */
  told(speaker: string): readonly ChatBubble[] {
    return this.#person(speaker).bubbles;
  }

  async state(): Promise<ChatState> {
    const { session } = this.#customer;
    const frame = session?.frames.at(-1);
    const program = frame && this.#library.get(frame.flow, frame.hash);
    const facts = (frame?.state as { facts?: { slots?: JsonObject } } | undefined)?.facts;
    const owners: (Session | Frame)[] = session ? [session, ...session.frames] : [];
    return {
      step: program ? program.expects(frame.state, this.#context(session)).step : "",
      slots: facts?.slots ?? {},
      effects: this.#calls.map(({ effect }) => ({ name: effect.name, input: effect.input })),
      ...(this.#outcome === undefined ? {} : { outcome: this.#outcome }),
      ...(session?.handoff ? { handoff: session.handoff.reason } : {}),
      timers: owners.flatMap((owner) =>
        owner.timers.map(({ name, due }) => ({ name, inMs: due - this.#now })),
      ),
      calls: this.#sent,
    };
  }

  phrases(key: string): readonly string[] {
    const [group = "", name = ""] = key.split(/\.(.*)/);
    const catalogue = this.#texts.get(this.#flow ?? "")?.[this.#locale ?? "pt-BR"];
    if (group === "say") return forms(catalogue?.say?.[name]);
    if (group !== "ask") return [];
    const asked = catalogue?.ask?.[name];
    return forms(typeof asked === "object" ? asked.text : asked);
  }

  get #customer(): Person {
    return this.#person("customer");
  }

  #person(speaker: string, number?: string, name?: string): Person {
    const known = this.#people.get(speaker);
    if (known) return known;
    const index = this.#people.size + 1;
    const operator = this.#account.operators[0]?.alias.replace(/^phone:/, "");
    const phone =
      number ||
      (speaker === "operator" && operator) ||
      `55119888800${String(index).padStart(2, "0")}`;
    const person: Person = {
      contact: index.toString(16).padStart(32, "0"),
      number: phone,
      name: name ?? speaker,
      session: null,
      bubbles: [],
      heard: 0,
    };
    this.#people.set(speaker, person);
    return person;
  }

  #byAddress(to: string): Person {
    for (const person of this.#people.values())
      if (to === `contact:${person.contact}` || to === `phone:${person.number}`) return person;
    return this.#person(to.includes(this.#operatorNumber) ? "operator" : to);
  }

  get #operatorNumber(): string {
    return this.#account.operators[0]?.alias.replace(/^phone:/, "") ?? "none";
  }

  #context(session: Session | null) {
    const locale = session?.locale ?? "pt-BR";
    return { now: this.#now, zone: this.#account.zone, locale, variant: 0 } as const;
  }

  #deliver(person: Person, first: Mail): void {
    const post: { readonly person: Person; readonly mail: Mail }[] = [{ person, mail: first }];
    for (let posts = 0; post.length > 0; posts++) {
      if (posts > MAX_POSTS) throw new Error("contacts write to each other without end");
      const next = post.shift();
      if (next) post.push(...this.#turn(next.person, next.mail));
    }
  }

  #turn(person: Person, mail: Mail): { person: Person; mail: Mail }[] {
    const operator = this.#account.operators.find(
      ({ alias }) => alias === `phone:${person.number}`,
    );
    const event = `e${++this.#events}`;
    const turn = () =>
      run(
        person.session && this.#locale
          ? { ...person.session, locale: this.#locale }
          : person.session,
        [{ event, mail }],
        {
          ...{ account: this.#account, accountId: this.#account.id, contact: person.contact },
          ...{ role: operator ? "operator" : "customer", now: this.#now, library: this.#library },
          ...(operator ? { alias: operator.alias } : {}),
        },
      );
    const result = turn();
    // A turn lost before its commit is made anew, and must come out the same.
    if (this.#crash && JSON.stringify(turn()) !== JSON.stringify(result))
      throw new Error(`${person.name}: the turn came out differently after a crash`);
    this.#crash = false;
    if (result.failed) throw new Error(`${person.name}: ${result.failed.reason}`);
    // Through JSON, as in the store: what does not survive it must not count.
    person.session = JSON.parse(JSON.stringify(result.session)) as Session;
    for (const { moves } of result.journal)
      for (const { to } of moves)
        if (person === this.#customer && to?.startsWith("ended-"))
          this.#outcome = to.slice("ended-".length);
    const post: { person: Person; mail: Mail }[] = [];
    for (const effect of result.effects) {
      if (effect.type === "send") {
        person.bubbles.push({ text: withNumbers(effect.message) });
        this.#count("message.sendText");
      } else if (effect.type === "peer")
        post.push({ person: this.#byAddress(effect.to), mail: effect.mail as unknown as Mail });
      else {
        const call = { person, effect };
        this.#calls.push(call);
        this.#count(effect.name);
        const fault = this.#faults.find(({ times }) => times > 0);
        if (!fault) continue;
        fault.times--;
        const mailed = resultOf(call.effect, fault.outcome, { text: fault.text });
        if (mailed) post.push({ person, mail: mailed });
      }
    }
    return post;
  }

  #end(call: { person: Person; effect: CallEffect }, outcome: Outcome, out: JsonObject): void {
    const mail = resultOf(call.effect, outcome, out);
    if (mail) this.#deliver(call.person, mail);
  }

  #count(route: string): void {
    this.#sent[route] = (this.#sent[route] ?? 0) + 1;
  }

  /** Goes to each due time in order, so that one timer's work is done before the next is due. */
  #pass(ms: number): void {
    const until = this.#now + Math.max(0, ms);
    for (;;) {
      const dues = [...this.#people.values()].flatMap((person) => {
        const { session } = person;
        if (!session) return [];
        const owners = [session, ...session.frames, ...session.requests];
        return owners.flatMap((owner) => owner.timers.map(({ due }) => ({ person, due })));
      });
      const next = dues.filter(({ due }) => due <= until).sort((a, b) => a.due - b.due)[0];
      if (!next) break;
      this.#now = Math.max(this.#now, next.due);
      this.#deliver(next.person, { kind: "tick", due: next.due });
    }
    this.#now = until;
  }

  #instant(text: string): number {
    const match = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d):(\d\d))?$/.exec(text);
    if (!match?.[1]) throw new Error(`"${text}" is no time; write 2026-11-21 10:00`);
    return instantOf(match[1], `${match[2] ?? "00"}:${match[3] ?? "00"}:00`, this.#account.zone);
  }
}

function resultOf(effect: CallEffect, outcome: Outcome, out: JsonObject): Mail | undefined {
  const { id, waiter } = effect;
  if (!waiter) return undefined;
  const fields = Object.fromEntries(Object.entries(out).filter(([, value]) => value !== undefined));
  return { kind: "result", effect: id, waiter, result: { outcome, out: fields as never } };
}

function contentOf(sent: ChatSent): Content {
  if (sent.type === "text") return { type: "text", text: sent.text };
  const { name, args, text } = sent;
  switch (name) {
    case "choice":
      return { type: "text", text: args[0] ?? "" };
    case "button":
      return {
        type: "choice",
        via: "button",
        picks: [{ id: args[0] ?? "", label: args[1] ?? args[0] ?? "" }],
      };
    case "vote":
      return { type: "choice", via: "poll", picks: args.map((label) => ({ label })) };
    case "audio":
      return {
        type: "media",
        media: "audio",
        ref: { seconds: Number.parseInt(args[0] ?? "1", 10) },
      };
    case "image":
    case "document":
      return {
        ...{ type: "media", media: name, ref: { fileName: args[0] ?? "file" } },
        ...(text === "" ? {} : { caption: text }),
      };
    case "location": {
      const [latitude = 0, longitude = 0] = (args[0] ?? "").split(",").map(Number);
      return { type: "location", latitude, longitude };
    }
    case "contact":
      return {
        type: "contacts",
        contacts: [{ name: args[0] ?? "", ...(args[1] ? { phone: args[1] } : {}) }],
      };
    default:
      return { type: "other", what: name };
  }
}

type Text = NonNullable<Catalogue["say"]>[string];

/** Every string a text can become. */
function forms(text: Text | undefined): readonly string[] {
  if (text === undefined) return [];
  if (typeof text === "string") return [text];
  if (Array.isArray(text)) return text;
  return Object.entries(text).flatMap(([name, form]) => (name === "by" ? [] : [String(form)]));
}
