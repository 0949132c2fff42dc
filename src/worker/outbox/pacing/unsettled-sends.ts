/**
 * Sends that left this process and whose end is not known yet: those in the gateway's queue, and those held because the
 * answer was lost. Our own echo, or the job, tells how they ended. Nothing here sends anything.
 */
import { echoHash } from "../../../channels/index.ts";
import type { Account, Mail, Outbound } from "../../../engine/index.ts";
import type { EffectView } from "../../../store/port/port.ts";
import type { SendContext } from "../../context/contexts.ts";
import { type EffectLine, failedMail, ID_MAX, shownMail } from "../ending.ts";
import { ECHO_MS } from "../sending/echoes.ts";
import { asideOf, entryOf, type SendEntry, everyEffect } from "../entry.ts";

type Tools = Pick<
  SendContext,
  "store" | "accounts" | "clock" | "alarms" | "channels" | "echoes" | "wake"
>;

/** A message that left from the business's number in this chat. */
interface Heard {
  readonly messageId: string;
  readonly text: string;
  /** Virtual time, ms; engines tell whole seconds. */
  readonly at: number;
}

/** Put before the words of a message that leaves long after it was said. */
const SORRY = {
  "pt-BR": "Desculpe a demora: fiquei um tempo sem conseguir enviar mensagens.",
  en: "Sorry for the delay: for a while I could not send messages.",
} as const;

/** Why an enqueued send became a failed one, as an operator reads it. */
const REASONS = {
  job_failed: "The gateway's queue could not send a message; it waits among the failed sends.",
  job_unknown:
    "The gateway does not know the job of a queued message; it waits among the failed sends.",
  job_silent:
    "The gateway's queue did not say in a day whether a message was sent; it waits among the failed sends.",
} as const;
type RestReason = keyof typeof REASONS;

/** It certainly failed: the same words heard later are those of another send. */
const DEFINITE = /^(job_failed|rate_limited|failed:(refused|status_4\d\d))$/;

/**
 * Ends the oldest waiting send that an echo proves: same contact, same words, asked for before. Enqueued ones come first,
 * because they are expected to leave; a held one may never have been taken in, and comes after one that is just leaving. An
 * echo for which a send that was ended by its job still waits ends no other. True when the echo has found its send.
 */
export async function settleByEcho(
  context: Tools,
  account: Account,
  contact: string,
  heard: Heard,
): Promise<boolean> {
  if (heard.text === "") return false;
  const hash = echoHash(heard.text);
  const tried = await all(context, { account: account.id, contact, tried: true });
  const proved = tried.flatMap((effect) => {
    const entry = entryOf(effect.payload);
    if (!mayHaveLeft(effect) || entry.type !== "send") return [];
    if (heard.at < entry.work.at - ECHO_MS) return [];
    const hashes = hashesOf(context, entry, account);
    return hashes.includes(hash) ? [{ effect, entry, hashes }] : [];
  });
  const first = FIRST.map((state) => proved.find(({ effect }) => effect.state === state)).find(
    Boolean,
  );
  const owner = await context.echoes.awaiting(account.id, contact, heard, hash);
  if (owner) {
    await tellShown(context, account.id, contact, owner, heard.messageId);
    return true;
  }
  if (!first) return false;
  // Its own call is not answered yet, and will find the echo.
  if (first.effect.state === "inflight") return false;
  const { effect, entry, hashes } = first;
  const sent = { id: heard.messageId, hashes };
  if (!(await finish(context, effect, sent, effect.state === "held"))) return false;
  context.echoes.sent(account.id, contact, heard.messageId);
  if (effect.state === "held") await letGo(context, effect, entry.turn);
  return true;
}

/** A message that showed a request and was ended by its job, before its id was known. */
async function tellShown(
  context: Tools,
  account: string,
  contact: string,
  { effect, request }: EffectLine,
  message: string,
): Promise<void> {
  if (!request || message.length > ID_MAX) return;
  const mail: Mail = { kind: "shown", message, request };
  await context.store.mail.accept([{ account, contact, event: `r:${effect}:shown`, mail }]);
  context.wake("turns");
}

/** Which of several sends with the same words an echo belongs to. */
const FIRST = ["enqueued", "inflight", "held"] as const;

function mayHaveLeft({ state, attempt, reason }: EffectView): boolean {
  if (state === "held") return attempt > 0 && !DEFINITE.test(reason ?? "");
  return state === "enqueued" || state === "inflight";
}

/** Ends a held send whose echo this process heard while the effect was being held. */
export async function settleHeld(context: Tools, effect: EffectView): Promise<void> {
  const account = await context.accounts.get(effect.account);
  const entry = entryOf(effect.payload);
  // A send that certainly failed did not leave, so the same words belong to another send.
  if (!account || entry.type !== "send" || DEFINITE.test(effect.reason ?? "")) return;
  const hashes = hashesOf(context, entry, account);
  const id = context.echoes.takeKnown(account.id, effect.contact, hashes, entry.work.at);
  if (id === undefined || !(await finish(context, effect, { id, hashes }, true))) return;
  await letGo(context, effect, entry.turn);
}

