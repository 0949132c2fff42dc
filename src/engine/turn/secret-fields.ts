/** Secret files and passwords, in calls and in messages. They are kept no longer than their use needs. */
import type { Json, JsonObject } from "../../base/index.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import type { Effect } from "../session/effect.ts";
import type { Mail } from "../session/mail.ts";

/** Names of secret fields in bodies of the gateway. */
const SECRET = new Set(["senha", "certificado"]);
const GONE = "[secret]";
/** Levels of nesting that are looked through; bodies of the interface have four. */
const DEPTH = 12;

/** Whether a call's input holds a secret file or a password. */
export function carriesSecret(input: JsonObject): boolean {
  return withoutSecret(input) !== input;
}

/** The effect as a journal may keep it: the same object where there is nothing to hide. */
export function journalled(effect: Effect): Effect {
  if (effect.type !== "call") return effect;
  const input = withoutSecret(effect.input);
  return input === effect.input ? effect : { ...effect, input: input };
}

/** A copy without the values of secret fields; the very same value where there are none. */
function withoutSecret<T extends Json | JsonObject>(value: T, depth = 0): T {
  if (typeof value !== "object" || value === null || depth > DEPTH) return value;
  const entries = Object.entries(value as JsonObject).map(([name, inner]) => {
    const kept =
      SECRET.has(name) && inner !== undefined ? GONE : withoutSecret(inner ?? null, depth + 1);
    return [name, inner, kept] as const;
  });
  if (entries.every(([, inner, kept]) => (inner ?? null) === kept)) return value;
  const copied = entries.map(([name, , kept]) => [name, kept] as const);
  return (Array.isArray(value) ? copied.map(([, kept]) => kept) : Object.fromEntries(copied)) as T;
}

/**
 * The mail as a journal may keep it: what was said to a question whose answer is secret is not there. Asked before the turn,
 * when the question still rests. Whatever was said is hidden, an answer or not: a password may look like anything.
 */
export function hushed(draft: TurnDraft, mail: Mail): Mail {
  if (mail.kind !== "inbound") return mail;
  const { session, top } = draft;
  const { event } = mail;
  if (event.kind === "edit") {
    const isAnswer = mail.unheard === true && top !== undefined && asksSecret(draft, top);
    return isAnswer || event.messageId === session.hushed
      ? { ...mail, event: { ...event, text: GONE } }
      : mail;
  }
  if (event.kind !== "message" || !top || session.handoff) return mail;
  const { content } = event;
  const said = content.type === "text" || (content.type === "media" && content.caption);
  if (!said || !asksSecret(draft, top)) return mail;
  if (event.messageId !== undefined) session.hushed = event.messageId;
  const hidden =
    content.type === "text"
      ? { ...content, text: GONE }
      : { ...content, ...("caption" in content ? { caption: GONE } : {}) };
  return { ...mail, event: { ...event, content: hidden } };
}

function asksSecret(draft: TurnDraft, frame: NonNullable<TurnDraft["top"]>): boolean {
  const program = draft.env.library.get(frame.flow, frame.hash);
  if (program?.secrets !== true) return false;
  const { slot, slots } = program.expects(frame.state, draft.context);
  return slots.some(({ name, secret }) => name === slot && secret === true);
}
