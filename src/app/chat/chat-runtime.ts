/**
 * The runtime under a chat file: processes on a store in memory, and a clock that stands until it is told to go on. Each
 * piece of work is waited for, without any real waiting.
 */
import { createHash } from "node:crypto";
import { setImmediate as nextTick } from "node:timers/promises";
import type { Json } from "../../base/index.ts";
import { eventId } from "../../channels/index.ts";
import type { CallEffect, Effect, InboundEvent, Mail, Session } from "../../engine/index.ts";
import type { FlowLibrary } from "../../flow/index.ts";
import { type Commit, memoryStore, type MemoryStore, type Store } from "../../store/index.ts";
import { type Context, type Log, VirtualClock } from "../../worker/index.ts";
import type { LoadedBot } from "../bot/loaded-bot.ts";
import type { ChatCrashes } from "./chat-faults.ts";
import { ChatProcess, onlyAccount, scripted } from "./chat-process.ts";
import type { ChatGateway } from "./chat-gateway.ts";
import type { ChatSetting } from "./chat-setting.ts";

/** What is tried again within this is waited for. */
const SOON_MS = 5_000;
/** Steps of one move; more is a ring of contacts that write to each other. */
const MAX_STEPS = 5_000;

/** A call that a flow of this contact asked for. */
export interface Call {
  readonly of: string;
  readonly effect: CallEffect;
}

interface Parts {
  readonly bot: LoadedBot;
  readonly setting: ChatSetting;
  readonly library: FlowLibrary;
  readonly crashes: ChatCrashes;
  readonly gateway: ChatGateway;
  readonly clock: ChatClock;
}

/** Virtual time, ms. */
export interface ChatClock {
  now: number;
}

export class ChatRuntime {
  /** Every call any flow asked for, done or not. */
  readonly calls: Call[] = [];
  /** How the last flow of each contact ended. */
  readonly outcomes = new Map<string, string>();
  readonly #parts: Parts;
  readonly #clock: VirtualClock;
  readonly #memory: MemoryStore;
  /** Next timer of each contact, ms. */
  readonly #due = new Map<string, number>();
  /** Times at which something is tried again, ms. */
  #later: number[] = [];
  /** What broke, in a sentence. */
  #broken: string | undefined;
  #library: FlowLibrary;
  #store: Store;
  #process: ChatProcess;
  /** Those before a deploy, which end what they have in hand. */
  readonly #before: ChatProcess[] = [];
  #events = 0;

  private constructor(parts: Parts, memory: MemoryStore) {
    this.#parts = parts;
    this.#library = parts.library;
    this.#memory = memory;
    this.#clock = new VirtualClock(() => parts.clock.now);
    this.#store = memory.open();
    this.#process = this.#started(false);
  }

  /** Contacts are named in the order in which they come, so that a file is the same each time it is played. */
  static async open(parts: Parts): Promise<ChatRuntime> {
    let made = 0;
    const memory = await memoryStore({
      now: () => parts.clock.now,
      contactId: () => (++made).toString(16).padStart(32, "0"),
    });
    return new ChatRuntime(parts, memory);
  }

