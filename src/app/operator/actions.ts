/**
 * What operators can do that is more than a store call, put together from worker, flows, clock and layouter: among it a person's
 * decision about one effect that rests, fenced by what that person saw.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { JsonObject } from "../../base/index.ts";
import type { Layouter } from "../../console/index.ts";
import type { CallResult } from "../../engine/index.ts";
import { chartOf, type FlowLibrary } from "../../flow/index.ts";
import {
  ABSENT,
  type Actions,
  declined,
  type Done,
  type EffectRef,
  stale,
} from "../../server/index.ts";
import { heldClass, holdOf } from "../../store/index.ts";
import type { EffectView, Store } from "../../store/port/port.ts";
import {
  type Decision,
  exportedOf,
  forgetPerson,
  personOf,
  type VirtualClock,
  type Worker,
} from "../../worker/index.ts";
import { occupiedVersions } from "../loading/flow-history.ts";
import type { SharedClock } from "../start/shared-clock.ts";

interface ActionParts {
  readonly store: Store;
  readonly worker: Worker;
  readonly library: FlowLibrary;
  readonly clock: VirtualClock;
  readonly layouter: Layouter;
  /** Whether the worker of this process runs turns; else others do. */
  readonly works: boolean;
  /** The clock of all processes; absent where there is one alone. */
  readonly shared?: SharedClock;
}

/** Sessions looked at for a burst that is still being written; more than this never chat in a sandbox. */
const BURST_SESSIONS = 500;
const BURST_ROUNDS = 8;

export function createActions(parts: ActionParts): Actions {
  const { store, worker, library, clock, layouter, works, shared } = parts;
  const chart = (flow: string) => {
    const program = library.get(flow);
    return program ? chartOf(program) : null;
  };

  /** Free text waits a moment for more; a conversation is quiet only when nobody waits like that. */
  async function drain(): Promise<void> {
    for (let round = 0; round < BURST_ROUNDS; round++) {
      if (works) await worker.drain();
      if (!works || (await shared?.others())) await quietStore(store, clock);
      const { items } = await store.views.sessions({ limit: BURST_SESSIONS });
      const dues = items.flatMap(({ session }) => {
        const { burst } = session as { burst?: { due: number } };
        return burst ? [burst.due] : [];
      });
      if (dues.length === 0) return;
      await pause(Math.max(5, Math.min(...dues) - clock.now() + 5));
    }
  }

  return {
    async forget(account, contact) {
      const forgotten = await forgetPerson(worker.context, account, contact);
      if (forgotten === "fiscal-open")
        return declined("A fiscal call of this person may be on its way: resolve it first.");
      return forgotten === "done" ? { ok: true } : ABSENT;
    },
    async documentsOf(account, contact) {
      const found = await worker.context.accounts.get(account);
      const { contacts } = await personOf({ store }, account, contact);
      return found ? exportedOf(worker.context, found, contacts) : {};
    },
    decideEffect: (ref, decision, by) => decideEffect(parts, ref, decision, by),
    usage: async (account) => ({ ...(await worker.usage(account)) }),
    async alarms(account) {
      const { codes, day, sent } = await worker.pager.of(account);
      return { codes: JSON.parse(JSON.stringify(codes)) as JsonObject, day, sent };
    },
    async holds() {
      return [...(await store.scopes.pauses())].flatMap(([scope, why]) => {
        const held = heldClass(scope);
        return held === null ? [] : [{ class: held, ...why }];
      });
    },
    async releaseHold(effectClass) {
      const released = await store.scopes.resume(holdOf(effectClass));
      worker.wake();
      return released;
    },
    resumeScope: (scope) => worker.scopes.resume(scope),
    flows: async () =>
      library.list().map((program) => ({
        flow: program.flow,
        title: program.title,
        version: program.version,
        hash: program.hash,
        audience: program.audience,
        steps: program.model.places.length,
        lint: library.findings
          .filter((finding) => finding.flow === program.flow)
          .map((finding) => ({ ...finding })),
      })),
    occupied: async () =>
      JSON.parse(JSON.stringify(await occupiedVersions(store))) as readonly JsonObject[],
    chart: async (flow) => chart(flow),
    async layout(flow) {
      const drawn = chart(flow);
      return drawn ? ((await layouter.layout(drawn)) as unknown as JsonObject) : null;
    },
    async setClock(now, back) {
      if (shared) await shared.move(now, back);
      else clock.moveTo(now, back);
      await drain();
      return clock.now();
    },
    drain,
  };
}

/** Pause between two looks. */
const LOOK_MS = 20;
/** Effects looked through; a sandbox's installation has fewer. */
const EFFECTS = 1_000;
/** Timers moved in one step. */
const TIMERS = 200;
/** Whoever waits is told, instead of hanging. */
const LIMIT_MS = 120_000;

/**
 * Resolves when no mail, due timer or due effect is left in the store; paused scopes and held classes do not count. Asked of the
 * store, because other processes may be doing the work.
 */
