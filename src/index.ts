/** The public face for flow authors: what `flows/` imports as `prosa`. */
export { z } from "zod";
export { defineBot } from "./app/bot/plugin.ts";
export type { Bot } from "./app/bot/plugin.ts";
export {
  defineKind,
  definePipe,
  defineRule,
  effect,
  flow,
  machineFlow,
  prosaSetup,
  result,
  rule,
  slot,
} from "./flow/index.ts";
export type {
  CallFailed,
  CallRefused,
  EffectTypes,
  FlowAccount,
  FlowPolicy,
  FlowRetention,
  FlowContact,
  FlowRegistry,
  GatewayRoutes,
  RuntimeEffects,
  OwnEffect,
  OwnEffects,
  RunWork,
} from "./flow/index.ts";
