/** What is left of installations whose conversations are over, judged as far as no recorder has to tell. */
import { setTimeout as pause } from "node:timers/promises";
import { type Body, until } from "../support/prosa.ts";
import { ends } from "./ends.ts";
import { fiscal } from "./ledger.ts";
import { leases, LEASES_OVER_MS, type Verdict } from "./oracles.ts";
import type { Stage } from "./stage.ts";

/** What a death at the end left in somebody's hands is taken over within this time, ms. */
const SETTLED_MS = 15_000;
/** Looks in a row that must find nothing under way, and how far apart, ms. */
const STILL = 3;
const LOOK_MS = 100;
const SHOWN = 100;

/** Stops the bots; what is wrong with what they leave. */
export async function leftOn(stage: Stage): Promise<readonly Verdict[]> {
  await settled(stage);
  const [exits, ended] = [await stage.stop(), stage.ended];
  const [requests, invoices] = [await stage.rows("requests"), await stage.rows("invoices")];
  await pause(LEASES_OVER_MS);
  const [store, book] = [await stage.store(), stage.book([])];
  try {
    const claims = await store.mail.claim({
      owner: "oracle",
      contacts: SHOWN,
      events: 1,
      leaseMs: 1,
    });
    const reaped = await store.effects.reap({ limit: SHOWN, leaseMs: 1 });
    const flying = await store.views.effects({ state: "inflight", limit: SHOWN });
    const { accepted, applied, dead, queued } = (await store.views.backlog()).counters;
    const lost = accepted !== applied + dead + queued;
    const [stale, inflightEffects] = [claims.length + reaped.length, flying.length - reaped.length];
    return [
      {
        oracle: "conservation",
        wrong: lost
          ? [`accepted ${accepted} ≠ applied ${applied} + dead ${dead} + queued ${queued}`]
          : [],
      },
      { oracle: "ledger", wrong: fiscal({ requests, invoices, resumed: stage.resumed, book }) },
      { oracle: "leases", wrong: leases({ stale, inflightEffects, book }) },
      { oracle: "ends", wrong: ends({ ended, exits }) },
    ];
  } finally {
    await store.close();
  }
}

/** Whatever is wrong on any of them, beside each other: most of it is waiting for leases. */
export async function lostOn(stages: readonly Stage[]): Promise<readonly string[]> {
  const all = await Promise.all(stages.map(leftOn));
  return all.flat().flatMap(({ oracle, wrong }) => wrong.map((one) => `${oracle}: ${one}`));
}

/** Until nothing is under way; what stays so is judged. */
async function settled(stage: Stage): Promise<void> {
  let still = 0;
  const look = async (): Promise<boolean> => {
    const [backlog, outbox] = await Promise.all([
      stage.http("GET", "/api/backlog"),
      stage.http("GET", "/api/outbox?account=demo&state=inflight"),
    ]);
    const flying = (outbox.body["items"] ?? []) as unknown as readonly Body[];
    const isStill = Number(backlog.body["counters"]?.["queued"]) === 0 && flying.length === 0;
    still = isStill ? still + 1 : 0;
    await pause(LOOK_MS);
    return still >= STILL;
  };
  await until("the end of what is under way", look, SETTLED_MS).catch(() => undefined);
}
