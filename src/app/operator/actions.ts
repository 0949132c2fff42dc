/** What operators can do that is more than a store call, put together from worker, flows, clock and layouter. */
import { setTimeout as pause } from "node:timers/promises";
import type { JsonObject } from "../../base/index.ts";
import type { Layouter } from "../../console/index.ts";
import { chartOf, type FlowLibrary } from "../../flow/index.ts";
import { ABSENT, type Actions, declined } from "../../server/index.ts";
import { heldClass, holdOf } from "../../store/index.ts";
import type { Store } from "../../store/port/port.ts";
import { decideEffect } from "./decide-effect.ts";
import { occupiedVersions } from "../loading/flow-history.ts";
import { quietStore } from "./quiet.ts";
import type { SharedClock } from "../start/shared-clock.ts";
import {
  exportedOf,
  forgetPerson,
  personOf,
  type VirtualClock,
  type Worker,
} from "../../worker/index.ts";

export interface ActionParts {
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
