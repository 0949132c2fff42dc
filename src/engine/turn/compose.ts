/** Makes one message of all words of a turn. */
import type { TurnDraft } from "../session/turn-draft.ts";
import type { ChannelName } from "../session/inbound.ts";
import { joinWelcome } from "../policies/opt-out.ts";
import type { Outbound } from "../session/effect.ts";

/** The turn's message, or undefined when there is nothing to say. Choices are those of the last paragraph that has any. */
export function compose(draft: TurnDraft): Outbound | undefined {
  const { paragraphs } = draft;
  const text = paragraphs.map((paragraph) => paragraph.text.trim()).join("\n\n");
  const [first] = attached(draft);
  if (text === "" && !first) return undefined;
  const last = paragraphs.at(-1);
  return {
    text,
    ...(last?.choices && last.choices.length > 0 ? { choices: [...last.choices] } : {}),
    ...first,
  };
}

type Attached = Pick<Outbound, "media" | "location">;

/** Files and places of the turn, in order. A message holds one; the others follow in messages of their own. */
function attached({ paragraphs }: TurnDraft): Attached[] {
  return paragraphs.flatMap(({ media, location }) => [
    ...(media ? [{ media }] : []),
    ...(location ? [{ location }] : []),
  ]);
}

/** Adds the message to the turn's effects, unless the contact may not be spoken to now. */
export function speak(draft: TurnDraft): string | undefined {
  const { session, env } = draft;
  joinWelcome(draft);
  const message = compose(draft);
  if (!message) return undefined;
  const silent = session.optOut ? "opt-out" : session.handoff ? "handoff" : undefined;
  if (silent && draft.loudness !== "always") {
    draft.quiet = silent;
    return undefined;
  }
  const address = session.address ?? operatorAddress(draft);
  if (address === undefined) {
    draft.quiet = "no-address";
    return undefined;
  }
  if (session.role === "customer" && session.noticeAt === undefined) {
    session.noticeAt = env.now;
    message.text = withNotice(draft, message.text);
  }
  session.lastSaid = message.text.slice(0, 500);
  const further = attached(draft)
    .slice(1)
    .map((one) => ({ text: "", ...one }));
  const request = draft.paragraphs.at(-1)?.request;
  for (const part of [message, ...further])
    draft.ask({
      type: "send",
      class: "message",
      channel: session.channel ?? firstChannel(draft),
      address,
      message: part,
      turn: draft.event,
      ...speaker(draft),
      ...(request && part === message ? { request } : {}),
      ...(draft.loudness === "always" ? { byHuman: true } : {}),
    });
  return message.text;
}

/** The frame that moved last, while it exists; without a move, the current one. */
function speaker(draft: TurnDraft): { readonly frame?: string } {
  const moved = draft.moves.at(-1)?.frame;
  const frame = moved === undefined ? draft.top : draft.frame(moved);
  return frame ? { frame: frame.id } : {};
}

/** Where a person of the business is reached who never wrote. A LID is an address of its own, never a phone number. */
function operatorAddress({ env }: TurnDraft): string | undefined {
  const { alias, account } = env;
  if (alias === undefined) return undefined;
  const given = account.operators.find((operator) => operator.alias === alias)?.address;
  if (given !== undefined) return given;
  return alias.startsWith("lid:") ? `${alias.slice(4)}@lid` : alias.replace(/^phone:/, "");
}

/** The channel of a first message: engine B where the account has it, else what it has. */
function firstChannel({ env }: TurnDraft): ChannelName {
  const open = env.account.channels.filter((one) => one.enabled).map((one) => one.channel);
  return open.includes("engine-b") ? "engine-b" : (open[0] ?? "engine-b");
}

/** The privacy notice stands once in a conversation: after the greeting, before the question. */
function withNotice(draft: TurnDraft, text: string): string {
  const { library, account } = draft.env;
  const notice = library.word("privacy", { business: account.name }, draft.context);
  if (notice === "") return text;
  const [first = "", ...rest] = draft.paragraphs.map((paragraph) => paragraph.text.trim());
  const { key = "", choices = [] } = draft.paragraphs[0] ?? {};
  // It would stand between a question and its options, or behind what a summary says how to go on.
  return choices.length > 0 || key.startsWith("confirm.")
    ? [notice, first, ...rest].join("\n\n")
    : [first, notice, ...rest].join("\n\n");
}
