/** A named effect on its way: one gateway call, its end judged by class, its result told to the flow that waits. */
import { Fault, type Json, type JsonObject } from "../../base/index.ts";
import { carriesSecret, type Account, type CallResult } from "../../engine/index.ts";
import type { CallClass, CallOutcome } from "../../gateway/index.ts";
import type { Begun } from "../../store/port/port.ts";
import type { RuntimeContext, RuntimeLocal, SendContext } from "../context/contexts.ts";
import { callGateway, emitCall } from "../calls.ts";
import type { Asking, EffectSpec, JudgedSpec, LocalWork, PreparedCall } from "../effects/spec.ts";
import { type Own, ownSpec } from "../effects/own.ts";
import { type Ending, failed, waiting } from "./ending.ts";
import { type CallEntry, payloadOf } from "./entry.ts";
import type { Held } from "../fleet/effect-lease.ts";
import { isReleased } from "./pacing/releases.ts";
import { type Verdict, verdict } from "./verdict.ts";

/** Until the next attempt while too few replicas confirm. */
const UNCONFIRMED_MS = 2_000;

/** A secret that could not be sent within this time is asked for again instead of being kept, virtual ms. */
const SECRET_LIVES_MS = 24 * 3_600_000;

/** A local effect whose call meets a paused scope looks again after this, virtual ms. */
const PAUSED_MS = 30_000;

/** Null: another worker has the effect by now. */
export async function performCall(
  context: SendContext,
  begun: Held,
  entry: CallEntry,
  account: Account,
): Promise<Ending | null> {
  const local = context.effects.locals.get(entry.name);
  if (local) return performLocal(context, local, { begun, entry, account });
  const spec = context.effects.calls.get(entry.name);
  const own = spec ? undefined : context.own?.get(entry.name);
  if (own) return performOwn(context, own, { begun, entry, account });
  if (!spec) return unknownEffect(context, entry);
  const send = (prepared: PreparedCall) =>
    makeCall(context, { begun, entry, account, spec }, prepared);
  if (spec.perform) return spec.perform(context, { begun, entry, account, send });
  const asked = spec.prepare(entry.input);
  if (!asked) return failed("input");
  if (isOverdue(context, entry)) return failed("expired");
  const prepared = entry.work.frozen
    ? asked
    : ((await spec.complete?.(context, askingOf(begun, entry, account))) ?? asked);
  return "outcome" in prepared ? prepared : send(prepared);
}

/** No scope of the gateway covers it: a gateway call that its code makes waits for its own scope. */
async function performLocal(
  context: SendContext,
  local: RuntimeLocal,
  { begun, entry, account }: Pick<CallCase, "entry" | "account"> & { readonly begun: Held },
): Promise<Ending | null> {
  const input = local.input.safeParse(entry.input);
  if (!input.success) return failed("input");
  const at = entry.work.at;
  const conclude: LocalWork["conclude"] = async (route, scope, outcome) => {
    const spec = context.effects.calls.get(route);
    if (!spec) return failed("route");
    const paused = { ...begun, scope };
    const told = local.unpaid === undefined ? spec : { ...spec, unpaid: local.unpaid };
    const of = { begun: paused, entry, account, spec: told };
    const ending = await concludeCall(context, of, outcome);
    return ending.outcome.kind === "not_sent"
      ? { outcome: { kind: "not_sent", at: context.clock.now() + PAUSED_MS } }
      : ending;
  };
  return local.perform({ context, begun, account, at, conclude }, input.data);
}

async function makeCall(
  context: SendContext,
  of: Omit<CallCase, "spec"> & { readonly begun: Held; readonly spec: EffectSpec<RuntimeContext> },
  prepared: PreparedCall,
): Promise<Ending | null> {
  const { begun, account, spec } = of;
  const make = () => Buffer.from(context.gatewayFor(account).exactBytes(spec.route, prepared.body));
  try {
    return await depart(context, of, make, (bytes) => {
      const by = { contact: begun.contact, effect: begun.id, attempt: begun.attempt };
      const mayLeave = begun.lease.isHeld;
      const options = { frozenBytes: bytes, query: prepared.query, mayLeave };
      return callGateway(context, account, spec.route, prepared.body, options, by);
    });
  } catch (error) {
    if (Fault.is(error, "GATEWAY_BODY")) return failed("body");
    throw error;
  }
}

