/** The HTTP side: webhooks in, operator API, live events, health, metrics. */
export { createListener, type Parts } from "./listener.ts";
export {
  createIngest,
  type Ingest,
  type IngestDeps,
  type Ingested,
  type IngestOptions,
  type Signal,
} from "./webhooks/ingest.ts";
export { createEventHub, type EventHub, type HubEvent, type Numbered } from "./events.ts";
export { createServerMetrics, type ServerMetrics } from "./metrics.ts";
export type { SessionLive } from "./session-live.ts";
export { Refusals, type Refused } from "./webhooks/refusals.ts";
export { createAudit, type Audit, type Deed } from "./access/audit.ts";
export { masked, maskText } from "./access/mask.ts";
export { webhooksOf, publicAccount } from "./api/accounts.ts";
export { apiRoutes, openApiDocument, type ApiRoute } from "./api/index.ts";
export {
  type Extension,
  type ServerDeps,
  ABSENT,
  type Actions,
  type Done,
  type EffectRef,
  declined,
  stale,
} from "./deps.ts";
export { type ListenerDeps, type PluginParts, type ServerHooks, pluginParts } from "./hooks.ts";
