/**
 * What became of jobs: asked once (`lookUpJobs`) or until they ended (`waitForJobs`).
 *
 * `POST /jobs` is all or nothing: for one unknown id none of the others is answered. A refused batch is therefore halved
 * until the unknown ids are alone. One request at a time, a bounded number of ids in each, and growing pauses between
 * rounds, although the route is free.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Job } from "./contract/jobs.ts";
import type { CallOutcome } from "./answers/outcome.ts";
import { instantOf, isDay, localTime } from "../brazil/index.ts";

/** Ids in one request: the interface shows no limit; 50 make a body of 2 KB. */
export const JOBS_PER_REQUEST = 50;
/** Requests of one look-up, halving included. What is left over is told as unanswered. */
export const JOB_REQUESTS_PER_LOOK_UP = 256;
/** Pauses of `waitForJobs`: 1 s at first, half as long again each round, at most 30 s. */
const FIRST_PAUSE_MS = 1_000;
const PAUSE_GROWTH = 1.5;
const LONGEST_PAUSE_MS = 30_000;
/** `waitForJobs` gives up after this unless told otherwise: 10 min. */
const WAIT_LIMIT_MS = 600_000;

/** Asks the gateway for these jobs in one request. */
export type FindJobs = (
  ids: readonly string[],
  signal: AbortSignal | undefined,
) => Promise<CallOutcome<readonly Job[]>>;

/** The part of a gateway client that knows jobs. */
export interface JobsClient {
  readonly jobs: {
    readonly find: (
      body: { id: string[] },
      options: { signal?: AbortSignal },
    ) => Promise<CallOutcome<readonly Job[]>>;
  };
}

/** A gateway client, or a function that makes the one call as the caller wants it made. */
export type JobSource = JobsClient | FindJobs;

export interface JobsFound {
  /** `processed_at` is filled: they will not change any more. */
  readonly ended: readonly Job[];
  readonly pending: readonly Job[];
  /** The gateway does not know them (or they are no job ids at all). */
  readonly unknown: readonly string[];
  /** Not told this time: the answer left them out, a request failed, or the look-up's requests were used up. */
  readonly unanswered: readonly string[];
  /** The call that ended the look-up early. */
  readonly failure?: Exclude<CallOutcome, { kind: "ok" }>;
}

export interface LookUpOptions {
  readonly signal?: AbortSignal;
  readonly perRequest?: number;
  readonly maxRequests?: number;
}

/** Asks once for every id. Duplicates are asked once; no ids, no request. Rejects only where `source` does. */
export async function lookUpJobs(
  source: JobSource,
  ids: readonly string[],
  options: LookUpOptions = {},
): Promise<JobsFound> {
  const find = finderOf(source);
  const { signal, perRequest = JOBS_PER_REQUEST, maxRequests = JOB_REQUESTS_PER_LOOK_UP } = options;
  const { wanted, odd } = distinct(ids);
  const ended: Job[] = [];
  const pending: Job[] = [];
  const unknown = odd;
  const unanswered: string[] = [];
  let failure: JobsFound["failure"];
  let requests = 0;
  const batches = inBatches(wanted, Math.max(1, perRequest));
  for (let batch = batches.shift(); batch; batch = batches.shift()) {
    if (failure || requests >= maxRequests || signal?.aborted) {
      unanswered.push(...batch);
      continue;
    }
    requests += 1;
    const outcome = await find(batch, signal);
    if (outcome.kind === "ok") {
      const told = new Map(outcome.data.map((job) => [job.id.toLowerCase(), job]));
      for (const id of batch) {
        const job = told.get(id.toLowerCase());
        if (!job) unanswered.push(id);
        else (jobEnded(job) ? ended : pending).push(job);
      }
    } else if (!refusedAsUnknown(outcome)) {
      failure = outcome;
      unanswered.push(...batch);
    } else if (batch.length === 1) unknown.push(...batch);
    else {
      const half = Math.ceil(batch.length / 2);
      batches.unshift(batch.slice(0, half), batch.slice(half));
    }
  }
  return { ended, pending, unknown, unanswered, ...(failure ? { failure } : {}) };
}

export interface JobsWaited {
  readonly ended: readonly Job[];
  readonly unknown: readonly string[];
  /** Ids that had not ended when the wait stopped. */
  readonly pending: readonly string[];
  /** Why it stopped before everything had ended: the time, the caller's signal, or a call that will not go better. */
  readonly stopped?: "time" | "aborted" | "refused";
  readonly failure?: JobsFound["failure"];
}

export interface WaitOptions extends LookUpOptions {
  /** Real ms for the whole wait. */
  readonly totalMs?: number;
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
  /** Resolves after `ms`, or earlier when the signal is aborted. */
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly now?: () => number;
}