/** The gateway's job says that it left. Its echo may still come, so its words are still recognised as ours. */
export async function settleByJob(context: Tools, effect: EffectView): Promise<boolean> {
  const account = await context.accounts.get(effect.account);
  const entry = entryOf(effect.payload);
  const hashes = account && entry.type === "send" ? hashesOf(context, entry, account) : [];
  context.echoes.sending(effect.account, effect.contact, hashes);
  return finish(context, effect, { hashes }, false);
}

/** It did not leave, or its end will never be known: it is held where an operator sees it, and the contact is asked anew. */
export async function putByAsFailed(
  context: Tools,
  effect: EffectView,
  reason: RestReason,
): Promise<boolean> {
  const { id, account, contact, rev } = effect;
  const entry = entryOf(effect.payload);
  const mail = failedMail(id, entry, reason);
  // Only as it was looked at: a person may have sent it again meanwhile.
  const held = await context.store.effects.resolve({
    id,
    account,
    contact,
    rev,
    reason,
    action: "hold",
    result: { event: `r:${id}:${reason}`, mail },
    journal: lineOf(context, effect, { outcome: "held", reason }),
  });
  if (!held) return false;
  const message = REASONS[reason];
  const aside = asideOf(entry);
  context.alarms.raise({ code: "send.failed", account, subject: reason, message, ...aside });
  context.wake("turns");
  return true;
}

/**
 * Ends it whatever was decided meanwhile: the message has arrived, and one that a person sent again would arrive twice. The
 * order does not change: later messages were said after what has arrived.
 */
async function finish(
  context: Tools,
  effect: EffectView,
  sent: NonNullable<EffectLine["sent"]>,
  wasFailed: boolean,
): Promise<boolean> {
  const { id, account, contact } = effect;
  const entry = entryOf(effect.payload);
  const shown = shownMail(entry, sent.id);
  const request = entry.type === "send" && sent.id === undefined ? entry.request : undefined;
  const mail = wasFailed ? arrivedMail(id, shown) : shown;
  const done = await context.store.effects.resolve({
    id,
    account,
    contact,
    action: "finish",
    result: mail && { event: `r:${id}:arrived`, mail },
    journal: lineOf(context, effect, { outcome: "done", sent, request }),
  });
  if (done && mail) context.wake("turns");
  if (done && !wasFailed) context.wake("outbox");
  return done;
}

function arrivedMail(effect: string, shown: ReturnType<typeof shownMail>): Mail {
  if (!shown) return { kind: "send-arrived", effect };
  const { message, request } = shown;
  return { kind: "send-arrived", effect, shown: { message, request } };
}

/** The messages that were held with a send that did leave after all go on, in order. */
async function letGo(
  context: Tools,
  { account: owner, contact: whose }: EffectView,
  turn: string,
): Promise<void> {
  const held = await all(context, { account: owner, contact: whose, states: ["held"] });
  const behind = held.filter((effect) => {
    const entry = entryOf(effect.payload);
    return effect.reason === "turn" && entry.type === "send" && entry.turn === turn;
  });
  const [first, ...others] = behind;
  if (!first) return;
  // In one step, so that no later message leaves between them. Each keeps the place at which it was asked for, also one
  // that another process releases at this moment.
  const { id, account, contact } = first;
  const after = others.map((effect) => effect.id);
  await context.store.effects.resolve({ id, account, contact, action: "resend", behind: after });
  context.wake("outbox");
}

/** Oldest first, from all pages. */
async function all(
  context: Tools,
  some: Parameters<typeof everyEffect>[1],
): Promise<readonly EffectView[]> {
  const found: EffectView[] = [];
  for await (const effect of everyEffect(context.store, some)) found.push(effect);
  return found.reverse();
}

function lineOf(
  context: Tools,
  effect: EffectView,
  how: Pick<EffectLine, "outcome" | "reason" | "sent" | "request">,
): EffectLine {
  const { id, attempt } = effect;
  const sent = how.sent && context.echoes.marks(effect, how.sent);
  return {
    type: "effect",
    effect: id,
    name: "send",
    attempt,
    at: context.clock.now(),
    ...how,
    sent,
  };
}

/** Digests of all forms in which a send may have left: as it is, or with the apology for being late. */
export function hashesOf(
  context: Pick<SendContext, "channels" | "echoes">,
  entry: SendEntry,
  account: Account,
): string[] {
  const { channel, address, message } = entry;
  const forms = [message, ...account.languages.map((locale) => lateForm(message, locale))];
  const hashes = forms.flatMap((form) => {
    const { text } = context.channels.render(form, { channel, address, account });
    return context.echoes.hashes(form, text);
  });
  return [...new Set(hashes)];
}

/** A message that comes too late to be an answer, with the apology for it. */
export function lateForm(message: Outbound, locale: Account["languages"][number]): Outbound {
  return { ...message, text: `${SORRY[locale]}\n\n${message.text}` };
}
