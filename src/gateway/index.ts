export {
  CallClass,
  PROVENANCE_KINDS,
  Place,
  type Billing,
  type Method,
  type Queue,
  type Route,
} from "./contract/route.ts";
export { Enqueued, TEXT_LIMIT } from "./contract/shapes.ts";
export { FREE_IN_CREDITS, INVOICING_BASE_PRICE_BRL, Issuer } from "./contract/invoicing.ts";
export { Job } from "./contract/jobs.ts";
export {
  ROUTE_WORDS,
  contract,
  findRoute,
  flowRoutes,
  pathOf,
  queuePaths,
  routeOf,
  routeTable,
  routes,
  type AnyRoute,
  type BodyOf,
  type Contract,
  type DataOf,
  type RouteId,
} from "./contract/table.ts";
export { NfseDados, ServiceInvoice } from "./contract/service-invoice.ts";
export { createGateway } from "./client/client.ts";
export type {
  CallByIdOptions,
  CallOptions,
  Gateway,
  GatewayOptions,
  ObservedCall,
} from "./gateway.ts";
export type { CallOutcome } from "./answers/outcome.ts";
export { accounted, expectedPrice, NO_CALLS, type Accounting } from "./client/accounting.ts";
export {
  classifyCall,
  classifyOutcome,
  type Decision,
  type PauseReason,
} from "./answers/classify.ts";
export { createDispatcher } from "./client/exchange.ts";
export { formatJobTime, jobEnded } from "./jobs.ts";
export { JOBS_PER_REQUEST, lookUpJobs, type FindJobs } from "./jobs.ts";
export { parseThousandths } from "./client/charges.ts";
export type { PlanLimit } from "./client/charges.ts";
export { openApi } from "./openapi.ts";
export { GatewayProfile } from "./profile.ts";
export { parseBody, type Answer } from "./answers/envelope.ts";
export { codeIn, errorsIn, messageIn } from "./answers/error-words.ts";
export { exchange, type ExchangeEnd } from "./client/exchange.ts";
export { retryAfterMs } from "./answers/envelope.ts";
export { maskSecrets, redactor, SECRET_FIELDS } from "./redact.ts";
export { sentMessageId } from "./answers/outcome.ts";
export { check as checkValue, type Checked } from "./body-check.ts";
export { aammOf, isKeyOf, nfeKey, nfseKey, readAccessKey } from "./access-key.ts";
