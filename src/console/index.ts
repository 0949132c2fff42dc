export { registerConsole, registerLayout, type ConsoleOptions } from "./register.ts";
export { consoleAssets, panelCode } from "./assets.ts";
export type {
  CallRow,
  ConsoleHooks,
  ConsoleKit,
  ConsoleParts,
  Decided,
  Drawn,
  EffectAdvice,
  EffectDecision,
  FaultPreset,
  HeldEffect,
  OpenPanels,
  Panel,
  PanelIcon,
  WaitingPart,
  WaitingRow,
} from "./panels.ts";
export type { ConsoleAssets, ConsoleFile, PanelCode } from "./bundle.ts";
export {
  chartSvg,
  createLayouter,
  layoutChart,
  type LaidOut,
  type Layouter,
  type Marks,
  type Theme,
} from "./layout/index.ts";