/** Asks again and again until every job has ended or is unknown. A round that fails does not end the wait. */
export async function waitForJobs(
  source: JobSource,
  ids: readonly string[],
  options: WaitOptions = {},
): Promise<JobsWaited> {
  const { signal, totalMs = WAIT_LIMIT_MS, longestPauseMs = LONGEST_PAUSE_MS } = options;
  const { sleep = sleepFor, now = Date.now } = options;
  const until = now() + totalMs;
  const ended: Job[] = [];
  const unknown: string[] = [];
  let pending: readonly string[] = [...new Set(ids)];
  let wait = Math.min(options.firstPauseMs ?? FIRST_PAUSE_MS, longestPauseMs);
  for (;;) {
    const round = await lookUpJobs(source, pending, options);
    const { failure } = round;
    ended.push(...round.ended);
    unknown.push(...round.unknown);
    // First the jobs without an answer, so that a look-up too small for all gets to each in turn.
    pending = [...round.unanswered, ...round.pending.map((job) => job.id)];
    const result = { ended, unknown, pending, ...(failure ? { failure } : {}) };
    if (pending.length === 0) return { ended, unknown, pending };
    if (signal?.aborted) return { ...result, stopped: "aborted" };
    if (failure && isFinal(failure)) return { ...result, stopped: "refused" };
    const asked = failure?.kind === "refused" ? (failure.retryAfterMs ?? 0) : 0;
    const left = until - now();
    if (left <= 0 || asked > left) return { ...result, stopped: "time" };
    await sleep(Math.min(Math.max(wait, asked), left), signal);
    if (isAborted(signal)) return { ...result, stopped: "aborted" };
    wait = Math.min(wait * PAUSE_GROWTH, longestPauseMs);
  }
}

function finderOf(source: JobSource): FindJobs {
  if (typeof source === "function") return source;
  return (ids, signal) => source.jobs.find({ id: [...ids] }, signal ? { signal } : {});
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Each id once, those of a form the gateway would refuse apart. */
function distinct(ids: readonly string[]): { wanted: string[]; odd: string[] } {
  const seen = new Map<string, string>();
  for (const id of ids) if (!seen.has(id.toLowerCase())) seen.set(id.toLowerCase(), id);
  const all = [...seen.values()];
  return { wanted: all.filter((id) => UUID.test(id)), odd: all.filter((id) => !UUID.test(id)) };
}

function inBatches(ids: readonly string[], size: number): string[][] {
  const batches: string[][] = [];
  for (let at = 0; at < ids.length; at += size) batches.push(ids.slice(at, at + size));
  return batches;
}

/** 422 as the interface has it; deployments that flatten refusals say it in words. */
function refusedAsUnknown(outcome: CallOutcome): boolean {
  if (outcome.kind === "refused") return outcome.status === 422 || outcome.status === 404;
  return outcome.kind === "business_error" && NOT_FOUND.test(outcome.message);
}
const NOT_FOUND = /n[aã]o (?:foi )?(?:encontrad|existe)|not found/i;

/** Asking again with the same credentials and ids ends the same way. */
function isFinal(failure: NonNullable<JobsFound["failure"]>): boolean {
  if (failure.kind === "refused") return failure.status !== 429 && failure.status !== 408;
  return failure.kind === "not_sent" && failure.reason === "closed";
}

async function sleepFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await pause(ms, undefined, signal ? { signal } : {}).catch(() => undefined);
}

/** Read anew: the signal may have been aborted during a wait. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

/** The interface names no zone; its gateway runs in Brazil, by Brasília time. */
export const JOB_ZONE = "America/Sao_Paulo";

const TIME = /^(\d{2})\/(\d{2})\/(\d{4}) ((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)$/;
/** Before this year there was no clock of that kind to be wrong about. */
const FIRST_YEAR = 1970;

/**
 * A job's time, `DD/MM/YYYY HH:mm:ss` by the clock of São Paulo, as epoch ms. Null: the empty text, for a time that has not
 * come. Undefined: everything that is no such time.
 */
export function parseJobTime(text: unknown): number | null | undefined {
  if (typeof text !== "string") return undefined;
  if (text.trim() === "") return null;
  const [, date = "", month = "", year = "", time = ""] = TIME.exec(text.trim()) ?? [];
  const day = `${year}-${month}-${date}`;
  if (!isDay(day) || Number(year) < FIRST_YEAR) return undefined;
  return instantOf(day, time, JOB_ZONE);
}

/** A time as a job's record writes it; null is the empty text. Epoch ms, cut to whole seconds. */
export function formatJobTime(at: number | null): string {
  if (at === null) return "";
  const { day, time } = localTime(at, JOB_ZONE);
  return `${day.split("-").reverse().join("/")} ${time}`;
}

/** Whether the job has ended, well or badly: states are an open set, so the filled `processed_at` tells. */
export function jobEnded(job: { readonly processed_at?: string | undefined }): boolean {
  return (job.processed_at ?? "").trim() !== "";
}
