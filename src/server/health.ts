/**
 * `GET /health/live` (the process answers) and `GET /health/ready` (it can take work). Neither tells anything of a person.
 */
import type { FastifyInstance } from "fastify";
import { heldClass } from "../store/index.ts";
import type { ServerDeps } from "./deps.ts";

/** A store that takes longer than this to answer is not ready, ms. */
const READY_MS = 2_000;

function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("late")), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

export function healthRoutes(app: FastifyInstance, deps: ServerDeps): void {
  app.get("/health/live", async () => ({ live: true, version: deps.version }));
  app.get("/health/ready", async (request, reply) => {
    if (deps.isStopping?.()) return reply.code(503).send({ ready: false, reason: "stopping" });
    try {
      const asked = Promise.all([
        deps.store.info(),
        deps.store.views.backlog(),
        deps.store.scopes.pauses(),
      ]);
      const [info, backlog, pauses] = await within(asked, READY_MS);
      const { kind, version, durability, sentence, unconfirmed } = info;
      const { ready, oldestMs, pendingEffects, heldEffects, dead } = backlog;
      return {
        ready: true,
        version: deps.version,
        roles: deps.roles,
        store: { kind, version, durability, sentence, unconfirmed: unconfirmed || undefined },
        backlog: { waiting: ready, ageMs: oldestMs, pendingEffects, heldEffects, dead },
        // Classes that wait for a person. Conversations go on, so the process is ready all the same.
        held: [...pauses.keys()].flatMap((scope) => heldClass(scope) ?? []).sort(),
      };
    } catch (error) {
      deps.log.warn({ err: error, id: request.id }, "health: the store does not answer");
      return reply.code(503).send({ ready: false, reason: "store" });
    }
  });
}
