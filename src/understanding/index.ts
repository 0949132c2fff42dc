export { isKind, KINDS, understand } from "./understand.ts";
export {
  MAX_ANSWER,
  MAX_OPTIONS,
  type City,
  type TextContext,
  type Hint,
  type Kind,
  type Misunderstood,
  type Option,
  type Reason,
  type Understood,
  type Values,
  type Within,
  type YesNo,
} from "./understood.ts";
export { type Command } from "./business.ts";
export {
  namedService,
  isWhole,
  pickOption,
  type Pickable,
  type Picked,
} from "./choices/pick-option.ts";
export { similarOptions } from "./choices/similar-option.ts";
export { personOrCompany, shortName } from "./people/name.ts";
export { FIRST_NAMES } from "./people/first-names.ts";
export { isServiceWord, isWork } from "./choices/free-text.ts";
export { addressBlock } from "./places/address.ts";
export { isBareDocument, isBareValue } from "./money/bare-value.ts";
export {
  consent,
  type Decision,
  decision,
  asksWhatWaits,
  beginsToDecide,
  decidesOn,
  isOfARequest,
  saysApproval,
  saysRefusal,
  standsBehind,
  takenBack,
  ungreeted,
} from "./requests/decision.ts";
export { description, freeText } from "./choices/free-text.ts";
export { splitStreet, type Street } from "./places/street.ts";
export { plainOf, tidy } from "./plain.ts";
export { dayEcho } from "./dates/date.ts";
export { momentText } from "./moments/datetime.ts";
export { periodEcho } from "./moments/period.ts";
export { monthEcho } from "./dates/month.ts";
export { type Business, type OwnCommand, perBusiness, type SaidCommand } from "./business.ts";
export { documentAndName } from "./people/document.ts";
export {
  figureIn,
  leadToAmount,
  type SaidFigure,
  withoutDenied,
} from "./corrections/corrected-amount.ts";
export {
  isSpelling,
  type Named,
  namedIn,
  naming,
  leadToValue,
  leadToWhom,
  leadToWork,
  namesNobody,
  replacedIn,
  breaksIn,
  listIn,
  marked,
  opened,
} from "./corrections/correction.ts";
export { addressPartIn, partsOf, type SaidPart } from "./places/address.ts";
export { LEAD as CORRECTION_LEAD } from "./corrections/correction-words.ts";
export { beginsName, doorIn, isNoPiece, isNumberAlone } from "./places/address.ts";
export { wishesToChange, withoutLead } from "./corrections/correction-words.ts";
export {
  beginsWithNo,
  isClosing,
  stopsMessages,
  withoutPoliteness,
} from "./commands/closing-words.ts";
export { languageIn, type SaidLanguage } from "./commands/language.ts";
export { asksForHours } from "./commands/other-than-answer.ts";
export {
  asksForTime,
  asksWhetherNeeded,
  asksWhy,
  beforeWhy,
  keepsAnswer,
} from "./commands/other-than-answer.ts";
export { namesMoney, saysDay, saysMoney, saysNumber, tellsWhose } from "./money/bare-value.ts";
export { momentEcho, weekdays } from "./dates/date.ts";
export {
  type Denial,
  denialIn,
  waitsOrRefuses,
  isNamedIn,
  type Refusal,
  refusalIn,
  refusedOf,
} from "./requests/refusal.ts";
export {
  asksForRequests,
  givenUpIn,
  mayBeOfRequests,
  meansNone,
  meansSeveral,
  namesRequests,
  pickedIn,
  tellingWords,
  withdrawsRequest,
} from "./requests/own-request-words.ts";
