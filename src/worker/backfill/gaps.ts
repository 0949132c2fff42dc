/**
 * Spans of time in which engines may have told us something that nobody took, one document an account: what is to be pulled
 * back, and what can only be told to a person. Written before anything is done about it, so a crash forgets no gap.
 */
import { z } from "zod";
import type { ChannelName } from "../../engine/index.ts";
import type { Store } from "../../store/port/port.ts";
import { changeDocument, documentsOf } from "../context/document.ts";

const COLLECTION = "gaps";
/**
 * Beyond this the store has forgotten which events it knows: what is older would be taken for new, is not pulled back and is
 * told to a person. Virtual ms.
 */
export const LONGEST_MS = 7 * 86_400_000;

/**
 * Refused webhooks are over when none was refused for so long: longer than any engine waits between two tries of one, so what
 * it did not bring by then it will not. Virtual ms.
 */
const CALM_MS = 10 * 60_000;
/** While refusals go on, they are told after so long. Virtual ms. */
const ON_AND_ON_MS = 3_600_000;

/** Times are virtual ms, `next` and `ran` real ms. */
export const Gap = z.object({
  /** Everything since then is to be pulled back; absent = nothing is. */
  from: z.number().optional(),
  /** When the gap was last heard of. */
  noticed: z.number().default(0),
  /** The phone is not connected: nothing can be asked before it is. */
  waiting: z.boolean().default(false),
  failures: z.number().int().default(0),
  /** Not before this time. */
  next: z.number().default(0),
  /** When the last pulls began. */
  ran: z.array(z.number()).default([]),
  /** Pulls of a day. */
  day: z.number().default(0),
  runs: z.number().int().default(0),
  /** Calls that pulls made in a month (`YYYY-MM`, UTC). */
  month: z.string().default(""),
  calls: z.number().int().default(0),
  /** Since when calls are lacking for it; absent while there are some. Virtual ms. */
  short: z.number().optional(),
  /** Cannot be pulled back by anybody, and is not told yet. */
  untold: z.object({ from: z.number(), to: z.number(), channels: z.array(z.string()) }).optional(),
  /** When webhooks of a channel were refused, first and last. */
  refused: z.record(z.string(), z.object({ from: z.number(), to: z.number() })).default({}),
  /** Where the last told one of each channel began: one gap is told once. Channels lose theirs at different times. */
  told: z.record(z.string(), z.number()).default({}),
});
export type Gap = z.output<typeof Gap>;
export type Untold = NonNullable<Gap["untold"]>;

interface Span {
  readonly from: number;
  readonly to: number;
}

export class Gaps {
  readonly #store: Pick<Store, "get" | "put" | "list">;

  constructor(store: Pick<Store, "get" | "put" | "list">) {
    this.#store = store;
  }

  async get(account: string): Promise<Gap> {
    return gapOf((await this.#store.get(COLLECTION, account))?.value);
  }

  /** Every account of which something is to be pulled back or told. */
  async open(): Promise<readonly { readonly account: string; readonly gap: Gap }[]> {
    const open: { account: string; gap: Gap }[] = [];
    for await (const { id, value } of documentsOf(this.#store, COLLECTION)) {
      const gap = gapOf(value);
      const isRefused = Object.keys(gap.refused).length > 0;
      if (gap.from !== undefined || gap.untold || isRefused) open.push({ account: id, gap });
    }
    return open;
  }

  /** Nobody of us listened from `from` to `to`. An older gap that is still open stays the beginning. */
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

  /** What came by these channels meanwhile cannot be asked for: a person is to be told, once. */
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

  /** Refusals that are over become a gap: to be pulled back where `asked` is the channel, else to be told. */
  async settle(account: string, now: number, asked: ChannelName): Promise<Gap> {
    return this.change(account, (before) => {
      let gap = before;
      for (const [channel, span] of Object.entries(before.refused)) {
        if (!isOver(span, now)) continue;
        const { [channel]: _over, ...refused } = gap.refused;
        gap = { ...gap, refused };
        // Pulls that failed are not begun anew by it: what refuses webhooks refuses what is pulled back, too.
        if (channel === asked)
          gap = { ...gap, from: Math.min(span.from, gap.from ?? span.from), noticed: now };
        else gap = withLost(gap, { ...span, channels: [channel] }) ?? gap;
      }
      return gap === before ? null : gap;
    });
  }

  /** A person was told of this much. What was lost while that was done is still to be told. */
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
      // Through JSON: what is absent must not stand there as undefined.
      return next ? (JSON.parse(JSON.stringify(next)) as Record<string, never>) : null;
    });
    return gapOf(stored ?? undefined);
  }
}

/** Null when all of it was told. */
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
