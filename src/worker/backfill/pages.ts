/**
 * The messages that engine B has on record since a moment, as events of the channel. They are read like webhooks, because a
 * row is what a webhook's `data` was. Rows come newest first, page by page. New messages only shift them, so rows may be
 * met twice and are never missed.
 */
import { channels } from "../../channels/index.ts";
import type { Account, InboundEvent } from "../../engine/index.ts";
import type { CallOutcome, PauseReason } from "../../gateway/index.ts";
import type { Json, JsonObject } from "../../base/index.ts";
import { setTimeout as pause } from "node:timers/promises";
import { type CallContext, callGateway, field } from "../calls.ts";
import type { VirtualClock } from "../clock.ts";
import { RATE_PAUSE_MS, verdict } from "../outbox/verdict.ts";

/** Rows of a page: with small pictures some hundred kilobytes, far below the largest answer. */
const PAGE = 100;
/** Pages of one pull, each a call of the plan: 2,500 messages are more than a small business has in a day. */
const PAGES = 25;
/** Events of one pull: bounded memory, whatever the rows hold. */
const EVENTS = 5_000;
/**
 * This many pages in a row with known rows only end a pull: the gateway gives the same page again and again. A single one
 * may be a page that new messages pushed back between two calls.
 */
const STALE_PAGES = 2;
/** Time of one pull, real ms. */
const TIME_MS = 60_000;
/**
 * Clocks of engine and store differ, and rows have whole seconds, so messages are asked for from this much earlier on.
 * Virtual ms.
 */
const OVERLAP_MS = 120_000;
/** Between two tries of one page, real ms. */
const AGAIN_MS = 1_000;
const ROUTE = "chat.findMessages";
/** Not made, or left in the middle: not a failure of the gateway. */
export const ABORTED = "aborted";

/** Only these kinds are taken; other rows (a state of the line, a code) are no messages. */
const TAKEN = ["message", "unreadable", "edit", "delete", "reaction", "own"] as const;
export type Found = Extract<InboundEvent, { kind: (typeof TAKEN)[number] }>;

export type Pulled =
  | {
      readonly ok: true;
      /** Oldest first. */
      readonly events: readonly Found[];
      readonly calls: number;
      /** Absent when all was read; else rows written before this time were left unread. */
      readonly unreadBefore?: number;
    }
  | {
      readonly ok: false;
      readonly calls: number;
      readonly pause: PauseReason;
      readonly until?: number;
    }
  | { readonly ok: false; readonly calls: number; readonly failed: string };

export type PullContext = CallContext & { readonly clock: VirtualClock };

interface Leave {
  /** Asked before each page; a pull that is left takes nothing in and is made again. */
  readonly stopping: () => boolean;
  /** Asked, and counted, before each call. False: the rest stays unread. */
  readonly mayAsk: () => Promise<boolean>;
}

export async function pulled(
  context: PullContext,
  account: Account,
  since: number,
  { stopping, mayAsk }: Leave,
): Promise<Pulled> {
  const from = since - OVERLAP_MS;
  const until = context.clock.real() + TIME_MS;
  const events = new Map<string, Found>();
  const seen = new Set<string>();
  let oldest = context.clock.now();
  let calls = 0;
  let stale = 0;
  for (let page = 1; ; page++) {
    const bounded = page > PAGES || events.size >= EVENTS || context.clock.real() > until;
    if (bounded) return { ok: true, events: inOrder(events), calls, unreadBefore: oldest };
    if (stopping()) return { ok: false, calls, failed: ABORTED };
    const where = { messageTimestamp: { gte: new Date(from).toISOString() } };
    const asked = await ask(context, account, { where, page, offset: PAGE }, mayAsk);
    calls += asked.calls;
    if ("spent" in asked) return { ok: true, events: inOrder(events), calls, unreadBefore: oldest };
    if (!("data" in asked)) return { ok: false, ...asked };
    const { rows, pages } = pageOf(asked.data);
    let isNews = false;
    let isOver = rows.length === 0;
    for (const row of rows) {
      const name = JSON.stringify(field(row, "key") ?? row).slice(0, 1_000);
      if (seen.has(name)) continue;
      seen.add(name);
      isNews = true;
      for (const event of readings(row, account, context.clock.now())) {
        oldest = Math.min(oldest, event.at);
        // A gateway that does not know the filter answers with everything: an older row ends the reading.
        if (event.at < from) isOver = true;
        else events.set(event.id, event);
      }
    }
    stale = isNews ? 0 : stale + 1;
    if (isOver || stale >= STALE_PAGES || (pages !== undefined && page >= pages))
      return { ok: true, events: inOrder(events), calls };
  }
}