async function quietStore(store: Store, clock: { readonly offsetMs: number }) {
  for (const end = Date.now() + LIMIT_MS; await isBusy(store, clock.offsetMs); await pause(LOOK_MS))
    if (Date.now() > end) throw new Error("the workers did not get quiet in two minutes");
}

async function isBusy(store: Store, offsetMs: number): Promise<boolean> {
  // Due timers are moved here: a worker that has not polled yet would leave them unseen.
  if ((await store.mail.tick({ offsetMs, limit: TIMERS })) > 0) return true;
  const { ready, claimed } = await store.views.backlog();
  if (ready + claimed > 0) return true;
  if ((await store.views.effects({ state: "inflight", limit: 1 })).length > 0) return true;
  const [pending, pauses, now] = await Promise.all([
    store.views.effects({ state: "pending", limit: EFFECTS }),
    store.scopes.pauses(),
    store.now(),
  ]);
  const held = new Set([...pauses.keys()].flatMap((scope) => heldClass(scope) ?? []));
  return firsts(pending).some(
    (effect) =>
      effect.notBefore <= now + offsetMs && !pauses.has(effect.scope) && !held.has(effect.class),
  );
}

/** Messages of one contact leave one after the other: only the oldest can be due. */
function firsts(pending: readonly EffectView[]): readonly EffectView[] {
  const seen = new Set<string>();
  return pending.filter((effect) => {
    if (effect.class !== "message") return true;
    if (seen.has(effect.contact)) return false;
    seen.add(effect.contact);
    return true;
  });
}

/** Classes whose repeat costs money or files taxes: who decides says what was looked at. */
const SEEN: readonly string[] = ["fiscal", "costly"];

type By = Parameters<Actions["decideEffect"]>[2];
type Payload = { name?: string; waiter?: JsonObject };

async function decideEffect(
  { store, worker }: { readonly store: Store; readonly worker: Worker },
  ref: EffectRef,
  decision: Decision,
  by: By,
): Promise<Done> {
  const { context } = worker;
  const effect = await store.views.effect(ref);
  if (!effect) return ABSENT;
  const { rev } = by;
  const no = await obstacle(worker, effect, decision);
  if (no !== undefined) return declined(no);
  if (rev === undefined && SEEN.includes(effect.class))
    return {
      ok: false,
      reason: "unseen",
      message: `What is ${effect.class} is decided by who looked at it: send \`rev\`, the number that was shown with it (GET /api/outbox, prosa outbox list).`,
    };
  if (rev !== undefined && rev !== effect.rev)
    return stale(`It is ${effect.state} (${effect.reason ?? effect.state}) with`, effect.rev);
  const told = decision === "retry" ? undefined : await before(worker, effect, decision, by.reason);
  if (told === null) return declined(SETTLED, "not-open");
  const { waiter } = effect.payload as Payload;
  const settled = await store.effects.resolve({
    ...ref,
    action: decision === "retry" ? "resend" : "finish",
    // Fenced in any case: by what the person saw, or at least by what was found here.
    rev: effect.rev,
    ...(told && waiter
      ? {
          result: {
            event: `r:${ref.id}:decided`,
            mail: { kind: "result", effect: ref.id, waiter, result: told },
          },
        }
      : {}),
  });
  if (settled && decision !== "retry")
    for (const { after } of decisionsOf(worker)) await after?.(context, effect, decision);
  worker.wake();
  return settled ? { ok: true } : declined(SETTLED, "not-open");
}

const SETTLED = "Somebody else settled it meanwhile.";

function decisionsOf({ context: { plugins = [] } }: Worker) {
  return plugins.flatMap(({ decisions }) => (decisions ? [decisions] : []));
}

/** Why this may not be said of it; undefined when it may. */
async function obstacle(
  worker: Worker,
  effect: EffectView,
  decision: Decision,
): Promise<string | undefined> {
  if (effect.state !== "held" && effect.state !== "enqueued")
    return `The effect is ${effect.state}; only held and enqueued ones are decided.`;
  for (const { obstacle: own } of decisionsOf(worker)) {
    const found = await own?.(worker.context, effect, decision);
    if (found !== undefined) return found ?? undefined;
  }
  if (effect.class !== "fiscal") return undefined;
  if ((effect.payload as Payload).name === undefined)
    return decision === "discard"
      ? undefined
      : "What is stored of it cannot be opened, so nothing of it can be sent or told. Look it up at the authority, then discard it.";
  return decision === "retry"
    ? "What files taxes is not sent again from here: look it up at the authority, then resolve it as done or failed."
    : undefined;
}

/** What the flow that waits gets; null: another decision stands. */
async function before(
  worker: Worker,
  effect: EffectView,
  decision: Exclude<Decision, "retry">,
  reason: string,
): Promise<CallResult | null> {
  for (const { before: own } of decisionsOf(worker)) {
    const told = await own?.(worker.context, effect, decision, reason);
    if (told !== undefined) return told;
  }
  return { outcome: decision === "done" ? "done" : "failed", out: { text: reason } };
}
