/**
 * A session as consoles show it. The view is made by whoever runs the flows (`deps.live`). Here it is kept from failing on
 * a session that cannot be read, because a console must show broken sessions, too.
 */
import { Session } from "../engine/index.ts";
import type { AccountRepository } from "../store/accounts.ts";
import { masked } from "./access/mask.ts";
import type { Json, JsonObject, Log } from "../base/index.ts";

export interface SessionLive {
  readonly contact: string;
  readonly account: string;
  readonly name?: string;
  readonly address?: string;
  readonly role: "customer" | "operator";
  readonly handoff?: Session["handoff"];
  readonly frames: readonly {
    readonly id: string;
    readonly flow: string;
    readonly title: string;
    readonly step: string;
    readonly hash: string;
    readonly summary: readonly {
      readonly slot: string;
      readonly label: string;
      readonly echo: string;
    }[];
    readonly timers: readonly { readonly name: string; readonly due: number }[];
  }[];
  readonly requests: readonly {
    readonly id: string;
    readonly flow: string;
    readonly code: string;
    readonly from?: string;
  }[];
  /** Mail that waits. */
  readonly queued: number;
}

/** Live view of a stored session; empty when it does not fit its schema or its flow fails over it. */
export function liveOf(
  stored: {
    readonly account: string;
    readonly contact: string;
    readonly session: unknown;
    readonly queued: number;
  },
  deps: {
    readonly live: (
      session: Session,
      about: { readonly zone: string; readonly now: number; readonly queued: number },
    ) => SessionLive;
    readonly clock: { now(): number };
    readonly log: Log;
  },
  zone: string,
): SessionLive {
  const { account, contact, queued } = stored;
  const parsed = Session.safeParse(stored.session);
  try {
    if (parsed.success) return deps.live(parsed.data, { zone, now: deps.clock.now(), queued });
  } catch (error) {
    deps.log.warn({ err: error, account, contact }, "a session cannot be shown");
  }
  return { account, contact, role: "customer", frames: [], requests: [], queued };
}

/** The live view, numbers hidden; against a sandbox the people are made up, so their addresses are shown. */
export function shown(
  live: SessionLive,
  { sandboxUrl }: { readonly sandboxUrl: string | null },
  revealed = false,
): JsonObject {
  const view = masked(live as unknown as Json, revealed) as JsonObject;
  return sandboxUrl !== null && live.address ? { ...view, address: live.address } : view;
}

const USUAL_ZONE = "America/Sao_Paulo";

/** Time zones by account, for the flows' own summaries. */
export async function zonesOf({
  accounts,
}: {
  readonly accounts: Pick<AccountRepository, "list">;
}): Promise<(account: string) => string> {
  const zones = new Map((await accounts.list()).map(({ id, zone }) => [id, zone]));
  return (account) => zones.get(account) ?? USUAL_ZONE;
}
