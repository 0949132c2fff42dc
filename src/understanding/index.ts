export { isKind, KINDS, understand } from "./understand.ts";
export {
  MAX_ANSWER,
  MAX_OPTIONS,
  type City,
  type Command,
  type Context,
  type Hint,
  type InvoiceSentence,
  type Kind,
  type Misunderstood,
  type Option,
  type Reason,
  type Understood,
  type Values,
  type YesNo,
} from "./understood.ts";
export { likelyAmount } from "../plugins/invoicing/sentence/likely-amount.ts";
export { namedService } from "./named-service.ts";
export { isWhole, pickOption, type Pickable, type Picked } from "./pick-option.ts";
export { similarOptions } from "./similar-option.ts";
export { personOrCompany } from "./name.ts";
export { FIRST_NAMES } from "./first-names.ts";
export { isWork } from "../plugins/invoicing/sentence/sentence-description.ts";
export { isServiceWord } from "./service-words.ts";
export { aside, type Aside, bidsEmail } from "../plugins/invoicing/sentence/aside.ts";
export { addressBlock } from "./address-block.ts";
export { noteAsked, type NoteAsked } from "../plugins/invoicing/sentence/note-asked.ts";
export { isNamed, noteWish, type NoteWish } from "../plugins/invoicing/sentence/note-wish.ts";
export { isBareDocument, isBareValue } from "./bare.ts";
export { consent, type Decision, decision } from "./decision.ts";
export { documentAndName } from "../plugins/invoicing/sentence/document-and-name.ts";
export { otherTaker, type OtherTaker } from "../plugins/invoicing/sentence/other-taker.ts";
export { offeredDocument } from "../plugins/invoicing/sentence/document-offered.ts";
export { isSameName } from "../plugins/invoicing/sentence/same-name.ts";
export { description, freeText } from "./free-text.ts";
export { splitStreet, type Street } from "./street.ts";
export { plainOf, tidy } from "./plain.ts";
export { dayEcho } from "./date.ts";
export { monthEcho } from "./competence.ts";
