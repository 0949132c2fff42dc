/** What an effect of the house does while the gateway's fiscal side is paused: it waits, or says that there is no balance. */
import { creditsScope, type Ending, type LocalWork } from "../../../plugin.ts";

/** The next look is after this, virtual ms. */
const PAUSED_MS = 30_000;

/** Undefined while nothing is paused. A top-up may take days, and a person who asked is not left waiting for it. */
export function whilePaused({ context, account }: LocalWork): Ending | undefined {
  const scope = creditsScope(account.id);
  if (!context.scopes.isPaused(scope)) return undefined;
  if (context.scopes.reasonOf(scope) !== "no_balance")
    return { outcome: { kind: "not_sent", at: context.clock.now() + PAUSED_MS } };
  const reason = "no_balance";
  return {
    outcome: { kind: "failed" },
    result: { outcome: "failed", out: { reason, text: "" } },
    line: { reason },
  };
}
