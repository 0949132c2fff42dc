/** The HTTP call of a bot's own effect: what is sent, and what its answer means. */
import { type LookupFunction, BlockList, isIP } from "node:net";
import { lookup } from "node:dns";
import type { Dispatcher } from "undici";
import type { Json, JsonObject } from "../../base/index.ts";
import { FIELD_NAME, type OwnEffect, SECRET_NAME } from "../../flow/index.ts";
import {
  type CallOutcome,
  codeIn,
  exchange,
  type ExchangeEnd,
  messageIn,
  parseBody,
  redactor,
  retryAfterMs,
} from "../../gateway/index.ts";
import { answered } from "./route-effect.ts";
import type { JudgedSpec } from "./spec.ts";

/** One attempt. */
interface OwnRequest {
  /** The effect's id, the same at each attempt. */
  readonly id: string;
  readonly account: { readonly id: string; readonly zone: string };
  readonly attempt: number;
  /** As `input` of the effect gave it. */
  readonly input: JsonObject;
  readonly bytes: Uint8Array;
  /** Asked right before the first byte. */
  readonly mayLeave: () => boolean;
}

/** How an effect is done: by HTTP, or by the author's function in a thread. */
export interface OwnCall {
  /** Why it cannot be called, in a sentence: a setting is missing, or its address is not allowed. */
  readonly problem?: string;
  /** What is sent; frozen before the first attempt where it must not be made twice. */
  bytes(input: JsonObject): Uint8Array;
  /** Never rejects. */
  call(request: OwnRequest): Promise<CallOutcome>;
}

export interface Own {
  readonly effect: OwnEffect;
  readonly call: OwnCall;
  /** The flow's view of a definite answer. Default: as for a gateway route. */
  readonly interpret?: JudgedSpec["interpret"];
}

/** A bot's own effects, by name. */
export type OwnEffects = ReadonlyMap<string, Own>;

/** How its end is judged and told to its flow. */
export function ownSpec({ effect: { name, class: kind }, interpret = answered }: Own): JudgedSpec {
  return { name, class: kind, interpret };
}

/** Largest answer that is read, bytes. */
const ANSWER_LIMIT_BYTES = 1_048_576;
/** Codes are names, texts are sentences. Characters. */
const CODE_LIMIT = 100;
const TEXT_LIMIT = 300;

/** The value of a setting `PROSA_SECRET_<name>`; undefined when it is not set. */
type Secrets = (name: string) => string | undefined;

/** Where calls leave: addresses written by authors of flows reach only the public network. */
interface OwnDispatchers {
  readonly open: Dispatcher;
  readonly guarded: Dispatcher;
}

/** An effect with `http`, ready to be called. */
export function httpCall(
  own: OwnEffect & { readonly http: NonNullable<OwnEffect["http"]> },
  secrets: Secrets,
  dispatchers: OwnDispatchers,
): OwnCall {
  const { method, url, headers, rejects, rejection } = own.http;
  const filled = (text: string): string =>
    text.replaceAll(SECRET_NAME, (_whole, name: string) => secrets(name) ?? "");
  const named = [url, ...Object.values(headers)].flatMap((text) =>
    [...text.matchAll(SECRET_NAME)].map(([, name = ""]) => name),
  );
  const isOperators = url.startsWith("$");
  const mask = redactor(named.map(secrets));
  const isBody = method !== "GET" && method !== "DELETE";
  const problem = problemOf(own, named, secrets);
  return {
    problem,
    bytes: (input) => Buffer.from(isBody ? JSON.stringify(unnamed(url, input)) : ""),
    async call({ id, input, bytes, mayLeave }): Promise<CallOutcome> {
      const started = performance.now();
      const target = targetOf(filled(url), input, isBody ? {} : unnamed(url, input));
      if (!target) return { kind: "not_sent", reason: "unsendable", ms: 0 };
      const end = await exchange(isOperators ? dispatchers.open : dispatchers.guarded, {
        origin: target.origin,
        path: `${target.pathname}${target.search}`,
        method,
        headers: {
          accept: "application/json",
          ...(bytes.byteLength > 0 ? { "content-type": "application/json" } : {}),
          ...Object.fromEntries(
            Object.entries(headers).map(([name, value]) => [name.toLowerCase(), filled(value)]),
          ),
          "idempotency-key": id,
        },
        body: bytes,
        totalMs: own.timeoutMs,
        limitBytes: ANSWER_LIMIT_BYTES,
        // A kept connection may be dying: its loss after the write could not be told from a call that took effect.
        fresh: own.class === "costly" || own.class === "destructive",
        mayLeave,
      });
      const ms = Math.round(performance.now() - started);
      return outcomeOf(end, { own, rejects, rejection, mask, ms });
    },
  };
}

