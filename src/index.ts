/** The public face for flow authors: what `flows/` imports as `prosa`. */
export { z } from "zod";
export {
  defineBot,
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
  Bot,
  CallFailed,
  CallRefused,
  EffectTypes,
  FlowAccount,
  FlowContact,
  FlowRegistry,
  GatewayRoutes,
  OwnEffect,
  OwnEffects,
  RunWork,
} from "./flow/index.ts";
