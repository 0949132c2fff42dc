/**
 * Why mail was put aside and why a message was given up, from what the processes wrote down and from the gateway's book: neither
 * excuses itself by being there.
 */
import type { DeadLetter, EffectView, Store } from "../../src/store/index.ts";
import { LIMITS } from "../../src/store/limits.ts";
import { type Body, textIn } from "../support/prosa.ts";
import { type Book, saying } from "./book.ts";
import type { Expected } from "./oracles.ts";

/** The number of what a contact says first. */
export const GREETING = 0;
export const NUMBER = /^#(\d+)$/;
/** Mail is handed out so often before it is put aside. */
const HAND_OUTS = 5;
/** A message and the three repeats that are granted. */
const TRIES = 4;
const SHOWN = 100;

/** What stands in dead letters. */
export interface Letter {
  /** What a contact wrote; -1 for all else. */
  readonly number: number;
  readonly reason: string;
  /** How often it had been handed out, {@link Book.handedOut}. */
  readonly handed: number;
}

/** A send that was given up. */
export interface Rest {
  readonly text: string;
  readonly reason: string;
  /** Why, as others tell it: `refused`, `tried`, `turn`. Undefined: for no reason. */
  readonly over?: string;
}

/**
 * Whether mail may stand there: it was tried as often as is promised, or there was no room for it, which is known of nobody who
 * did not have `answered` as many events as a mailbox has room for.
 */
export const isGrounded = ({ reason, handed }: Letter, answered: number): boolean =>
  reason === "mailbox_full" ? answered > LIMITS.mailbox : handed >= HAND_OUTS;

/** All dead letters, each with its contact. */
export async function lettersIn(
  store: Pick<Store, "deadLetters" | "views">,
  book?: Book,
): Promise<readonly (Letter & Pick<DeadLetter, "contact">)[]> {
  const all: (Letter & Pick<DeadLetter, "contact">)[] = [];
  for (let after: string | undefined; ;) {
    const page = await store.deadLetters.list({
      limit: SHOWN,
      ...(after === undefined ? {} : { after }),
    });
    for (const { contact, event, reason, mail } of page.items)
      all.push({
        ...{ contact, reason, number: numberOf(mail) },
        handed: book?.handedOut(contact, event) ?? 0,
      });
    if (page.next === undefined) return all;
    after = page.next;
  }
}

/** Answers that only pause a scope: what they turned away waits for its end, and is not given up. */
const WAITING = [401, 402, 403, 429];
const isRefusal = (status: number): boolean =>
  status >= 400 && status < 500 && !WAITING.includes(status);

type Held = Pick<EffectView, "id" | "attempt" | "createdAt" | "reason" | "payload">;

/**
 * The held sends of one contact. Each was refused by the gateway, or tried as often as is granted, or is of a turn of which
 * another one was.
 */
export function restsIn(
  held: readonly Held[],
  known: { readonly requests: readonly Body[]; readonly book?: Book } & Pick<Expected, "spoilt">,
): readonly Rest[] {
  const { requests, book, spoilt = false } = known;
  const overOf = (one: Held): string | undefined => {
    if (spoilt && one.reason === "failed:refused") return "refused";
    const said = saidIn(one);
    const isRefused = requests.some(
      (row) => isRefusal(Number(row["status"])) && rowSaid(row) === said,
    );
    if (isRefused) return "refused";
    const tries = Math.min(one.attempt, book?.tries(one.id, one.createdAt) ?? 0);
    return tries >= TRIES ? "tried" : undefined;
  };
  const own = held.map((one) => ({ one, over: overOf(one) }));
  const turns = new Set(
    own.filter(({ over }) => over !== undefined).map(({ one }) => turnOf(one) ?? ""),
  );
  return own.map(({ one, over }) => {
    const mate =
      one.reason === "turn" &&
      (turns.has(turnOf(one) ?? "none") || book?.heldBeside(one.id) === true);
    const why = over ?? (mate ? "turn" : undefined);
    return {
      ...{ text: payloadOf(one).message?.text ?? "", reason: one.reason ?? "" },
      ...(why === undefined ? {} : { over: why }),
    };
  });
}

interface Payload {
  readonly address?: string;
  readonly turn?: string;
  readonly message?: { readonly text?: string };
}

const payloadOf = ({ payload }: Held): Payload => payload as Payload;
const turnOf = (one: Held): string | undefined => payloadOf(one).turn;

function saidIn(one: Held): string {
  const { address, message } = payloadOf(one);
  return saying(address ?? "", message?.text ?? "");
}

/** What a call says to whom, as the processes wrote it down. A short message has another word for it. */
export function rowSaid(row: Body): string {
  const { number, text, message } = (row["body"] ?? {}) as Record<string, Body | undefined>;
  return saying(textIn(number), textIn(text ?? message));
}

function numberOf(mail: DeadLetter["mail"]): number {
  const text = (mail as { event?: { content?: { text?: string } } }).event?.content?.text ?? "";
  return text === "oi" ? GREETING : Number(NUMBER.exec(text)?.[1] ?? "-1");
}
