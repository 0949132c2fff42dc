/** The plugins of the shipped bot, for tests that put its parts together by hand. */
import { invoicing } from "../../src/plugins/invoicing/index.ts";

export const plugins = [invoicing()];
