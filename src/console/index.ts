export { registerConsole, registerLayout, type ConsoleOptions } from "./register.ts";
export { consoleAssets, panelCode } from "./register.ts";
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
export { chartSvg, type Theme } from "./layout/svg.ts";
export { createLayouter, layoutChart, type Layouter } from "./layout/layouter.ts";
export type { LaidOut } from "./layout/laid-out.ts";
export type { Marks } from "./layout/drawing.ts";
