/**
 * A running server made ready for a chat file and put back afterwards: its people are forgotten, its account is as the file
 * says, its calls that cost wait. Only against a sandbox.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Json, JsonObject } from "../base/index.ts";
import type { ChatFile, FlowLibrary } from "../flow/index.ts";
import { findRoute } from "../gateway/index.ts";
import { creditsScope, localScope, locals } from "../worker/index.ts";
import { changedKeys, patched } from "./chat-account.ts";
import { doneHere } from "./chat-shelf.ts";
import type { ChatSetting } from "./chat-setting.ts";
import type { ApiClient } from "./client.ts";
import { routeBehind } from "./town-faults.ts";

/** What no request can do to a server from outside. */
const ONLY_HERE: readonly (readonly [RegExp, string])[] = [
  [/^crash\b/, "a server is not killed by a request"],
  [/^deploy\b/, "a server's flows are not exchanged by a request"],
];
/** An erased person's events count again once the clock is past the second of the erasure. */
const PAST_ERASURE = "2s";
const REASON = "A chat file is replayed; a line of it answers the call.";
/** What the house does itself waits for lines, too. */
const HOUSE: readonly string[] = [...locals.keys()].filter(ofTheHouse).map(localScope);
/** Workers remember for a moment who an operator was, and the account, real ms. */
const KNOWN_AGAIN_MS = 300;
/** Sessions looked through for the people of a file. */
const SESSIONS = 1_000;

/** The first line that cannot be played over HTTP; none is left out in silence. */
export function refusedLine(
  { file, headers, lines }: ChatFile,
  library: FlowLibrary,
): string | undefined {
  const note = headers.find(({ name }) => name === "note");
  if (note)
    return `${file}:${note.line} "@note ${note.rest}" cannot be played over HTTP: a server's books are not written from outside`;
  const steps = callsOf(library);
  for (const { op, rest, line, file: other } of lines) {
    const why =
      op === "!"
        ? ONLY_HERE.find(([what]) => what.test(rest))?.[1]
        : op === "*"
          ? answeredAtOnce(rest, steps)
          : op === "<" && rest.startsWith("[location")
            ? "the channel puts a place into words"
            : op === ">" && /^\[(vote|other)\b/.test(rest)
              ? "a vote names its poll, and other sorts of messages differ by engine"
              : undefined;
    if (why !== undefined)
      return `${other ?? file}:${line} "${op} ${rest}" cannot be played over HTTP: ${why}`;
  }
  return undefined;
}

/** Effects by the ids of the steps that ask for them. */
function callsOf(library: FlowLibrary): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const walk = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    const { t, id, effect } = part as { t?: unknown; id?: unknown; effect?: unknown };
    if (t === "effect" && typeof id === "string" && typeof effect === "string")
      found.set(id, (found.get(id) ?? new Set()).add(effect));
    for (const inner of Object.values(part)) walk(inner);
  };
  for (const { ast } of library.asts()) walk(ast.steps);
  return found;
}

/** Only what is billed in credits, and what the house does itself, can be kept waiting for a line. */
function answeredAtOnce(
  rest: string,
  steps: ReadonlyMap<string, ReadonlySet<string>>,
): string | undefined {
  const [event = ""] = rest.split(/\s/);
  const dot = event.lastIndexOf(".");
  const effects = [...(steps.get(event.slice(0, dot)) ?? [])];
  if (effects.length === 0 || effects.some((name) => ofTheHouse(name))) return undefined;
  if (effects.some((name) => waits(name)))
    return event.slice(dot + 1) === "failed"
      ? `no answer of the sandbox makes ${effects.join(" or ")} end as failed`
      : undefined;
  return `${effects.join(" and ")} is answered by the server at once`;
}

/** Whether a call of a flow can be made to wait: what is billed in credits has a scope of its own. */
export function waits(effect: string): boolean {
  return findRoute(routeBehind(effect))?.billing === "credits";
}

/** Whether it is the house's own work and a chat file tells what came of it. */
export function ofTheHouse(effect: string): boolean {
  return locals.has(effect) && !doneHere(effect);
}

/** The file says what a server cannot be made to do from outside; it is told so and not played. */
export class NotOverHttp extends Error {
  override readonly name = "NotOverHttp";
}

/** An effect that waits. */
interface Held {
  readonly id: string;
  readonly contact: string;
}

export class HttpStage {
  readonly #api: ApiClient;
  readonly account: string;
  /** What stood in the account before. */
  #before: JsonObject = {};

  constructor(api: ApiClient, account: string) {
    this.#api = api;
    this.account = account;
  }

  /** Throws with a sentence when this server cannot play the file. */
  async set(chat: ChatFile, setting: ChatSetting, library: FlowLibrary): Promise<void> {
    const refused = refusedLine(chat, library);
    if (refused !== undefined) throw new NotOverHttp(refused);
    const meta = await this.#api.get("/api/meta");
    if (!meta["sandbox"])
      throw new Error("The server uses a real gateway; a replay needs the sandbox.");
    await this.#sameFlow(setting, library);
    await this.#settle(chat, setting);
    await this.#goTo(setting.at, meta);
    for (const scope of HOUSE)
      await this.#api.send("POST", "/api/pauses", { scope, reason: REASON });
    await this.pause();
    // Whoever works looks at the pauses anew.
    await this.#api.send("POST", "/api/turns/drain");
  }

