export { Claims, trim } from "./maps.ts";
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
export { durationMs } from "./duration.ts";
export { WITHOUT_SCHEMAS, type Log } from "./libraries.ts";
