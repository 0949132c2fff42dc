/** The calls that file a note or its cancellation, each with its own road around the one request (`issue.ts`, `cancel.ts`). */
import type { EffectSpec } from "../../../plugin.ts";
import { deskOf } from "../desk.ts";
import { invoiceCancel } from "../effects/invoice-cancel.ts";
import { invoiceIssue } from "../effects/invoice-issue.ts";
import { servicesOf } from "../services.ts";
import { lostCancel, performCancel } from "./cancel/cancel.ts";
import { isStuck, lostIssue, performIssue } from "./issue/issue.ts";
import { rawNoteRoute } from "./issue/raw-note.ts";
import { restsUnrecorded } from "./proof/unrecorded.ts";

const issue: EffectSpec = {
  ...invoiceIssue,
  perform: (desk, { begun, entry, account }) => performIssue(deskOf(desk), begun, entry, account),
  lost: (desk, { begun, entry }) => lostIssue(deskOf(desk), begun, entry),
  unhandled: (desk, effect, mayHaveLeft) => restsUnrecorded(deskOf(desk), effect, mayHaveLeft),
  repair: (desk, effect) => servicesOf(desk).settling.repair(effect),
  isToldElsewhere: (desk, effect) => isStuck(deskOf(desk), effect),
  goesAgain: "all",
};

const cancel: EffectSpec = {
  ...invoiceCancel,
  perform: (desk, { begun, entry, account, send }) =>
    performCancel(deskOf(desk), begun, entry, account, send),
  lost: async (desk, { begun, entry, judge }) =>
    lostCancel(deskOf(desk), begun, entry, await judge()),
  unhandled: async (_desk, _effect, mayHaveLeft) => ({
    outcome: "held",
    out: { code: mayHaveLeft ? "" : "waiting", text: "" },
  }),
  repair: (desk, effect) => servicesOf(desk).settling.repair(effect),
  // Asked for twice it is answered as what it is by then.
  goesAgain: "messages",
};

export const calls: readonly EffectSpec[] = [issue, cancel, rawNoteRoute];
