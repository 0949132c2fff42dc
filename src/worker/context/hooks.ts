/** What a plugin adds to the worker. Every hook is optional; lists are joined in the order of the plugins. */
import type { Json, JsonObject } from "../../base/index.ts";
import type { Account, CallResult, Session } from "../../engine/index.ts";
import type { EffectView } from "../../store/port/port.ts";
import type { Context } from "./context.ts";
import type { EffectSpec, LocalSpec } from "../effects/spec.ts";
import type { Person } from "./person.ts";

export interface WorkerHooks {
  /**
   * Effects that flows may name: one gateway call each ({@link EffectSpec}), or code ({@link LocalSpec}). A name belongs to one
   * plugin; a call under the id of a gateway route takes that route over.
   */
  readonly effects?: readonly (EffectSpec | LocalSpec)[];
  readonly decisions?: Decisions;
  readonly documents?: readonly Documents[];
  readonly chores?: readonly Chore[];
  /**
   * Alarms that are told on operators' phones, by code. An alarm is raised with `context.alarms.raise({ code, account, message })`;
   * one without a rule stands in log, metric, console and `ALERT_URL` alone.
   *
   *     alarms: { "parcel.lost": { key: "alarm-parcel-lost" } }
   */
  readonly alarms?: Readonly<Record<string, AlarmRule>>;
  /**
   * What it counts and measures, on `/metrics` beside the runtime's own. `context.counted` adds one to a counter, and does nothing
   * where nobody reads metrics.
   *
   *     metrics: [
   *       { name: "deliveries_parcels_total", help: "Parcels by how they ended", labels: ["end"] },
   *       { name: "deliveries_open", help: "Parcels on their way", read: async (context) => [{ value: await openIn(context) }] },
   *     ]
   *     context.counted?.("deliveries_parcels_total", { end: "lost" });
   */
  readonly metrics?: readonly Metric[];
}

/** The hooks of one plugin, with its name for error messages. */
export interface Plugged extends WorkerHooks {
  readonly name: string;
}

export interface AlarmRule {
  /** Key of the common text; it gets `count` and the alarm's own `vars`. */
  readonly key: string;
  /** About taxes: sent beyond the account's number a day and out of the plan's reserve, at most six times a day. */
  readonly fiscal?: true;
}

/** A counter, or with `read` a gauge. */
export interface Metric {
  /**
   * By the rules of Prometheus, with the plugin's name in front (`_` for `-`): `deliveries_parcels_total`. A name that is
   * taken, or begins otherwise, is left out; the start tells which plugin has it.
   */
  readonly name: string;
  readonly help: string;
  /** Their values are fixed words, few of each; never a person, an account or a text. */
  readonly labels?: readonly string[];
  /**
   * Asked in each process when the page is read, with all values of the gauge. When it throws, that is logged and the last
   * values stay.
   */
  readonly read?: (context: Context) => Promise<readonly Measured[]>;
}

export interface Measured {
  readonly value: number;
  /** One value for each label of the metric. */
  readonly labels?: Readonly<Record<string, string>>;
}

/**
 * Work by the clock. It runs in every process that makes turns, so what may be done once takes a key first
 * (`context.store.keys.claim` with `owner`).
 *
 *     { name: "parcels that are late", run: (context, owner) => tellLate(parcelsOf(context), owner) }
 */
export interface Chore {
  /** What it looks after, for the log. */
  readonly name: string;
  /**
   * About once a minute of virtual time, at each jump of the clock, and when the worker is drained. Answers how many alarms or
   * messages came of it. What it throws is logged; it runs again the next minute.
   */
  readonly run: (context: Context, owner: string) => Promise<number>;
}

/** What is asked of an account whose documents grow old; removed accounts have it, too. */
export type Kept = Pick<Account, "id" | "zone" | "retention">;

/**
 * Collections of documents a plugin keeps under the account's key: how long, and what a person's rights mean for them.
 *
 *     { name: "parcels", daily: [{ collection: "parcel-counts", days: () => 62 }] }
 */
export interface Documents {
  /** Unique among all plugins: where a round of `forgetOld` goes on is kept under it. */
  readonly name: string;
  /** Collections with one document a day, named `<account>.<YYYY-MM-DD>`, and the days they are kept. */
  readonly daily?: readonly {
    readonly collection: string;
    readonly days: (account: Kept) => number;
  }[];
  /**
   * Removes what is too old, once a virtual day for each account, some seconds of work at most. `next`: where the next round
   * goes on, a minute later; it is given back as `after`.
   */
  readonly forgetOld?: (
    context: Context,
    account: Kept,
    after?: string,
  ) => Promise<{ readonly count: number; readonly next?: string }>;
  /**
   * A person is erased: what is kept of them is removed, or loses its names. It runs before the conversation goes, and
   * again after it was cut off.
   */
  readonly forgetPerson?: (context: Context, account: string, person: Person) => Promise<void>;
  /** Parts of a person's own copy (`privacy.export`), by name. It holds no identifier but theirs. */
  readonly exported?: (
    context: Context,
    account: Account,
    contacts: Person["contacts"],
  ) => Promise<JsonObject>;
  /** What `privacy.overview` tells a person beside messages and time limits. */
  readonly overview?: {
    /** Names that flows may read of it. */
    readonly names: readonly string[];
    readonly of: (
      context: Context,
      account: Account,
      about: { readonly contacts: Person["contacts"]; readonly locale: Session["locale"] },
    ) => Promise<Readonly<Record<string, Json>>>;
  };
}

/** What a person says of a held call: how it ended, that it is given up, or that it is to be made again. */
export type Decision = "retry" | "done" | "failed" | "discard";

/**
 * A person's decisions about calls that rest. By itself the runtime lets people say anything of a held or queued call, but of a
 * `fiscal` one no retry.
 *
 *     decisions: {
 *       async obstacle(context, { payload }, decision) {
 *         const isPaid = await parcelsOf(context).isPaid(payload);
 *         return isPaid && decision === "discard" ? "It is paid: resolve it as done." : undefined;
 *       },
 *     }
 */
interface Decisions {
  /**
   * Why this decision is not allowed: a sentence that says what to do instead. `null`: it is allowed, whatever the class;
   * undefined: the class decides.
   */
  readonly obstacle?: (
    context: Context,
    effect: EffectView,
    decision: Decision,
  ) => Promise<string | null | undefined>;
  /**
   * Runs before the effect is removed: what a record has to say of it is written first, since a crash may follow. Answers
   * what the waiting flow gets. `null`: another decision was made already, and this one is refused; undefined: `{ text:
   * reason }`.
   */
  readonly before?: (
    context: Context,
    effect: EffectView,
    decision: Exclude<Decision, "retry">,
    reason: string,
  ) => Promise<CallResult | null | undefined>;
  /** Runs after it was removed. A crash may skip it, so what must happen belongs into `before`. */
  readonly after?: (
    context: Context,
    effect: EffectView,
    decision: Exclude<Decision, "retry">,
  ) => Promise<void>;
}

/** The documents of all plugins. */
export function documentsIn({
  plugins = [],
}: {
  readonly plugins?: readonly Plugged[];
}): readonly Documents[] {
  return plugins.flatMap(({ documents = [] }) => documents);
}
