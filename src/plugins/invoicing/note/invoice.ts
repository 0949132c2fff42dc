/**
 * The record of one note, kept years longer than the conversation: what was asked for, what became of it, and the changes of
 * its state. Kept by `invoices.ts`; here nothing is written.
 */
import { z } from "zod";
import { Address, Waiter } from "../../../plugin.ts";

export const InvoiceState = z.enum([
  /** Taken in, nothing sent: waits for its turn, for balance, for the gateway. */
  "pendente",
  /** Being sent right now. */
  "enviando",
  "autorizada",
  /** The gateway took it; the town has not decided. */
  "processando",
  "rejeitada",
  /** Sent, and nobody knows: never sent again by a machine. */
  "incerta",
  /** A person closed it without knowing. */
  "abandonada",
]);
export type InvoiceState = z.output<typeof InvoiceState>;

/**
 * What became of the wish to cancel an issued note. `pedida`: recorded, for people to carry out. `enviando`: to be sent, or on
 * its way; also what a rate limit turned away, while its effect waits. `incerta`: sent to the authority, without an answer so
 * far; never sent again by a machine.
 */
export const Cancellation = z.object({
  state: z.enum(["pedida", "enviando", "incerta", "cancelada", "recusada"]),
  /** Of the national event: 1 issued in error, 2 service not rendered, 9 other. */
  code: z.enum(["1", "2", "9"]),
  why: z.string().min(15).max(255),
  /** Contact who asked, and the effect it was asked with. */
  contact: z.string(),
  effect: z.string(),
  at: z.number(),
  /** What the authority said when it refused. */
  text: z.string().max(500).optional(),
  /**
   * Of an `incerta` one: when a person gave it up, virtual ms. Whether it reached the authority was never found out.
   */
  givenUp: z.number().optional(),
  /**
   * Of a `cancelada` one: the authority itself confirmed it, and the sale is free. Absent when a person said it.
   */
  confirmed: z.literal(true).optional(),
  /**
   * A rate limit turned it away unread, and whoever asked was told that it waits and the note stands meanwhile: they are told,
   * too, when its answer is lost later.
   */
  waited: z.literal(true).optional(),
});
export type Cancellation = z.output<typeof Cancellation>;

export const Invoice = z.object({
  id: z.string(),
  account: z.string(),
  contact: z.string(),
  effect: z.string(),
  waiter: Waiter.optional(),
  locale: z.enum(["pt-BR", "en"]),
  state: InvoiceState,
  /** Grows with every change of state, also where the record is written anew; see {@link revOf}. */
  rev: z.number().int().optional(),
  issuer: z.object({
    emitente_id: z.string(),
    cnpj: z.string(),
    town: z.string(),
    zone: z.string(),
  }),
  taker: z.object({
    document: z.string(),
    name: z.string(),
    /** As it went into the note. */
    address: Address.partial().optional(),
  }),
  cents: z.number().int(),
  competence: z.string(),
  service: z.string(),
  /** Id of the service in the account. */
  serviceId: z.string().optional(),
  description: z.string(),
  /** Claimed in the store under this key, by the effect. */
  businessKey: z.string(),
  /** `cIntContrib` and `codigo_aleatorio` of the frozen request. */
  token: z.string(),
  code: z.string(),
  createdAt: z.number(),
  /**
   * How long the note counts as the same sale as one like it once it has its end, ms. Null: for good, because the business named
   * the sale itself.
   */
  window: z.number().nullable(),
  sentAt: z.number().optional(),
  settledAt: z.number().optional(),
  /** While it is on the list of those without an end: its {@link revOf} when it came on. */
  listed: z.number().int().optional(),
  /**
   * Of an `abandonada` one: when a person who looked it up said that it does not exist, virtual ms. Its sale may be issued anew.
   */
  absent: z.number().optional(),
  /** What the gateway named it by when it took it in (`id`, `protocolo`, …). */
  names: z.array(z.string()).default([]),
  /** Keys that were looked up for this note, each a charged query, newest last. */
  checks: z
    .array(z.object({ at: z.number(), key: z.string(), by: z.enum(["notice", "person"]) }))
    .default([]),
  key: z.string().optional(),
  number: z.string().optional(),
  link: z.string().optional(),
  /** Contacts the note was sent to by the business: they may see it, too. */
  shared: z.array(z.string()).max(20).optional(),
  cancel: Cancellation.optional(),
  reason: z
    .object({
      code: z.string(),
      text: z.string(),
      words: z.string().optional(),
      slots: z.array(z.string()),
      fixable: z.enum(["customer", "issuer", "nobody"]),
    })
    .optional(),
  /** Every change of state, who made it and why: the record's own audit. */
  history: z.array(
    z.object({ at: z.number(), state: InvoiceState, by: z.string(), why: z.string().optional() }),
  ),
});
export type Invoice = z.output<typeof Invoice>;

