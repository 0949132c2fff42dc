/** `/queue` and `/jobs`: taken now, charged now, done a little later. */
import type { Json, JsonObject } from "../../base/index.ts";
import { jobBody, PAGE_SIZE } from "../world/jobs.ts";
import { done, failed, placed, type Behaviour, type Call } from "./outcome.ts";
import type { World } from "../world/world.ts";

/** Not charged: the interface names it apart from the caller's errors. */
export const QUEUE_NOT_AVAILABLE = {
  status: 400,
  body: {
    error: true,
    code: "queue_not_available",
    message: "Fila indisponível para este motor. Use a rota síncrona.",
  },
} as const;

/** The answer of an enqueue call: bare as the interface shows it, and at the places of every other payload. */
function enqueued(world: World, id: string): JsonObject {
  const job = { id, message: "Requisição enviada para a fila com sucesso" };
  return { error: false, ...job, ...placed(world, job) };
}

/** Puts a call into the queue; what it does and whether that worked shows later, in the job and in events. */
export function enqueue(world: World, call: Call, run: Behaviour, name: string): Json {
  const { clock, jobs } = world;
  const { delay_ms: delay, work_ms: work } = world.settings.queue;
  const id = world.ids.uuid("job");
  const job = jobs.add(id, call.caller.account, name, clock.now());
  clock.after(delay, () => jobs.move(job, "processing", clock.now()));
  clock.after(delay + work, async () => {
    try {
      const outcome = await run(world, call);
      jobs.move(job, outcome.ok ? "done" : "failed", clock.now());
    } catch (error) {
      jobs.move(job, "failed", clock.now());
      world.onError(error);
    }
  });
  return enqueued(world, id);
}

function pageOf(text: string | undefined, fallback: number, limit: number): number {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? Math.min(value, limit) : fallback;
}

export const listJobs: Behaviour = (world, call) => {
  const page = pageOf(call.query["page"], 1, 1_000_000);
  const size = pageOf(call.query["per_page"], PAGE_SIZE, 100);
  return done(world.jobs.page(call.caller.account, page, size, `${world.origin}/api/v2/jobs`));
};

/** All or nothing: one id that is not the caller's, and none is answered. */
export const findJobs: Behaviour = (world, call) => {
  const ids = Array.isArray(call.body["id"]) ? call.body["id"] : [];
  const found = ids.map((id) => world.jobs.find(String(id), call.caller.account));
  if (found.some((job) => job === undefined))
    return failed(422, "Job não encontrado.", { errors: { id: ["Job não encontrado."] } });
  return done(found.flatMap((job) => (job ? [jobBody(job)] : [])));
};
