/**
 * Where the words of a message are: inside which wrappers, and in which fields of each form.
 *
 * A form is one row of a table; a wrapper needs none, because every message that holds another one is read through.
 */
import { TEXT_LIMIT } from "../../engine/index.ts";
import { at, fieldsAt, isFields, textAt, type Fields } from "../field.ts";

/** Wrappers nest two or three deep in practice. */
const WRAPPER_LIMIT = 16;
/** Cards of a carousel and pieces of a rich answer that are read. */
const LIST_LIMIT = 20;

/** Parts that come along with a message and are no message themselves. */
const COMPANIONS = new Set([
  "messageContextInfo",
  "senderKeyDistributionMessage",
  "fastRatchetKeySenderKeyDistributionMessage",
  "base64",
  "mediaUrl",
]);

/** Names of the parts that make up a message. Empty fields are how some engines write that there is none. */
export function partsOf(message: Fields): readonly string[] {
  return Object.keys(message).filter((name) => {
    const part = message[name];
    return !COMPANIONS.has(name) && part !== undefined && part !== null && part !== "";
  });
}

/** The message inside all wrappers (`{anyName: {message: {…}}}`), whatever their names and order. */
export function unwrap(message: Fields): Fields {
  return levelsOf(message).at(-1) ?? message;
}

/** Whether one of its wrappers says that it is the edited form of the message under its id. */
export function isEdited(message: Fields): boolean {
  return levelsOf(message).some((level) => fieldsAt(level, "editedMessage") !== undefined);
}

/** The message, and what stands inside each of its wrappers. */
function levelsOf(message: Fields): readonly Fields[] {
  const levels = [message];
  for (let here = message; levels.length <= WRAPPER_LIMIT;) {
    const inner = partsOf(here)
      .map((name) => fieldsAt(here, name, "message"))
      .find((one) => one !== undefined && partsOf(one).length > 0);
    if (!inner) break;
    levels.push((here = inner));
  }
  return levels;
}

const POLL = ["name"];
const PAYMENT = ["noteMessage.conversation", "noteMessage.extendedTextMessage.text"];
const INTERACTIVE = ["header.title", "header.subtitle", "body.text"];
const HYDRATED = ["hydratedTitleText", "hydratedContentText"];

function under(prefix: string, fields: readonly string[]): readonly string[] {
  return fields.map((field) => `${prefix}.${field}`);
}

const TEMPLATE = [
  ...under("hydratedTemplate", HYDRATED),
  ...under("hydratedFourRowTemplate", HYDRATED),
  ...under("interactiveMessageTemplate", INTERACTIVE),
];

/** Fields of each form that a person reads, in the order in which they are shown. `*` stands for each item of a list. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  interactiveMessage: [...INTERACTIVE, ...under("carouselMessage.cards.*", INTERACTIVE)],
  templateMessage: TEMPLATE,
  highlyStructuredMessage: under("hydratedHsm", TEMPLATE),
  buttonsMessage: ["text", "contentText"],
  listMessage: ["title", "description"],
  listResponseMessage: ["title", "description"],
  productMessage: ["product.title", "product.description", "body"],
  orderMessage: ["orderTitle", "message"],
  invoiceMessage: ["note"],
  sendPaymentMessage: PAYMENT,
  requestPaymentMessage: PAYMENT,
  eventMessage: ["name", "description"],
  scheduledCallCreationMessage: ["title"],
  groupInviteMessage: ["groupName", "caption"],
  newsletterAdminInviteMessage: ["newsletterName", "caption"],
  newsletterFollowerInviteMessage: ["newsletterName", "caption"],
  newsletterFollowerInviteMessageV2: ["newsletterName", "caption"],
  stickerPackMessage: ["name", "caption"],
  pollCreationMessage: POLL,
  pollCreationMessageV2: POLL,
  pollCreationMessageV3: POLL,
  pollCreationMessageV5: POLL,
  pollResultSnapshotMessage: POLL,
  pollResultSnapshotMessageV3: POLL,
  richResponseMessage: ["submessages.*.messageText"],
};

/** Small print, which counts only where there are no other words. */
const FOOTERS: Readonly<Record<string, readonly string[]>> = {
  interactiveMessage: ["footer.text"],
  templateMessage: [
    "hydratedTemplate.hydratedFooterText",
    "hydratedFourRowTemplate.hydratedFooterText",
    "interactiveMessageTemplate.footer.text",
  ],
  buttonsMessage: ["footerText"],
  listMessage: ["footerText", "buttonText"],
  productMessage: ["footer"],
};

/** Where a form carries a picture or a file above its words. */
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  interactiveMessage: ["header"],
  templateMessage: [
    "hydratedTemplate",
    "hydratedFourRowTemplate",
    "interactiveMessageTemplate.header",
  ],
  buttonsMessage: [""],
};

function valuesAt(value: unknown, path: readonly string[]): readonly unknown[] {
  const [name, ...rest] = path;
  if (name === undefined) return [value];
  if (name === "*")
    return Array.isArray(value)
      ? (value as unknown[]).slice(0, LIST_LIMIT).flatMap((item) => valuesAt(item, rest))
      : [];
  return isFields(value) ? valuesAt(at(value, name), rest) : [];
}

/** The rows that a message has in a table, each with its part. */
function rowsOf(
  table: Readonly<Record<string, readonly string[]>>,
  message: Fields,
): readonly { readonly part: unknown; readonly fields: readonly string[] }[] {
  return partsOf(message).flatMap((name) =>
    Object.hasOwn(table, name) ? [{ part: message[name], fields: table[name] ?? [] }] : [],
  );
}

function wordsIn(
  table: Readonly<Record<string, readonly string[]>>,
  message: Fields,
): string | undefined {
  const lines = rowsOf(table, message).flatMap(({ part, fields }) =>
    fields
      .flatMap((field) => valuesAt(part, field.split(".")))
      .flatMap((value) => textAt({ value }, TEXT_LIMIT, "value")?.trim() ?? []),
  );
  // Two generations of one form stand side by side with the same words.
  const text = [...new Set(lines)].join("\n").slice(0, TEXT_LIMIT).toWellFormed();
  return text === "" ? undefined : text;
}

/** What a person reads of a message: typed words, a reply, a link, or the words of a form that businesses send. */
export function visibleText(message: Fields): string | undefined {
  return (
    textAt(message, TEXT_LIMIT, "conversation") ??
    textAt(message, TEXT_LIMIT, "extendedTextMessage", "text") ??
    textAt(message, TEXT_LIMIT, "extendedTextMessage") ??
    wordsIn(WORDS, message) ??
    wordsIn(FOOTERS, message)
  );
}

/** The parts of forms that may hold a picture or a file. */
export function headsOf(message: Fields): readonly Fields[] {
  const heads = rowsOf(HEADERS, message).flatMap(({ part, fields }) =>
    fields.flatMap((field) => valuesAt(part, field === "" ? [] : field.split("."))),
  );
  return heads.filter(isFields);
}
