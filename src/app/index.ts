/** The application: settings, composition, and what the command line calls. */
export { flowsFolder, readSettings, isLoopback, type Settings } from "./settings.ts";
export { startProsa, VERSION, type Role, type Running } from "./start.ts";
export { startSandbox } from "./sandbox-beside.ts";
export { openChat, type ChatLine, type ChatSession } from "./chat-session.ts";
export { adminUrl, apiClient, runningServer, type ApiClient } from "./client.ts";
export { examine, type Examined } from "./doctor.ts";
export { sandboxControls, sandboxUrl } from "./sandbox-controls.ts";
export { type Understanding, understandingOf } from "./understand.ts";
export { callGateway, exampleBody, type GatewayCallResult } from "./gateway-call.ts";
export { routeTable } from "../gateway/index.ts";
export { withBold } from "../channels/index.ts";
export {
  type Checked,
  costLines,
  FINDING_FORMATS,
  type FindingFormat,
  formatted,
} from "./finding-formats.ts";
export {
  checkFlows,
  flowGraph,
  flowSchemaText,
  listFlows,
  listRouting,
  listTexts,
  newFlow,
  type GraphFormat,
  type GraphOptions,
} from "./flow-commands.ts";
export { findingLine, junit, percent as percentOf, tap } from "../flow/index.ts";
export { type CommandCall, type PluginCommand, UsageError } from "./command.ts";
export { loadBot } from "./bot/load-bot.ts";
export { initBot } from "./bot/init.ts";
export { declarations } from "./declarations.ts";
export { placeOf, testFlows, type FlowTests } from "./flow-tests.ts";
export { checkAgainst, type AgainstReport } from "./flows-against.ts";
export { savedTest, type SavedTest } from "./save-test.ts";
export { walkResults } from "./walk-results.ts";
