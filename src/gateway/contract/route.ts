/**
 * What one route of the gateway is, and how a table of them is written down.
 *
 * A route is data: the client, the sandbox, the OpenAPI document and the tests are all made from it by loops. Adding a
 * route is adding one entry to a table of this folder; its doc comment is what a caller sees when hovering the client.
 */
import { z } from "zod";
import type { Json } from "../../base/index.ts";

/** How a call may be repeated, and what an unclear end of it means. The rules are in `../classify.ts`. */
export const CallClass = z.enum(["read", "message", "replace", "costly", "destructive", "fiscal"]);
export type CallClass = z.output<typeof CallClass>;

export type Method = "GET" | "POST" | "PUT" | "DELETE";
export type Auth = "bearer" | "bearer+device";
export type Billing = "credits" | "plan" | "none";
/** `channels`: sending by the other engines and SMS; not among the interface's 50 messaging routes. */
type Area = "messaging" | "invoicing" | "jobs" | "channels";

/**
 * Queue mode of a route. `yes`: the path takes a `/queue` suffix. `only`: this entry is such a path itself.
 * `refused`: the suffix exists and answers `queue_not_available`. `no`: there is none.
 */
export type Queue = "no" | "yes" | "only" | "refused";

/** Where the payload of an answer may sit, `top` being the body without the envelope's own keys. First present wins. */
export const Place = z.enum(["response.data", "response", "data", "top"]);
export type Place = z.output<typeof Place>;

/** Answers larger than this are given up: 8 MiB hold 10,000 chats of the largest listing. */
const RESPONSE_LIMIT_BYTES = 8 * 1024 * 1024;
/** Media comes back as Base64 in JSON: 16 MiB of media grow to 22, with room for the rest of the record. */
export const MEDIA_RESPONSE_LIMIT_BYTES = 32 * 1024 * 1024;

/** A body with nothing in it: no bytes are sent, though the content type says JSON as on every call. */
export const NoBody = z.strictObject({});
/** No field is known to be needed (†): what is given goes out unchanged, and nothing goes out as no bytes. */
export const OpenBody = z.record(z.string(), z.json());

/** One documented form of a route's body. `dagger`: its shape is not shown by the interface. */
export interface Variant<B extends z.ZodType = z.ZodType> {
  readonly body: B;
  readonly example: z.input<B>;
  readonly dagger: boolean;
  /** Where the shape comes from; null where the interface shows it. */
  readonly provenance: Provenance | null;
}
export type Variants = Readonly<Record<string, Variant>>;

/** One body form as the interface shows it. */
export function shown<B extends z.ZodType>(body: B, example: z.input<B>): Variant<B> {
  return { body, example, dagger: false, provenance: null };
}

/** One body form the interface leaves open (†): our best knowledge; a profile may change it. */
export function assumed<B extends z.ZodType>(
  body: B,
  example: z.input<B>,
  provenance: Provenance,
): Variant<B> {
  return { body, example, dagger: true, provenance };
}

export type Query = z.ZodObject | null;

export interface Route<
  V extends Variants = Variants,
  R extends z.ZodType = z.ZodType,
  Q extends Query = Query,
  U extends Queue = Queue,
> {
  readonly area: Area;
  readonly method: Method;
  /** From the base address on, with the neutral words as segments (`/msgengine/message/sendText`). */
  readonly path: string;
  /** The operation selector that is written into the body; only invoicing has one. */
  readonly tipo: string | null;
  readonly auth: Auth;
  readonly version: "v1" | "v2";
  /** Query parameters; null when there are none. */
  readonly query: Q;
  /** Marked (g): needs the query parameter `groupJid`. */
  readonly group: boolean;
  /** Never empty; `default` where the interface names no variants. */
  readonly variants: V;
  /** A call without any body is valid, and that is how it is sent. */
  readonly bodiless: boolean;
  /** Has the body flag `homolog`: answered from a fixed test base, without a charge. */
  readonly homolog: boolean;
  /** Payload of a success. Tolerant: unknown keys stay, a field of another type than expected is left out. */
  readonly response: R;
  /** `due`: an answer without a boolean `error` cannot be believed. `optional`: the payload may come bare. */
  readonly envelope: "due" | "optional";
  readonly payload: readonly Place[];
  readonly class: CallClass;
  /** Whether doing it twice leaves the same world. Matters for the class `destructive`. */
  readonly repeat: "harmless" | "harmful";
  readonly billing: Billing;
  /** BRL per call; null where the interface shows none. */
  readonly price: number | null;
  readonly queue: U;
  readonly beta: boolean;
  /** May change without notice. */
  readonly volatile: boolean;
  /** Some body form is not shown by the interface (†). */
  readonly dagger: boolean;
  /** Section and row of the interface. */
  readonly source: string;
  readonly maxResponseBytes: number;
  /** A body of the first variant, and a whole answer to it. */
  readonly example: { readonly body: Json; readonly response: Json };
}

