/** The plugins of the shipped bot, for tests that put its parts together by hand. */
import { type LoadedBot, NO_BOT } from "../../src/app/bot/load-bot.ts";
import { accountModel } from "../../src/engine/index.ts";
import { invoicing } from "../../src/plugins/invoicing/index.ts";
import { createEffects } from "../../src/worker/index.ts";

export const plugins = [invoicing()];

/** The effects of the runtime and of these plugins. */
export const effects = createEffects(plugins);

/** Accounts as the shipped bot has them. */
export const model = accountModel(plugins);

/** A bot that has these plugins and nothing else beside its flows. */
export const bot: LoadedBot = {
  ...NO_BOT,
  ...{ plugins, table: effects, accountModel: model },
  vocabulary: { readers: plugins.flatMap(({ readers = [] }) => readers), account: model.paths },
};
