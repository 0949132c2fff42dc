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
export { z } from "zod";
export type { Account, Reader } from "./engine/index.ts";
export { defineKind, definePipe, defineRule } from "./flow/index.ts";
export { route } from "./server/api/route.ts";
export type { Context } from "./worker/index.ts";
export { done, type LocalSpec, refused } from "./worker/effects/local.ts";
export type { Documents } from "./worker/hooks.ts";
