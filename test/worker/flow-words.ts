/** The engine's own words as operators of the shipped bot read them, and no flow. */
import { loadBot } from "../../src/app/bot/load-bot.ts";
import { FLOWS_FOLDER } from "../../src/app/places.ts";
import { createLibrary, type FlowLibrary } from "../../src/flow/index.ts";

const { texts } = await loadBot(FLOWS_FOLDER);

export const library: FlowLibrary = createLibrary({
  ...{ flows: [], effects: [], common: texts.common },
});