/** An effect of the bot's own. */
async function performOwn(
  context: SendContext,
  own: Own,
  { begun, entry, account }: Pick<CallCase, "entry" | "account"> & { readonly begun: Held },
): Promise<Ending | null> {
  const { effect, call } = own;
  const input = effect.input.safeParse(entry.input);
  if (!input.success) return failed("input");
  if (call.problem !== undefined) return failed("setting");
  const of = { begun, entry, account, spec: ownSpec(own) };
  const given = input.data as JsonObject;
  const { id, attempt } = begun;
  return depart(
    context,
    of,
    () => Buffer.from(call.bytes(given)),
    async (bytes) => {
      const who = { id: account.id, zone: account.zone };
      const mayLeave = begun.lease.isHeld;
      const outcome = await call.call({ id, account: who, attempt, input: given, bytes, mayLeave });
      context.counted?.("own_calls", { effect: effect.name, outcome: outcome.kind });
      const what = { route: effect.name, method: effect.http?.method ?? "RUN", path: "" };
      emitCall(context, account, what, outcome, { contact: begun.contact, effect: id, attempt });
      return outcome;
    },
  );
}

/**
 * One attempt. The bytes of a call that must not be made twice are stored first: they mark that it may have left. Null:
 * another worker has the effect by now.
 */
async function depart(
  context: SendContext,
  of: CallCase & { readonly begun: Held },
  make: () => Buffer,
  call: (bytes: Buffer) => Promise<CallOutcome>,
): Promise<Ending | null> {
  const { begun, entry, spec } = of;
  const bytes = entry.work.frozen ? Buffer.from(entry.work.frozen.bytes, "utf8") : make();
  if (isKept(spec) && !entry.work.frozen) {
    const route = spec.route ?? spec.name;
    const frozen = { route, bytes: bytes.toString("utf8"), at: context.clock.now() };
    const payload = payloadOf({ ...entry, work: { ...entry.work, frozen } });
    const { id, account, contact, token } = begun;
    if (!(await context.store.effects.amend({ id, account, contact, token, payload }))) return null;
  }
  if (isKept(spec) && !(await context.store.effects.confirm(spec.class))) {
    await thaw(context, begun, entry);
    return { outcome: { kind: "not_sent", at: context.clock.now() + UNCONFIRMED_MS } };
  }
  return concludeCall(context, of, await call(bytes));
}

/** A call that must not be made twice is frozen first: stored bytes mark that it may have left. */
export function isKept(spec: Pick<EffectSpec, "class">): boolean {
  return spec.class === "fiscal" || spec.class === "costly" || spec.class === "destructive";
}

interface CallCase {
  readonly begun: Begun;
  readonly entry: CallEntry;
  readonly account: Account;
  readonly spec: JudgedSpec<RuntimeContext>;
}

function askingOf(
  { id, contact }: Pick<Begun, "id" | "contact">,
  { input }: Pick<CallEntry, "input">,
  account: Account,
): Asking {
  return { effect: id, contact, account, input };
}

/** Also judges a call whose process died: its outcome is unknown. */
export async function concludeCall(
  context: SendContext,
  of: CallCase,
  outcome: CallOutcome,
): Promise<Ending> {
  const ending = await endOf(context, of, outcome);
  const { begun, entry, account, spec } = of;
  if (!spec.settled) return ending;
  const data = (outcome.kind === "ok" ? outcome.data : null) as Json;
  return spec.settled(context, askingOf(begun, entry, account), ending, data);
}

