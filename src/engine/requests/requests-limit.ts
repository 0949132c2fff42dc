/** Limits of one customer's requests to the business: open ones, and those of a day. */
import type { Account } from "../session/account.ts";
import type { Session } from "../session/session.ts";

const DAY_MS = 86_400_000;
/** Times that are remembered; the limit of a day is not above it. */
const REMEMBERED = 200;

/** A turn, as far as this is concerned. */
interface Asker {
  readonly session: Session;
  readonly env: {
    readonly account: Account;
    readonly role: "customer" | "operator";
    /** Virtual ms. */
    readonly now: number;
  };
}

/** Counts a request. */
export function countRequest({ session, env }: Asker): void {
  const since = env.now - DAY_MS;
  const recent = (session.asked ?? []).filter((at) => at > since);
  session.asked = [...recent, env.now].slice(-REMEMBERED);
}

/** Whether one more request would be within the account's limits. The business's own people have none. */
export function mayRequest({ session, env }: Asker): boolean {
  const { openRequests, requestsPerDay } = env.account.policy;
  if (env.role === "operator") return true;
  const open = session.frames.filter(({ invocations }) =>
    invocations.some(({ kind, class: of }) => kind === "notify" || of === "fiscal"),
  ).length;
  const since = env.now - DAY_MS;
  const today = (session.asked ?? []).filter((at) => at > since).length;
  return open < openRequests && today < requestsPerDay;
}
