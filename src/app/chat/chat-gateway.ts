/**
 * The gateway of a chat file. Messages arrive on phones; a flow's call waits for the `*` line that answers it; what the
 * worker asks for itself is answered. A `!` line decides otherwise, and how that ends is judged by the worker.
 */
import type { Json, JsonObject } from "../../base/index.ts";
import { channels } from "../../channels/index.ts";
import type { CallResult } from "../../engine/index.ts";
import type { CallOutcome, Gateway, RouteId } from "../../gateway/index.ts";
import type { Channels, OwnCall, WorkerDeps } from "../../worker/index.ts";
import { type ChatCrashes, type ChatFaults, outcomeOf } from "./chat-faults.ts";
import type { ChatPeople, Delivery } from "./chat-people.ts";

/** A call of a flow: its effect, and the effect's name. */
interface Asked {
  readonly id: string;
  readonly name: string;
}

/** A message that arrived and whose answer was lost: its engine posts it as it posts all that leaves the number. */
interface Echo extends Delivery {
  readonly id: string;
  /** As it was rendered. */
  readonly text: string;
}

/** Whose calls are made here; it may be dead before the answer. */
export interface Caller {
  readonly isDead: boolean;
  /** Ends the process. Its promises never settle. */
  die(): Promise<never>;
}

interface Waiting {
  readonly caller: Caller;
  readonly answer: (outcome: CallOutcome) => void;
}

export class ChatGateway {
  readonly #people: ChatPeople;
  readonly #faults: ChatFaults;
  readonly #crashes: ChatCrashes;
  readonly #now: () => number;
  readonly #sent = new WeakMap<object, Delivery & { readonly text: string }>();
  readonly #asked = new WeakMap<object, Asked>();
  readonly #waiting = new Map<string, Waiting>();
  /** Calls whose answer takes its time: until when. */
  readonly #slow = new Map<string, number>();
  readonly #calls: Record<string, number> = {};
  #echoes: Echo[] = [];
  #serial = 0;

  constructor(of: {
    readonly people: ChatPeople;
    readonly faults: ChatFaults;
    readonly crashes: ChatCrashes;
    readonly now: () => number;
  }) {
    this.#people = of.people;
    this.#faults = of.faults;
    this.#crashes = of.crashes;
    this.#now = of.now;
  }

  /** How often each route was called. */
  get calls(): Readonly<Record<string, number>> {
    return this.#calls;
  }

  /** Calls that wait for a `*` line, of processes that live. */
  get waiting(): number {
    for (const [id, { caller }] of this.#waiting) if (caller.isDead) this.#waiting.delete(id);
    return this.#waiting.size;
  }

  /** Echoes since the last call. */
  echoes(): readonly Echo[] {
    const echoes = this.#echoes;
    this.#echoes = [];
    return echoes;
  }

  /** How long the answer of a call takes yet, ms. */
  lateMs(effect: string): number {
    return (this.#slow.get(effect) ?? 0) - this.#now();
  }

  /** A `*` line answers a call; false when it waits for none. */
  answer(effect: string, result: CallResult): boolean {
    const waiting = this.#waiting.get(effect);
    this.#waiting.delete(effect);
    waiting?.answer(ok(result));
    return waiting !== undefined;
  }

  /** The body of a flow's call: by it the call is known when it arrives. */
  asking(asked: Asked, body: JsonObject): JsonObject {
    const own = { ...body };
    this.#asked.set(own, asked);
    return own;
  }

  /** What a process is given to render with. */
  readonly channels: Channels = {
    render: (message, { channel, address }) => {
      const call = channels[channel].render(message, address);
      this.#sent.set(call.body, { message, channel, address, text: call.text });
      return call;
    },
  };

  /** … and to call. */
  client(caller: Caller): ReturnType<WorkerDeps["gatewayFor"]> {
    const call = (route: RouteId, body?: unknown) => this.#call(caller, route, body as JsonObject);
    return {
      call: call as unknown as Gateway["call"],
      exactBytes: (_route, body) => Buffer.from(JSON.stringify(body)),
    };
  }

  /** A call that is none of the gateway's: of the bot's own, or an effect of a plugin's code. */
  async outside(caller: Caller, asked: Asked): Promise<CallOutcome> {
    if (this.#crashes.strikes("before send", asked.name)) return caller.die();
    const answer = this.#wait(caller, asked.id);
    return this.#crashes.strikes("after send", asked.name) ? caller.die() : answer;
  }

  own(caller: Caller, name: string): OwnCall {
    return {
      bytes: (input) => Buffer.from(JSON.stringify(input)),
      call: ({ id }) => this.outside(caller, { id, name }),
    };
  }

  async #call(caller: Caller, route: RouteId, body: JsonObject): Promise<CallOutcome> {
    const asked = this.#asked.get(body);
    const names = [route, ...(asked ? [asked.name] : [])];
    if (this.#crashes.strikes("before send", ...names)) return caller.die();
    this.#calls[route] = (this.#calls[route] ?? 0) + 1;
    const fault = this.#faults.next(route);
    const isLost = fault !== undefined && fault.kind !== "slow";
    const arrives = !isLost || fault.kind === "accepted_then_lost";
    const sent = this.#sent.get(body);
    const id = `b${++this.#serial}`;
    if (sent && arrives) this.#people.got(id, sent);
    else if (asked && arrives) this.#people.gotByCall(id, route, body);
    const dies = this.#crashes.strikes("after send", ...names);
    if (sent && arrives && (isLost || dies)) this.#echoes.push({ id, ...sent });
    if (dies) return caller.die();
    if (isLost) return outcomeOf(fault);
    if (!asked) return ok(sent ? { key: { id } } : answerOf(route, body));
    if (fault) this.#slow.set(asked.id, this.#now() + (fault.ms ?? 0));
    return this.#wait(caller, asked.id);
  }

  #wait(caller: Caller, effect: string): Promise<CallOutcome> {
    return new Promise((answer) => this.#waiting.set(effect, { caller, answer }));
  }
}

function ok(data: Json): CallOutcome {
  return { kind: "ok", status: 200, data, raw: null, ms: 0 };
}

/** What the worker asks for itself: everybody stands under the number that is asked for, all else has nothing to tell. */
function answerOf(route: RouteId, body: JsonObject | undefined): Json {
  if (route !== "chat.messengerNumbers") return {};
  const { numbers } = body as { readonly numbers?: readonly string[] };
  return (numbers ?? []).map((number) => ({ jid: `${number}@s.whatsapp.net`, exists: true }));
}
