/** What the gateway says of jobs, in words the worker needs. */
import type { Account } from "../../../engine/index.ts";
import { type FindJobs, type Job, jobEnded, lookUpJobs } from "../../../gateway/index.ts";
import type { SendContext } from "../../context/contexts.ts";
import { callGateway } from "../../calls.ts";

/** `running`: taken in, not ended. `unknown`: the gateway has no such job. */
export type Told = "running" | "done" | "failed" | "unknown";

/** Words of a state that ended badly, Portuguese and English. The states are an open set; only `queued` is documented. */
const FAILED = /fail|falh|err|cancel|reject|refus|recus|dead|expir|abort/i;
/** Words of a state that is no end, whatever else it says: `failed, retrying`. */
const AGAIN = /retry|again|nova tentativa|reagend/i;

/** How far each job is; jobs that could not be asked for are absent. */
export async function jobsOf(
  context: Pick<SendContext, "gatewayFor" | "budget" | "emit" | "counted">,
  account: Account,
  ids: readonly string[],
): Promise<Map<string, Told>> {
  const find: FindJobs = (some) =>
    callGateway(
      context,
      account,
      "jobs.find",
      { id: [...some] },
      {},
      { attempt: 1 },
    ) as ReturnType<FindJobs>;
  const { ended, pending, unknown } = await lookUpJobs(find, ids);
  return new Map<string, Told>([
    ...[...ended, ...pending].map((job): [string, Told] => [job.id, stateOf(job)]),
    ...unknown.map((id): [string, Told] => [id, "unknown"]),
  ]);
}

/** The state of a job. It has ended when it was processed, or when its state says that it failed. */
function stateOf(job: Job): Exclude<Told, "unknown"> {
  if (FAILED.test(job.status) && !AGAIN.test(job.status)) return "failed";
  return jobEnded(job) ? "done" : "running";
}

interface Looked {
  times: number;
  /** Virtual time since when the gateway does not know the job. */
  unknownSince?: number;
}

/**
 * How often this process looked at each job, and since when the gateway does not know it. Bounded: when full, new jobs wait
 * until a remembered one has its end. Forgetting one instead would mean that no job is looked at twice.
 */
export class Looks {
  readonly #most: number;
  readonly #looked = new Map<string, Looked & { tour: number }>();
  #tour = 0;

  /** `most`: sends that are remembered. */
  constructor(most: number) {
    this.#most = most;
  }

  /** What is known of this send. When the memory is full it counts as never looked at. */
  of(id: string): Looked {
    const known = this.#looked.get(id);
    if (known) return known;
    const made = { times: 0, tour: this.#tour };
    if (this.#looked.size < this.#most) this.#looked.set(id, made);
    return made;
  }

  /** Whether the gateway did not know its job when it was asked last. */
  isDoubtful(id: string): boolean {
    return this.#looked.get(id)?.unknownSince !== undefined;
  }

  /** It was on a page of this tour, so it is still enqueued. */
  seen(id: string): void {
    const known = this.#looked.get(id);
    if (known) known.tour = this.#tour;
  }

  forget(id: string): void {
    this.#looked.delete(id);
  }

  /** All pages were read: a send that was on none of them has its end. */
  toured(): void {
    for (const [id, { tour }] of this.#looked) if (tour !== this.#tour) this.#looked.delete(id);
    this.#tour++;
  }
}
