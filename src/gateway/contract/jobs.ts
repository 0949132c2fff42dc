/** `/jobs`: what became of queued calls. Bearer only, not charged; the answer may come without an envelope. */
import { z } from "zod";
import {
  controller,
  routeOfArea,
  shown,
  type Draft,
  type Query,
  type Route,
  type Variants,
} from "./route.ts";
import { AnsweredId, NoBody, isRecord, record, soft } from "./shapes.ts";

function jobsRoute<V extends Variants, R extends z.ZodType, Q extends Query = null>(
  draft: Draft<V, R, Q, "no">,
): Route<V, R, Q, "no"> {
  return routeOfArea(draft, {
    area: "jobs",
    tipo: null,
    auth: "bearer",
    version: "v2",
    group: false,
    envelope: "optional",
    payload: ["response", "top"],
    billing: "none",
    price: null,
    source: `4.3 ${draft.method ?? "POST"} ${draft.path}`,
    response: draft.answer,
  });
}

/**
 * A job. Times read `DD/MM/YYYY HH:mm:ss`; `processed_at` and `diff_in_minutes` are empty texts until it is done. Only
 * the state `queued` is known; the rest is an open set.
 */
export const Job = record({
  id: AnsweredId,
  status: z.string(),
  created_at: soft(z.string()),
  processed_at: soft(z.string()),
  diff_in_minutes: soft(z.union([z.number(), z.string()])),
});
export type Job = z.output<typeof Job>;
const ListedJob = record({
  job_id: AnsweredId,
  status: z.string(),
  created_at: soft(z.string()),
  updated_at: soft(z.string()),
});

/** Names under which deployments put a list of jobs, at most two deep (†: the wrapper is not shown). First found wins. */
const LIST_NAMES = ["data", "items", "jobs", "results"];
const LIST_DEPTH = 2;

interface JobList {
  /** What stands beside the list: a paginator's numbers. */
  readonly page: Readonly<Record<string, unknown>>;
  readonly rows: readonly unknown[];
}

function jobsIn(value: unknown, depth = LIST_DEPTH): JobList | undefined {
  if (Array.isArray(value)) return { page: {}, rows: value.map(namedBoth) };
  if (!isRecord(value) || depth === 0) return undefined;
  for (const name of LIST_NAMES) {
    const found = jobsIn(value[name], depth - 1);
    if (found) return { page: { ...value, ...found.page }, rows: found.rows };
  }
  return undefined;
}

/** The list calls a job's id `job_id`, the look-up `id`: either reads as both. */
function namedBoth(row: unknown): unknown {
  return isRecord(row) ? { id: row["job_id"], job_id: row["id"], ...row } : row;
}

/** One page, wherever its list stands. */
const JobPage = z.preprocess(
  (value) => {
    const found = jobsIn(value);
    return found ? { ...found.page, data: found.rows } : value;
  },
  record({
    data: z.array(ListedJob),
    current_page: soft(z.number()),
    last_page: soft(z.number()),
    next_page_url: soft(z.string().nullable()),
    total: soft(z.number()),
  }),
);

/** The jobs asked for, wherever their list stands; one job by itself is a list of one. */
const JobsFound = z.preprocess((value) => {
  const found = jobsIn(value);
  if (found) return found.rows;
  return isRecord(value) && "status" in value && "id" in value ? [value] : value;
}, z.array(Job));

const id = "3f0c2d9a-0000-4000-8000-000000000001";

export const jobs = controller("jobs", {
  /** The caller's own jobs, page by page. */
  list: jobsRoute({
    method: "GET",
    path: "/jobs",
    class: "read",
    query: z.strictObject({ page: z.int().min(1).optional() }),
    variants: { default: shown(NoBody, {}) },
    response: JobPage,
    answer: {
      current_page: 1,
      data: [
        {
          job_id: id,
          status: "queued",
          created_at: "21/11/2026 09:00:00",
          updated_at: "21/11/2026 09:00:00",
        },
      ],
      last_page: 1,
      next_page_url: null,
      total: 1,
    },
  }),
  /** Jobs by id. One unknown id and the whole request is refused with 422, see `lookUpJobs`. */
  find: jobsRoute({
    path: "/jobs",
    class: "read",
    variants: {
      default: shown(z.strictObject({ id: z.array(z.guid("must be a UUID")).min(1) }), {
        id: [id],
      }),
    },
    response: JobsFound,
    answer: [
      {
        id,
        status: "queued",
        created_at: "21/11/2026 09:00:00",
        processed_at: "",
        diff_in_minutes: "",
      },
    ],
  }),
});
