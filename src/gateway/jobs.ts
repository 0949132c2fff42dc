/**
 * What became of jobs.
 *
 * `POST /jobs` is all or nothing: for one unknown id none of the others is answered. A refused batch is therefore halved
 * until the unknown ids are alone. One request at a time, a bounded number of ids in each.
 */
import type { Job } from "./contract/jobs.ts";
import type { CallOutcome } from "./answers/outcome.ts";
import { localTime } from "../brazil/index.ts";

/** Ids in one request: the interface shows no limit; 50 make a body of 2 KB. */
export const JOBS_PER_REQUEST = 50;
/** Requests of one look-up, halving included. What is left over is told as unanswered. */
const JOB_REQUESTS_PER_LOOK_UP = 256;

/** Asks the gateway for these jobs in one request. */
export type FindJobs = (ids: readonly string[]) => Promise<CallOutcome<readonly Job[]>>;

interface JobsFound {
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

interface LookUpOptions {
  readonly perRequest?: number;
  readonly maxRequests?: number;
}

/** Asks once for every id. Duplicates are asked once; no ids, no request. Rejects only where `find` does. */
export async function lookUpJobs(
  find: FindJobs,
  ids: readonly string[],
  options: LookUpOptions = {},
): Promise<JobsFound> {
  const { perRequest = JOBS_PER_REQUEST, maxRequests = JOB_REQUESTS_PER_LOOK_UP } = options;
  const { wanted, odd } = distinct(ids);
  const ended: Job[] = [];
  const pending: Job[] = [];
  const unknown = odd;
  const unanswered: string[] = [];
  let failure: JobsFound["failure"];
  let requests = 0;
  const batches = inBatches(wanted, Math.max(1, perRequest));
  for (let batch = batches.shift(); batch; batch = batches.shift()) {
    if (failure || requests >= maxRequests) {
      unanswered.push(...batch);
      continue;
    }
    requests += 1;
    const outcome = await find(batch);
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
  return { ended, pending, unknown, unanswered, failure };
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

/** The interface names no zone; its gateway runs in Brazil, by Brasília time. */
const JOB_ZONE = "America/Sao_Paulo";

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
