/** The effects of the runtime and of the shipped plugin, for chat files. */
import { invoicing } from "../plugins/invoicing/index.ts";
import { createEffects } from "../worker/index.ts";

export const effects = createEffects([invoicing()]);
