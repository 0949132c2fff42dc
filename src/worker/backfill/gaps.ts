/**
 * Gaps: spans of time in which engines may have sent events that no process took. One document for each account says what
 * is to be pulled back, and what can only be reported to a person. It is written before anything is done about a gap, so a
 * crash forgets none.
 */
import { z } from "zod";
import type { ChannelName } from "../../engine/index.ts";
import type { Store } from "../../store/port/port.ts";
import { changeDocument, documentsOf } from "../context/document.ts";

const COLLECTION = "gaps";
/**
 * Longest gap, virtual ms. Beyond it the store has forgotten which events it knows, and older messages would be taken for
 * new. They are not pulled back, and are reported to a person.
 */
export const LONGEST_MS = 7 * 86_400_000;

/** Refusals of webhooks are over when none came for this long, virtual ms: longer than any engine waits between two tries. */
const CALM_MS = 10 * 60_000;
/** While refusals go on, they are reported after this long. Virtual ms. */
const ON_AND_ON_MS = 3_600_000;

/** Times are virtual ms, `next` and `ran` real ms. */
export const Gap = z.object({
  /** Everything since then is to be pulled back; absent = nothing is. */
  from: z.number().optional(),
  /** When the gap was last noticed. */
  noticed: z.number().default(0),
  /** The phone is not connected: nothing can be asked before it is. */
  waiting: z.boolean().default(false),
  failures: z.number().int().default(0),
  /** The next pull is not made before this time. */
  next: z.number().default(0),
  /** When the last pulls began. */
  ran: z.array(z.number()).default([]),
  /** Pulls of a day. */
  day: z.number().default(0),
  runs: z.number().int().default(0),
  /** Calls that pulls made in a month (`YYYY-MM`, UTC). */
  month: z.string().default(""),
  calls: z.number().int().default(0),
  /** Since when calls of the plan are lacking for it; absent while there are some. Virtual ms. */
  short: z.number().optional(),
  /** Cannot be pulled back, and is not reported yet. */
  untold: z.object({ from: z.number(), to: z.number(), channels: z.array(z.string()) }).optional(),
  /** When webhooks of a channel were refused, first and last. */
  refused: z.record(z.string(), z.object({ from: z.number(), to: z.number() })).default({}),
  /** Where the last reported gap of each channel began: one gap is reported once. Channels lose events at different times. */
  told: z.record(z.string(), z.number()).default({}),
});
export type Gap = z.output<typeof Gap>;
export type Untold = NonNullable<Gap["untold"]>;

interface Span {
  readonly from: number;
  readonly to: number;
}

export class Gaps {
  readonly #store: Pick<Store, "documents">;

  constructor(store: Pick<Store, "documents">) {
    this.#store = store;
  }

  async get(account: string): Promise<Gap> {
    return gapOf((await this.#store.documents.get(COLLECTION, account))?.value);
  }

  /** Every account with something to be pulled back or reported. */
  async open(): Promise<readonly { readonly account: string; readonly gap: Gap }[]> {
    const open: { account: string; gap: Gap }[] = [];
    for await (const { id, value } of documentsOf(this.#store, COLLECTION)) {
      const gap = gapOf(value);
      const isRefused = Object.keys(gap.refused).length > 0;
      if (gap.from !== undefined || gap.untold || isRefused) open.push({ account: id, gap });
    }
    return open;
  }

  /** No process listened from `from` to `to`. An older gap that is still open keeps its beginning. */
  async add(account: string, from: number, to: number): Promise<Gap> {
    return this.change(account, (gap) => ({
      ...gap,
      from: Math.min(from, gap.from ?? from),
      noticed: to,
      failures: 0,
      next: 0,
    }));
  }

  /** The phone lost its line at `at`. */
  async closed(account: string, at: number): Promise<Gap> {
    return this.change(account, (gap) => ({
      ...gap,
      from: gap.from ?? at,
      noticed: at,
      waiting: true,
    }));
  }

  /** What these channels sent meanwhile cannot be asked for: it is reported to a person, once. */
  async lost(
    account: string,
    span: Span & { readonly channels: readonly ChannelName[] },
  ): Promise<Gap> {
    return this.change(account, (gap) => withLost(gap, span));
  }

  /** Webhooks of this channel were answered 503: what the engine does not send again is lost. */
  async refused(account: string, channel: ChannelName, { from, to }: Span): Promise<Gap> {
    return this.change(account, (gap) => {
      const known = gap.refused[channel] ?? { from, to };
      const span = { from: Math.min(from, known.from), to: Math.max(to, known.to) };
      return { ...gap, refused: { ...gap.refused, [channel]: span } };
    });
  }

  /** Refusals that are over become a gap: to be pulled back where `asked` is the channel, else to be reported. */
  async settle(account: string, now: number, asked: ChannelName): Promise<Gap> {
    return this.change(account, (before) => {
      let gap = before;
      for (const [channel, span] of Object.entries(before.refused)) {
        if (!isOver(span, now)) continue;
        const { [channel]: _over, ...refused } = gap.refused;
        gap = { ...gap, refused };
        // Pulls that failed do not begin anew by it: the store that refuses webhooks refuses pulled messages, too.
        if (channel === asked)
          gap = { ...gap, from: Math.min(span.from, gap.from ?? span.from), noticed: now };
        else gap = withLost(gap, { ...span, channels: [channel] }) ?? gap;
      }
      return gap === before ? null : gap;
    });
  }

  /** A person was told of this much. What was lost meanwhile is still to be reported. */
  async tell(account: string, { from, to, channels }: Untold): Promise<Gap> {
    return this.change(account, ({ untold, ...gap }) => {
      const isSame = untold?.from === from && untold.to === to;
      const rest = untold?.channels.filter((channel) => !isSame || !channels.includes(channel));
      return {
        ...gap,
        told: { ...gap.told, ...Object.fromEntries(channels.map((channel) => [channel, from])) },
        ...(untold && rest?.length ? { untold: { ...untold, channels: rest } } : {}),
      };
    });
  }

  async change(account: string, change: (gap: Gap) => Gap | null): Promise<Gap> {
    const stored = await changeDocument(this.#store, COLLECTION, account, (value) => {
      const next = change(gapOf(value ?? undefined));
      // Through JSON, so that absent fields are not stored as undefined.
      return next ? (JSON.parse(JSON.stringify(next)) as Record<string, never>) : null;
    });
    return gapOf(stored ?? undefined);
  }
}

/** Null when all of it was reported. */
function withLost(gap: Gap, span: Span & { readonly channels: readonly string[] }): Gap | null {
  const news = span.channels.filter((channel) => gap.told[channel] !== span.from);
  if (news.length === 0) return null;
  const { untold } = gap;
  return {
    ...gap,
    untold: {
      from: Math.min(span.from, untold?.from ?? span.from),
      to: Math.max(span.to, untold?.to ?? span.to),
      channels: [...new Set([...(untold?.channels ?? []), ...news])],
    },
  };
}

function isOver({ from, to }: Span, now: number): boolean {
  return now - to >= CALM_MS || now - from >= ON_AND_ON_MS;
}

function gapOf(value: unknown): Gap {
  return Gap.safeParse(value ?? {}).data ?? Gap.parse({});
}
