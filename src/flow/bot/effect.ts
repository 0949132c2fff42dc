/**
 * An effect of a bot's own: a call of a service other than the gateway. It is one file in the bot's folder,
 * `effects/<name>.ts`, with the effect as its default export.
 */
import { z } from "zod";
import type { EffectClass } from "../../engine/index.ts";

/**
 * What happens when nobody knows whether a call took effect (time-out, connection lost, 5xx, an answer that cannot be read):
 *
 * | class | then |
 * |---|---|
 * | `read` | called again, at most 3 times; then `failed` |
 * | `replace` | called again with the same bytes, at most 2 times; then `failed`. For what may be done twice |
 * | `costly` | never called again by a machine: `held`, and a person decides |
 * | `destructive` | as `costly` |
 */
export type OwnEffectClass = Extract<EffectClass, "read" | "replace" | "costly" | "destructive">;
const CLASSES: readonly OwnEffectClass[] = ["read", "replace", "costly", "destructive"];

/** Time one call has, ms, unless the effect says otherwise. */
const TIMEOUT_MS = 20_000;
const TIMEOUT_LIMITS_MS = { min: 100, max: 60_000 } as const;

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Statuses by which a service says a definite no, unless the effect names its own. */
const REJECTS: readonly number[] = [400, 404, 409, 410, 422];

/** A definite no: the flow's branch `rejected` reads both. */
export interface Rejection {
  /** At most 100 characters. */
  readonly code: string;
  /** At most 300 characters. */
  readonly text: string;
}

/**
 * One HTTP call. JSON goes out and comes back; redirects are not followed; an answer has 1 MiB at most, and what a flow may
 * read of it 16 KiB. `Idempotency-Key` carries the effect's id, the same at each attempt.
 */
export interface OwnHttp {
  readonly method: (typeof METHODS)[number];
  /**
   * `$NAME` is the setting `PROSA_SECRET_NAME`, `{field}` a field of the input (encoded; not in the host). Fields that stand
   * in the address are not sent again. The others are the JSON body of POST, PUT and PATCH, and the query of GET and DELETE.
   *
   * An address that is written here must be public. One from a setting may be anywhere: the operator wrote it.
   */
  readonly url: string;
  /** `$NAME` as in the address: `{ authorization: "Bearer $SHOP_TOKEN" }`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses that are a definite no: 400, 404, 409, 410 and 422 by default. Every other 4xx is `failed`. */
  readonly rejects?: readonly number[];
  /**
   * Where the JSON of a no has its code and its words: `{ code: "fault.id", text: "fault.reason" }`. By default they are looked
   * for where services put them: `code`, `message`, `error`, `error.message`, `errors`.
   */
  readonly rejection?: { readonly code?: string; readonly text?: string };
}

/** What a `run` may ask for. */
export interface RunWork {
  /** The effect's id: the same at each attempt, so that a service can tell a repeat. */
  readonly id: string;
  readonly account: { readonly id: string; readonly zone: string };
  /** 1 for the first. */
  readonly attempt: number;
  /** Aborted when the time is up. The thread is ended a moment later. */
  readonly signal: AbortSignal;
  /** The setting `PROSA_SECRET_<name>`. Throws when it is not set. */
  secret(name: string): string;
  /** The definite no of a call: `return work.reject("sold_out", "No calabresa left")`. */
  reject(code: string, text: string): { readonly "~rejected": Rejection };
}

interface Shared<I extends z.ZodObject, O extends z.ZodObject> {
  readonly class: OwnEffectClass;
  /** Raised when the meaning of the input or of the output changes; 1 by default. Conversations pin the flows that used it. */
  readonly version?: number;
  /** What a flow gives. A slot of the same name is taken by itself. */
  readonly input: I;
  /** What a flow may read in the branch `done`. Other fields of the answer are left out. */
  readonly output: O;
  /** Time one call has, ms of real time: 100 to 60000, 20000 by default. */
  readonly timeoutMs?: number;
}

/** Either `http` or `run`. */
export type EffectDefinition<I extends z.ZodObject, O extends z.ZodObject> = Shared<I, O> &
  (
    | { readonly http: OwnHttp; readonly run?: undefined }
    | {
        readonly http?: undefined;
        /**
         * In a thread of its own: it may throw, hang or fill its heap (128 MiB), and the bot goes on. It is trusted code all the
         * same: files and signals of the process are within its reach. A throw, a time-out or an output that `output` refuses
         * ends the call as its class says; the log tells why, without the call's data.
         */
        readonly run: (
          input: z.output<I>,
          work: RunWork,
        ) => Promise<z.input<O> | { readonly "~rejected": Rejection }>;
      }
  );

