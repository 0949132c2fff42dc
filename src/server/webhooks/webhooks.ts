/**
 * Webhooks: `POST /webhooks/:channel/:token[/:hook]`, and `POST /webhooks/:name/:token` of plugins.
 *
 * Order: overload → token (before a byte of the body) → size → encoding → signature over the raw bytes → bounded JSON →
 * channel → store. Token and bytes decide; what headers say of the body's form does not. 200 only after the events are
 * durable. An unknown channel, hook or token and a switched-off channel give one and the same 404. On our own trouble 503,
 * never 4xx: the senders do not repeat after a 4xx. Whatever is refused is counted and logged with its reason.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Fault, type JsonObject } from "../../base/index.ts";
import { channels, isTimely, verifySignature, type Channel } from "../../channels/index.ts";
import { type Account, ChannelName, type ChannelSettings } from "../../engine/index.ts";
import type { ServerDeps } from "../deps.ts";
import type { ListenerDeps, Webhook } from "../hooks.ts";
import { decompressed, type Guarded, inUtf8, isCompressed, parseGuarded } from "../body.ts";
import { problemOf, send } from "../problem.ts";
import { createGate, watchPressure } from "./overload.ts";
import { REFUSALS, type TellRefusal, type RefusalReason } from "./refusals.ts";

/** Engines inline media as base64; a short message never needs more than a few lines. Bytes. */
const BODY_LIMIT = {
  engine: 16 * 1024 * 1024,
  sms: 1024 * 1024,
  plugin: 1024 * 1024,
} as const;

/** Above these the process refuses what it has not accepted yet; work that was accepted goes on. */
const PRESSURE = { eventLoopDelayMs: 1_000, heapShare: 0.85 } as const;

type Tenant = { readonly account: Account; readonly settings?: ChannelSettings };
type Finder = (params: Record<string, string>) => Promise<Tenant | null>;
type Outcome = "ok" | { readonly reason: RefusalReason; readonly detail?: string };
type Handler = (tenant: Tenant, request: FastifyRequest, body: Body) => Promise<Outcome>;

interface Body {
  /** As they came. */
  readonly raw: Buffer;
  /** Without encoding. */
  readonly plain: Buffer;
  readonly contentType: string | undefined;
}

/** What is known of a request before its body. */
interface Admitted {
  readonly tenant: Tenant;
  readonly contentType: string | undefined;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** The channel, or the name of a plugin's webhook. */
    webhook?: string;
  }
}

/** Registers every webhook in a scope of its own: raw bodies, overload protection, no rate limit by address. */
export async function webhookRoutes(
  app: FastifyInstance,
  deps: ListenerDeps,
  tell: TellRefusal,
): Promise<void> {
  const gate = createGate(deps.limits?.gate);
  const admitted = new WeakMap<FastifyRequest, Admitted>();

  const refuse = (
    request: FastifyRequest,
    reply: FastifyReply,
    refused: Exclude<Outcome, "ok">,
    error?: unknown,
  ): FastifyReply => {
    const { webhook: channel = "unknown" } = request.routeOptions.config;
    const account = admitted.get(request)?.tenant.account.id;
    tell({ channel, ...refused, id: request.id, account });
    const problem = REFUSALS[refused.reason];
    const { token = "" } = request.params as Record<string, string>;
    const known = ChannelName.safeParse(channel).data;
    if (problem.status === 503 && known) deps.refusals?.add(known, token, error);
    return send(reply, problem);
  };

  await app.register(async (scope) => {
    const pressure = watchPressure({
      eventLoopDelayMs: deps.limits?.eventLoopDelayMs ?? PRESSURE.eventLoopDelayMs,
      heapShare: PRESSURE.heapShare,
    });
    scope.addHook("onClose", () => pressure.stop());
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => {
      done(null, body);
    });
    // The framework gave up on the body: it goes on beyond the limit, or ended before it was whole.
    scope.setErrorHandler(async (error, request, reply) => {
      const { status } = problemOf(error);
      if (status >= 500) return refuse(request, reply, { reason: "failed" }, error);
      return refuse(request, reply, { reason: status === 413 ? "too-large" : "incomplete" });
    });

    const route = (
      label: string,
      url: string,
      limit: number,
      find: Finder,
      handle: Handler,
    ): void => {
      scope.post(url, {
        bodyLimit: limit,
        config: { machine: true, webhook: label },
        onRequest: async (request, reply) => {
          if (deps.isStopping?.()) return refuse(request, reply, { reason: "stopping" });
          if (pressure.isHigh()) return refuse(request, reply, { reason: "overloaded" });
          const { "content-length": stated, "content-type": contentType } = request.headers;
          try {
            const tenant = await find(request.params as Record<string, string>);
            if (!tenant) return refuse(request, reply, { reason: "unknown-token" });
            admitted.set(request, { tenant, contentType });
          } catch (error) {
            const line = { err: error, id: request.id };
            deps.log.error(line, "webhook: the account cannot be looked up");
            return refuse(request, reply, { reason: "store" }, error);
          }
          // Answered here and not by the body reader, which cuts the line: the sender would see no 413 but a reset.
          if (Number(stated) > limit) return refuse(request, reply, { reason: "too-large" });
          const size = stated === undefined ? undefined : Number(stated);
          const leave = gate.enter(isCompressed(request.headers) ? limit : size);
          if (!leave) return refuse(request, reply, { reason: "overloaded" });
          reply.raw.once("close", leave);
          // The framework would refuse a body for a content type that it cannot read.
          delete request.raw.headers["content-type"];
          return undefined;
        },
        handler: async (request, reply) => {
          const stop = deps.metrics.ingest.startTimer({ channel: label });
          let trouble: unknown;
          const outcome = await outcomeOf(
            deps,
            admitted.get(request),
            request,
            limit,
            handle,
          ).catch((error: unknown): Outcome => {
            trouble = error;
            return { reason: Fault.is(error) ? "store" : "failed" };
          });
          stop();
          if (outcome === "ok") {
            deps.metrics.webhooks.inc({ channel: label, outcome: "stored" });
            return reply.code(200).send({ ok: true });
          }
          const isOurs = REFUSALS[outcome.reason].status === 503;
          deps.metrics.webhooks.inc({
            channel: label,
            outcome: isOurs ? "unavailable" : "refused",
          });
          return refuse(request, reply, outcome, trouble);
        },
      });
    };

    for (const channel of Object.values(channels)) {
      const limit = channel.name === "sms" ? BODY_LIMIT.sms : BODY_LIMIT.engine;
      const find: Finder = ({ token }) => deps.accounts.byWebhookToken(channel.name, token ?? "");
      const handle: Handler = (tenant, request, body) =>
        deliver(deps, channel, tenant, request, body);
      route(channel.name, `/webhooks/${channel.name}/:token`, limit, find, handle);
      for (const hook of channel.hooks)
        route(channel.name, `/webhooks/${channel.name}/:token/${hook}`, limit, find, handle);
    }
    for (const [name, take] of deps.plugins.webhooks) {
      const find: Finder = async ({ token }) => {
        const account = await deps.accounts.byPluginToken(name, token ?? "");
        return account && { account };
      };
      const handle: Handler = (tenant, request, body) => told(take, tenant, request, body);
      route(name, `/webhooks/${name}/:token`, BODY_LIMIT.plugin, find, handle);
    }
  });
}

