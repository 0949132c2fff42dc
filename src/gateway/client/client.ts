/** The typed client: every route of the contract as a method, `gateway.message.sendText({…})`. */
import type { Dispatcher } from "undici";
import { Fault } from "../../base/index.ts";
import { chargesOf } from "./charges.ts";
import { Enqueued } from "../contract/shapes.ts";
import { contract, routeOf, type AnyRoute, type RouteId } from "../contract/table.ts";
import { createDispatcher, exchange, type ExchangeEnd, type ExchangeRequest } from "./exchange.ts";
import { readAnswer, type Answer } from "../answers/envelope.ts";
import type { CallByIdOptions, CallOptions, Gateway, GatewayOptions } from "../gateway.ts";
import type { CallOutcome } from "../answers/outcome.ts";
import { payloadPlaces, type GatewayProfile } from "../profile.ts";
import { redactor, secretsIn } from "../redact.ts";
import { inTestMode, bodyBytes, checkedBody, filtersInQuery, targetOf } from "../wire.ts";

const DEFAULT_TIMEOUT_MS = 20_000;
const DEFAULT_FISCAL_TIMEOUT_MS = 60_000;

/** A client for one account. Throws `SETTING_INVALID` for an address that is none. */
export function createGateway(options: GatewayOptions): Gateway {
  const caller = new Caller(options);
  const byId = (id: RouteId, body?: unknown, given?: CallByIdOptions) =>
    caller.call(routeOf(id), body, given ?? {});
  const controllers: Record<string, unknown> = {};
  for (const [name, routes] of Object.entries(contract)) {
    const methods: Record<string, unknown> =
      name === "call" ? (byId as object as typeof methods) : {};
    for (const [key, entry] of Object.entries(routes))
      methods[key] = routeMethod(caller, entry as AnyRoute);
    controllers[name] = methods;
  }
  return {
    ...controllers,
    exactBytes: (id: RouteId, body?: unknown, variant?: string) =>
      caller.exactBytes(routeOf(id), body, variant),
    close: () => caller.close(),
  } as Gateway;
}

function routeMethod(caller: Caller, route: AnyRoute) {
  const method = (body?: unknown, given?: CallByIdOptions) => caller.call(route, body, given ?? {});
  if (route.queue !== "yes" && route.queue !== "refused") return method;
  const queue = (body?: unknown, given?: CallByIdOptions) =>
    caller.call(route, body, { ...given, queue: true });
  return Object.assign(method, { queue });
}

class Caller {
  readonly #options: GatewayOptions;
  readonly #origin: string;
  readonly #prefix: string;
  readonly #profile: GatewayProfile;
  readonly #dispatcher: Dispatcher;
  readonly #phases: Pick<ExchangeRequest, "headersMs" | "bodyIdleMs">;
  readonly #mask: (text: string) => string;
  readonly #headers: Readonly<Record<string, string>>;
  /** With the DeviceToken, which invoicing and jobs are never sent; absent where the account has none. */
  readonly #deviceHeaders: Readonly<Record<string, string>> | undefined;

