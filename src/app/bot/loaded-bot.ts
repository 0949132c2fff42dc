/** A bot as it was read: what its plugins and its own folder add to the runtime. */
import { accountModel, type AccountModel } from "../../engine/index.ts";
import {
  type CommonTexts,
  commonTextsOf,
  type EffectInfo,
  type Finding,
  type LibrarySource,
  type Locale,
  type OwnEffect,
} from "../../flow/index.ts";
import type { PanelCode } from "../../console/index.ts";
import { createEffects, type EffectTable } from "../../worker/index.ts";
import { commonTexts } from "../loading/catalogues.ts";
import { effectInfos } from "../authoring/effect-infos.ts";
import type { Plugin } from "./plugin.ts";

/** An effect with the file it was read from. */
export interface LoadedEffect {
  readonly effect: OwnEffect;
  readonly file: string;
  /** Of its JavaScript. */
  readonly url: string;
}

export interface LoadedBot {
  /** In the order in which they are asked. */
  readonly plugins: readonly Plugin[];
  /** What flows may name: kinds, rules, pipes and readers of plugins and of the bot's own, and what plugins add to the account. */
  readonly vocabulary: Pick<
    LibrarySource,
    "kinds" | "rules" | "pipes" | "events" | "readers" | "account"
  >;
  /** The runtime's, those of plugins, and the bot's own words over both. */
  readonly texts: Omit<CommonTexts, "findings">;
  /** Catalogues the bot has; all where it names none. */
  readonly languages?: readonly Locale[] | undefined;
  /** Effects of the bot's own. */
  readonly effects: readonly LoadedEffect[];
  /** Effects of the runtime and of plugins. */
  readonly table: EffectTable;
  /** The runtime's effects, those of plugins and the bot's, as the kit knows them. */
  readonly infos: readonly EffectInfo[];
  /** Of plugins, for the console. */
  readonly panels: readonly PanelCode[];
  /** Accounts with what plugins add to them. */
  readonly accountModel: AccountModel;
  readonly findings: readonly Finding[];
  /** Of all its code: two bots of one digest and one build are the same. */
  readonly digest: string;
}

/** Made once: what hangs on them is made anew where they are others. */
const ofNoBot: { texts?: LoadedBot["texts"]; infos?: LoadedBot["infos"] } = {};

/** A folder without config, effects and texts. */
export const NO_BOT: LoadedBot = {
  plugins: [],
  vocabulary: { readers: [], events: [] },
  effects: [],
  panels: [],
  findings: [],
  digest: "",
  table: createEffects(),
  get texts() {
    const runtime = { runtime: commonTexts(), added: [], own: {}, places: {} };
    return (ofNoBot.texts ??= commonTextsOf(runtime));
  },
  accountModel: accountModel([]),
  get infos() {
    return (ofNoBot.infos ??= effectInfos(NO_BOT.table));
  },
};
