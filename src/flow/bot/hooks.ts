/** What a bot or a plugin adds to the vocabulary of flows. */
import type { PluginTexts } from "./texts.ts";
import type { Pipe, SlotKind, VersionedRule } from "../vocabulary.ts";

export interface FlowHooks {
  /** Kinds of answers: `defineKind("plate", …)`, asked for by `slot.of("plate")`. */
  readonly kinds?: readonly SlotKind[];
  /** Rules of conditions: `defineRule("isHoliday", …)`, used as `rule("isHoliday", $.date)`. */
  readonly rules?: readonly Readonly<Record<string, VersionedRule>>[];
  /** Formatters of texts: `definePipe("dashed", …)`, used as `{{plate | dashed}}`. */
  readonly pipes?: readonly Readonly<Record<string, Pipe>>[];
  /** Common words: what is said beside flows, by key and language. */
  readonly texts?: PluginTexts;
}
