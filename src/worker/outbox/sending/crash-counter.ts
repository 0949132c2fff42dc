/**
 * Effects that this program itself cannot handle: handling them throws, or the process ends before anything left. Each time
 * is counted in the store, for all processes and over restarts. After a few times the effect is held for a person, and
 * later effects go on. An effect that may have left and must not leave twice is not repeated for this.
 */
import { Fault, type JsonObject } from "../../../base/index.ts";
import { carriesSecret } from "../../../engine/index.ts";
import { Lru } from "../../../store/index.ts";
import type { Begun, SendEnd } from "../../../store/port/port.ts";
import type { SendContext } from "../../context/contexts.ts";
import { changeDocument, documentsOf } from "../../context/document.ts";
import { type Ending, failedSend, sendEnd } from "../ending.ts";
import { type Entry, entryOf } from "../entry.ts";

/** Why it is held, as an operator reads it. */
export const CRASHED = "handling_failed";
/**
 * Times that handling may throw or lose its process. Between two of them a lease runs out: 6 s, for a fiscal call more than
 * a minute.
 */
const TIMES = 5;
/** Telling the result of an effect may throw, too: after this many times it is held without telling it. */
const TIMES_TOLD = TIMES + 2;
const COLLECTION = "crash-counter";
/** A count that is older than this is forgotten. Real ms. */
const KEPT_MS = 86_400_000;

const KEPT: ReadonlySet<string> = new Set(["fiscal", "costly", "destructive"]);

type Tools = Pick<SendContext, "store" | "clock" | "log">;

/** Effects that threw in this process, and are in flight until their lease is over. */
const threwHere = new WeakMap<object, Lru<string, true>>();
const REMEMBERED = 1_000;

function threw(store: object): Lru<string, true> {
  const known = threwHere.get(store) ?? new Lru<string, true>(REMEMBERED);
  threwHere.set(store, known);
  return known;
}

/**
 * Counts that handling it threw this. Not counted are passing faults: a store that is away, a key that another process may
 * have.
 */
export async function crashed(tools: Tools, effect: string, error: unknown): Promise<void> {
  threw(tools.store).set(effect, true);
  if (Fault.is(error) && (error.retry || error.code === "KEY_UNKNOWN")) return;
  await count(tools, effect, (times) => ({ times: times + 1, isJudged: false }));
}

/** Its lease is over and nothing of it left. If it threw, that was counted already; otherwise its process ended. */
export async function lost(tools: Tools, effect: string): Promise<void> {
  if (threw(tools.store).delete(effect)) return;
  await count(tools, effect, (times, isJudged) => ({
    times: isJudged ? times + 1 : times,
    isJudged: true,
  }));
}

/** `isJudged`: events since the last count are not in it. */
async function count(
  { store, clock, log }: Tools,
  effect: string,
  next: (
    times: number,
    isJudged: boolean,
  ) => { readonly times: number; readonly isJudged: boolean },
): Promise<void> {
  await changeDocument(store, COLLECTION, effect, (known) => ({
    ...next(timesOf(known), known?.["isJudged"] !== false),
    at: clock.real(),
  })).catch((cause: unknown) => {
    log.error({ err: cause, effect }, "that an effect could not be handled was not counted");
  });
}

/** How often each of these threw lately. If the store cannot say, none did: they are judged as usual. */
export async function crashes(
  { store, log }: Tools,
  effects: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  try {
    const known = await Promise.all(effects.map((id) => store.documents.get(COLLECTION, id)));
    return new Map(effects.map((id, at) => [id, timesOf(known[at]?.value ?? null)]));
  } catch (error) {
    log.error({ err: error }, "effects that could not be handled were not looked up");
    return new Map();
  }
}

/** The end of an effect that threw too often; undefined while it is judged like any other. */
export async function heldForCrashes(
  context: SendContext,
  begun: Begun,
  times: number,
): Promise<SendEnd | undefined> {
  if (times < TIMES) return undefined;
  const { id, account, contact, token } = begun;
  if (times < TIMES_TOLD) {
    const entry = entryOf(begun.payload);
    return sendEnd(context, begun, entry, await endingOf(context, begun, entry));
  }
  tell(context, begun, begun.class, true);
  return { id, account, contact, token, outcome: { kind: "held", reason: CRASHED } };
}

/** The effect is held or over. */
export async function forgetCrashes(
  { store }: Pick<SendContext, "store">,
  id: string,
): Promise<void> {
  threw(store).delete(id);
  await store.documents.remove(COLLECTION, id);
}

export async function sweepCrashes(context: Pick<SendContext, "store" | "clock">): Promise<void> {
  const since = context.clock.real() - KEPT_MS;
  for await (const { id, value } of documentsOf(context.store, COLLECTION))
    if (Number(value["at"]) < since) await forgetCrashes(context, id);
}

async function endingOf(context: SendContext, begun: Begun, entry: Entry): Promise<Ending> {
  // A failed send like any other: the rest of its turn is held with it, and later messages leave.
  if (entry.type === "send") return failedSend(context, begun, entry, CRASHED);
  const isKept = KEPT.has(begun.class);
  const isCall = entry.type === "call";
  // A call with a secret is not kept for a person: the flow asks for the secret again.
  if (isCall && !isKept && carriesSecret(entry.input))
    return { ...failedCall(), outcome: { kind: "failed" } };
  // Bytes are frozen before the first send: without them nothing left.
  const mayHaveLeft = !isKept || entry.work.frozen !== undefined;
  const told = isCall ? await resultOf(context, begun, entry.name, mayHaveLeft) : {};
  tell(context, begun, isCall ? entry.name : begun.class, mayHaveLeft);
  return { ...told, outcome: { kind: "held", reason: CRASHED }, line: { reason: CRASHED } };
}

/** What the flow that waits hears, once: until then it said that an answer comes in a moment. */
async function resultOf(
  context: SendContext,
  begun: Begun,
  name: string,
  mayHaveLeft: boolean,
): Promise<Pick<Ending, "result" | "line">> {
  const { unhandled } = context.effects.calls.get(name) ?? {};
  if (unhandled) return { result: await unhandled(context, begun, mayHaveLeft) };
  if (!KEPT.has(begun.class)) return failedCall();
  return { result: { outcome: "held", out: { reason: CRASHED } } };
}

function failedCall(): Pick<Ending, "result" | "line"> {
  const result = { outcome: "failed", out: { reason: CRASHED, text: "" } } as const;
  return { result, line: { reason: CRASHED } };
}

function tell(
  { alarms }: Pick<SendContext, "alarms">,
  { id, account }: Begun,
  what: string,
  mayHaveLeft: boolean,
): void {
  const fate = mayHaveLeft ? "it may have taken effect" : "nothing of it was sent";
  alarms.raise({
    code: "effect.held",
    account,
    subject: id,
    message: `${what} could not be handled, an error of this program each time; ${fate}. A person decides.`,
  });
}

function timesOf(value: JsonObject | null): number {
  const times = value?.["times"];
  return typeof times === "number" ? times : 0;
}
