/**
 * Which alarms are told on operators' phones, in which words, and when: the first of a kind at once, what follows within
 * the hour together. Pure.
 */
import { z } from "zod";
import type { JsonObject } from "../../base/index.ts";
import type { Alarm } from "./alarms.ts";

/** After a kind was told, its next ones are gathered for this long. Virtual ms. */
const WINDOW_MS = 3_600_000;
/**
 * Bubbles about notes that a day may have beyond the account's number, or out of the plan's reserve: one every four hours. What
 * comes after waits for the next day, and stands in the day's report.
 */
const NOTES_PER_DAY = 6;

interface Rule {
  /** Word of the catalogue; it gets `count` and the alarm's own `vars`. */
  readonly key: string;
  /** A note's fate: told beyond the day's limit and out of the plan's reserve, {@link NOTES_PER_DAY} times a day. */
  readonly fiscal?: true;
}

/** Alarms that need a person. All others stand in log, metric, console and `ALERT_URL` alone. */
export const PAGED: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["event.parked", { key: "alarm-dead" }],
  ["mailbox.full", { key: "alarm-dead" }],
  ["dead.full", { key: "alarm-dead" }],
  ["dead.waiting", { key: "alarm-dead-waiting" }],
  ["send.failed", { key: "alarm-send-failed" }],
  ["scope.paused", { key: "alarm-credits-paused" }],
  ["effect.held", { key: "alarm-held" }],
  ["effect.waiting", { key: "alarm-held-waiting" }],
  ["fiscal.waiting", { key: "alarm-fiscal-waiting", fiscal: true }],
  ["invoice.stuck", { key: "alarm-invoice-stuck", fiscal: true }],
  ["invoice.unproven", { key: "alarm-invoice-unproven", fiscal: true }],
  ["invoice.contradicted", { key: "alarm-invoice-contradicted", fiscal: true }],
  ["failover.detected", { key: "alarm-hold", fiscal: true }],
  ["plan.usage", { key: "alarm-plan" }],
  ["credits.usage", { key: "alarm-credits" }],
  ["credits.low", { key: "alarm-balance" }],
  ["certificate.expiring", { key: "alarm-certificate" }],
  ["certificate.expired", { key: "alarm-certificate-over" }],
  ["issuer.unkept", { key: "alarm-issuer-unkept" }],
  ["channel.gap", { key: "alarm-gap" }],
  ["channel.unreadable", { key: "alarm-unreadable" }],
  ["channel.filter", { key: "alarm-filter" }],
  ["phone.automatic", { key: "alarm-automatic" }],
]);

/** Whether an alarm is told on phones. While sending itself is paused nobody could be told, and afterwards it is over. */
export function isPaged({ code, subject, aside }: Alarm): boolean {
  if (aside) return false;
  if (code === "scope.paused") return subject?.startsWith("credits:") === true;
  return PAGED.has(code);
}

const Heard = z.object({
  count: z.number().int().default(0),
  /** Of them not told yet. */
  untold: z.number().int().default(0),
  first: z.number().default(0),
  last: z.number().default(0),
  toldAt: z.number().optional(),
  vars: z.record(z.string(), z.json()).default({}),
});
export type Heard = z.output<typeof Heard>;

const Line = z.object({ key: z.string(), vars: z.record(z.string(), z.json()) });

/** What an account's phones were told and are to be told. Times are virtual ms. */
export const Pages = z.object({
  codes: z.record(z.string(), Heard).default({}),
  /** Number of the last bubble. */
  generation: z.number().int().default(0),
  /** Written down, not yet surely in every mailbox. */
  telling: z.object({ lines: z.array(Line), fiscal: z.boolean() }).optional(),
  day: z.string().default(""),
  /** Bubbles of that day. */
  sent: z.number().int().default(0),
  /** Of them those that went beyond the account's number, or out of the reserve. */
  extra: z.number().int().default(0),
});
export type Pages = z.output<typeof Pages>;

/** Alarms of one kind that were heard together. */
export interface Heap {
  readonly code: string;
  readonly count: number;
  readonly vars: JsonObject;
}

export function heard(pages: Pages, heaps: readonly Heap[], now: number): Pages {
  const codes = { ...pages.codes };
  for (const { code, count, vars } of heaps) {
    const known = codes[code];
    codes[code] = {
      ...known,
      count: (known?.count ?? 0) + count,
      untold: (known?.untold ?? 0) + count,
      first: known?.first ?? now,
      last: now,
      vars: JSON.parse(JSON.stringify(vars)) as Heard["vars"],
    };
  }
  return { ...pages, codes };
}

export interface Means {
  readonly now: number;
  /** Day of the account. */
  readonly day: string;
  readonly perDay: number;
  readonly muted: readonly string[];
  /** Only the plan's reserve is left. */
  readonly reserved: boolean;
}

/** The next bubble, written down but not told; null when nothing is due. */
export function next(pages: Pages, means: Means): Pages | null {
  if (pages.telling) return null;
  const { now, day, perDay, muted, reserved } = means;
  const { sent, extra } = pages.day === day ? pages : { sent: 0, extra: 0 };
  const fiscalOnly = reserved || sent - extra >= perDay;
  if (fiscalOnly && extra >= NOTES_PER_DAY) return null;
  const open = Object.entries(pages.codes).filter(
    ([code, { untold }]) =>
      untold > 0 && !muted.includes(code) && (!fiscalOnly || PAGED.get(code)?.fiscal === true),
  );
  const isDue = open.some(([, { toldAt }]) => toldAt === undefined || now - toldAt >= WINDOW_MS);
  if (!isDue) return null;
  const codes = { ...pages.codes };
  const lines = open.map(([code, entry]) => {
    codes[code] = { ...entry, untold: 0, toldAt: now };
    return { key: PAGED.get(code)?.key ?? "", vars: { ...entry.vars, count: entry.untold } };
  });
  const isLast = fiscalOnly ? extra + 1 === NOTES_PER_DAY : sent - extra + 1 === perDay;
  // After the account's number, notes still have theirs.
  const isAll = fiscalOnly || extra >= NOTES_PER_DAY;
  const last = { key: "alarm-last", vars: { of: isAll ? "all" : "others" } };
  if (isLast) lines.push(last as unknown as (typeof lines)[number]);
  return {
    ...{ codes, day, sent: sent + 1, extra: fiscalOnly ? extra + 1 : extra },
    generation: pages.generation + 1,
    telling: { lines, fiscal: open.every(([code]) => PAGED.get(code)?.fiscal === true) },
  };
}
