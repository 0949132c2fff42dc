export { consoleAssets, panelCode, registerConsole } from "./register.ts";
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
export { chartSvg } from "./layout/svg.ts";
export { createLayouter, type Layouter } from "./layout/layouter.ts";
export type { LaidOut } from "./layout/laid-out.ts";
export type { Marks } from "./layout/drawing.ts";