  close(): void {
    for (const one of [this.#process, ...this.#before]) void one.die();
    this.#memory.close();
  }

  /** What plugins work with. */
  get context(): Context {
    return this.#process.worker.context;
  }

  contact(number: string): Promise<string> {
    return this.#store.contacts.identify(this.#parts.setting.account.id, [`phone:${number}`]);
  }

  /** As it is stored. */
  async session(contact: string): Promise<Session | null> {
    const view = await this.#store.views.session(this.#parts.setting.account.id, contact);
    return (view?.session ?? null) as Session | null;
  }

  /** A webhook of these events comes in. */
  async take(events: readonly InboundEvent[]): Promise<void> {
    const { account, channel } = this.#parts.setting;
    await this.#process.ingest(account, channel, events);
    await this.quiet();
  }

  async mail(contact: string, mail: Mail): Promise<void> {
    const event = `e${++this.#events}`;
    const json = JSON.parse(JSON.stringify(mail)) as Json;
    const { id } = this.#parts.setting.account;
    await this.#store.mail.accept([{ account: id, contact, event, mail: json }]);
    await this.quiet();
  }

  /** A new process with another library; the one before ends what it has in hand. */
  deploy(library: FlowLibrary): void {
    this.#library = library;
    this.#before.push(this.#process);
    this.#process = this.#started(true);
  }

  /** Goes to each due time in order, so that one timer's work is done before the next is due. */
  async pass(ms: number): Promise<void> {
    const { clock } = this.#parts;
    const until = clock.now + Math.max(0, ms);
    for (let steps = 0; ; steps++) {
      if (steps > MAX_STEPS) throw new Error("timers come due without end");
      const next = Math.min(...this.#due.values(), ...this.#later.filter((at) => at > clock.now));
      if (next > until) break;
      this.#goTo(next);
      await this.quiet();
    }
    clock.now = Math.max(clock.now, until);
  }

  /** Time went by: what was paused may be over. */
  async wake(): Promise<void> {
    this.#process.wake();
    await this.quiet();
  }

  /** Until nobody has anything to do, nor will have in a moment. */
  async quiet(): Promise<void> {
    const { clock } = this.#parts;
    for (let steps = 0; ; steps++) {
      if (steps > MAX_STEPS) throw new Error("contacts write to each other without end");
      await this.#step();
      if (this.#broken !== undefined) throw new Error(this.#broken);
      if (this.#process.hasWork) continue;
      this.#later = this.#later.filter((at) => at > clock.now);
      const soon = Math.min(...this.#later);
      if (soon > clock.now + SOON_MS) return;
      this.#goTo(soon);
    }
  }

  /** One step, until what it began waits for the file. A process that died is followed by another one. */
  async #step(): Promise<void> {
    const process = this.#process;
    await Promise.race([process.step(), process.death]);
    while (!process.isDead && this.#inHand > this.#parts.gateway.waiting) await nextTick();
    if (process.isDead) {
      this.#store = this.#memory.open();
      this.#process = this.#started(true);
    }
    await this.#hearEchoes();
    if (process.isDead) await this.#process.worker.round("reaper");
  }

  get #inHand(): number {
    const alive = [this.#process, ...this.#before].filter(({ isDead }) => !isDead);
    return alive.reduce((sum, { worker }) => sum + worker.inHand(), 0);
  }

  /** The engine posts what left the number: so a message is known to have arrived whose answer was lost. */
  async #hearEchoes(): Promise<void> {
    const at = this.#parts.clock.now;
    for (const { id, text, channel, address } of this.#parts.gateway.echoes()) {
      const from = { address, phone: address.replace(/@.*$/, "") };
      const event = { kind: "own", id: eventId("own", id), at, messageId: id, text, from } as const;
      await this.#process.ingest(this.#parts.setting.account, channel, [event as InboundEvent]);
    }
  }

  #goTo(time: number): void {
    const { clock } = this.#parts;
    clock.now = Math.max(clock.now, time);
    this.#process.wake();
  }

  #started(isNext: boolean): ChatProcess {
    const { bot, setting, gateway, crashes } = this.#parts;
    const { account, locale } = setting;
    const witness = {
      commits: (commit: Commit) => {
        crashes.compare(commit);
        if (!crashes.strikes("before commit")) return undefined;
        crashes.lose(commit);
        return "die" as const;
      },
      committed: (commit: Commit) => {
        this.#committed(commit);
        return crashes.strikes("after commit") ? ("die" as const) : undefined;
      },
      parked: (reason: string) => void (this.#broken ??= reason),
      later: (at: number) => void this.#later.push(at),
    };
    const log: Log = {
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: (fields, message) => {
        const { err } = fields as { readonly err?: unknown };
        this.#broken ??= err instanceof Error ? `${message}: ${err.message}` : message;
      },
    };
    return new ChatProcess(this.#store, witness, isNext, (caller) => ({
      ...scripted(bot, locale, { gateway, caller }),
      accounts: onlyAccount(account),
      accountModel: bot.accountModel,
      library: this.#library,
      clock: this.#clock,
      log,
      plugins: bot.plugins,
      gatewayFor: () => gateway.client(caller),
      channels: gateway.channels,
      random: { int: () => 0 },
      publicUrl: "https://bot.example",
      keys: { hash: (text) => createHash("sha256").update(text).digest("hex") },
    }));
  }

  #committed({ contact, due, effects, journal }: Commit): void {
    if (due === null) this.#due.delete(contact);
    else if (due !== "same") this.#due.set(contact, due);
    for (const { payload } of effects) {
      const effect = payload as unknown as Effect;
      if (effect.type === "call") this.calls.push({ of: contact, effect });
    }
    for (const { moves } of journal as unknown as { moves: readonly { to?: string }[] }[])
      for (const { to } of moves)
        if (to?.startsWith("ended-")) this.outcomes.set(contact, to.slice("ended-".length));
  }
}