/** Rows asked for of one message; an engine that knows several versions of it gives the latest first. */
const VERSIONS = 10;

/** What the engine has of one message now, as events of the channel. Null: it cannot be asked. */
export async function byId(
  context: PullContext,
  account: Account,
  id: string,
  mayAsk: Leave["mayAsk"],
): Promise<readonly Found[] | null> {
  const body = { where: { key: { id } }, page: 1, offset: VERSIONS };
  const asked = await ask(context, account, body, mayAsk);
  if (!("data" in asked)) return null;
  // A gateway that does not know the filter answers with everything there is.
  const own = pageOf(asked.data).rows.filter((row) => field(field(row, "key"), "id") === id);
  return own.flatMap((row) => readings(row, account, context.clock.now()));
}

type Asked =
  | { readonly calls: number; readonly data: Json }
  | { readonly calls: number; readonly pause: PauseReason; readonly until?: number }
  | { readonly calls: number; readonly failed: string }
  | { readonly calls: number; readonly spent: true };

/** One page. An unclear end is tried again as often as any look-up; after a definite one no further try is made. */
async function ask(
  context: PullContext,
  account: Account,
  body: JsonObject,
  mayAsk: Leave["mayAsk"],
): Promise<Asked> {
  for (let attempt = 1; ; attempt++) {
    if (!(await mayAsk())) return { calls: attempt - 1, spent: true };
    const outcome: CallOutcome = await callGateway(context, account, ROUTE, body, {}, { attempt });
    const { onTimeout } = account;
    const judged = verdict({ route: ROUTE, onTimeout, attempt }, outcome);
    const calls = attempt;
    switch (judged.kind) {
      case "done":
        return { calls, data: (outcome.kind === "ok" ? outcome.data : null) as Json };
      case "pause":
        return { calls, pause: judged.reason };
      case "retry":
        if (!judged.counts) return { calls, failed: ABORTED };
        await pause(AGAIN_MS * attempt);
        break;
      case "failed":
        if (outcome.kind === "refused" && outcome.status === 429) {
          const until = context.clock.shared() + (judged.pauseMs ?? RATE_PAUSE_MS);
          return { calls, pause: "rate_limited", until };
        }
        return { calls, failed: judged.reason };
      case "held":
      case "rejected":
        return { calls, failed: judged.kind };
    }
  }
}

function pageOf(data: Json): { readonly rows: readonly Json[]; readonly pages?: number } {
  const messages = field(data, "messages");
  const rows = field(messages, "records");
  const pages = field(messages, "pages");
  return {
    // A page with more rows than asked for is read only up to the limit of a pull.
    rows: Array.isArray(rows) ? (rows as Json[]).slice(0, EVENTS) : [],
    pages: typeof pages === "number" ? pages : undefined,
  };
}

function readings(row: Json, account: Account, now: number): readonly Found[] {
  const settings = account.channels.find(({ channel }) => channel === "engine-b");
  const parsed = channels["engine-b"].parse({
    headers: {},
    body: { data: row },
    receivedAt: now,
    ...(settings ? { filter: settings.filter } : {}),
  });
  if (!parsed.ok) return [];
  return parsed.events.filter((event): event is Found =>
    (TAKEN as readonly string[]).includes(event.kind),
  );
}

/** In the order in which they were written; rows of one second in the order the engine has them. */
function inOrder(events: ReadonlyMap<string, Found>): readonly Found[] {
  return [...events.values()].reverse().sort((a, b) => a.at - b.at);
}
