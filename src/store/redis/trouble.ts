/** Why Redis cannot be used, as one sentence with what to do. It never holds an address, a user or a password. */
import { Fault } from "../../base/index.ts";

const RIGHTS = "~* &* +@all -@dangerous +info +config|get +cluster|nodes +bgrewriteaof";

const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [
    /^WRONGPASS|invalid password|invalid username-password/i,
    "Redis refuses the user or the password of REDIS_URL.",
  ],
  [/^NOAUTH|Authentication required/i, "Redis wants a password, and REDIS_URL holds none."],
  [
    /^NOPERM/i,
    `Redis' user lacks a right that is needed: ACL SETUSER <name> on ><password> ${RIGHTS}.`,
  ],
  [/^LOADING/i, "Redis is still reading its data from disk: start again once it answers PING."],
  [/^MASTERDOWN|^READONLY/i, "REDIS_URL leads to a replica: name the primary, or the Sentinels."],
  [
    /sentinels? (?:are|is) unreachable|no available redis sentinel/i,
    "No Sentinel of REDIS_URL answers, or none of them knows a primary of that name.",
  ],
  [/ENOTFOUND|EAI_AGAIN/, "The host of REDIS_URL is not known: check its name."],
  [/ECONNREFUSED/, "Nothing listens at the address of REDIS_URL."],
  [
    /ECONNRESET|EPROTO|ERR_SSL|ERR_TLS|CERT|self.signed|wrong version number|Protocol error/i,
    "The line to Redis breaks off at once: rediss:// is for a port with TLS, redis:// for one without; a certificate must be known to this machine.",
  ],
  [
    /cluster support disabled/i,
    "REDIS_URL lists several servers, which is a Cluster; this one is none.",
  ],
  [
    /ETIMEDOUT|timed? ?out|EHOSTUNREACH|ENETUNREACH/i,
    "Redis does not answer at the address of REDIS_URL.",
  ],
];

/** The Fault for a connection that could not be made. `words`: Redis' own, or those of the system. */
export function connectFault(words: string): Fault {
  const found = SENTENCES.find(([pattern]) => pattern.test(words));
  return new Fault("STORE_UNAVAILABLE", found?.[1] ?? "Redis cannot be reached under REDIS_URL.");
}

/** What the library and the system say of an error, with what lies inside it. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, lastNodeError, errors } = error as Error & {
    code?: string;
    lastNodeError?: unknown;
    errors?: readonly unknown[];
  };
  const inner = [lastNodeError, error.cause, ...(errors ?? [])].filter(Boolean).map(wordsOf);
  return [...inner, error.message, code ?? ""].join(" ").trim();
}
