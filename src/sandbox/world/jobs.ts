/** Queued calls: `queued`, then `processing`, then `done` or `failed`, by virtual time. */
import type { Json, JsonObject } from "../../base/index.ts";
import { formatJobTime } from "../../gateway/index.ts";
import { BoundedList } from "../http/bounded.ts";

/** Rows of one page of `GET /jobs`. */
export const PAGE_SIZE = 15;

interface Job {
  readonly id: string;
  readonly account: string;
  readonly route: string;
  status: "queued" | "processing" | "done" | "failed";
  readonly createdAt: number;
  updatedAt: number;
  processedAt: number | null;
}

export class Jobs {
  readonly #all = new BoundedList<Job>();
  readonly #byId = new Map<string, Job>();

  add(id: string, account: string, route: string, now: number): Job {
    const job: Job = {
      id,
      account,
      route,
      status: "queued",
      createdAt: now,
      updatedAt: now,
      processedAt: null,
    };
    const gone = this.#all.push(job);
    if (gone) this.#byId.delete(gone.id);
    this.#byId.set(id, job);
    return job;
  }

  move(job: Job, status: Job["status"], now: number): void {
    job.status = status;
    job.updatedAt = now;
    if (status === "done" || status === "failed") job.processedAt = now;
  }

  /** A job of this account; others' jobs do not exist for it. */
  find(id: string, account: string): Job | undefined {
    const job = this.#byId.get(id.toLowerCase());
    return job?.account === account ? job : undefined;
  }

  /** Oldest first; one account's only, or everybody's. */
  all(account?: string): readonly JsonObject[] {
    return this.#all
      .all()
      .filter((job) => account === undefined || job.account === account)
      .map(jobBody);
  }

  /** One page of the account's own jobs, newest first, in the wrapper of a Laravel paginator. */
  page(account: string, number: number, size: number, path: string): Json {
    const own = this.#all
      .all()
      .filter((job) => job.account === account)
      .reverse();
    const last = Math.max(1, Math.ceil(own.length / size));
    const from = (number - 1) * size;
    const rows = own.slice(from, from + size).map((job) => ({
      job_id: job.id,
      status: job.status,
      created_at: formatJobTime(job.createdAt),
      updated_at: formatJobTime(job.updatedAt),
    }));
    const url = (page: number): string | null =>
      page >= 1 && page <= last ? `${path}?page=${page}` : null;
    return {
      current_page: number,
      data: rows,
      first_page_url: url(1),
      from: rows.length === 0 ? null : from + 1,
      last_page: last,
      last_page_url: url(last),
      links: [],
      next_page_url: url(number + 1),
      path,
      per_page: size,
      prev_page_url: url(number - 1),
      to: rows.length === 0 ? null : from + rows.length,
      total: own.length,
    };
  }
}

/** A job as `POST /jobs` answers it: empty texts, not null, until processed. */
export function jobBody(job: Job): JsonObject {
  return {
    id: job.id,
    status: job.status,
    created_at: formatJobTime(job.createdAt),
    processed_at: formatJobTime(job.processedAt),
    diff_in_minutes:
      job.processedAt === null ? "" : Math.floor((job.processedAt - job.createdAt) / 60_000),
  };
}
