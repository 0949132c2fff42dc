/**
 * Reads what a bot's folder adds to the runtime beside flows: `config.ts` and `effects/*.ts`. They are code of the bot, loaded
 * once, at the start. What is wrong with one file leaves that file out and is told with its place.
 */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { commonTextsOf } from "../../flow/index.ts";
import { catalogues, commonTexts } from "../loading/catalogues.ts";
import { effectInfos, ownInfo } from "../authoring/effect-infos.ts";
import type { Kept } from "../loading/kept.ts";
import { shown } from "../places.ts";
import { BotReader } from "./bot-reader.ts";
import { type LoadedBot, type LoadedEffect, NO_BOT } from "./loaded-bot.ts";

/** Files of effects, in name order. */
export function effectFiles(folder: string): readonly string[] {
  const place = path.join(folder, "effects");
  if (!existsSync(place)) return [];
  return readdirSync(place)
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))
    .sort()
    .map((name) => path.join(place, name));
}

/** Never throws for what stands in the folder. */
export async function loadBot(folder: string, kept?: Kept): Promise<LoadedBot> {
  const files = effectFiles(folder);
  const config = path.join(folder, "config.ts");
  const isThere = existsSync(config);
  const { findings, ...own } = catalogues(folder, kept);
  const runtime = commonTexts(kept);
  if (files.length === 0 && !isThere && Object.keys(own.texts).length + findings.length === 0)
    return NO_BOT;
  const reader = new BotReader();
  const bot = isThere ? await reader.config(config) : {};
  const { plugins: listed = [], languages } = bot;
  // The bundler works on them meanwhile.
  const coded = reader.panels(listed, config);
  const { plugins, accounts, table } = reader.together(listed, config);
  const vocabulary = {
    ...reader.vocabulary(plugins, bot, config),
    account: accounts.paths,
  };
  const effects: LoadedEffect[] = [];
  for (const file of files) {
    const loaded = await reader.effect(file, effects, table);
    if (loaded) effects.push(loaded);
  }
  const added = [...plugins, { ...bot, name: "bot" }].flatMap(({ name, texts }) =>
    texts ? [{ from: name, texts }] : [],
  );
  const common = { runtime, added, own: own.texts, places: own.places, languages };
  const { findings: strange, ...texts } = commonTextsOf({ ...common, config: shown(config) });
  const panels = await coded;
  const infos = [...effectInfos(table), ...effects.map(({ effect }) => ownInfo(effect))];
  return {
    plugins,
    vocabulary,
    texts,
    languages,
    effects,
    table,
    infos,
    panels,
    accountModel: accounts,
    findings: [...findings, ...reader.findings, ...strange],
    digest: reader.digests.join(" "),
  };
}
