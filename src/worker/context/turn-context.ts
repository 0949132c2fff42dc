/** What turns are made with; how their effects leave is in `CommitContext`. */
import type { AccountModel, Library } from "../../engine/index.ts";
import type { Store } from "../../store/port/port.ts";
import type { Alarms } from "../alarms/alarms.ts";
import type { VirtualClock } from "../clock.ts";
import type { WorkerEvent } from "../events.ts";
import type { Builds } from "../fleet/builds.ts";
import type { Listeners } from "./listeners.ts";
import type { AutomaticWords } from "../outbox/sending/automatic-words.ts";
import type { Accounts, Log } from "../ports.ts";

export interface TurnContext {
  readonly store: Store;
  readonly accounts: Accounts;
  readonly accountModel: AccountModel;
  readonly library: Library;
  readonly clock: VirtualClock;
  readonly log: Log;
  readonly alarms: Pick<Alarms, "raise">;
  readonly automatic: Pick<AutomaticWords, "tell">;
  readonly builds: Pick<Builds, "othersCan">;
  /** Events that cost work are made only while somebody listens. */
  readonly events: Pick<Listeners<WorkerEvent>, "tell" | "isEmpty">;
  readonly wake: (what: "turns" | "outbox") => void;
  readonly counted?: (metric: string, labels: Readonly<Record<string, string>>) => void;
}
