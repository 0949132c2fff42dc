/**
 * A turn in progress: a private copy of the session, with the messages, effects and changes of the turn.
 *
 * All of it is discarded when the turn throws. Nothing outside sees it before the commit.
 */
import { copyOf, type JsonObject } from "../../base/index.ts";
import type { Account } from "./account.ts";
import type { AccountModel } from "./account-section.ts";
import { clockView } from "./business-clock.ts";
import { businessOf, type Opening, type ReadingContext, type Reader } from "../turn/reader.ts";
import type { Effect, ShownRequest } from "./effect.ts";
import type { JournalRecord } from "./journal.ts";
import type { Mail } from "./mail.ts";
import type { Expectation, Paragraph, Program, ProgramContext } from "../turn/program.ts";
import { type Session, SESSION_SCHEMA } from "./session.ts";
import { type Frame, isRequest, keepTimers } from "./frame.ts";

/** A bot as the engine sees it: its flows, its common texts, and the readers of its plugins. `get` without hash gives the newest. */
export interface Library {
  get(flow: string, hash?: string): Program | undefined;
  list(): readonly Program[];
  /** `flow@hash` of everything loaded, older versions too; without it those of `list`. */
  versions?(): readonly string[];
  /** Common words of the engine itself (notice, menu fallbacks, "voltando a …"), from the shared catalogue. */
  word(key: string, vars: JsonObject, context: ProgramContext): string;
  /** What plugins know of sentences, in the order in which they are asked. One list for as long as the library is in use. */
  readonly readers?: readonly Reader[];
}

/** What a turn may know besides the session and the mail. */
export interface TurnEnv {
  readonly account: Account;
  readonly accountModel: AccountModel;
  readonly accountId: string;
  readonly contact: string;
  readonly role: "customer" | "operator";
  /** Virtual time, ms. */
  readonly now: number;
  readonly library: Library;
  /** The session's turn failed before: of several due timers the first fires alone, so that the one that fails is known. */
  readonly oneTimer?: boolean;
  /** Alias of the account's operator that this contact is; says where a first message goes. */
  readonly alias?: string;
}

/** Words that may leave although a person has the conversation. */
export type Loudness = "normal" | "always";

/** More effects than this of one event is a flow running away, not a conversation. */
const MAX_EFFECTS = 64;

/** Events after which a flow asks for what it asked for before. */
const SAID_AGAIN: ReadonlySet<string> = new Set([
  "REPEAT",
  "HELP",
  "WHY",
  "BAD",
  "RESUME",
  "quiet.nudge",
]);

/** A frame that came to rest at another question because its flow has a newer version. */
export interface Moved {
  readonly frame: Frame;
  readonly from: { readonly version: number; readonly hash: string };
  /** What the question before expected; undefined when its version is not loaded any more. */
  readonly expectation: Expectation | undefined;
  /** Paragraphs before the new question. */
  readonly said: number;
}

/** An effect before it has an id. */
export type Asked = Effect extends infer E ? (E extends Effect ? Omit<E, "id"> : never) : never;

export class TurnDraft {
  readonly session: Session;
  readonly env: TurnEnv;
  readonly paragraphs: Paragraph[] = [];
  readonly effects: Effect[] = [];
  readonly moves: JournalRecord["moves"] = [];
  /** Event id of the mail being applied. */
  readonly event: string;
  loudness: Loudness = "normal";
  /** A timer of this tick was reached: what fails from then on is that timer's own failure. */
  fired = false;
  /** When the message before the one that is being read came, ms. */
  seenBefore?: number;
  /** A question of the menu's own was answered, and nothing only chosen from it. */
  answersMenu = false;
  /** The channel's ids of the messages being read. */
  messages: readonly string[] = [];
  /** When the message being read was written, ms, as its channel says; undefined where none is read. */
  writtenAt: number | undefined;
  /** The words of that message; empty where it has none. */
  written = "";
  /** What the readers said that this text opens, see `readers.ts`. */
  opening:
    | {
        readonly text: string;
        readonly context: ReadingContext;
        readonly found: Opening | undefined;
      }
    | undefined;
  /** The frame that sent the quoted message: the quote proves that its question was shown. */
  proven: string | undefined;
  /** Why nothing is said, when nothing is. */
  quiet: string | undefined;
  /** A loop of two machines was cut in this turn. */
  cut = false;
  /** In this turn a message was recognised as one of the phone's own app. */
  automatic = false;
  /** How late the latest of the fired timers was, ms, when it was late at all. */
  lateMs: number | undefined;
  #index: number;
  #context: ReadingContext | undefined;

  constructor(session: Session, env: TurnEnv, event: string, firstIndex: number) {
    this.session = ownCopy(session);
    this.env = env;
    this.event = event;
    this.#index = firstIndex;
  }

  /** Set when this turn moved the frame people talk to on to another question: what is said now answers the one before. */
  moved: Moved | undefined;

  /** Index of the next effect: goes on over the events of one commit. */
  get index(): number {
    return this.#index;
  }

