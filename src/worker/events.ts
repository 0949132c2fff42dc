/** What the worker tells whoever listens: the console, metrics. */
import type { JournalRecord, Session } from "../engine/index.ts";
import type { Alarm } from "./alarms/alarms.ts";
import type { SessionLive } from "./session-view.ts";

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
