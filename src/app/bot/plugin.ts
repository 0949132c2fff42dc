/**
 * What a plugin is, and what a bot is beside its flows. Both are plain objects of hooks. Each hook is optional, and is described
 * where its type is defined, in the room that calls it.
 */
import type { JsonObject } from "../../base/index.ts";
import type { ConsoleHooks } from "../../console/index.ts";
import type {
  Account,
  AccountSection,
  CallEffect,
  CallResult,
  EngineHooks,
  Session,
} from "../../engine/index.ts";
import type { FlowHooks, Locale } from "../../flow/index.ts";
import type { ServerHooks } from "../../server/index.ts";
import type { Context, WorkerHooks } from "../../worker/index.ts";
import type { PluginCommand } from "../operator/command.ts";

/**
 * A business's part of the runtime. A plugin is written against `prosa/plugin` alone:
 *
 *     import type { Plugin } from "prosa/plugin";
 *     export function deliveries(): Plugin {
 *       return { name: "deliveries", kinds: [parcel], effects: [track], … };
 *     }
 *
 * Names of kinds, rules, pipes, effects, texts, routes and collections are unique over the runtime, all plugins and the bot.
 * Who claims a name that is taken is told so at the start, and is left out.
 */
export interface Plugin
  extends FlowHooks, EngineHooks, WorkerHooks, ServerHooks<Context>, ConsoleHooks {
  /** Lower case, 2 to 30 letters, digits and dashes: `deliveries`. Findings, routes and documents carry it. */
  readonly name: string;
  /** Its section of an account's settings. */
  readonly account?: AccountSection;
  /** Commands of the command line. */
  readonly commands?: readonly PluginCommand[];
  /** What chat files play of it. */
  readonly rehearsal?: Rehearsal;
}

/** The default export of `config.ts` in the bot's folder. A bot has the flow hooks of a plugin itself. */
export interface Bot extends FlowHooks, EngineHooks {
  /** In the order in which their readers are asked. */
  readonly plugins?: readonly Plugin[];
  /**
   * What the bot speaks: `["pt-BR"]`, `["en"]`, or both, which is the default. Texts of other languages are not looked at, and
   * people who write in them are answered in one that is named here. Where it is given, flows have texts in each.
   */
  readonly languages?: readonly Locale[];
}

/**
 * Describes a bot. A folder without `config.ts` is a bot without plugins.
 *
 *     export default defineBot({ plugins: [deliveries()], languages: ["pt-BR", "en"], kinds: [plate] });
 */
export function defineBot(bot: Bot): Bot {
  return bot;
}

/*
 * What chat files play of a plugin: its calls wait for a `*` line, and its documents lie in a store in memory.
 */

/** Where a plugin's part of a chat file happens. */
export interface Stage {
  /** The worker's, on a store in memory. */
  readonly context: Context;
  readonly account: Account;
  /** The contact of a speaker of the file, such as `ana`. */
  readonly contactOf: (speaker: string) => Promise<string>;
  /** 0, 1, 2 and so on: tells what is written in one file apart. */
  readonly serial: () => number;
}

/**
 * Every part is optional.
 *
 *     rehearsal: {
 *       headers: { parcel: (rest, stage) => parcelsOf(stage.context).keep(parcelIn(rest, stage.account)) },
 *       does: ["deliveries.track"],
 *     }
 *
 * With it `@parcel PX123456 out` stands above the first line of a chat file, and `deliveries.track` finds that parcel.
 */
export interface Rehearsal {
  /** Headers by name: what exists before the first line. One that means nothing throws a sentence, told with its place. */
  readonly headers?: Readonly<Record<string, (rest: string, stage: Stage) => Promise<void>>>;
  /** Local effects that are done on the documents. Every other effect waits for a `*` line. */
  readonly does?: readonly string[];
  /** What a call leaves in the documents that a `*` line ends as done. `now`: virtual ms. */
  readonly done?: (
    call: { readonly effect: CallEffect; readonly contact: string; readonly now: number },
    out: JsonObject,
    stage: Stage,
  ) => Promise<void>;
  /** What the flow gets of a gateway's no that a `!` line asks for; undefined: `{ code, text }`. */
  readonly refused?: (
    effect: string,
    no: { readonly code: string; readonly message: string },
    locale: Session["locale"],
  ) => CallResult | undefined;
}
