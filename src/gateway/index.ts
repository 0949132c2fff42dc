export {
  CallClass,
  MEDIA_RESPONSE_LIMIT_BYTES,
  PROVENANCE_KINDS,
  Place,
  RESPONSE_LIMIT_BYTES,
  type Area,
  type Auth,
  type Billing,
  type Method,
  type Provenance,
  type ProvenanceKind,
  type Queue,
  type Route,
  type Variant,
  type Variants,
} from "./contract/route.ts";
export { Enqueued, GroupQuery, TEXT_LIMIT } from "./contract/shapes.ts";
export {
  FREE_IN_CREDITS,
  INVOICING_BASE_PRICE_BRL,
  InvoiceKey,
  IssuedInvoice,
  Issuer,
} from "./contract/invoicing.ts";
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
  type Controller,
  type DataOf,
  type QueryOf,
  type RouteId,
  type RouteOf,
  type RouteTableRow,
  type RouteWords,
} from "./contract/table.ts";
export { ServiceInvoice } from "./contract/service-invoice.ts";
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
export { createDispatcher, CONNECT_TIMEOUT_MS } from "./client/exchange.ts";
export { formatJobTime, JOB_ZONE, jobEnded, parseJobTime } from "./jobs.ts";
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
} from "./jobs.ts";
export { formatThousandths, parseThousandths } from "./client/charges.ts";
export { openApi, type OpenApiOptions } from "./openapi.ts";
export { GatewayProfile } from "./profile.ts";
export { parseBody, type Answer } from "./answers/envelope.ts";
export { codeIn, errorsIn, messageIn } from "./answers/error-words.ts";
export { exchange, type ExchangeEnd } from "./client/exchange.ts";
export { retryAfterMs } from "./answers/envelope.ts";
export { maskSecrets, redactor, SECRET_FIELDS } from "./redact.ts";
export { sentMessageId } from "./answers/outcome.ts";
export { check as checkValue, type Checked } from "./body-check.ts";
export { NfseDados, NfseEndereco, NfseItem, NfseTomador } from "./dados.ts";
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
} from "./access-key.ts";
