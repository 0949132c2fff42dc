export { registerConsole, registerLayout, type ConsoleOptions } from "./register.ts";
export { consoleAssets } from "./assets.ts";
export type { ConsoleAssets, ConsoleFile } from "./bundle.ts";
export {
  chartSvg,
  createLayouter,
  layoutChart,
  type LaidOut,
  type Layouter,
  type Marks,
  type Theme,
} from "./layout/index.ts";