  get context(): ReadingContext {
    if (this.#context?.locale === this.session.locale) return this.#context;
    const { account, accountModel, now, contact, library } = this.env;
    const seed = Number.parseInt(contact.slice(0, 6), 16);
    this.#context = {
      now,
      zone: accountModel.dayZone(account),
      locale: this.session.locale,
      variant: (Number.isNaN(seed) ? 0 : seed) + this.session.rev,
      ...(library.readers
        ? { readers: library.readers, business: businessOf(library.readers) }
        : {}),
    };
    return this.#context;
  }

  /** `account.*` as flows see it. */
  get accountView(): JsonObject {
    const { account, accountModel, now } = this.env;
    return { ...accountModel.view(account), ...clockView(account, now) };
  }

  say(...paragraphs: readonly Paragraph[]): void {
    for (const paragraph of paragraphs)
      if (paragraph.text !== "" || paragraph.media || paragraph.location)
        this.paragraphs.push(paragraph);
  }

  /** What a frame says; that of a request carries its name, and its choices the code. */
  sayOf(frame: Frame, paragraphs: readonly Paragraph[]): void {
    if (!isRequest(frame)) this.say(...paragraphs);
    else {
      const request = { frame: frame.id, code: frame.caller.code };
      this.say(...paragraphs.map((one) => coded(one, request)));
    }
  }

  word(key: string, vars: JsonObject = {}): void {
    this.say({ key, text: this.env.library.word(key, vars, this.context) });
  }

  /** An event moved a frame: what it asks for from now on was not shown before, unless it is only said again. */
  shows(frame: Frame, event: string): void {
    if (!SAID_AGAIN.has(event)) frame.asked = this.env.now;
  }

  /** A word about a request. */
  wordOf(frame: Frame, key: string, vars: JsonObject): void {
    this.sayOf(frame, [{ key, text: this.env.library.word(key, vars, this.context) }]);
  }

  /** Records an effect of this turn under its deterministic id. */
  ask(effect: Asked): string {
    // At once: what runs away would first pile up, each piece on top of all others.
    if (this.effects.length >= MAX_EFFECTS)
      throw new Error(`More than ${MAX_EFFECTS} effects were asked for by one event.`);
    const id = `${this.session.contact}:${this.session.rev + 1}:${this.#index++}`;
    this.effects.push({ ...effect, id });
    return id;
  }

  /** Mail for another contact: an alias, or a contact as `contact:…`. */
  post(to: string, mail: Mail): void {
    this.ask({ type: "peer", class: "internal", to, mail });
  }

  /** A number no other call of this session gets: frames, epochs and timer generations are named with it. */
  next(): number {
    return ++this.session.count;
  }

  /** The frame people talk to. */
  get top(): Frame | undefined {
    return this.session.frames.at(-1);
  }

  frame(id: string): Frame | undefined {
    const { frames, requests } = this.session;
    return [...frames, ...requests].find((frame) => frame.id === id);
  }

  /** The frame of this conversation that a frame runs for. */
  parentOf({ caller }: Frame): Frame | undefined {
    return caller?.kind === "frame" ? this.frame(caller.waiter.frame) : undefined;
  }

  /** Every timer of the session that will fire, with its owner. */
  timers(): { owner: Frame | Session; name: string; due: number }[] {
    const owners: (Frame | Session)[] = [
      this.session,
      ...this.session.frames,
      ...this.session.requests,
    ];
    return owners.flatMap((owner) => owner.timers.map(({ name, due }) => ({ owner, name, due })));
  }

  setTimer(owner: Frame | Session, name: string, due: number): void {
    keepTimers(owner, (timer) => timer.name !== name);
    owner.timers.push({ name, due, gen: this.next() });
  }
}

function coded(paragraph: Paragraph, request: ShownRequest): Paragraph {
  const choices = paragraph.choices?.map((choice) => ({ ...choice, of: request.code }));
  return { ...paragraph, ...(choices ? { choices } : {}), request };
}

/**
 * A copy that may be changed in place. The states of frames are shared: a program makes a new one where anything changes,
 * and what a person has answered so far is the greatest part of a session.
 */
function ownCopy(session: Session): Session {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(session)) {
    const part = session[key as keyof Session];
    const isFrames = key === "frames" || key === "requests";
    copy[key] = isFrames ? (part as Frame[]).map(ownFrame) : copyOf(part);
  }
  return copy as Session;
}

function ownFrame(frame: Frame): Frame {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(frame)) {
    const part = frame[key as keyof Frame];
    copy[key] = key === "state" ? part : copyOf(part);
  }
  return copy as Frame;
}

/** A contact's first session. */
export function newSession(env: TurnEnv): Session {
  return {
    schema: SESSION_SCHEMA,
    account: env.accountId,
    contact: env.contact,
    rev: 0,
    frames: [],
    requests: [],
    role: env.role,
    locale: env.account.languages[0] ?? "pt-BR",
    timers: [],
    count: 0,
  };
}
