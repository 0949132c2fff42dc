/** The application: settings, composition, and what the command line calls. */
export { readSettings, isLoopback, type Settings } from "./settings.ts";
export { flowsFolder, UsageError } from "./places.ts";
export { startProsa } from "./start/start.ts";
export { VERSION, type Role, type Running } from "./start/running.ts";
export { startSandbox } from "./start/sandbox-beside.ts";
export { openChat, type ChatLine, type ChatSession } from "./chat/chat-session.ts";
export {
  type ApiClient,
  type CommandCall,
  operatorApi,
  type PluginCommand,
  runningServer,
  sandboxControls,
  sandboxUrl,
} from "./operator/client.ts";
export { examine, type Examined } from "./operator/doctor.ts";
export {
  type Understanding,
  understandingOf,
  checkFlows,
  flowGraph,
  flowSchemaText,
  listFlows,
  listRouting,
  listTexts,
  newFlow,
  type GraphFormat,
  type GraphOptions,
} from "./authoring/flow-commands.ts";
export { callGateway, exampleBody, type GatewayCallResult } from "./operator/gateway-call.ts";
export { routeTable } from "../gateway/index.ts";
export { withBold } from "../channels/index.ts";
export {
  type Checked,
  costLines,
  FINDING_FORMATS,
  type FindingFormat,
  formatted,
} from "./authoring/finding-formats.ts";
export { didYouMean, findingLine, junit, percent as percentOf, tap } from "../flow/index.ts";
export { loadBot } from "./bot/load-bot.ts";
export { initBot } from "./bot/init.ts";
export { declarations, writeCallTypes } from "./authoring/declarations.ts";
export { placeOf, testFlows, type FlowTests, walkResults } from "./authoring/flow-tests.ts";
export { checkAgainst, type AgainstReport } from "./authoring/flows-against.ts";
export { savedTest, type SavedTest } from "./authoring/save-test.ts";
