/**
 * `ANY /api/sandbox/*` → the sandbox's `/sandbox/*`, so that a console needs one origin only. Only with a sandbox target.
 */
import type { FastifyInstance } from "fastify";
import { request as http } from "undici";
import type { ServerDeps } from "./deps.ts";
import { NOT_FOUND, refuse, send } from "./problem.ts";

/** Documents travel as base64 through `inbound`. Bytes. */
const BODY_LIMIT = 24 * 1024 * 1024;
/** Moving the clock waits for due timers. Ms. */
const TIMEOUT_MS = 60_000;
const METHODS = ["GET", "POST", "PUT", "DELETE"] as const;

export async function sandboxProxy(app: FastifyInstance, deps: ServerDeps): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => {
      done(null, body);
    });
    scope.route({
      method: [...METHODS],
      url: "/api/sandbox/*",
      bodyLimit: BODY_LIMIT,
      handler: async (request, reply) => {
        if (deps.sandboxUrl === null) return send(reply, NOT_FOUND);
        const target = new URL(deps.sandboxUrl);
        const given = new URL(request.url, "http://here.invalid");
        target.pathname = given.pathname.replace(/^\/api\/sandbox\//, "/sandbox/");
        target.search = given.search;
        // `URL` resolves dots, so a path that climbs out no longer begins with the prefix.
        if (!target.pathname.startsWith("/sandbox/")) return send(reply, NOT_FOUND);
        const body = Buffer.isBuffer(request.body) && request.body.length > 0 ? request.body : null;
        try {
          const answer = await http(target, {
            method: request.method as (typeof METHODS)[number],
            headersTimeout: TIMEOUT_MS,
            bodyTimeout: TIMEOUT_MS,
            ...(body ? { body, headers: { "content-type": "application/json" } } : {}),
          });
          const type = answer.headers["content-type"];
          const bytes = Buffer.from(await answer.body.arrayBuffer());
          return await reply
            .code(answer.statusCode)
            .type(typeof type === "string" ? type : "application/json")
            .send(bytes);
        } catch (error) {
          deps.log.warn({ err: error, id: request.id }, "sandbox: no answer");
          return send(reply, refuse("SANDBOX_DOWN", "The sandbox does not answer.", 502));
        }
      },
    });
  });
}
