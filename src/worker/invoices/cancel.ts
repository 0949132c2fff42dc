/**
 * `invoice.cancel`: an issued note's fiscal cancellation, asked for once. One key per note, claimed before anything leaves, so
 * that two people who want the same do it once; what was sent without an answer is `incerta` and never sent again by a machine.
 */
import type { Account, Session } from "../../engine/index.ts";
import type { Begun, EffectView } from "../../store/port.ts";
import type { Desk } from "../desk.ts";
import { CANCEL_CODES, CancelInput, INVOICE_CANCEL, type PreparedCall } from "../effects/index.ts";
import type { Ending } from "../outbox/ending.ts";
import { type CallEntry, entryOf } from "../outbox/entry.ts";
import { noteFacts } from "./invoice-answer.ts";
import type { Cancellation, Invoice } from "./invoices.ts";
import { written } from "./written.ts";

type Said = Pick<Cancellation, "state" | "text">;

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
  return ending && written(() => conclude(desk, begun, note, ending));
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
  if (effect === begun.id && state === "cancelada") return cancelled(note);
  if (effect === begun.id && state === "recusada") return refused("refused", text);
  return conclude(desk, begun, note, ending);
}

/** A person said how a held one ended. */
export async function decidedCancel(
  desk: Desk,
  effect: Pick<EffectView, "id" | "account" | "payload">,
  ended: "done" | "failed",
): Promise<void> {
  const entry = entryOf(effect.payload);
  if (entry.type !== "call" || entry.name !== INVOICE_CANCEL) return;
  const input = CancelInput.safeParse(entry.input).data;
  const note = input && (await desk.invoices.get(effect.account, input.note));
  if (!note) return;
  await say(desk, effect, note, { state: ended === "done" ? "cancelada" : "recusada" });
}

/** What stands there was written while this process stood still: by who took its effect over, or by a later wish. */
function isJudged(known: Cancellation | undefined, { id }: Begun, { work }: CallEntry): boolean {
  if (!known || known.state === "pedida") return false;
  if (known.effect !== id) return known.state !== "recusada";
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
  const { state, effect } = note.cancel ?? { state: "pedida", effect: begun.id };
  return state === "pedida" || state === "recusada" || effect === begun.id ? null : "already";
}

async function conclude(desk: Desk, begun: Begun, note: Invoice, ending: Ending): Promise<Ending> {
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
        await say(desk, begun, note, { state: "recusada", text });
        return refused(facts.error?.code ?? "refused", text);
      }
      // Taken in, and not said to be cancelled: a person looks it up.
      return unclear(desk, begun, note, "unconfirmed");
    }
    case "failed": {
      const said = result?.out["text"];
      const text = typeof said === "string" ? said.slice(0, 300) : "";
      await say(desk, begun, note, { state: "recusada", ...(text ? { text } : {}) });
      return ending;
    }
    case "held":
      return unclear(desk, begun, note, ending.outcome.reason);
    default:
      return ending;
  }
}

function cancelled({ number = "" }: Invoice): Ending {
  return { outcome: { kind: "done" }, result: { outcome: "done", out: { number, text: "" } } };
}

async function unclear(desk: Desk, begun: Begun, note: Invoice, reason: string): Promise<Ending> {
  await say(desk, begun, note, { state: "incerta" });
  return {
    outcome: { kind: "held", reason },
    result: { outcome: "held", out: { text: "" } },
    note: { reason },
  };
}

/** A definite no frees the note's key: it may be asked for again, in other words. */
async function say(
  desk: Desk,
  { id, account }: Pick<Begun, "id" | "account">,
  note: Invoice,
  said: Said,
): Promise<void> {
  await desk.invoices.change(account, note.id, (now) =>
    now.cancel?.effect === id ? { ...now, cancel: { ...now.cancel, ...said } } : null,
  );
  const key = keyOf(desk, note);
  if (said.state === "recusada") await desk.store.freeKey(account, key, id);
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
