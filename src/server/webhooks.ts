/**
 * Webhooks: `POST /webhooks/:channel/:token[/:hook]` and `POST /webhooks/invoicing/:token`.
 *
 * Order: overload → token (before a byte of the body) → encoding → size → signature over the raw bytes → bounded JSON →
 * channel → store. 200 only after the events are durable. An unknown channel, hook or token and a switched-off channel
 * give one and the same 404. On our own trouble 503, never 4xx: the senders do not repeat after a 4xx.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { channels, isTimely, type Channel } from "../channels/index.ts";
import type { Account, ChannelName, ChannelSettings } from "../engine/index.ts";
import type { ServerDeps } from "./deps.ts";
import { createGate } from "./gate.ts";
import { parseGuarded } from "./json-guard.ts";
import { watchPressure } from "./pressure.ts";
import {
  BAD_SIGNATURE,
  ENCODED,
  MALFORMED,
  NOT_FOUND,
  OVERLOADED,
  problemOf,
  send,
  TOO_LARGE,
} from "./problem.ts";

/** Engines inline media as base64; a short message never needs more than a few lines. Bytes. */
export const BODY_LIMIT = { engine: 16 * 1024 * 1024, sms: 1024 * 1024 } as const;

/** Above these the process refuses what it has not accepted yet; work that was accepted goes on. */
const PRESSURE = { eventLoopDelayMs: 1_000, heapShare: 0.85 } as const;

type Tenant = { readonly account: Account; readonly settings?: ChannelSettings };
type Finder = (params: Record<string, string>) => Promise<Tenant | null>;
/** Answers 503, and lets whoever listens know. */
type Refuse = (request: FastifyRequest, reply: FastifyReply, error?: unknown) => FastifyReply;
type Handled = "ok" | "signature" | { readonly malformed: string };
type Handler = (tenant: Tenant, request: FastifyRequest) => Promise<Handled>;

/** Why a body was refused, where its bytes do not say it themselves. */
const REASONS: Readonly<Record<number, string>> = {
  400: "malformed",
  401: "signature",
  404: "unknown token",
  413: "too large",
  415: "compressed",
  503: "unavailable",
};
/** A refusal of one kind is written to the log this often at most, ms: a sender may repeat it many times a second. */
const TOLD_EVERY_MS = 60_000;

function rawOf(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

function isCompressed(request: FastifyRequest): boolean {
  const encoding = request.headers["content-encoding"];
  return encoding !== undefined && encoding.toLowerCase() !== "identity";
}

/** Registers every webhook in a scope of its own: raw bodies, overload protection, no rate limit by address. */
export async function webhookRoutes(app: FastifyInstance, deps: ServerDeps): Promise<void> {
  const gate = createGate(deps.limits?.gate);
  const tenants = new WeakMap<FastifyRequest, Tenant>();
  const reasons = new WeakMap<FastifyRequest, string>();
  const told = new Map<string, number>();
  const count = (channel: string, request: FastifyRequest, status: number): void => {
    const reason = reasons.get(request) ?? REASONS[status] ?? `status ${status}`;
    deps.metrics.refused.inc({ channel, reason });
    const kind = `${channel} ${reason}`;
    const now = Date.now();
    if (now - (told.get(kind) ?? -Infinity) < TOLD_EVERY_MS) return;
    told.set(kind, now);
    const account = tenants.get(request)?.account.id;
    const line = { id: request.id, channel, status, reason, ...(account ? { account } : {}) };
    // Whoever guesses at tokens fills no log.
    if (status === 404) deps.log.debug(line, "webhook: refused");
    else deps.log.warn(line, "webhook: refused");
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

    const route = (
      label: ChannelName | "invoicing",
      url: string,
      limit: number,
      find: Finder,
      handle: Handler,
    ): void => {
      const refuse: Refuse = (request, reply, error) => {
        const { token = "" } = request.params as Record<string, string>;
        if (label !== "invoicing") deps.refusals?.note(label, token, error);
        return send(reply, OVERLOADED);
      };
      scope.post(url, {
        bodyLimit: limit,
        config: { machine: true },
        // Also what the framework refuses by itself ends here.
        onResponse: (request, reply, done) => {
          if (reply.statusCode >= 400) count(label, request, reply.statusCode);
          done();
        },
        onRequest: async (request, reply) => {
          if (pressure.isHigh() || deps.isStopping?.()) return refuse(request, reply);
          const tenant = await findOr503(deps, find, request, reply, refuse);
          if (!tenant) return reply;
          tenants.set(request, tenant);
          // Senders write many things here; the token and the bytes decide.
          request.raw.headers["content-type"] = "application/json";
          if (isCompressed(request)) return send(reply, ENCODED);
          const stated = request.headers["content-length"];
          // Answered here and not by the body reader, which cuts the line: the sender would see no 413 but a reset.
          if (Number(stated) > limit) return send(reply, TOO_LARGE);
          const leave = gate.enter(stated === undefined ? undefined : Number(stated));
          if (!leave) return refuse(request, reply);
          reply.raw.once("close", leave);
          return undefined;
        },
        handler: async (request, reply) => {
          const stop = deps.metrics.ingest.startTimer({ channel: label });
          let trouble: unknown;
          const result = await outcomeOf(deps, tenants.get(request), request, handle, (error) => {
            trouble = error;
          });
          const outcome = typeof result === "string" ? result : "malformed";
          if (typeof result !== "string") reasons.set(request, result.malformed);
          deps.metrics.webhooks.inc({ channel: label, outcome });
          stop();
          if (outcome === "stored") return reply.code(200).send({ ok: true });
          if (outcome === "unavailable") return refuse(request, reply, trouble);
          return send(reply, outcome === "signature" ? BAD_SIGNATURE : MALFORMED);
        },
      });
    };

    for (const channel of Object.values(channels)) {
      const limit = channel.name === "sms" ? BODY_LIMIT.sms : BODY_LIMIT.engine;
      const find: Finder = ({ token }) => deps.accounts.byWebhookToken(channel.name, token ?? "");
      const handle: Handler = (tenant, request) => deliver(deps, channel, tenant, request);
      route(channel.name, `/webhooks/${channel.name}/:token`, limit, find, handle);
      for (const hook of channel.hooks)
        route(channel.name, `/webhooks/${channel.name}/:token/${hook}`, limit, find, handle);
    }
    const findIssuer: Finder = async ({ token }) => {
      const account = await deps.accounts.byInvoicingToken(token ?? "");
      return account && { account };
    };
    route(
      "invoicing",
      "/webhooks/invoicing/:token",
      BODY_LIMIT.sms,
      findIssuer,
      (tenant, request) => claimed(deps, tenant, request),
    );
  });
}

