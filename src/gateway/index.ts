export {
  CallClass,
  Enqueued,
  GroupQuery,
  FREE_IN_CREDITS,
  INVOICING_BASE_PRICE_BRL,
  InvoiceKey,
  IssuedInvoice,
  Issuer,
  Job,
  MEDIA_RESPONSE_LIMIT_BYTES,
  PROVENANCE_KINDS,
  Place,
  RESPONSE_LIMIT_BYTES,
  ROUTE_WORDS,
  ServiceInvoice,
  TEXT_LIMIT,
  contract,
  findRoute,
  flowRoutes,
  pathOf,
  queuePaths,
  routeOf,
  routeTable,
  routes,
  type AnyRoute,
  type Area,
  type Auth,
  type Billing,
  type BodyOf,
  type Contract,
  type Controller,
  type DataOf,
  type Method,
  type Provenance,
  type ProvenanceKind,
  type QueryOf,
  type Queue,
  type Route,
  type RouteId,
  type RouteOf,
  type RouteTableRow,
  type RouteWords,
  type Variant,
  type Variants,
} from "./contract/index.ts";
export { createGateway } from "./client/client.ts";
export type {
  CallByIdOptions,
  CallOptions,
  Gateway,
  GatewayOptions,
  ObservedCall,
  Phases,
  RouteCall,
} from "./gateway.ts";
export type {
  CallOk,
  CallOutcome,
  NotSentReason,
  OutcomeKind,
  UnknownReason,
} from "./answers/outcome.ts";
export { accounted, expectedPrice, NO_CALLS, type Accounting } from "./client/accounting.ts";
export { chargesOf, type Charges, type ExtraCharge, type PlanLimit } from "./client/charges.ts";
export {
  classifyCall,
  classifyOutcome,
  RETRY_LIMITS,
  type CallFacts,
  type Decision,
  type PauseReason,
} from "./answers/classify.ts";
export { createDispatcher, CONNECT_TIMEOUT_MS } from "./client/dispatcher.ts";
export { formatJobTime, JOB_ZONE, jobEnded, parseJobTime } from "./jobs/job.ts";
export {
  JOB_REQUESTS_PER_LOOK_UP,
  JOBS_PER_REQUEST,
  lookUpJobs,
  waitForJobs,
  type FindJobs,
  type JobsClient,
  type JobsFound,
  type JobSource,
  type JobsWaited,
  type LookUpOptions,
  type WaitOptions,
} from "./jobs/jobs-watch.ts";
export { formatThousandths, parseThousandths } from "./money.ts";
export { openApi, type OpenApiOptions } from "./openapi/openapi.ts";
export { GatewayProfile } from "./profile.ts";
export { parseBody, type Answer } from "./answers/envelope.ts";
export { codeIn, errorsIn, messageIn } from "./answers/error-words.ts";
export { exchange, type ExchangeEnd } from "./client/exchange.ts";
export { retryAfterMs } from "./answers/retry-after.ts";
export { maskSecrets, redactor, SECRET_FIELDS } from "./redact.ts";
export { sentMessageId } from "./sent-id.ts";
export { check as checkValue, type Checked } from "./answers/refusal.ts";
export { NfseDados, NfseEndereco, NfseItem, NfseTomador } from "./fiscal/dados.ts";
export {
  aammOf,
  isKeyOf,
  nfeKey,
  nfseKey,
  readAccessKey,
  type AccessKey,
  type AccessKeyReading,
  type NfeKeyParts,
  type NfseKeyParts,
} from "./fiscal/access-key.ts";
