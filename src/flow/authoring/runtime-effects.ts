/** The runtime's own effects as TypeScript sees them in flows: `effects: RuntimeEffects` in a bot's `registry.d.ts`. */
import type { CallFailed, CallRefused } from "./registry.ts";

export interface RuntimeEffects {
  "privacy.overview": {
    class: "read";
    input: object;
    ends: {
      done: {
        name: string;
        phone: string;
        /** Turns of the conversation that are kept. */
        messages: number;
        chatDays: number;
        draftDays: number;
        fiscalYears: number;
      };
      rejected: CallRefused;
      failed: CallFailed;
    };
  };
  "privacy.export": {
    class: "read";
    input: object;
    ends: { done: object; rejected: CallRefused; failed: CallFailed };
  };
  "privacy.ready": {
    class: "read";
    input: object;
    ends: { done: object; rejected: CallRefused; failed: CallFailed };
  };
  "privacy.erase": {
    class: "replace";
    input: object;
    ends: { done: object; rejected: CallRefused; failed: CallFailed };
  };
  "credits.state": {
    class: "read";
    input: object;
    ends: {
      done: { state: "open" | "no_balance" | "other" };
      rejected: CallRefused;
      failed: CallFailed;
    };
  };
  "credits.resume": {
    class: "replace";
    input: object;
    ends: { done: object; rejected: CallRefused; failed: CallFailed };
  };
}
