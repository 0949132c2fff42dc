/**
 * A note that a flow submits by the bare route (`call("invoicing.nfseEnvio")`) instead of `invoice.issue`. The same sale may
 * still be asked for by two contacts, in either way: it claims the same business key, and keeps to the ceilings of a note and
 * of a day. The record among the invoices and the similar-note warning belong to `invoice.issue` alone. Nothing else knows of a
 * call whose outcome is unknown, so its claim has no end of its own: the time within which notes are alike runs from its end.
 */
import type { JsonObject } from "../../base/index.ts";
import type { Account } from "../../engine/index.ts";
import type { Begun, EffectView } from "../../store/port.ts";
import { type Counted, giveBack, withinDay } from "./ceiling.ts";
import type { Desk } from "../desk.ts";
import { effects, type EffectSpec, issueWord, rawNote } from "../effects/index.ts";
import type { Ending } from "../outbox/ending.ts";
import { entryOf } from "../outbox/entry.ts";

const ROUTE = "invoicing.nfseEnvio";
const HOUR_MS = 3_600_000;

export interface RawNote {
  readonly account: string;
  readonly key: string;
  readonly owner: string;
  readonly counted: Counted;
  /** How long a sale that was issued is taken for the same one, ms. */
  readonly window: number;
}

/** The claim of this call, or the answer to the flow when nothing may be sent; null for every other route. */
export async function claimRawNote(
  desk: Desk,
  begun: Begun,
  account: Account,
  call: { readonly spec: EffectSpec; readonly body: JsonObject },
): Promise<RawNote | { readonly refused: Ending } | null> {
  const { spec, body } = call;
  if (spec.route !== ROUTE) return null;
  const note = noteOf(desk, begun, account, body);
  const { key, owner, counted } = note;
  if (counted.cents > account.policy.ceiling) {
    // It may have been lowered since an attempt that did not leave.
    await desk.store.freeKey(account.id, key, owner);
    return { refused: refused(spec, "over_ceiling") };
  }
  const claimed = await desk.store.claimKey(account.id, key, owner);
  const lost =
    claimed.ok &&
    (await desk.invoices.unsettledOf(account.id, { businessKey: key, id: counted.id }));
  if (lost) await desk.store.freeKey(account.id, key, owner);
  if (!claimed.ok || lost) {
    await desk.daybook.note(account, "blocked", begun.id);
    return { refused: refused(spec, "blocked_duplicate") };
  }
  if (!(await withinDay(desk, account, counted))) {
    await desk.store.freeKey(account.id, key, owner);
    return { refused: refused(spec, "over_day") };
  }
  return note;
}

function noteOf(
  desk: Pick<Desk, "keys" | "invoices">,
  effect: Pick<Begun, "id" | "createdAt">,
  account: Account,
  body: JsonObject,
): RawNote {
  const { similarHours } = account.policy;
  const { cents, key } = rawNote(body, account, { effect: effect.id, similarHours });
  const issuer = account.issuers.find((one) => one.emitente_id === body["emitente_id"]);
  const counted: Counted = {
    ...{ id: desk.invoices.idOf(effect.id), account: account.id, cents },
    ...{ createdAt: effect.createdAt, issuer: { zone: issuer?.zone ?? account.zone } },
  };
  const window = Math.max(1, similarHours) * HOUR_MS;
  return { account: account.id, key: desk.keys.hash(key), owner: effect.id, counted, window };
}

/**
 * A person said how a held one ended: issued or given up, the same sale is another one only once the window is over; not issued,
 * it may be asked for again.
 */
export async function decidedRawNote(
  desk: Desk,
  effect: Pick<EffectView, "id" | "account" | "createdAt" | "payload">,
  ended: "done" | "failed",
): Promise<void> {
  const entry = entryOf(effect.payload);
  const body = entry.type === "call" && effects.get(entry.name)?.prepare(entry.input)?.body;
  const account = await desk.accounts.get(effect.account);
  if (entry.type !== "call" || entry.name !== ROUTE || !body || !account) return;
  const note = noteOf(desk, effect, account, body);
  if (ended === "done") await settle(desk, note);
  else await free(desk, note);
}

/** A note that stands settles its key, a definite no frees it; whatever is unclear keeps it until somebody says. */
export async function settleRawNote(desk: Desk, note: RawNote, ending: Ending): Promise<void> {
  const { kind } = ending.outcome;
  const rejected = ending.result?.out["status"] === "rejeitada";
  if (kind === "failed" || (kind === "done" && rejected)) await free(desk, note);
  else if (kind === "done") await settle(desk, note);
}

async function settle(desk: Desk, { account, key, owner, window }: RawNote): Promise<void> {
  await desk.store.settleKey(account, key, owner, window);
}

/** A no that comes after somebody said that the note stands frees nothing: it is theirs to look again. */
async function free(desk: Desk, { account, key, owner, counted }: RawNote): Promise<void> {
  if (await desk.store.freeKey(account, key, owner)) await giveBack(desk, counted);
}

function refused(
  spec: EffectSpec,
  code: "over_ceiling" | "over_day" | "blocked_duplicate",
): Ending {
  return {
    outcome: { kind: "failed" },
    result: spec.interpret({ kind: "rejected", message: issueWord(code, "pt-BR"), code }),
    note: { reason: code },
  };
}