/** Throws where nothing is known to be stored. */
async function outcomeOf(
  deps: ServerDeps,
  known: Admitted | undefined,
  request: FastifyRequest,
  limit: number,
  handle: Handler,
): Promise<Outcome> {
  if (!known) return { reason: "failed" };
  const { tenant, contentType } = known;
  const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const plain = decompressed(raw, request.headers, limit);
  if (typeof plain === "string") return { reason: plain };
  try {
    return await handle(tenant, request, { raw, plain, contentType });
  } catch (error) {
    const { code } = problemOf(error);
    const line = { err: error, id: request.id, account: tenant.account.id, code };
    deps.log.error(line, "webhook: not stored");
    throw error;
  }
}

async function deliver(
  deps: ServerDeps,
  channel: Channel,
  { account, settings }: Tenant,
  request: FastifyRequest,
  body: Body,
): Promise<Outcome> {
  const hmac = settings?.hmac;
  // A sender may sign before or after it compresses.
  const isSigned = (bytes: Buffer): boolean =>
    !hmac || verifySignature(request.headers, bytes, hmac);
  if (!isSigned(body.raw) && (body.plain === body.raw || !isSigned(body.plain)))
    return { reason: "signature" };
  const json = jsonOf(request, body);
  if (!json.ok) return { reason: json.reason };
  const now = deps.clock.now();
  // After the signature: a time that nobody signed would say nothing.
  if (hmac && !isTimely(request.headers, json.value, hmac, now))
    return { reason: "signature-too-old" };
  const hook = channel.hooks.find((name) => request.routeOptions.url?.endsWith(`/${name}`));
  const parsed = channel.parse({
    headers: request.headers,
    body: json.value,
    receivedAt: now,
    hook,
    filter: settings?.filter,
  });
  if (!parsed.ok) return { reason: "shape", detail: parsed.reason };
  for (const reason of parsed.ignored) deps.metrics.ignored.inc({ channel: channel.name, reason });
  for (const form of parsed.forms ?? []) deps.metrics.form(channel.name, form);
  await deps.ingest(account, channel.name, parsed.events);
  return "ok";
}

/** Bytes under a compression that is not known here are no JSON, which would tell nobody why. */
function jsonOf(
  { headers }: FastifyRequest,
  { plain, contentType }: Body,
): Extract<Guarded, { ok: true }> | { readonly ok: false; readonly reason: RefusalReason } {
  const json = parseGuarded(inUtf8(plain, contentType));
  return !json.ok && isCompressed(headers) ? { ok: false, reason: "compressed" } : json;
}

/** Webhooks of plugins are unsigned: the plugin checks what a body claims before it settles anything. */
async function told(
  take: Webhook,
  { account }: Tenant,
  request: FastifyRequest,
  body: Body,
): Promise<Outcome> {
  const json = jsonOf(request, body);
  if (!json.ok) return { reason: json.reason };
  if (typeof json.value !== "object" || json.value === null)
    return { reason: "shape", detail: "body is no object" };
  await take(account, json.value as JsonObject);
  return "ok";
}