function problemOf(
  { http: { url } }: { readonly http: NonNullable<OwnEffect["http"]> },
  named: readonly string[],
  secrets: Secrets,
): string | undefined {
  const missing = [...new Set(named)].filter((name) => secrets(name) === undefined);
  if (missing.length > 0)
    return `it needs ${missing.map((name) => `PROSA_SECRET_${name}`).join(" and ")}: set ${missing.length > 1 ? "them" : "it"} and start again.`;
  const target = targetOf(
    url.replaceAll(SECRET_NAME, (_whole, name: string) => secrets(name) ?? ""),
    {},
    {},
  );
  if (!target) return "its url, with its settings filled in, is no http or https address.";
  if (!url.startsWith("$") && isPrivateHost(target.hostname))
    return "its url is not public: an address inside your network comes from a setting, as $NAME.";
  return undefined;
}

/** The fields that are not part of the address. */
function unnamed(url: string, input: JsonObject): JsonObject {
  const named = new Set([...url.matchAll(FIELD_NAME)].map(([, name]) => name));
  return Object.fromEntries(Object.entries(input).filter(([name]) => !named.has(name)));
}

function targetOf(url: string, input: JsonObject, query: JsonObject): URL | undefined {
  const address = url.replaceAll(FIELD_NAME, (_whole, name: string) =>
    encodeURIComponent(plain(input[name])),
  );
  if (!URL.canParse(address)) return undefined;
  const target = new URL(address);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) target.searchParams.append(name, plain(value));
  return /^https?:$/.test(target.protocol) ? target : undefined;
}

function plain(value: Json | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? "");
}

interface Reading {
  readonly own: OwnEffect;
  readonly rejects: readonly number[];
  readonly rejection: { readonly code?: string; readonly text?: string };
  readonly mask: (text: string) => string;
  readonly ms: number;
}

function outcomeOf(end: ExchangeEnd, { own, rejects, rejection, mask, ms }: Reading): CallOutcome {
  if (end.kind !== "answer") return { ...end, ms };
  const { status, headers } = end;
  if (status >= 500) return { kind: "unknown", reason: "server_error", status, ms };
  const body = end.body.byteLength === 0 && status < 300 ? {} : parseBody(end);
  if (status < 300) {
    const read = own.output.safeParse(body);
    if (!read.success) return { kind: "unknown", reason: "unreadable", status, ms };
    return { kind: "ok", status, data: read.data, raw: read.data as Json, ms };
  }
  const code = wordAt(body, rejection.code) ?? (body === undefined ? undefined : codeIn(body));
  const text = wordAt(body, rejection.text) ?? (body === undefined ? undefined : messageIn(body));
  const message = mask(text ?? "").slice(0, TEXT_LIMIT);
  const named = mask(code ?? `status_${status}`).slice(0, CODE_LIMIT);
  if (rejects.includes(status)) return { kind: "business_error", status, message, code: named, ms };
  const header = headers["retry-after"];
  const wait = retryAfterMs(Array.isArray(header) ? header[0] : header, Date.now());
  return {
    kind: "refused",
    status,
    message,
    code: named,
    ms,
    retryAfterMs: wait,
  };
}

/** The text or number at `error.code` of a JSON body. */
function wordAt(body: Json | undefined, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  let at: unknown = body;
  for (const name of path.split("."))
    at = typeof at === "object" && at !== null ? (at as JsonObject)[name] : undefined;
  return typeof at === "string" || typeof at === "number" ? String(at) : undefined;
}

/** Loopback, private, link-local (with the metadata services of clouds), carrier-grade and multicast addresses. */
const PRIVATE = new BlockList();
for (const [net, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const)
  PRIVATE.addSubnet(net, prefix, "ipv4");
for (const [net, prefix] of [
  ["::", 127],
  ["64:ff9b::", 96],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const)
  PRIVATE.addSubnet(net, prefix, "ipv6");

export function isPrivateAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return PRIVATE.check(mapped, "ipv4");
  return PRIVATE.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return isIP(host) > 0 ? isPrivateAddress(host) : /(^|\.)localhost\.?$/i.test(host);
}

/** As `dns.lookup`, but a name that leads to a private address is refused. */
export const publicLookup: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return done(error, "", 0);
    const all = found.filter(({ address }) => !isPrivateAddress(address));
    const [first] = all;
    if (!first)
      return done(Object.assign(new Error("the host is not public"), { code: "ENOTFOUND" }), "", 0);
    if (options.all === true) return done(null, all);
    return done(null, first.address, first.family);
  });
};
