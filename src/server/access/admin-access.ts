/**
 * Who may use the operator API and the console.
 *
 * With `ADMIN_TOKEN`: Bearer, or the session cookie that `/login?token=` sets. Without it: open to this machine only,
 * and only under a loopback name, so that a page of the internet cannot reach it (DNS rebinding, cross-site forms).
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ServerDeps } from "../deps.ts";
import { NOT_FOUND, refuse, send } from "../problem.ts";

const COOKIE = "prosa_session";
/** A session ends after a working day, ms; it is not renewed. */
const SESSION_MS = 12 * 60 * 60 * 1_000;

export type Access =
  | { readonly ok: true; readonly actor: string }
  | { readonly ok: false; readonly status: 401 | 403; readonly message: string };

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;
const LOOPBACK_PEER = /^(?:127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/;

function same(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

function sign(token: string, ends: number): string {
  return createHmac("sha256", token).update(`session:${ends}`).digest("base64url");
}

/** Value of a session cookie that ends at `ends`. A changed `ADMIN_TOKEN` ends every session. */
function sessionCookie(token: string, ends: number): string {
  return `${ends}.${sign(token, ends)}`;
}

function hasSession(request: FastifyRequest, token: string, now: number): boolean {
  const pairs = (request.headers.cookie ?? "").split(";").map((pair) => pair.trim().split("="));
  const value = pairs.find(([name]) => name === COOKIE)?.[1] ?? "";
  const [ends, signature] = value.split(".");
  if (!ends || !signature || !/^\d{10,16}$/.test(ends)) return false;
  return same(signature, sign(token, Number(ends))) && Number(ends) > now;
}

/** Whether the request comes from a page of ours, or from no page at all. */
function isOwnOrigin(request: FastifyRequest): boolean {
  const { origin, host } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  if (origin === undefined) return true;
  try {
    return new URL(origin).host === host;
  } catch {
    return false;
  }
}

function isFromLoopback(request: FastifyRequest): boolean {
  const peer = request.socket.remoteAddress;
  // Requests injected by a test have no peer; they come from this very process.
  return peer === undefined || LOOPBACK_PEER.test(peer);
}

/** Whether a loopback request may act without a token. */
export function openAccess(request: FastifyRequest): Access {
  const refused = (message: string): Access => ({ ok: false, status: 403, message });
  if (!isFromLoopback(request)) return refused("Set ADMIN_TOKEN to use this from another machine.");
  if (!LOOPBACK_HOST.test(request.headers.host ?? ""))
    return refused("Use a loopback name (localhost or 127.0.0.1), or set ADMIN_TOKEN.");
  if (!isOwnOrigin(request)) return refused("A page of another origin may not act here.");
  return { ok: true, actor: "local" };
}

function tokenMatches(token: string, given: string): boolean {
  return same(token, given);
}

/** Who this request is. `now` in real ms: sessions do not follow the virtual clock. */
export function accessOf(
  request: FastifyRequest,
  adminToken: string | undefined,
  now: number,
): Access {
  if (adminToken === undefined) return openAccess(request);
  const bearer = /^Bearer (.{1,512})$/i.exec(request.headers.authorization ?? "")?.[1];
  if (bearer !== undefined)
    return same(bearer, adminToken)
      ? { ok: true, actor: "admin" }
      : { ok: false, status: 401, message: "The token is not the operator's." };
  if (!hasSession(request, adminToken, now))
    return { ok: false, status: 401, message: "Open /login?token=… or send a Bearer token." };
  if (!isOwnOrigin(request))
    return { ok: false, status: 403, message: "A page of another origin may not act here." };
  return { ok: true, actor: "admin" };
}

/** Wrong tokens per minute before every attempt is refused for the rest of it. */
const GUESSES_PER_MINUTE = 10;

/**
 * `GET /login?token=`: a session cookie for the console. Guesses are limited for all callers together, because there is one
 * token.
 */
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
