/** What consoles see: events of the worker, and sessions as a person watches them. */
import type {
  Account,
  Frame,
  Library,
  ProgramContext,
  Session,
  JournalRecord,
} from "../engine/index.ts";
import type { Alarm } from "./alarms/alarms.ts";

/** Where a frame stands, what it holds, what waits. Documents come masked. */
export interface FrameLive {
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
}

export interface SessionLive {
  readonly contact: string;
  readonly account: string;
  readonly name?: string;
  readonly address?: string;
  readonly role: "customer" | "operator";
  readonly handoff?: Session["handoff"];
  readonly frames: readonly FrameLive[];
  readonly requests: readonly {
    readonly id: string;
    readonly flow: string;
    readonly code: string;
    readonly from?: string;
  }[];
  readonly queued: number;
}

/** `queued`: mail that waits. A frame whose flow is not loaded here is shown by its name alone. */
export function sessionLive(
  session: Session,
  options: { library: Library; account: Pick<Account, "zone">; now: number; queued?: number },
): SessionLive {
  const context: ProgramContext = {
    now: options.now,
    zone: options.account.zone,
    locale: session.locale,
    variant: 0,
  };
  const frame = (of: Frame): FrameLive => {
    const program = options.library.get(of.flow, of.hash) ?? options.library.get(of.flow);
    const pinned = program?.hash === of.hash ? program : undefined;
    return {
      id: of.id,
      flow: of.flow,
      title: program?.title ?? of.flow,
      step: pinned?.expects(of.state, context).step ?? "",
      hash: of.hash,
      summary:
        pinned
          ?.summary(of.state, context)
          .map(({ slot, label, echo }) => ({ slot, label, echo })) ?? [],
      timers: of.timers.map(({ name, due }) => ({ name, due })),
    };
  };
  return {
    contact: session.contact,
    account: session.account,
    role: session.role,
    frames: session.frames.map(frame),
    requests: session.requests.map((request) => ({
      id: request.id,
      flow: request.flow,
      code: request.caller?.code ?? "",
      from: request.caller?.from,
    })),
    queued: options.queued ?? 0,
    name: session.name,
    address: session.address,
    handoff: session.handoff,
  };
}

/** What the worker tells whoever listens: the console, metrics. */
export type WorkerEvent =
  | {
      readonly type: "turn";
      readonly account: string;
      readonly contact: string;
      readonly name?: string;
      readonly address?: string;
      readonly record: JournalRecord;
      readonly view: SessionLive;
      readonly session: Session;
    }
  | {
      readonly type: "call";
      readonly account: string;
      readonly contact?: string;
      /** Id of the gateway's route, or the name of an effect of the bot's own. */
      readonly route: string;
      readonly method: string;
      readonly path: string;
      readonly status?: number;
      readonly outcome: string;
      readonly ms: number;
      readonly attempt: number;
      readonly effect?: string;
    }
  | { readonly type: "clock"; readonly now: number }
  | { readonly type: "pause"; readonly scope: string; readonly reason: string }
  | { readonly type: "resume"; readonly scope: string }
  | ({ readonly type: "alarm" } & Alarm);