/** A route with its name. */
export type Named<Id extends string, T> = T & { readonly id: Id };

/** Gives every entry of one controller its id, `<controller>.<key>`. */
export function controller<const C extends string, T extends Record<string, Route>>(
  name: C,
  routes: T,
): { readonly [K in keyof T]: Named<`${C}.${K & string}`, T[K]> } {
  const named: Record<string, unknown> = {};
  for (const [key, route] of Object.entries(routes))
    named[key] = { ...route, id: `${name}.${key}` };
  return named as { readonly [K in keyof T]: Named<`${C}.${K & string}`, T[K]> };
}

/** What differs from entry to entry; the rest follows from the area. */
export interface Draft<V extends Variants, R extends z.ZodType, Q extends Query, U extends Queue> {
  readonly method?: Method;
  readonly path: string;
  readonly variants: V;
  readonly response: R;
  /** An example of the payload alone; the area wraps it into its envelope. */
  readonly answer: Json;
  readonly class: CallClass;
  readonly query?: Q;
  readonly repeat?: "harmless" | "harmful";
  readonly queue?: U;
  readonly beta?: boolean;
  readonly volatile?: boolean;
  readonly maxResponseBytes?: number;
}

type AreaFacts = Pick<
  Route,
  "area" | "tipo" | "auth" | "version" | "group" | "envelope" | "payload" | "billing" | "price"
> & { readonly source: string; readonly response: Json };

/** An entry from its draft and what its area fixes. Area builders call it; tables do not. */
export function routeOfArea<
  V extends Variants,
  R extends z.ZodType,
  Q extends Query = null,
  U extends Queue = "no",
>(draft: Draft<V, R, Q, U>, facts: AreaFacts): Route<V, R, Q, U> {
  const { response, ...rest } = facts;
  const variants = Object.values(draft.variants);
  const first = variants[0];
  if (!first) throw new TypeError(`${draft.path}: a route has at least one variant`);
  return {
    ...rest,
    method: draft.method ?? "POST",
    path: draft.path,
    query: (draft.query ?? null) as Q,
    variants: draft.variants,
    bodiless: variants.every(({ body }) => body === NoBody || body === OpenBody),
    homolog: variants.every(({ body }) => body instanceof z.ZodObject && "homolog" in body.shape),
    response: draft.response,
    class: draft.class,
    repeat: draft.repeat ?? "harmful",
    queue: draft.queue ?? ("no" as U),
    beta: draft.beta ?? false,
    volatile: draft.volatile ?? false,
    dagger: variants.some((variant) => variant.dagger),
    maxResponseBytes: draft.maxResponseBytes ?? RESPONSE_LIMIT_BYTES,
    example: { body: first.example as Json, response },
  };
}

/** Kinds of source, the surest first. */
export const PROVENANCE_KINDS = {
  "engine-schema": "the engine's published request schema",
  "engine-guide": "the engine's published guide and the public clients written for it",
  callers: "bodies that public callers of the gateway send and see answered",
  analogy: "nothing is published; the shape follows a comparable service or the national standard",
} as const;
type ProvenanceKind = keyof typeof PROVENANCE_KINDS;

interface Provenance {
  readonly kind: ProvenanceKind;
  /** What exactly is taken from there, in one sentence. */
  readonly note: string;
  /** Fields of the gateway profile that change the shape for a deployment. */
  readonly profile: readonly string[];
}

function of(kind: ProvenanceKind) {
  return (note: string, ...profile: string[]): Provenance => ({ kind, note, profile });
}

/** `engineSchema("quoted.key.id names the message", "bodies")`. */
export const engineSchema = of("engine-schema");
export const engineGuide = of("engine-guide");
export const callers = of("callers");
export const analogy = of("analogy");
