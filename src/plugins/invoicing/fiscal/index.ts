export { isNational, Issuer, Regime, Service } from "./issuer.ts";
export { Taker, type AddressGiven } from "./taker.ts";
export { DESCRIPTION_LIMIT, ITEMS_LIMIT, type NfseItemInput } from "./nfse-items.ts";
export {
  EMISSION_BACKDATE_MS,
  needsAddress,
  nfseDados,
  type NfseInput,
  type NfseMapping,
} from "./nfse-map.ts";
export {
  type Locale,
  NFSE_PROBLEMS,
  type NfseProblem,
  type NfseProblemCode,
  type NfseSlot,
} from "./nfse-problem.ts";
export {
  explainRejection,
  isUnknownReason,
  knownCode,
  type Rejection,
  unknownWords,
} from "./rejection.ts";
export { REJECTIONS, type Fixable } from "./rejection-table.ts";
