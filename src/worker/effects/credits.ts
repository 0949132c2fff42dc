/**
 * What an operator may do from the phone when the balance is used up (402): see that calls billed in credits wait, and let
 * them go on after a top-up. No machine asks by itself, because an answer costs; any other pause is ended in the console.
 */
import { z } from "zod";
import { creditsScope } from "../outbox/entry.ts";
import { done, refused, type LocalSpec, type LocalWork } from "./spec.ts";

type State = "open" | "no_balance" | "other";

/** As the store has it now: another process may have paused or resumed it. */
async function stateOf({ context, account }: LocalWork): Promise<State> {
  const pause = (await context.store.scopes.pauses()).get(creditsScope(account.id));
  if (!pause) return "open";
  return pause.reason === "no_balance" ? "no_balance" : "other";
}

export const creditsState: LocalSpec = {
  name: "credits.state",
  class: "read",
  version: 1,
  input: z.object({}),
  result: ["state"],
  perform: async (work) => done({ state: await stateOf(work) }),
};

/** Waiting calls leave in their order; if the balance is still empty, the first one stops them again. */
export const creditsResume: LocalSpec = {
  name: "credits.resume",
  class: "replace",
  version: 1,
  input: z.object({}),
  result: [],
  async perform(work) {
    const { context, account } = work;
    const state = await stateOf(work);
    // Another reason may have come meanwhile: that one is ended in the console.
    if (state === "other") return refused("other_reason");
    if (state === "no_balance") await context.scopes.resume(creditsScope(account.id));
    return done({});
  },
};
