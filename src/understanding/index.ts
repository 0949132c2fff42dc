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
  type YesNo,
} from "./understood.ts";
export { type Command } from "./business.ts";
export { namedService } from "./named-service.ts";
export { isWhole, pickOption, type Pickable, type Picked } from "./pick-option.ts";
export { similarOptions } from "./similar-option.ts";
export { personOrCompany } from "./name.ts";
export { FIRST_NAMES } from "./first-names.ts";
export { isServiceWord } from "./service-words.ts";
export { addressBlock } from "./address-block.ts";
export { isBareDocument, isBareValue } from "./bare.ts";
export { consent, type Decision, decision } from "./decision.ts";
export { description, freeText } from "./free-text.ts";
export { splitStreet, type Street } from "./street.ts";
export { plainOf, tidy } from "./plain.ts";
export { dayEcho } from "./date.ts";
export { monthEcho } from "./month.ts";
export { type Business, type OwnCommand, perBusiness, type SaidCommand } from "./business.ts";
export { documentAndName } from "./document-and-name.ts";
export { isWork } from "./work.ts";
