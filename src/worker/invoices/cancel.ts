/**
 * `invoice.cancel`: an issued note's fiscal cancellation, asked for once. One key per note, claimed before anything leaves, so
 * that two people who want the same do it once; what was sent without an answer is `incerta` and never sent again by a machine.
 */
import { fold } from "../../brazil/index.ts";
import type { Account, CallResult, Session } from "../../engine/index.ts";
import type { Begun, EffectView } from "../../store/port.ts";
import type { Desk } from "../desk.ts";
import { CANCEL_CODES, CancelInput, INVOICE_CANCEL, type PreparedCall } from "../effects/index.ts";
import type { Ending } from "../outbox/ending.ts";
import { type CallEntry, entryOf } from "../outbox/entry.ts";
import type { EffectWord } from "./effect-words.ts";
import { noteFacts } from "./invoice-answer.ts";
import type { Cancellation, Invoice } from "./invoices.ts";
import { RATE_LIMITED } from "../outbox/releases.ts";
import { written } from "./written.ts";

type Said = Pick<Cancellation, "state" | "text" | "givenUp">;

/** One attempt; `send` makes the call. Null = the effect is somebody else's by now. */
export async function performCancel(
  desk: Desk,
  begun: Begun,
  entry: CallEntry,
  account: Account,
  send: (call: PreparedCall) => Promise<Ending | null>,
): Promise<Ending | null> {
  const input = CancelInput.safeParse(entry.input).data;
  const note = input && (await desk.invoices.get(account.id, input.note));
  if (!input || !note) return refused("unknown");
  // Bytes that are frozen passed these before, and may have left.
  const no = entry.work.frozen ? null : await obstacle(desk, begun, account, note);
  if (no) return refused(no);
  const key = keyOf(desk, note);
  const claimed = await desk.store.claimKey(account.id, key, begun.id);
  if (!claimed.ok) return refused("already");
  const set = await desk.invoices.change(account.id, note.id, (now) =>
    isJudged(now.cancel, begun, entry)
      ? null
      : {
          ...now,
          cancel: {
            ...{ state: "enviando", code: CANCEL_CODES[input.reason], why: input.why },
            ...{ contact: begun.contact, effect: begun.id, at: desk.clock.now() },
          },
        },
  );
  if (!set?.changed) return null;
  const ending = await send({
    body: {
      emitente_id: note.issuer.emitente_id,
      chave: note.key ?? "",
      codigo_motivo: CANCEL_CODES[input.reason],
      motivo: input.why,
      ...(account.homolog ? { homolog: true } : {}),
    },
    query: {},
  });
  const { frozen } = entry.work;
  return ending && written(() => conclude(desk, begun, set.invoice, ending, frozen === undefined));
}

/** What a dead process left: it may have left, so nobody sends it again. */
export async function lostCancel(
  desk: Desk,
  begun: Begun,
  entry: CallEntry,
  ending: Ending,
): Promise<Ending> {
  const input = CancelInput.safeParse(entry.input).data;
  const note = input && (await desk.invoices.get(begun.account, input.note));
  if (!note) return ending;
  // The answer had arrived and was recorded; only its telling was lost.
  const { effect, state, text = "" } = note.cancel ?? {};
  if (effect === begun.id && (state === "cancelada" || state === "recusada")) {
    // Its process may have died before the note's key was.
    await endKey(desk, begun, note, { state });
    return state === "cancelada" ? cancelled(note) : refused("refused", text);
  }
  return conclude(desk, begun, note, ending);
}

/**
 * A person said how a held one ended. To be called before its effect goes: were the record written afterwards, a crash in
 * between would leave the note uncertain for ever; now {@link repairCancel} ends what is left. False: another word stands
 * there already.
 */
export async function decidedCancel(
  desk: Desk,
  effect: EffectView,
  word: EffectWord,
): Promise<boolean> {
  const note = await noteOf(desk, effect);
  return note === null || say(desk, effect, note, saidBy(desk, effect, word), isUndecided);
}

function saidBy(desk: Desk, effect: EffectView, word: EffectWord): Said {
  if (word === "done") return { state: "cancelada" };
  if (word === "failed" || neverLeft(effect)) return { state: "recusada" };
  return { state: "incerta", givenUp: desk.clock.now() };
}