async function endOf(
  context: SendContext,
  { begun, entry, account, spec }: CallCase,
  outcome: CallOutcome,
): Promise<Ending> {
  const { onTimeout } = account;
  const { attempt } = begun;
  const by = spec.route === undefined ? { class: spec.class as CallClass } : { route: spec.route };
  const judged = verdict({ ...by, onTimeout, attempt }, outcome);
  // It certainly did not leave, so that a crash before the next attempt is not taken for a send.
  if (judged.kind === "pause" || (judged.kind === "retry" && !judged.counts))
    await thaw(context, begun, entry);
  const until = judged.kind === "pause" ? pauseEnd(context, spec, judged.reason) : undefined;
  const waits = await waiting(context, judged, { attempt, scope: begun.scope, until });
  if (judged.kind === "pause" && judged.reason === "no_balance" && spec.unpaid === "told")
    return failed(judged.reason);
  if (waits) return waits;
  switch (judged.kind) {
    case "done": {
      const data = (outcome.kind === "ok" ? outcome.data : null) as Json;
      return { outcome: { kind: "done" }, result: spec.interpret({ kind: "done", data }) };
    }
    case "rejected": {
      return {
        outcome: { kind: "failed" },
        result: spec.interpret(judged),
        line: { reason: judged.code ?? "refused" },
      };
    }
    case "held":
      // The call was turned away unread, so its request is made and checked anew when it goes again.
      if (judged.known && isKept(spec)) await thaw(context, begun, entry);
      // A call with a secret is not kept for a person: the flow asks for the secret again.
      if (!isKept(spec) && carriesSecret(entry.input)) return failed(judged.reason);
      return heldCall(context, begun, spec, {
        ...judged,
        again: isReleased(context.effects, account, entry),
      });
    default:
      return failed("reason" in judged ? judged.reason : judged.kind);
  }
}

function isOverdue(context: SendContext, { input, work }: CallEntry): boolean {
  return context.clock.now() - work.at > SECRET_LIVES_MS && carriesSecret(input);
}

type HeldVerdict = Extract<Verdict, { kind: "held" }>;

/** `again`: a call that was turned away unread goes again by itself once the pause is over. */
function heldCall(
  context: SendContext,
  begun: Begun,
  spec: JudgedSpec<RuntimeContext>,
  { reason, known, again }: Pick<HeldVerdict, "reason" | "known"> & { readonly again: boolean },
): Ending {
  const fate = known ? "was not carried out" : "may have taken effect";
  if (!known || !again)
    context.alarms.raise({
      code: "effect.held",
      account: begun.account,
      subject: begun.id,
      message: `${spec.name} ${fate} (${reason}); a person decides.`,
    });
  const result: CallResult = isKept(spec)
    ? { outcome: "held", out: { reason } }
    : { outcome: "failed", out: { reason, text: "" } };
  return { outcome: { kind: "held", reason }, result, line: { reason } };
}

/** A service of the bot's own that could not be reached is tried again after this, real ms. */
const OWN_PAUSE_MS = 15_000;

/** The gateway is probed. Whether a bot's own service is back only its next call tells. */
function pauseEnd(
  context: SendContext,
  { route }: Pick<JudgedSpec, "route">,
  reason: string,
): number | undefined {
  const isOver = route === undefined && reason === "unreachable";
  return isOver ? context.clock.shared() + OWN_PAUSE_MS : undefined;
}

/** Pause before an effect that only another build knows is looked at again, ms. */
const OTHER_BUILD_MS = 500;

/** Left to the build that knows it, while that build is alive. */
export async function unknownEffect(context: SendContext, entry: CallEntry): Promise<Ending> {
  if (await context.workers.othersCan({ effect: entry.name }))
    return { outcome: { kind: "not_sent", at: context.clock.now() + OTHER_BUILD_MS } };
  return failed("unknown_effect");
}

/**
 * This attempt was certainly not sent, so its mark is removed: a crash before the next attempt is then not taken for a
 * send. The mark of an earlier attempt stays, because that one may have left and a person let it go again.
 */
async function thaw(context: SendContext, begun: Begun, entry: CallEntry): Promise<void> {
  if (entry.work.frozen) return;
  const { id, account, contact, token } = begun;
  await context.store.effects.amend({ id, account, contact, token, payload: payloadOf(entry) });
}
