/**
 * A person's word about an effect that rests: how it ended, or that it is given up. Notes that have a record are decided by
 * that (`settle.ts`).
 */
import {
  type CallEntry,
  type CallResult,
  type EffectView,
  entryOf,
  UNREADABLE,
} from "../../../plugin.ts";
import type { InvoicingContext } from "../context.ts";
import { INVOICE_CANCEL } from "../effects/invoice-cancel.ts";
import { INVOICE_ISSUE } from "../effects/invoice-issue.ts";
import { decidedRegistration, ISSUER_REGISTER } from "../issuers/index.ts";
import { cancelDecided, decidedCancel, type EffectWord } from "./cancel/cancel-words.ts";
import { uncertain } from "./issue/answer.ts";
import { freeSale, holdSale, settleSale } from "./issue/sale.ts";
import { claimUnrecorded, closedUnrecorded, recordedAnew } from "./proof/unrecorded.ts";

export class EffectWords {
  readonly #context: InvoicingContext;

  constructor(context: InvoicingContext) {
    this.#context = context;
  }

  /** Whether a request for a note has a record; a lost one is written anew where that can be done, and people are told. */
  async isRecorded(effect: EffectView): Promise<boolean> {
    const { account, id } = effect;
    if (await this.#context.invoices.ofEffect(account, id)) return true;
    const call = callOf(effect);
    const anew = call && (await recordedAnew(this.#context, effect, call));
    if (!anew) return false;
    await uncertain(this.#context, anew, "record_missing");
    return true;
  }

  /**
   * Before the effect goes: what another record has to say of it is written first. Answers what the flow that waits is told;
   * null: another word stands there already; undefined: it is none of this plugin.
   */
  async before(
    effect: EffectView,
    word: EffectWord,
    reason: string,
  ): Promise<CallResult | null | undefined> {
    const call = callOf(effect);
    if (call?.name === INVOICE_CANCEL) {
      const stands = await decidedCancel(this.#context, effect, word);
      return stands ? cancelDecided(effect, word, reason) : null;
    }
    if (call?.name !== INVOICE_ISSUE) return undefined;
    const sale = await claimUnrecorded(this.#context, effect);
    // A process that dies before `after` leaves the sale to end with its window. One that dies before the effect went leaves
    // the effect held: `holdSale` takes that end back.
    if (sale)
      await this.#context.store.keys.free(sale.account, sale.businessKey, effect.id, sale.window);
    return closedUnrecorded(this.#context, effect, call, isUnsent(effect, word));
  }

  /** Of a held effect without a record: its sale stands until somebody decides. */
  async holdSale(effect: EffectView): Promise<void> {
    const sale = await claimUnrecorded(this.#context, effect);
    if (sale) await holdSale(this.#context, sale);
  }

  /** After it went: what was kept for it is free, or settled. */
  async after(effect: EffectView, word: EffectWord): Promise<void> {
    const call = callOf(effect);
    const sale = call?.name === INVOICE_ISSUE ? await claimUnrecorded(this.#context, effect) : null;
    if (sale && isUnsent(effect, word)) await freeSale(this.#context, sale);
    else if (sale) await settleSale(this.#context, sale);
    if (call?.name !== ISSUER_REGISTER) return;
    const of = { account: effect.account, effect: effect.id, input: call.input };
    // Given up, it may be asked for again: the gateway's list is looked at before anything is paid.
    await decidedRegistration(this.#context, of, word === "done" ? "done" : "failed");
  }
}

function callOf({ payload }: EffectView): CallEntry | null {
  const entry = entryOf(payload);
  return entry.type === "call" ? entry : null;
}

/** Whether a request for a note, closed by such a word, certainly became none. One that cannot be opened may have left. */
function isUnsent({ payload, reason }: EffectView, word: EffectWord): boolean {
  if (word === "failed") return true;
  return word === "discard" && reason !== UNREADABLE && entryOf(payload).work.frozen === undefined;
}
