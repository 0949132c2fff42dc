/** The console's files, by a bundler that is loaded only when somebody opens the console. */
import type { ConsoleAssets } from "./bundle.ts";

/**
 * The console's page and files. The first call after a change of the sources bundles them (about 0.1 s); later ones read
 * the folder. Rejects when the sources do not bundle, with the bundler's message.
 */
export async function consoleAssets(options: {
  readonly cacheDir: string;
}): Promise<ConsoleAssets> {
  const { assetsIn } = await import("./bundle.ts");
  return assetsIn(options.cacheDir);
}