  constructor(options: GatewayOptions) {
    const url = URL.canParse(options.baseUrl) ? new URL(options.baseUrl) : null;
    if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username)
      throw new Fault("SETTING_INVALID", "The gateway's address is no plain http(s) address.");
    this.#options = options;
    this.#origin = url.origin;
    this.#prefix = url.pathname.replace(/\/+$/, "");
    this.#profile = options.profile ?? {};
    const { connectMs, headersMs, bodyIdleMs } = options.phases ?? {};
    this.#dispatcher = options.dispatcher ?? createDispatcher({ connectTimeoutMs: connectMs });
    this.#phases = { headersMs, bodyIdleMs };
    this.#mask = redactor([options.token, options.deviceToken]);
    this.#headers = {
      accept: "application/json",
      "content-type": "application/json",
      authorization: `Bearer ${options.token}`,
    };
    this.#deviceHeaders = options.deviceToken
      ? { ...this.#headers, DeviceToken: options.deviceToken }
      : undefined;
  }

  exactBytes(route: AnyRoute, body: unknown, variant: string | undefined): Uint8Array {
    const whole = inTestMode(route, body, this.#options.homolog, undefined);
    return bodyBytes(route, checkedBody(route, whole, variant), this.#profile);
  }

  async close(): Promise<void> {
    if (!this.#options.dispatcher) await this.#dispatcher.close();
  }

  async call(route: AnyRoute, body: unknown, given: CallByIdOptions): Promise<CallOutcome<never>> {
    const started = performance.now();
    const queued = given.queue === true && route.queue !== "only";
    const frozen = given.frozenBytes !== undefined && !filtersInQuery(route, this.#profile);
    const whole = inTestMode(route, body, this.#options.homolog, given.homolog);
    const checked = frozen ? {} : checkedBody(route, whole, given.variant);
    const bytes = given.frozenBytes ?? bodyBytes(route, checked, this.#profile);
    const { path, search } = targetOf(route, checked, {
      profile: this.#profile,
      queued,
      words: this.#options.routeWords,
      query: given.query,
    });
    const end = await this.#send(route, `${this.#prefix}${path}${search}`, bytes, given);
    const ms = Math.round(performance.now() - started);
    if (end.kind === "answer") show(end, given.onAnswer);
    const outcome =
      end.kind === "answer"
        ? readAnswer(end, {
            schema: queued ? Enqueued : route.response,
            envelope: queued ? "optional" : route.envelope,
            places: payloadPlaces(route, this.#profile),
            redact: this.#redactor(route, bytes),
            ms,
            now: Date.now(),
          })
        : { ...end, ms };
    this.#tell(route, path, queued, outcome);
    return outcome as CallOutcome<never>;
  }

  async #send(
    route: AnyRoute,
    path: string,
    body: Uint8Array,
    { signal, mayLeave }: CallOptions,
  ): Promise<ExchangeEnd> {
    const headers = route.auth === "bearer" ? this.#headers : this.#deviceHeaders;
    if (!headers) return { kind: "not_sent", reason: "no_device_token" };
    const { timeoutMs = DEFAULT_TIMEOUT_MS, fiscalTimeoutMs = DEFAULT_FISCAL_TIMEOUT_MS } =
      this.#options;
    return exchange(this.#dispatcher, {
      origin: this.#origin,
      path,
      method: route.method,
      headers,
      body,
      totalMs: route.area === "invoicing" ? fiscalTimeoutMs : timeoutMs,
      ...this.#phases,
      limitBytes: route.maxResponseBytes,
      fresh: route.class === "fiscal" || route.class === "costly",
      signal,
      mayLeave,
    });
  }

  #redactor(route: AnyRoute, bytes: Uint8Array): (text: string) => string {
    if (route.id !== "invoicing.certificadoUpload") return this.#mask;
    const { token, deviceToken } = this.#options;
    return redactor([token, deviceToken, ...secretsIn(bytes)]);
  }

  #tell(route: AnyRoute, path: string, queued: boolean, outcome: CallOutcome): void {
    try {
      this.#options.onCall?.({
        routeId: route.id,
        method: route.method,
        path,
        class: route.class,
        queued: queued || route.queue === "only",
        kind: outcome.kind,
        status: "status" in outcome ? outcome.status : undefined,
        reason: "reason" in outcome ? outcome.reason : undefined,
        ...(outcome.kind === "not_sent" || outcome.kind === "unknown" ? {} : chargesOf(outcome)),
        ms: outcome.ms,
      });
    } catch {
      // An observer that throws must not make a call that was sent look like one that was not.
    }
  }
}

function show(answer: Answer, observer: CallOptions["onAnswer"]): void {
  try {
    observer?.(answer);
  } catch {
    // As with `onCall`: what was sent was sent.
  }
}
