export { Fault, FAULTS, type FaultCode } from "./fault.ts";
export { canonicalJson, digest, type Json, type JsonObject } from "./json.ts";
export { durationMs, type Duration } from "./duration.ts";
