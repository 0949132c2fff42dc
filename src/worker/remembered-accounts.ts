/**
 * Accounts as the worker reads them at each turn and each send. They are remembered for a second, so a change is in force
 * within a second. An account that cannot be read is reported once until it can be read; each use tries again.
 */
import { Fault } from "../base/index.ts";
import type { Account } from "../engine/index.ts";
import type { Alarms } from "./alarms/alarms.ts";
import type { VirtualClock } from "./clock.ts";
import type { Accounts } from "./ports.ts";

const ACCOUNT_MS = 1_000;
/** Accounts remembered. */
const MOST = 1_000;

export function rememberedAccounts(
  { accounts, clock }: { readonly accounts: Accounts; readonly clock: Pick<VirtualClock, "real"> },
  alarms: Pick<Alarms, "raise">,
): Accounts {
  const known = new Map<string, { readonly found: Promise<Account | null>; readonly at: number }>();
  const told = new Set<string>();
  accounts.onChange?.(() => known.clear());

  async function read(id: string): Promise<Account | null> {
    try {
      const account = await accounts.get(id);
      told.delete(id);
      return account;
    } catch (error) {
      known.delete(id);
      if (isUnreadable(error) && !told.has(id)) {
        told.add(id);
        alarms.raise({
          code: "account.unreadable",
          account: id,
          subject: id,
          message: `The account ${id} cannot be read: its webhooks are refused (503), what it has waits, and nothing of it is watched. Put it anew, or bring it back from a copy of the store.`,
        });
      }
      throw error;
    }
  }

  return {
    ids: () => accounts.ids(),
    removed: async () => (await accounts.removed?.()) ?? [],
    ...(accounts.change
      ? {
          async change(id, change) {
            const changed = await accounts.change?.(id, change);
            known.delete(id);
            return changed ?? null;
          },
        }
      : {}),
    get(id) {
      const last = known.get(id);
      if (last && clock.real() - last.at < ACCOUNT_MS) return last.found;
      const found = read(id);
      if (known.size >= MOST) known.clear();
      known.set(id, { found, at: clock.real() });
      return found;
    },
  };
}

/** Whether the account itself cannot be read, and not the store: asking again does not help. */
export function isUnreadable(error: unknown): boolean {
  return Fault.is(error, "DATA_TAMPERED");
}
