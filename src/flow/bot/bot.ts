/** What a bot is beside its flows: the default export of `config.ts` in its folder. A folder without it adds nothing. */
import type { Pipe, SlotKind, VersionedRule } from "../vocabulary.ts";

export interface Bot {
  /** Kinds of answers: `defineKind("plate", …)`, asked for by `slot.of("plate")`. */
  readonly kinds?: readonly SlotKind[];
  /** Rules of conditions: `defineRule("isHoliday", …)`, used as `rule("isHoliday", $.date)`. */
  readonly rules?: readonly Readonly<Record<string, VersionedRule>>[];
  /** Formatters of texts: `definePipe("dashed", …)`, used as `{{plate | dashed}}`. */
  readonly pipes?: readonly Readonly<Record<string, Pipe>>[];
}

/**
 * Describes a bot.
 *
 *     export default defineBot({ kinds: [plate], rules: [isHoliday], pipes: [dashed] });
 */
export function defineBot(bot: Bot): Bot {
  return bot;
}