/** Turned away unread, or not sent at all: whatever becomes of it, the note stands. */
function neverLeft({ reason, payload }: EffectView): boolean {
  return reason === RATE_LIMITED || entryOf(payload).work.frozen === undefined;
}

/** What the flow that waits is told of a person's word. `abandoned`: nobody knows whether the note is cancelled. */
export function cancelDecided(effect: EffectView, word: EffectWord, text: string): CallResult {
  if (word === "done") return { outcome: "done", out: { number: "", text } };
  const code = word === "discard" && !neverLeft(effect) ? "abandoned" : "";
  return { outcome: "failed", out: { code, text } };
}

/** The record knows the end, the effect still rests: a crash between the two. */
export async function repairCancel(desk: Desk, effect: EffectView): Promise<void> {
  const note = await noteOf(desk, effect);
  const { cancel } = note ?? {};
  if (!cancel || isUndecided(cancel)) return;
  const word = isGivenUp(cancel) ? "discard" : cancel.state === "cancelada" ? "done" : "failed";
  const entry = entryOf(effect.payload);
  const waiter = entry.type === "call" ? entry.waiter : undefined;
  const { id, account, contact, rev } = effect;
  const result = cancelDecided(effect, word, "");
  const mail = waiter && { kind: "result" as const, effect: id, waiter, result };
  await desk.store.resolve({
    ...{ id, account, contact, rev, action: "finish" },
    ...(mail ? { result: { event: `r:${id}:decided`, mail } } : {}),
  });
  desk.wake("turns");
}

/** The note a held cancellation is about, while its record still says that it is this one's. */
async function noteOf(desk: Desk, { id, account, payload }: EffectView): Promise<Invoice | null> {
  const entry = entryOf(payload);
  if (entry.type !== "call" || entry.name !== INVOICE_CANCEL) return null;
  const input = CancelInput.safeParse(entry.input).data;
  const note = input && (await desk.invoices.get(account, input.note));
  return note?.cancel?.effect === id ? note : null;
}

function isGivenUp({ givenUp }: Pick<Cancellation, "givenUp">): boolean {
  return givenUp !== undefined;
}

/** Not sent so far, or nobody said how it ended. */
function isUndecided(cancel: Cancellation): boolean {
  return cancel.state === "pedida" || isOpen(cancel);
}

/** Sent, or about to be, and nobody said how it ended. */
function isOpen({ state, givenUp }: Cancellation): boolean {
  return (state === "enviando" || state === "incerta") && givenUp === undefined;
}

/** What stands there was written while this process stood still: by who took its effect over, or by a later wish. */
function isJudged(known: Cancellation | undefined, { id }: Begun, { work }: CallEntry): boolean {
  if (!known || known.state === "pedida") return false;
  if (known.effect !== id) return known.state !== "recusada" && !isGivenUp(known);
  // A person may have let go again what was uncertain; its bytes are frozen since.
  return known.state !== "enviando" && (known.state !== "incerta" || !work.frozen);
}

async function obstacle(
  desk: Desk,
  begun: Begun,
  account: Account,
  note: Invoice,
): Promise<string | null> {
  const view = await desk.store.session(begun.account, begun.contact);
  const role = (view?.session as Partial<Session> | null | undefined)?.role;
  if (role !== "operator") return "not_allowed";
  if (account.cancelTipo === undefined) return "not_available";
  if (note.state !== "autorizada" || note.key === undefined) return "not_issued";
  const { cancel } = note;
  if (!cancel || cancel.effect === begun.id) return null;
  return cancel.state === "cancelada" || isOpen(cancel) ? "already" : null;
}

