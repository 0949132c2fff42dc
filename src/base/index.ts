export { Claims } from "./claims.ts";
export { Fault, FAULTS, type FaultCode } from "./fault.ts";
export { fits, reader } from "./fits.ts";
export {
  canonicalJson,
  copyOf,
  digest,
  isJsonObject,
  present,
  lettersAtMost,
  type Json,
  type JsonObject,
} from "./json.ts";
export { endOfString, parseExact } from "./json.ts";
export { escapeXml } from "./escape-xml.ts";
export { trim } from "./trim.ts";
export { durationMs } from "./duration.ts";
export { WITHOUT_SCHEMAS } from "./without-schemas.ts";
export type { Log } from "./log.ts";
