/** The public face for flow authors: what `flows/` imports as `prosa`. */
export { z } from "zod";
export {
  defineKind,
  definePipe,
  defineRule,
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
  FlowAccount,
  FlowContact,
  FlowRegistry,
  GatewayRoutes,
} from "./flow/index.ts";
