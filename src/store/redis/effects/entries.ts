/** Mail and effects as the scripts are given them and give them back. */
import { openMail, tickMail, turnOf } from "../../sealing/contact-keys.ts";
import { BORN_IN_FLIGHT } from "../../limits.ts";
import { associatedData, type Names } from "../../names.ts";
import type { ContactId, MailItem, NewEffect, SendEnd } from "../../port/port.ts";
import type { DataKey } from "../../sealing/seal.ts";

export function mailOf(key: DataKey, contact: ContactId, entry: string): MailItem {
  const [seq = "", at = "", event = "", sealed = ""] = entry.split("|");
  const opened =
    event === "tick" ? tickMail(Number(sealed)) : openMail(key, contact, event, sealed);
  return { seq: Number(seq), ...opened, acceptedAt: Number(at) };
}

/** What `commit` is given of one effect; `sealed`: its payload, or `''` where the last line of the journal has it. */
export function effectValues(
  names: Names,
  contact: ContactId,
  effect: NewEffect,
  sealed: string,
): (string | number)[] {
  const turn = turnOf(effect.payload);
  const begins = effect.begin && BORN_IN_FLIGHT.has(effect.class);
  return [
    effect.id,
    effect.class,
    effect.scope,
    effect.ordered ? 1 : 0,
    effect.notBefore ?? 0,
    sealed,
    turn === undefined ? "" : names.turn(contact, turn),
    begins ? effect.begin.leaseMs : "",
  ];
}

interface BeginCall {
  /** No more effects than this; 0 looks only. */
  readonly limit: number;
  readonly leaseMs: number;
  readonly offsetMs: number;
  readonly token: string;
  readonly paused: readonly string[];
  /** Only these classes; absent: all. */
  readonly classes?: readonly string[] | undefined;
  /** See `Guard.values`. */
  readonly guard: readonly (string | number)[];
  /** Only these scopes, and at most this many of each; absent: all. */
  readonly shares?: ReadonlyMap<string, number> | undefined;
}

/** What `begin` is given, to begin effects or to look at the server alone. */
export function beginValues(call: BeginCall): (string | number)[] {
  const { paused, classes, shares } = call;
  return [
    call.limit,
    call.leaseMs,
    call.offsetMs,
    call.token,
    paused.length,
    ...paused,
    ...(classes ? [classes.length, ...classes] : [-1]),
    ...call.guard,
    ...(shares ? [shares.size, ...[...shares].flat()] : [-1]),
  ];
}

/** What `end` is given of an outcome: its kind, and what belongs to it. */
export function outcomeValues(key: DataKey, { id, outcome }: SendEnd): [string, string | number] {
  switch (outcome.kind) {
    case "retry":
    case "not_sent":
      return [outcome.kind, outcome.at];
    case "held":
      return [
        outcome.inPlace === true ? "in-place" : "held",
        key.sealText(associatedData.why(id), outcome.reason),
      ];
    case "enqueued":
      return [outcome.kind, outcome.job];
    default:
      return [outcome.kind, ""];
  }
}
