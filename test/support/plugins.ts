/** The plugins of the shipped bot, for tests that put its parts together by hand. */
import { invoicing } from "../../src/plugins/invoicing/index.ts";
import { createEffects } from "../../src/worker/index.ts";

export const plugins = [invoicing()];

/** The effects of the runtime and of these plugins. */
export const effects = createEffects(plugins);
