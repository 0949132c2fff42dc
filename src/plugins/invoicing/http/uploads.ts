/**
 * `GET /u/:code` and `POST /u/:code`: a one-time page for a certificate and its password.
 *
 * The code is the right to use it, so it stands in no log, no answer and no referrer. Looking uses nothing up, since messengers
 * look at addresses by themselves; a POST spends one of few tries. The body is small, whole in memory, and read as multipart
 * by the platform.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createGate, type Log } from "../../../plugin.ts";
import type { Certificates } from "../certificates/certificates.ts";
import { PAGE_POLICY, uploadPage, type PageFacts, type PageNotice } from "./upload-page.ts";

/** What stands behind the pages. */
type Uploads = Pick<Certificates, "page" | "give">;

/** A certificate with its chain has 15 kB; the form around it next to nothing. */
const BODY_LIMIT_BYTES = 150 * 1024;
/** Bodies in this process at once. */
const GATE = { bodies: 20, bytes: 20 * BODY_LIMIT_BYTES } as const;
const BUSY_SECONDS = 30;

/** Pages asked for that do not exist, of all who ask, in a minute: beyond it everybody of that minute waits. */
const MISSES_PER_MINUTE = 300;

export function uploadRoutes(
  app: FastifyInstance,
  { uploads, log, publicUrl }: { uploads: Uploads; log: Log; publicUrl: string },
): Promise<void> {
  const gate = createGate(GATE);
  const misses = { minute: 0, count: 0 };
  const slowed = () => {
    const minute = Math.floor(performance.now() / 60_000);
    if (minute !== misses.minute) Object.assign(misses, { minute, count: 0 });
    return misses.count >= MISSES_PER_MINUTE;
  };
  return Promise.resolve(
    app.register((scope, _options, done) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser(
        "multipart/form-data",
        { parseAs: "buffer", bodyLimit: BODY_LIMIT_BYTES },
        (_request, body, ready) => ready(null, body),
      );
      scope.setErrorHandler(async (error, request, reply) => {
        const { statusCode = 500 } = error as { statusCode?: number };
        if (statusCode >= 500) log.error({ err: error, id: request.id }, "upload page: failed");
        const notice = statusCode === 413 ? "too-large" : statusCode < 500 ? "missing" : "failed";
        return again(uploads, request, reply, statusCode, notice);
      });
      scope.get<{ Params: { code: string } }>("/u/:code", async (request, reply) => {
        if (slowed()) return send(reply, 429, nothing(request));
        const page = await uploads.page(request.params.code);
        if (!page) {
          misses.count++;
          return send(reply, 404, nothing(request));
        }
        return send(reply, page.state === "over" || page.state === "spent" ? 410 : 200, page);
      });
      scope.post<{ Params: { code: string } }>(
        "/u/:code",
        {
          // Before a byte of the body is read.
          onRequest: async (request, reply) => {
            if (!isOwn(request, publicUrl)) return again(uploads, request, reply, 403, "origin");
            const stated = Number(request.headers["content-length"]);
            const leave = slowed() ? null : gate.enter(Number.isNaN(stated) ? undefined : stated);
            if (!leave) {
              void reply.header("retry-after", BUSY_SECONDS);
              return again(uploads, request, reply, 503, "busy");
            }
            reply.raw.once("close", leave);
            return undefined;
          },
        },
        async (request, reply) => {
          const { code } = request.params;
          if (!(await uploads.page(code))) {
            misses.count++;
            return send(reply, 404, nothing(request));
          }
          const form = await fieldsOf(request);
          if (!form) return again(uploads, request, reply, 422, "missing");
          const given = await uploads.give(code, form.file, form.password);
          // 303: going back or loading again sends nothing twice.
          if (given.ok) return reply.code(303).header("location", `/u/${code}`).send();
          if (given.reason === "gone" || !given.page) return send(reply, 404, nothing(request));
          if (given.reason === "closed") return send(reply, 410, given.page);
          const notice = given.reason;
          if (notice === "busy") void reply.header("retry-after", BUSY_SECONDS);
          return send(reply, notice === "busy" ? 503 : 422, { ...given.page, notice });
        },
      );
      done();
    }),
  ).then(() => undefined);
}

/** A form of another site must not send anything here, though it could not know the code. */
function isOwn({ headers }: FastifyRequest, publicUrl: string): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  const { origin } = headers;
  // A page without a referrer posts with the origin `null` in some browsers.
  return origin === undefined || origin === "null" || origin === new URL(publicUrl).origin;
}

async function fieldsOf(
  request: FastifyRequest,
): Promise<{ readonly file: Uint8Array; readonly password: string } | null> {
  const type = request.headers["content-type"] ?? "";
  if (!Buffer.isBuffer(request.body)) return null;
  try {
    const body = new Uint8Array(request.body);
    const form = await new Response(body, { headers: { "content-type": type } }).formData();
    const [file, password] = [form.get("file"), form.get("password")];
    if (!(file instanceof Blob) || typeof password !== "string") return null;
    if (file.size === 0 || password === "") return null;
    return { file: new Uint8Array(await file.arrayBuffer()), password };
  } catch {
    return null;
  }
}

/** The same page with a word about what was wrong. */
async function again(
  uploads: Uploads,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  notice: PageNotice,
) {
  const { code } = request.params as { code: string };
  const page = await uploads.page(code).catch(() => null);
  if (!page) return send(reply, status >= 500 ? status : 404, nothing(request));
  return send(reply, status, { ...page, notice });
}

/** Nobody's page: the reader's own language, as far as the browser tells it. */
function nothing({ headers }: FastifyRequest): PageFacts {
  return {
    state: "gone",
    locale: /^en\b/i.test(headers["accept-language"] ?? "") ? "en" : "pt-BR",
  };
}

async function send(reply: FastifyReply, status: number, facts: PageFacts) {
  return reply
    .code(status)
    .headers({ "content-security-policy": PAGE_POLICY, "cache-control": "no-store" })
    .type("text/html; charset=utf-8")
    .send(uploadPage(facts));
}