/** An effect as the runtime keeps it. The type parameters are for the compiler alone: what flows give and read. */
export interface OwnEffect<
  N extends string = string,
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodObject = z.ZodObject,
  C extends OwnEffectClass = OwnEffectClass,
> {
  readonly name: N;
  readonly class: C;
  readonly version: number;
  readonly input: I;
  readonly output: O;
  readonly timeoutMs: number;
  readonly http?: Required<OwnHttp>;
  readonly run?: EffectDefinition<I, O>["run"];
}

/**
 * Defines an effect. Throws an `Error` whose sentence says what is wrong and what to do; the start tells it with its file.
 *
 *     export default effect("pizzeria.order", {
 *       class: "costly",
 *       input: z.object({ pizza: z.string(), address: z.string(), total: z.number() }),
 *       output: z.object({ number: z.string() }),
 *       http: {
 *         method: "POST",
 *         url: "$ORDERS_URL/orders",
 *         headers: { authorization: "Bearer $ORDERS_TOKEN" },
 *       },
 *     });
 */
export function effect<
  const N extends string,
  I extends z.ZodObject,
  O extends z.ZodObject,
  const C extends OwnEffectClass,
>(name: N, definition: EffectDefinition<I, O> & { readonly class: C }): OwnEffect<N, I, O, C> {
  const { class: kind, version = 1, input, output, timeoutMs = TIMEOUT_MS, http, run } = definition;
  const refuse = (what: string): never => {
    throw new Error(`The effect ${JSON.stringify(name)}: ${what}`);
  };
  if (!/^[a-z][a-z0-9-]*(\.[a-zA-Z0-9-]+)+$/.test(name) || name.length > 60)
    refuse('its name has two parts or more, as "pizzeria.order", and at most 60 characters.');
  if (!CLASSES.includes(kind)) refuse(`its class must be one of ${CLASSES.join(", ")}.`);
  if (!Number.isSafeInteger(version) || version < 1)
    refuse("its version is a whole number from 1.");
  if (!(input instanceof z.ZodObject) || !(output instanceof z.ZodObject))
    refuse("its input and its output are z.object({ … }).");
  const { min, max } = TIMEOUT_LIMITS_MS;
  if (!(timeoutMs >= min && timeoutMs <= max)) refuse(`timeoutMs is ${min} to ${max} ms.`);
  if ((http === undefined) === (run === undefined)) refuse("it has either `http` or `run`.");
  if (run !== undefined && typeof run !== "function") refuse("its run is a function.");
  const head = { name, class: kind, version, input, output, timeoutMs };
  if (http === undefined) return { ...head, run };
  const problem = problemOf(http, Object.keys(input.shape));
  if (problem !== undefined) refuse(problem);
  const { method, url, headers = {}, rejects = REJECTS, rejection = {} } = http;
  return { ...head, http: { method, url, headers, rejects, rejection } };
}

/** `$NAME` in an address or a header. */
export const SECRET_NAME = /\$([A-Z][A-Z0-9_]*)/g;
/** `{field}` in an address. */
export const FIELD_NAME = /\{([A-Za-z_][\w-]*)\}/g;

function problemOf(
  { method, url, headers = {}, rejects = [] }: OwnHttp,
  fields: readonly string[],
): string | undefined {
  if (!METHODS.includes(method)) return `its method must be one of ${METHODS.join(", ")}.`;
  const header = Object.entries(headers).find(([, value]) => typeof value !== "string");
  if (header) return `its header ${header[0]} is a text.`;
  const [, origin = "", rest = ""] = /^(https?:\/\/[^/?#]*|\$[A-Z][A-Z0-9_]*)(.*)$/.exec(url) ?? [];
  if (origin === "")
    return 'its url begins with https://, http://, or the name of a setting: "$ORDERS_URL/orders".';
  if (/[{}]/.test(origin) || /@/.test(origin))
    return "the host of its url is fixed: no field of the input and no password may stand in it.";
  const stray = [...rest.matchAll(FIELD_NAME)].find(([, name = ""]) => !fields.includes(name));
  if (stray)
    return `its url names ${stray[0]}, which is no field of its input (${fields.join(", ")}).`;
  if (rejects.some((status) => !(status >= 400 && status < 500)))
    return "`rejects` are statuses from 400 to 499: a 5xx leaves open whether it took effect.";
  return undefined;
}

/**
 * What flows know of effects, for a bot's `registry.d.ts`:
 *
 *     interface FlowRegistry { effects: EffectTypes<typeof order | typeof menu> }
 */
export type EffectTypes<E extends OwnEffect> = {
  [K in E as K["name"]]: {
    class: K["class"];
    input: z.input<K["input"]>;
    ends: {
      done: z.output<K["output"]>;
      rejected: Rejection;
      failed: Rejection & { readonly reason: string };
    };
  };
};
