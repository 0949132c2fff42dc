/** What a bot or a plugin adds to the vocabulary of flows. */
import type { PluginTexts } from "./texts.ts";
import type { EventInfo, Pipe, SlotKind, VersionedRule } from "../authoring/vocabulary.ts";

export interface FlowHooks {
  /** Kinds of answers: `defineKind("plate", …)`, asked for by `slot.of("plate")`. */
  readonly kinds?: readonly SlotKind[];
  /** Rules of conditions: `defineRule("isHoliday", …)`, used as `rule("isHoliday", $.date)`. */
  readonly rules?: readonly Readonly<Record<string, VersionedRule>>[];
  /** Formatters of texts: `definePipe("dashed", …)`, used as `{{plate | dashed}}`. */
  readonly pipes?: readonly Readonly<Record<string, Pipe>>[];
  /**
   * What a plugin itself tells conversations, as `f.wait` names it: `{ name: "parcel.ready", data: ["shelf"] }`. Events of the
   * world outside are declared in the bot's `events.yaml`.
   */
  readonly events?: readonly EventInfo[];
  /** Common words: what is said beside flows, by key and language. */
  readonly texts?: PluginTexts;
}
