/**
 * `GET /login?token=`: a session cookie for the console. Guesses are limited for all callers together, because there is one
 * token.
 */
import type { FastifyInstance } from "fastify";
import { COOKIE, SESSION_MS, sessionCookie, tokenMatches } from "./admin-access.ts";
import type { ServerDeps } from "../deps.ts";
import { NOT_FOUND, refuse, send } from "../problem.ts";

/** Wrong tokens per minute before every attempt is refused for the rest of it. */
const GUESSES_PER_MINUTE = 10;

export function loginRoute(app: FastifyInstance, deps: ServerDeps, realNow: () => number): void {
  let minute = 0;
  let wrong = 0;
  app.get("/login", async (request, reply) => {
    const { adminToken } = deps;
    if (adminToken === undefined) return send(reply, NOT_FOUND);
    const now = realNow();
    if (Math.floor(now / 60_000) !== minute) {
      minute = Math.floor(now / 60_000);
      wrong = 0;
    }
    if (wrong >= GUESSES_PER_MINUTE)
      return send(reply, { ...refuse("SLOW_DOWN", "Too many wrong tokens.", 429), retryAfter: 60 });
    const given = (request.query as Record<string, unknown>)["token"];
    if (typeof given !== "string" || given.length > 512 || !tokenMatches(adminToken, given)) {
      wrong++;
      deps.log.warn({ id: request.id }, "login: wrong token");
      return send(reply, refuse("UNAUTHORIZED", "The token is not the operator's.", 401));
    }
    const ends = now + SESSION_MS;
    const secure = request.protocol === "https" || deps.publicUrl.startsWith("https:");
    const flags = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${SESSION_MS / 1_000}`;
    const cookie = `${COOKIE}=${sessionCookie(adminToken, ends)}; ${flags}${secure ? "; Secure" : ""}`;
    return reply.header("set-cookie", cookie).redirect("/", 303);
  });
}
