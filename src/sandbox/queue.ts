/** `/queue` and `/jobs`: taken now, charged now, done a little later. */
import type { Json } from "../base/index.ts";
import { jobBody, PAGE_SIZE, QUEUE_WAIT_MS, QUEUE_WORK_MS } from "./jobs.ts";
import { done, failed, type Behaviour, type Call } from "./outcome.ts";
import type { World } from "./world.ts";

/** Puts a call into the queue; what it does and whether that worked shows later, in the job and in events. */
export function enqueue(world: World, call: Call, run: Behaviour): Json {
  const id = world.ids.uuid("job");
  const job = world.jobs.add(id, call.caller.account, call.route.id, world.clock.now());
  world.clock.after(QUEUE_WAIT_MS, () => {
    world.jobs.move(job, "processing", world.clock.now());
    world.clock.after(QUEUE_WORK_MS, async () => {
      const outcome = await run(world, call);
      world.jobs.move(job, outcome.ok ? "done" : "failed", world.clock.now());
    });
  });
  return { id, message: "Requisição enviada para a fila com sucesso" };
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