/** Why a note waits again whose request was taken back before it left. */
export const NOT_SENT = "not_sent";
/**
 * Issued, as the gateway said without telling its access key: until that is known nobody can look it up or cancel it. It is no
 * note without an end, and stands on the list of those all the same, for people to find it.
 */
export function isKeyless({ state, key }: Pick<Invoice, "state" | "key">): boolean {
  return state === "autorizada" && key === undefined;
}

/**
 * What a person who decides has seen: the state a note is in, told from the same state at another time. Without
 * `rev` it is the length of the history.
 */
export function revOf({ rev, history }: Pick<Invoice, "rev" | "history">): number {
  return rev ?? history.length;
}

/** Whether a request of it was ever sent without certainty that none came of it; a person's word is no such certainty. */
export function mayHaveLeft(history: Invoice["history"]): boolean {
  return history.some(({ state }) => state === "incerta" || state === "processando");
}

/** How many requests of it set out and were not taken back: each may have become a note, whatever became of the others. */
export function sendings(history: Invoice["history"]): number {
  return history.filter(({ state }, at) => {
    const next = history[at + 1];
    return state === "enviando" && !(next && isNotSent(next));
  }).length;
}

/** The record in another state, with the step in its history. What the facts do not tell stays as it was. */
export function moved(
  invoice: Invoice,
  state: InvoiceState,
  step: { at: number; by: string; why?: string },
  facts: Partial<Pick<Invoice, "key" | "number" | "link" | "reason" | "names" | "sentAt">> = {},
): Invoice {
  const settled = state === "autorizada" || state === "rejeitada" || state === "abandonada";
  return {
    ...invoice,
    key: facts.key ?? invoice.key,
    number: facts.number ?? invoice.number,
    link: facts.link ?? invoice.link,
    reason: facts.reason ?? invoice.reason,
    names: facts.names ?? invoice.names,
    sentAt: facts.sentAt ?? invoice.sentAt,
    state,
    rev: revOf(invoice) + 1,
    ...(settled ? { settledAt: step.at } : {}),
    history: withStep(invoice.history, { state, ...step }),
  };
}

/**
 * A request that was provably not sent takes the place of the one before that was not either: how often it is tried while a
 * server is away is bounded by nothing.
 */
function withStep(
  history: Invoice["history"],
  step: Invoice["history"][number],
): Invoice["history"] {
  const [before, sending] = history.slice(-2);
  const isAgain =
    isNotSent(step) && sending?.state === "enviando" && before !== undefined && isNotSent(before);
  return [...(isAgain ? history.slice(0, -2) : history), step];
}

function isNotSent({ state, by, why }: Invoice["history"][number]): boolean {
  return state === "pendente" && by === "worker" && why === NOT_SENT;
}

/**
 * Closed while it waited: it never left, or was turned away unread. A person's word that an earlier request came to nothing is no
 * proof, nor is it that the next one was turned away.
 */
export function wasUnsent(history: Invoice["history"]): boolean {
  if (mayHaveLeft(history)) return false;
  const before = history.findLast(({ state }) => state !== "abandonada");
  return before?.state === "pendente" && before.by === "worker";
}
