/** Why Redis cannot be used, as one sentence with what to do. It never holds an address, a user or a password. */
import { Fault } from "../../../base/index.ts";

const RIGHTS = "~* &* +@all -@dangerous +info +config|get +cluster|nodes +bgrewriteaof";

export const NO_ANSWER = "Redis does not answer at the address of REDIS_URL.";

/** Causes that last until somebody changes something; they may show only with a later command. */
const RIGHT = /NOPERM/;
const NO_STORE = /unknown command/i;

const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [
    /sentinels?\b.*(?:NOAUTH|WRONGPASS|NOPERM)/is,
    "A Sentinel of REDIS_URL wants a password of its own; REDIS_URL can only hold that of Redis, so let the Sentinels ask for none.",
  ],
  [
    /^WRONGPASS|invalid password|invalid username-password/i,
    "Redis refuses the user or the password of REDIS_URL.",
  ],
  [/^NOAUTH|Authentication required/i, "Redis wants a password, and REDIS_URL holds none."],
  [RIGHT, `Redis' user lacks a right that is needed: ACL SETUSER <name> on ><password> ${RIGHTS}.`],
  [
    NO_STORE,
    "The server at REDIS_URL runs no scripts; Sentinels are named by redis+sentinel://host:port,…/NAME/0.",
  ],
  [
    /DB index is out of range/i,
    "The database that REDIS_URL names is not there: take a lower number, or raise databases.",
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
    "The line to Redis breaks off at once: rediss:// is for a port with TLS, redis:// for one without; the server's TLS identity must be known to this machine.",
  ],
  [
    /cluster support disabled/i,
    "REDIS_URL lists several servers, which is a Cluster; this one is none.",
  ],
  [/ETIMEDOUT|timed? ?out|EHOSTUNREACH|ENETUNREACH/i, NO_ANSWER],
];

/**
 * The cause as a sentence; undefined where the words do not tell it. A missing right is named where Redis names the
 * command.
 */
export function sentenceOf(error: unknown): string | undefined {
  const words = wordsOf(error);
  const sentence = SENTENCES.find(([pattern]) => pattern.test(words))?.[1];
  const command = RIGHT.test(words) ? /'([a-z|]{1,40})'/.exec(words)?.[1] : undefined;
  return command === undefined
    ? sentence
    : sentence?.replace("is needed", `is needed (${command})`);
}

/** Whether no repeat can help: the user has no right, or this is no Redis. */
export function isLasting(error: unknown): boolean {
  const words = wordsOf(error);
  return RIGHT.test(words) || NO_STORE.test(words);
}

/** The Fault for a Redis that cannot be used. */
export function connectFault(sentence: string | undefined): Fault {
  return new Fault("STORE_UNAVAILABLE", sentence ?? "Redis cannot be reached under REDIS_URL.");
}

/** The words of the library and the system about an error, with those of the errors inside it. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, lastNodeError, errors } = error as Error & {
    code?: string;
    lastNodeError?: unknown;
    errors?: readonly unknown[];
  };
  const inner = [lastNodeError, error.cause, ...(errors ?? [])].filter(Boolean).map(wordsOf);
  return [...inner, error.message, code ?? ""].join(" ").trim();
}
