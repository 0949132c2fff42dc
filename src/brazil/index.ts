export { latinText } from "./fold.ts";
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
  maskDocument,
  modulo11,
  type DocumentType,
} from "./document.ts";
export { formatBrl, MAX_CENTS } from "./money.ts";
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
export { timestampOf } from "./calendar.ts";
export { maskText } from "./numbers-in-text.ts";
export { hideEmails, hideNumbers, type NumberKind } from "./numbers-in-text.ts";
export { formatPhone, isAreaCode, maskPhone, phoneType, type PhoneType } from "./phone.ts";
export {
  formatCep,
  ufOfCep,
  Uf,
  UFS,
  ufOf,
  type UfRow,
  Address,
  ADDRESS_LIMITS,
} from "./address.ts";
export {
  townByCode,
  townLabel,
  townsAlike,
  townsByName,
  townsByPrefix,
  type Town,
} from "./town.ts";
