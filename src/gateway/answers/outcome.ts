/**
 * How a gateway call ended. Always a value: a call that went wrong is an expected thing, and what matters is whether it
 * may have taken effect.
 */
import type { Json } from "../../base/index.ts";
import type { Charges } from "../client/charges.ts";

/** Nothing of the request left this process, whatever the reason. */
export type NotSentReason =
  | "dns"
  | "connection_refused"
  | "connect_timeout"
  | "tls"
  | "unreachable"
  /** A token or the address holds what no HTTP request can carry: a line break pasted with it, for one. */
  | "unsendable"
  /** No connection came free within the call's time. */
  | "timeout"
  /** The caller's signal. */
  | "aborted"
  /** The caller's `mayLeave` said no. */
  | "too_late"
  /** The client was closed. */
  | "closed"
  /** The route needs a DeviceToken and the client has none. */
  | "no_device_token";

/** The request was written and its effect cannot be known from the answer. */
export type UnknownReason =
  "timeout" | "reset" | "server_error" | "unreadable" | "aborted" | "too_large";

export interface CallOk<T> extends Charges {
  readonly kind: "ok";
  readonly status: number;
  readonly data: T;
  /** The payload as it came, before the schema: for records that must outlive our idea of it. */
  readonly raw: Json;
  readonly message?: string;
  readonly ms: number;
}

/** What a refusal says somewhere in it. */
interface Hint {
  /** The thing may exist already (`error-words.ts`). */
  readonly duplicate?: true;
  /** The number is on no messenger (`exists: false`). */
  readonly absent?: true;
}

/** `message`s have tokens, documents and phone numbers masked. `ms`: duration of the call. */
export type CallOutcome<T = unknown> =
  | CallOk<T>
  /** Answered 2xx with `error: true`, or with a failed engine answer inside. */
  | ({
      readonly kind: "business_error";
      readonly message: string;
      readonly code?: string;
      /** Where the answer lists several: all of them, `code` first. */
      readonly codes?: readonly string[];
      readonly status: number;
      readonly ms: number;
    } & Charges &
      Hint)
  /** Answered 3xx or 4xx. */
  | ({
      readonly kind: "refused";
      readonly status: number;
      readonly message?: string;
      readonly code?: string;
      /** Where the answer lists several: all of them, `code` first. */
      readonly codes?: readonly string[];
      readonly retryAfterMs?: number;
      /** Its words did not arrive whole. */
      readonly garbled?: true;
      readonly ms: number;
    } & Charges &
      Hint)
  | { readonly kind: "not_sent"; readonly reason: NotSentReason; readonly ms: number }
  | {
      readonly kind: "unknown";
      readonly reason: UnknownReason;
      readonly status?: number;
      readonly ms: number;
    };

export type OutcomeKind = CallOutcome["kind"];

/** The id of a message that was just sent: echoes and acknowledgements name it. Undefined when the answer holds none. Takes the payload of any send. */
export function sentMessageId(payload: unknown): string | undefined {
  return (
    textAt(payload, ["key", "id"]) ??
    textAt(payload, ["data", "key", "id"]) ??
    textAt(payload, ["data", "Info", "ID"]) ??
    textAt(payload, ["Info", "ID"]) ??
    lastPart(textAt(payload, ["data", "id", "_serialized"]) ?? textAt(payload, ["data", "id"])) ??
    textAt(payload, ["messages", "0", "id"]) ??
    SHORT.map((path) => textAt(payload, path)).find((id) => id !== undefined)
  );
}

/** Where the id of a short message stands besides: its answers name it by each of these. */
const SHORT = [
  ["id"],
  ...["message_id", "sms_id", "messageId", "smsId"].flatMap((name) => [["data", name], [name]]),
];

/** Engine A writes `true_5511…@c.us_ID`: the message's own id is the last part. Any other id is whole. */
function lastPart(id: string | undefined): string | undefined {
  return id !== undefined && /^(?:true|false)_/.test(id) ? id.split("_").at(-1) : id;
}

function textAt(value: unknown, path: readonly string[]): string | undefined {
  let at: unknown = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null) return undefined;
    at = Object.hasOwn(at, key) ? (at as Record<string, unknown>)[key] : undefined;
  }
  if (typeof at === "number") return String(at);
  return typeof at === "string" && at !== "" ? at : undefined;
}
