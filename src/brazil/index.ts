export { fiscalText, isFiscalText } from "./fiscal-text.ts";
export { fold, foldWords } from "./fold.ts";
export {
  bareDocument,
  CNPJ_LENGTH,
  CPF_LENGTH,
  documentType,
  formatCnpj,
  formatCpf,
  formatDocument,
  isCnpj,
  isCpf,
  maskCnpj,
  maskCpf,
  maskDocument,
  type DocumentType,
} from "./document.ts";
export { brlInWords, formatBrl, MAX_CENTS } from "./money.ts";
export {
  addDays,
  addMonths,
  daysInMonth,
  instantOf,
  isDay,
  isoWithOffset,
  isZone,
  lastDayOf,
  localDay,
  localTime,
  weekday,
  type LocalTime,
} from "./calendar.ts";
export { timestampOf } from "./timestamp.ts";
export { maskText } from "./mask-text.ts";
export { hideEmails, hideNumbers, type NumberKind } from "./numbers-in-text.ts";
export { formatPhone, isAreaCode, maskPhone, phoneType, type PhoneType } from "./phone.ts";
export { formatCep, ufOfCep } from "./cep.ts";
export { Uf, UFS, ufOf, type UfRow } from "./uf.ts";
export {
  townByCode,
  townLabel,
  townsAlike,
  townsByName,
  townsByPrefix,
  type Town,
} from "./town.ts";
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
export { isNational, Issuer, Regime, Service } from "./issuer.ts";
export { Address, ADDRESS_LIMITS, Taker, type AddressGiven } from "./taker.ts";
export { NfseDados, NfseEndereco, NfseItem, NfseTomador } from "./nfse-dados.ts";
export { DESCRIPTION_LIMIT, ITEMS_LIMIT, type NfseItemInput } from "./nfse-items.ts";
export {
  EMISSION_BACKDATE_MS,
  needsAddress,
  nfseDados,
  type NfseInput,
  type NfseMapping,
} from "./nfse-map.ts";
export {
  NFSE_PROBLEMS,
  type Locale,
  type NfseProblem,
  type NfseProblemCode,
  type NfseSlot,
} from "./nfse-problem.ts";
export { explainRejection, isUnknownReason, unknownWords, type Rejection } from "./rejection.ts";
export { REJECTIONS } from "./rejection-table.ts";
export type { Fixable } from "./rejection-table.ts";
