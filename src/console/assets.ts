/** The console's files, by a bundler that is loaded only when it is needed. */
import type { ConsoleAssets, PanelCode } from "./bundle.ts";

/**
 * The console's page and files, with the panels of plugins in them. The first call after a change of the sources bundles them
 * (about 0.1 s); later ones read the folder. Rejects when the sources do not bundle, with the bundler's message.
 */
export async function consoleAssets(options: {
  readonly cacheDir: string;
  readonly panels?: readonly PanelCode[];
}): Promise<ConsoleAssets> {
  const { assetsIn } = await import("./bundle.ts");
  return assetsIn(options.cacheDir, options.panels ?? []);
}

/**
 * A plugin's browser module as the console's bundle takes it in. `file`: its address, `panels` of the plugin. Rejects with
 * esbuild's error where it does not compile: its `errors` have places.
 */
export async function panelCode(plugin: string, file: URL): Promise<PanelCode> {
  const { panelCodeOf } = await import("./bundle.ts");
  return panelCodeOf(plugin, file);
}
