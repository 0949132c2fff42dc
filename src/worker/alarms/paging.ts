/**
 * Which alarms go to operators' phones, in which words, and when: the first of a kind at once, further ones of that hour
 * together. Pure.
 */
import { z } from "zod";
import type { JsonObject } from "../../base/index.ts";
import type { AlarmRule, Plugged } from "../context/hooks.ts";
import type { Alarm } from "./alarms.ts";

/** After an alarm of a kind was sent, the next ones are gathered for this long. Virtual ms. */
const WINDOW_MS = 3_600_000;
/**
 * Fiscal messages that a day may have beyond the account's number, or out of the plan's reserve: one every four hours.
 * Further ones wait for the next day.
 */
const FISCAL_PER_DAY = 6;

/** Alarms that go to phones, by code. */
export type Paged = ReadonlyMap<string, AlarmRule>;

/** Those of the runtime that need a person. All others go to log, metric, console and `ALERT_URL` alone. */
const OWN: readonly (readonly [string, AlarmRule])[] = [
  ["event.parked", { key: "alarm-dead" }],
  ["mailbox.full", { key: "alarm-dead" }],
  ["dead.full", { key: "alarm-dead" }],
  ["dead.waiting", { key: "alarm-dead-waiting" }],
  ["send.failed", { key: "alarm-send-failed" }],
  ["scope.paused", { key: "alarm-credits-paused" }],
  ["effect.held", { key: "alarm-held" }],
  ["effect.waiting", { key: "alarm-held-waiting" }],
  ["fiscal.waiting", { key: "alarm-fiscal-waiting", fiscal: true }],
  ["failover.detected", { key: "alarm-hold", fiscal: true }],
  ["plan.usage", { key: "alarm-plan" }],
  ["credits.usage", { key: "alarm-credits" }],
  ["credits.low", { key: "alarm-balance" }],
  ["channel.gap", { key: "alarm-gap" }],
  ["channel.unreadable", { key: "alarm-unreadable" }],
  ["channel.filter", { key: "alarm-filter" }],
  ["phone.automatic", { key: "alarm-automatic" }],
];

/** With those of plugins. A plugin cannot change how an alarm of the runtime is told. */
export function pagedBy(plugins: readonly Plugged[] = []): Paged {
  return new Map([...plugins.flatMap(({ alarms = {} }) => Object.entries(alarms)), ...OWN]);
}

/** Whether an alarm goes to phones. While sending itself is paused no message could leave, and afterwards the alarm is over. */
export function isPaged(paged: Paged, { code, subject, aside }: Alarm): boolean {
  if (aside) return false;
  if (code === "scope.paused") return subject?.startsWith("credits:") === true;
  return paged.has(code);
}

const Heard = z.object({
  count: z.number().int().default(0),
  /** How many of them were not sent yet. */
  untold: z.number().int().default(0),
  first: z.number().default(0),
  last: z.number().default(0),
  toldAt: z.number().optional(),
  vars: z.record(z.string(), z.json()).default({}),
});
type Heard = z.output<typeof Heard>;

const Line = z.object({ key: z.string(), vars: z.record(z.string(), z.json()) });

/** What an account's phones were sent and are to be sent. Times are virtual ms. */
export const Pages = z.object({
  codes: z.record(z.string(), Heard).default({}),
  /** Number of the last message. */
  generation: z.number().int().default(0),
  /** Written down, perhaps not yet in every mailbox. */
  telling: z.object({ lines: z.array(Line), fiscal: z.boolean() }).optional(),
  day: z.string().default(""),
  /** Messages of that day. */
  sent: z.number().int().default(0),
  /** How many of them went beyond the account's number, or out of the reserve. */
  extra: z.number().int().default(0),
});
export type Pages = z.output<typeof Pages>;

/** Alarms of one kind that are sent together. */
export interface Batch {
  readonly code: string;
  readonly count: number;
  readonly vars: JsonObject;
}

export function heard(pages: Pages, batches: readonly Batch[], now: number): Pages {
  const codes = { ...pages.codes };
  for (const { code, count, vars } of batches) {
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
  readonly paged: Paged;
  readonly now: number;
  /** Day of the account. */
  readonly day: string;
  readonly perDay: number;
  readonly muted: readonly string[];
  /** Only the plan's reserve is left. */
  readonly reserved: boolean;
}

/** The next message, written down but not sent; null when none is due. */
export function next(pages: Pages, means: Means): Pages | null {
  if (pages.telling) return null;
  const { paged, now, day, perDay, muted, reserved } = means;
  const { sent, extra } = pages.day === day ? pages : { sent: 0, extra: 0 };
  const fiscalOnly = reserved || sent - extra >= perDay;
  if (fiscalOnly && extra >= FISCAL_PER_DAY) return null;
  const open = Object.entries(pages.codes).filter(
    ([code, { untold }]) =>
      untold > 0 && !muted.includes(code) && (!fiscalOnly || paged.get(code)?.fiscal === true),
  );
  const isDue = open.some(([, { toldAt }]) => toldAt === undefined || now - toldAt >= WINDOW_MS);
  if (!isDue) return null;
  const codes = { ...pages.codes };
  const lines = open.map(([code, entry]) => {
    codes[code] = { ...entry, untold: 0, toldAt: now };
    return { key: paged.get(code)?.key ?? "", vars: { ...entry.vars, count: entry.untold } };
  });
  const isLast = fiscalOnly ? extra + 1 === FISCAL_PER_DAY : sent - extra + 1 === perDay;
  // After the account's number is used up, fiscal messages still have theirs.
  const isAll = fiscalOnly || extra >= FISCAL_PER_DAY;
  const last = { key: "alarm-last", vars: { of: isAll ? "all" : "others" } };
  if (isLast) lines.push(last as unknown as (typeof lines)[number]);
  return {
    codes,
    day,
    sent: sent + 1,
    extra: fiscalOnly ? extra + 1 : extra,
    generation: pages.generation + 1,
    telling: { lines, fiscal: open.every(([code]) => paged.get(code)?.fiscal === true) },
  };
}