/** The tenant of a path token. Nobody: the one 404 has been sent; store trouble: 503 has been sent. */
async function findOr503(
  deps: ServerDeps,
  find: Finder,
  request: FastifyRequest,
  reply: FastifyReply,
  refuse: Refuse,
): Promise<Tenant | null> {
  try {
    const tenant = await find(request.params as Record<string, string>);
    if (!tenant) await send(reply, NOT_FOUND);
    return tenant;
  } catch (error) {
    deps.log.error({ err: error, id: request.id }, "webhook: the account cannot be looked up");
    await refuse(request, reply, error);
    return null;
  }
}

async function outcomeOf(
  deps: ServerDeps,
  tenant: Tenant | undefined,
  request: FastifyRequest,
  handle: Handler,
  failed: (error: unknown) => void,
): Promise<"stored" | "unavailable" | Exclude<Handled, "ok">> {
  if (!tenant) return "unavailable";
  try {
    const result = await handle(tenant, request);
    return result === "ok" ? "stored" : result;
  } catch (error) {
    failed(error);
    const { code } = problemOf(error);
    deps.log.error(
      { err: error, id: request.id, account: tenant.account.id, code },
      "webhook: not stored",
    );
    return "unavailable";
  }
}

async function deliver(
  deps: ServerDeps,
  channel: Channel,
  { account, settings }: Tenant,
  request: FastifyRequest,
): Promise<Handled> {
  const raw = rawOf(request);
  if (settings?.hmac && !channel.verify(request.headers, raw, settings.hmac)) return "signature";
  const json = parseGuarded(raw);
  if (!json.ok) return { malformed: json.reason };
  const now = deps.clock.now();
  // After the signature: a time that nobody signed would say nothing.
  if (settings?.hmac && !isTimely(request.headers, json.value, settings.hmac, now))
    return "signature";
  const hook = channel.hooks.find((name) => request.routeOptions.url?.endsWith(`/${name}`));
  const parsed = channel.parse({
    headers: request.headers,
    body: json.value,
    receivedAt: now,
    ...(hook ? { hook } : {}),
    ...(settings ? { filter: settings.filter } : {}),
  });
  if (!parsed.ok) return { malformed: parsed.reason };
  for (const reason of parsed.ignored) deps.metrics.ignored.inc({ channel: channel.name, reason });
  for (const form of parsed.forms ?? []) deps.metrics.form(channel.name, form);
  await deps.ingest(account, channel.name, parsed.events);
  return "ok";
}

/** The issuer's webhook is unsigned, so its body is a claim: the dependency checks it before anything is settled. */
async function claimed(
  deps: ServerDeps,
  { account }: Tenant,
  request: FastifyRequest,
): Promise<Handled> {
  const json = parseGuarded(rawOf(request));
  if (!json.ok) return { malformed: json.reason };
  if (typeof json.value !== "object" || json.value === null) return { malformed: "no object" };
  await deps.invoiceClaim(account, json.value);
  return "ok";
}
