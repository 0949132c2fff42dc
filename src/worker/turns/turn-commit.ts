/**
 * A turn as the store takes it: what it asks for becomes effects, each with its place in the order; what may leave at once
 * is begun in the same step.
 */
import { type Account, keptRecord, type Mail } from "../../engine/index.ts";
import type { TurnResult } from "../../engine/turn/run.ts";
import type { Claimed, Commit, NewEffect } from "../../store/port/port.ts";
import type { SendContext } from "../context/contexts.ts";
import { SHORT_LEASE_MS } from "../fleet/effect-lease.ts";
import { isUnasked } from "../outbox/pacing/pacing.ts";
import { scopeOf } from "../effects/table.ts";
import { lookedAt, payloadOf, type Work } from "../outbox/entry.ts";

/** Mail that makes the bot write to a person who neither wrote nor waits for an answer. */
const OF_OUR_OWN: ReadonlySet<Mail["kind"]> = new Set([
  "tick",
  "timer",
  "notice",
  "request",
  "remind",
  "withdrawn",
]);

/** What decides how the effects of a turn leave. */
export type CommitContext = Pick<SendContext, "clock" | "scopes" | "pacing" | "effects">;

interface MailHead {
  readonly kind?: Mail["kind"];
  readonly fiscal?: boolean;
  readonly unasked?: boolean;
}

/** `hasRoom`: whether this process can take more effects in hand. */
export function commitOf(
  context: CommitContext,
  claimed: Claimed,
  turn: { readonly account: Account; readonly result: TurnResult; readonly hasRoom: boolean },
): Commit {
  const { account, result, hasRoom } = turn;
  const { scopes, pacing, effects: known } = context;
  const at = context.clock.now();
  const mails = new Map(claimed.mail.map(({ event, mail }) => [event, mail as MailHead] as const));
  let spoken = false;
  const effects = result.effects.map((effect): NewEffect => {
    const first = effect.type === "send" && !spoken;
    if (effect.type === "send") spoken = true;
    const scope = scopeOf(effect, account.id, known);
    const { kind, fiscal, ...head } =
      (effect.type === "send" ? mails.get(effect.turn) : undefined) ?? {};
    const isResult = kind === "result" || (kind === "notice" && fiscal === true);
    const ofOurOwn = head.unasked === true || (kind !== undefined && OF_OUR_OWN.has(kind));
    const unasked =
      effect.type === "send" &&
      !effect.byHuman &&
      !isResult &&
      ofOurOwn &&
      isUnasked(result.session, at);
    const fused =
      ((first && !unasked) || (effect.type === "call" && effect.class === "read")) &&
      hasRoom &&
      !scopes.isPaused(scope) &&
      (effect.type !== "send" || pacing.admits(account, scope));
    const notBefore =
      fused || effect.type !== "send" ? undefined : pacing.placeOf(account, scope, { at, unasked });
    const work: Work = {
      at,
      result: isResult || undefined,
      unasked: unasked || undefined,
      slot: unasked ? (notBefore ?? at) : undefined,
    };
    return {
      id: effect.id,
      class: effect.class,
      scope,
      ordered: effect.type === "send",
      payload: payloadOf({ ...effect, work }),
      notBefore: notBefore === undefined ? undefined : lookedAt(notBefore, at),
      begin: fused ? { leaseMs: SHORT_LEASE_MS } : undefined,
    };
  });
  return {
    account: claimed.account,
    contact: claimed.contact,
    epoch: claimed.epoch,
    rev: claimed.rev,
    applied: result.applied,
    session: result.session,
    effects,
    due: result.due,
    journal: result.journal.map((record, at) =>
      // The store keeps payloads with the last line. Of an effect with a secret the journal has another form.
      keptRecord(record, at === result.journal.length - 1 ? new Set(result.effects) : undefined),
    ),
  };
}
