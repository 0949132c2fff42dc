/** What the gateway says of jobs, in words the worker needs. */
import type { Account } from "../../../engine/index.ts";
import { type FindJobs, type Job, jobEnded, lookUpJobs } from "../../../gateway/index.ts";
import type { SendContext } from "../../context/send-context.ts";
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
export function stateOf(job: Job): Exclude<Told, "unknown"> {
  if (FAILED.test(job.status) && !AGAIN.test(job.status)) return "failed";
  return jobEnded(job) ? "done" : "running";
}
