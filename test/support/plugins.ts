/** The plugins of the shipped bot, for tests that put its parts together by hand. */
import { type LoadedBot, NO_BOT } from "../../src/app/bot/loaded-bot.ts";
import { catalogues, commonTexts } from "../../src/app/loading/catalogues.ts";
import { effectInfos } from "../../src/app/authoring/effect-infos.ts";
import { FLOWS_FOLDER } from "../../src/app/places.ts";
import { accountModel } from "../../src/engine/index.ts";
import { commonTextsOf } from "../../src/flow/index.ts";
import { invoicing } from "../../src/plugins/invoicing/index.ts";
import { createEffects } from "../../src/worker/index.ts";

export const plugins = [invoicing()];

/** The effects of the runtime and of these plugins. */
export const effects = createEffects(plugins);

/** Accounts as the shipped bot has them. */
export const model = accountModel(plugins);

/** The shipped bot. */
export const bot: LoadedBot = {
  ...NO_BOT,
  texts: commonTextsOf({
    ...{ runtime: commonTexts(), own: catalogues(FLOWS_FOLDER).texts, places: {} },
    added: plugins.flatMap(({ name, texts }) => (texts ? [{ from: name, texts }] : [])),
  }),
  ...{ plugins, table: effects, accountModel: model, infos: effectInfos(effects) },
  vocabulary: {
    readers: plugins.flatMap(({ readers = [] }) => readers),
    kinds: plugins.flatMap(({ kinds = [] }) => kinds),
    events: plugins.flatMap(({ events = [] }) => events),
    account: model.paths,
  },
};
