/** The door of plugins, imported as `prosa/plugin`: all that a plugin may use of the runtime. */
export type { Bot, Plugin } from "./app/bot/plugin.ts";
export { type PluginCommand, UsageError } from "./app/command.ts";
export type {
  CallRow,
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
} from "./console/index.ts";
