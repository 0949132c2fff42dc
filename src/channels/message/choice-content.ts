/**
 * Presses on buttons (four shapes in the wild), list rows and poll votes, as one `choice`.
 *
 * Shapes as the engines relay them; the first that has an id wins. `paramsJson` is text written by a stranger's phone:
 * bounded, parsed in a try, and only two of its strings are read.
 */
import { parseExact } from "../../base/index.ts";
import type { Content } from "../../engine/index.ts";
import { at, isFields, listAt, textAt, textOf, type Fields, messageIdOf } from "../field.ts";

type Choice = Extract<Content, { type: "choice" }>;

/** Longest `paramsJson` that is parsed, UTF-16 units; real ones have some 60. */
const PARAMS_LIMIT = 4_096;
/** A poll has at most 12 options; the schema keeps 20 picks. */
const PICKS_LIMIT = 20;
const LABEL_LIMIT = 300;

interface Press {
  readonly via: "button" | "list";
  readonly id: string | undefined;
  readonly label: string | undefined;
  readonly of: unknown;
}

function paramsOf(value: unknown): Fields {
  if (typeof value !== "string" || value.length > PARAMS_LIMIT) return {};
  try {
    const parsed = parseExact(value);
    return isFields(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

function pressesOf(message: Fields): readonly Press[] {
  const presses: Press[] = [];
  const add = (via: Press["via"], shape: unknown, id: unknown, label: unknown): void => {
    presses.push({
      via,
      id: textOf(id, LABEL_LIMIT)?.trim(),
      label: textOf(label, LABEL_LIMIT)?.trim(),
      of: at(shape, "contextInfo", "stanzaId") ?? at(shape, "contextInfo", "stanzaID"),
    });
  };
  const button = at(message, "buttonsResponseMessage");
  if (isFields(button))
    add(
      "button",
      button,
      at(button, "selectedButtonId") ?? at(button, "selectedButtonID"),
      at(button, "selectedDisplayText") ?? at(button, "Response", "SelectedDisplayText"),
    );
  const template = at(message, "templateButtonReplyMessage");
  if (isFields(template))
    add(
      "button",
      template,
      at(template, "selectedId") ?? at(template, "selectedID"),
      at(template, "selectedDisplayText"),
    );
  const interactive = at(message, "interactiveResponseMessage");
  if (isFields(interactive)) {
    const native =
      at(interactive, "nativeFlowResponseMessage") ??
      at(interactive, "InteractiveResponseMessage", "NativeFlowResponseMessage");
    const params = paramsOf(at(native, "paramsJson") ?? at(native, "paramsJSON"));
    const label = textAt(interactive, LABEL_LIMIT, "body", "text") ?? at(params, "display_text");
    add("button", interactive, at(params, "id"), label);
  }
  const list = at(message, "listResponseMessage");
  if (isFields(list)) {
    const row = at(list, "singleSelectReply", "selectedRowId");
    add("list", list, row ?? at(list, "singleSelectReply", "selectedRowID"), at(list, "title"));
  }
  return presses;
}

/** The press a message holds, if it holds one. */
export function pressOf(message: Fields): Choice | undefined {
  const presses = pressesOf(message);
  const press = presses.find((one) => one.id) ?? presses.find((one) => one.label);
  if (!press) return undefined;
  const label = press.label || press.id;
  if (!label) return undefined;
  const of = messageIdOf(press.of);
  return {
    type: "choice",
    via: press.via,
    picks: [{ ...(press.id ? { id: press.id } : {}), label }],
    ...(of ? { of } : {}),
  };
}

function namesOf(options: readonly unknown[]): readonly string[] {
  return options.flatMap((option) => {
    const name = isFields(option)
      ? (textAt(option, LABEL_LIMIT, "name") ?? textAt(option, LABEL_LIMIT, "optionName"))
      : typeof option === "string"
        ? textOf(option, LABEL_LIMIT)
        : undefined;
    return name?.trim() ? [name] : [];
  });
}

/**
 * The voter's whole current selection; no picks = the vote was withdrawn. `unreadable` when the engine could not open
 * the vote (it no longer has the poll) and left no selection at all.
 */
export function voteOf(message: Fields, pollUpdates: unknown): Choice | "unreadable" | undefined {
  const vote = at(message, "pollUpdateMessage");
  if (!isFields(vote)) return undefined;
  const selection = at(vote, "vote", "selectedOptions") ?? at(vote, "selectedOptions");
  const voted = listAt({ pollUpdates }, PICKS_LIMIT, "pollUpdates").filter(
    (option) => listAt(option, 1, "voters").length > 0,
  );
  const direct = namesOf(
    Array.isArray(selection) ? (selection as unknown[]).slice(0, PICKS_LIMIT) : [],
  );
  const names = direct.length > 0 ? direct : namesOf(voted);
  if (names.length === 0 && !Array.isArray(selection) && !Array.isArray(pollUpdates))
    return "unreadable";
  const of =
    messageIdOf(at(vote, "pollCreationMessageKey", "id")) ??
    messageIdOf(at(vote, "pollCreationMessageKey", "ID"));
  return {
    type: "choice",
    via: "poll",
    picks: [...new Set(names)].map((label) => ({ label })),
    ...(of ? { of } : {}),
  };
}