  /** What costs waits from now on, until a `*` line answers it. */
  async pause(): Promise<void> {
    const scope = creditsScope(this.account);
    await this.#api.send("POST", "/api/pauses", { scope, reason: REASON });
  }

  async resume(scope = creditsScope(this.account)): Promise<void> {
    await this.#api.send("DELETE", `/api/pauses/${scope}`).catch(() => undefined);
  }

  /** The result of what the house would do itself, as a line tells it. */
  async answer(effect: string, result: JsonObject): Promise<void> {
    const one = (await this.#held()).find(({ id }) => id === effect);
    if (!one) throw new Error("over HTTP it does not wait for an answer: it has one already");
    const path = `/api/outbox/${this.account}/${one.contact}/${effect}/answer`;
    await this.#api.send("POST", path, result);
  }

  /** What the house is to do itself and has not been let do. */
  async #held(): Promise<readonly Held[]> {
    const path = `/api/outbox?account=${this.account}&state=pending&limit=1000`;
    const { items } = await this.#api.get(path);
    return (items as unknown as readonly (Held & { scope: string })[]).filter(({ scope }) =>
      HOUSE.includes(scope),
    );
  }

  /** People of a file begin as if they had never written. */
  async forget(numbers: readonly string[]): Promise<void> {
    const found = await peopleOf(this.#api, this.account, numbers);
    await this.#erase([...found.values()]);
    await pause(KNOWN_AGAIN_MS);
  }

  async #erase(contacts: readonly string[]): Promise<void> {
    for (const contact of contacts)
      await this.#api.send("DELETE", `/api/sessions/${this.account}/${contact}`);
    if (contacts.length === 0) return;
    await this.#api.send("POST", "/api/sandbox/clock", { advance: PAST_ERASURE });
  }

  async putBack(): Promise<void> {
    await this.#api.send("DELETE", "/api/sandbox/faults");
    if (Object.keys(this.#before).length > 0)
      await this.#api.send("PUT", `/api/accounts/${this.account}`, this.#before);
    // What was answered by a line, or by none, must not be done after all: it goes with its person.
    await this.#erase([...new Set((await this.#held()).map(({ contact }) => contact))]);
    for (const scope of HOUSE) await this.resume(scope);
    await this.resume();
  }

  async #sameFlow({ flow }: ChatSetting, library: FlowLibrary): Promise<void> {
    const { items } = await this.#api.get("/api/flows");
    const theirs = items as unknown as readonly { flow: string; hash: string }[];
    const ours = flow === undefined ? undefined : library.get(flow);
    const same = theirs.find((one) => one.flow === flow);
    if (ours && same?.hash !== ours.hash)
      throw new Error(
        same
          ? `The server has another version of ${ours.flow} (${same.hash.slice(0, 8)}, here ${ours.hash.slice(0, 8)}).`
          : `The server has no flow ${ours.flow}.`,
      );
  }

  /** The account as the headers want it; no alarm rings on phones meanwhile, and notes alike are no duplicates. */
  async #settle({ headers }: ChatFile, { account }: ChatSetting): Promise<void> {
    const { account: theirs } = (await this.#api.get(`/api/accounts/${this.account}`)) as {
      account: JsonObject;
    };
    let wanted: JsonObject = {
      ...theirs,
      languages: account.languages,
      alerts: { ...(theirs["alerts"] as JsonObject), phones: false, report: "off" },
      policy: { ...(theirs["policy"] as JsonObject), similarHours: 0 },
    };
    const keys = new Set(["languages", "alerts", "policy"]);
    for (const { name, rest } of headers)
      if (name === "account") {
        wanted = patched(wanted, rest);
        for (const key of changedKeys(rest)) keys.add(key);
      }
    const pick = (from: JsonObject): JsonObject =>
      Object.fromEntries([...keys].map((key): [string, Json] => [key, from[key] ?? null]));
    await this.#api.send("PUT", `/api/accounts/${this.account}`, pick(wanted));
    this.#before = pick(theirs);
  }

  /** A sandbox's clock goes forward only. */
  async #goTo(at: number | undefined, meta: JsonObject): Promise<void> {
    if (at === undefined) return;
    const { now } = meta["clock"] as { now: number };
    if (at < now)
      throw new NotOverHttp(
        `@at ${new Date(at).toISOString()} cannot be played over HTTP: the server's clock is past it, and goes forward only.`,
      );
    await this.#api.send("POST", "/api/sandbox/clock", { advance: seconds(at - now) });
  }
}

/** Contacts by number, of those who have written or were written to. */
export async function peopleOf(
  api: ApiClient,
  account: string,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { items } = await api.get(`/api/sessions?account=${account}&limit=${SESSIONS}&reveal=1`);
  const found = new Map<string, string>();
  for (const { contact, address = "" } of items as unknown as readonly {
    contact: string;
    address?: string;
  }[]) {
    const number = numbers.find((one) => bare(one) === bare(address));
    if (number !== undefined) found.set(number, contact);
  }
  return found;
}

/** Brazilian mobiles appear with and without their ninth digit. */
function bare(text: string): string {
  return text
    .replace(/@.*$/, "")
    .replace(/\D/g, "")
    .replace(/^(55\d\d)9(\d{8})$/, "$1$2");
}

/** A time as the sandbox's clock takes it. */
export function seconds(ms: number): string {
  return `${Math.max(0.001, ms / 1_000).toFixed(3)}s`;
}
