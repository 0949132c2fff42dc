/** What the runtime's own effects and its rounds over stored data work with, besides what plugins get. */
import type { Library } from "../../engine/index.ts";
import type { Budget } from "../alarms/budget.ts";
import type { Gaps } from "../backfill/gaps.ts";
import type { Context } from "./context.ts";
import type { Builds } from "../fleet/builds.ts";
import type { Plugged } from "./hooks.ts";
import type { Echoes } from "../outbox/sending/echoes.ts";
import type { Channels, Ingest } from "../ports.ts";

export interface RuntimeContext extends Context {
  readonly plugins?: readonly Plugged[];
  readonly library: Library;
  readonly channels: Channels;
  readonly echoes: Echoes;
  readonly gaps: Gaps;
  readonly budget: Budget;
  readonly builds: Pick<Builds, "othersCan">;
  /** Where events go that were pulled back. */
  readonly ingest?: Ingest;
}
