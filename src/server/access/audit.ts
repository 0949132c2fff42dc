/**
 * Who changed or revealed what, and why: one document for each deed, newest first, never changed except for its outcome.
 * The row is written before the deed, so that no change is without one. It holds ids and reasons, never payloads.
 */
import type { JsonObject } from "../../base/index.ts";
import type { Store } from "../../store/port/port.ts";

const AUDIT = "audit";
/** Ids sort by age, newest first: this minus the time, in 15 digits, lasts until the year 5138. */
const END_OF_TIME = 99_999_999_999_999;

export interface Deed {
  readonly actor: string;
  /** `accounts.put`, `sessions.reveal`, … */
  readonly action: string;
  /** Ids of what it was done to. */
  readonly target: string;
  readonly reason?: string;
}

export interface Audit {
  begin(deed: Deed): Promise<(outcome: "done" | "refused" | "failed") => Promise<void>>;
  list(limit: number): Promise<readonly JsonObject[]>;
}

export function createAudit(store: Store, now: () => number, newId: () => string): Audit {
  return {
    async begin(deed) {
      const at = now();
      const id = `${String(END_OF_TIME - at).padStart(15, "0")}-${newId()}`;
      const row = { at, ...deed };
      await store.documents.put(AUDIT, id, { ...row, outcome: "begun" });
      return async (outcome) => {
        await store.documents.put(AUDIT, id, { ...row, outcome });
      };
    },
    async list(limit) {
      const page = await store.documents.list(AUDIT, { limit });
      return page.items.map(({ id, value }) => ({ id, ...value }));
    },
  };
}