/** `isFirst`: no attempt before it can have left. */
async function conclude(
  desk: Desk,
  begun: Begun,
  note: Invoice,
  ending: Ending,
  isFirst = false,
): Promise<Ending> {
  const { result } = ending;
  switch (ending.outcome.kind) {
    case "done": {
      const facts = noteFacts(result?.out["answer"] ?? null);
      if (facts.status === "cancelada") {
        await say(desk, begun, note, { state: "cancelada" });
        return { ...ending, ...cancelled(note) };
      }
      if (facts.status === "rejeitada") {
        const text = (facts.error?.message ?? "").slice(0, 300);
        if (ALREADY.test(fold(text))) return wasCancelled(desk, begun, note);
        await say(desk, begun, note, { state: "recusada", text });
        return refused(facts.error?.code ?? "refused", text);
      }
      // Taken in, and not said to be cancelled: a person looks it up.
      return unclear(desk, begun, note, "unconfirmed");
    }
    case "failed": {
      const said = result?.out["text"];
      const text = typeof said === "string" ? said.slice(0, 300) : "";
      if (ALREADY.test(fold(text))) return wasCancelled(desk, begun, note);
      await say(desk, begun, note, { state: "recusada", ...(text ? { text } : {}) });
      return ending;
    }
    case "held":
      if (ending.outcome.reason !== RATE_LIMITED || !isFirst)
        return unclear(desk, begun, note, ending.outcome.reason);
      // Turned away unread: nothing is uncertain, it was asked for and not sent.
      await say(desk, begun, note, { state: "pedida" }, isOpen);
      return { ...ending, result: { outcome: "held", out: { code: "waiting", text: "" } } };
    default:
      return ending;
  }
}

/** A second try of one whose answer was lost, or somebody did it in the town's own system: the note does not stand. */
const ALREADY = /\bja\b[^.]{0,20}\bcancelad[ao]\b/;

async function wasCancelled(desk: Desk, begun: Begun, note: Invoice): Promise<Ending> {
  await say(desk, begun, note, { state: "cancelada" });
  return { ...cancelled(note), note: { reason: "cancelled_before" } };
}

function cancelled({ number = "" }: Invoice): Ending {
  return { outcome: { kind: "done" }, result: { outcome: "done", out: { number, text: "" } } };
}

async function unclear(desk: Desk, begun: Begun, note: Invoice, reason: string): Promise<Ending> {
  await say(desk, begun, note, { state: "incerta" }, isOpen);
  return {
    outcome: { kind: "held", reason },
    result: { outcome: "held", out: { code: "", text: "" } },
    note: { reason },
  };
}

/**
 * Whether that is how it stands now. The authority's own answer stands above what was said before; other words are believed
 * only `over` what has no end. All of it is about the request this note was read with, and nothing about a later one: a person
 * may have let it go again while the process that made the first stood still.
 */
async function say(
  desk: Desk,
  of: Pick<Begun, "id" | "account">,
  note: Invoice,
  said: Said,
  over: (now: Cancellation) => boolean = () => true,
): Promise<boolean> {
  const { id, account } = of;
  const changed = await desk.invoices.change(account, note.id, ({ cancel, ...now }) => {
    if (cancel?.effect !== id || cancel.at !== note.cancel?.at || !over(cancel)) return null;
    const { givenUp: _before, ...rest } = cancel;
    return { ...now, cancel: { ...rest, ...said } };
  });
  const stands = changed?.invoice.cancel;
  if (stands?.effect !== id || stands.state !== said.state) return false;
  if (isGivenUp(stands) !== isGivenUp(said)) return false;
  await endKey(desk, of, note, said);
  return true;
}

/**
 * A definite no frees the note's key, so that it may be asked for again in other words; so does giving it up: the authority
 * itself says whether the note is cancelled already.
 */
async function endKey(
  desk: Desk,
  { id, account }: Pick<Begun, "id" | "account">,
  note: Invoice,
  said: Said,
): Promise<void> {
  const key = keyOf(desk, note);
  if (said.state === "recusada" || isGivenUp(said)) await desk.store.freeKey(account, key, id);
  if (said.state === "cancelada") await desk.store.settleKey(account, key, id);
}

function keyOf(desk: Pick<Desk, "keys">, note: Invoice): string {
  return desk.keys.hash(`cancel:${note.id}`);
}

function refused(code: string, text = ""): Ending {
  return {
    outcome: { kind: "failed" },
    result: { outcome: "rejected", out: { code, text } },
    note: { reason: code },
  };
}
