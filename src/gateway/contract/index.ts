export {
  contract,
  findRoute,
  flowRoutes,
  pathOf,
  queuePaths,
  routeOf,
  routeTable,
  routes,
  ROUTE_WORDS,
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
} from "./table.ts";
export {
  CallClass,
  MEDIA_RESPONSE_LIMIT_BYTES,
  Place,
  RESPONSE_LIMIT_BYTES,
  type Area,
  type Auth,
  type Billing,
  type Method,
  type Queue,
  type Route,
  type Variant,
  type Variants,
} from "./route.ts";
export { PROVENANCE_KINDS, type Provenance, type ProvenanceKind } from "./provenance.ts";
export { Enqueued, GroupQuery, TEXT_LIMIT } from "./shapes.ts";
export {
  FREE_IN_CREDITS,
  INVOICING_BASE_PRICE_BRL,
  InvoiceKey,
  Issuer,
  IssuedInvoice,
} from "./invoicing.ts";
export { Job } from "./jobs.ts";
export { ServiceInvoice } from "./service-invoice.ts";
