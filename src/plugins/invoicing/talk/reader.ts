/** What invoicing knows about sentences: the notes that people ask for, look for, correct and have cancelled. */
import {
  type About,
  foldWords,
  type JsonObject,
  type Passing,
  type ProgramContext,
  type Reader,
  type Said,
  type Told,
} from "../../../plugin.ts";
import { aside, bidsEmail } from "./passing-questions.ts";
import { invoice } from "../sentence/invoice.ts";
import { GIVES_UP, noteCommands } from "./note-commands.ts";
import { isNamed, noteWish } from "./note-wish.ts";
import { NOUNS } from "./nouns.ts";
import { isWork } from "../sentence/parts/sentence-description.ts";
import { openedBy, saidAmount } from "./wanted-note.ts";
import { amendedBy } from "./changed-taker.ts";

/** A longer text is never read as a bare month, characters. */
const LONGEST = 60;
const MONTH =
  "(?:mes (?:passado|anterior|atual|retrasado)|(?:esse|este|neste|nesse|last|this|previous) (?:mes|month)|janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|january|february|march|april|may|june|july|august|september|october|november|december|(?:0?[1-9]|1[0-2]) 20\\d\\d)";
/** Nothing but the month stands there, as a question or led by an "and". */
const ELLIPTIC = new RegExp(
  `^(?:(?:e|and|what about|how about|agora|now) )?(?:(?:o|a|os|as|do|de|da|no|na|em|of|in|for|from|the|quanto (?:foi|deu)|how much) )*${MONTH}(?: (?:de |of )?20\\d\\d)?$`,
);

/**
 * "E do mês passado?" after a month's notes: the same question about another month, as a flow of a month's notes takes it.
 * Undefined for every other text.
 */
function otherMonth(text: string, role: string, about: About): JsonObject | undefined {
  if (role !== "month-of-notes" || text.length > LONGEST) return undefined;
  const said = foldWords(text);
  if (!ELLIPTIC.test(said) || !(text.trim().endsWith("?") || /^(?:e|and|agora|now) /.test(said)))
    return undefined;
  const { month } = noteWish(text, about);
  return month === undefined ? undefined : { month };
}

/** Kinds to which the words of a question in passing may be the answer. */
const TAKES: ReadonlySet<string> = new Set(["text", "email", "password"]);

export const invoicingReader: Reader = {
  name: "invoicing",
  roles: {
    "ask-note": { fills: true, isRequest: true },
    "issue-note": { fills: true, alone: true },
    "known-customer": { fills: true, alone: true },
    "repeat-note": { alone: true },
    "look-up-note": { looksAt: "note" },
    "month-of-notes": { shared: true },
    "cancel-note": {},
    "note-cancelled": {},
  },
  words: NOUNS,
  describes: isWork,
  forms: new Map(GIVES_UP.map((form) => [form, "cancel"])),
  understands: { invoice },
  commands: {
    note_cancelled: {
      ...noteCommands.note_cancelled,
      role: "note-cancelled",
      otherwise: "cancel-invoice",
      answers: "note",
    },
    cancel_invoice: {
      ...noteCommands.cancel_invoice,
      role: "cancel-note",
      otherwise: "cancel-invoice",
      doubt: "cancel-which",
    },
  },
  opens: openedBy,
  continues: otherMonth,
  input: inputOf,
  passing: passingOf,
  sentence: sentenceOf,
  amends: amendedBy,
};

/** Which note is meant, of which month, whose, and how much. */
function inputOf(text: string, about: About): Said {
  const wish = noteWish(text, about);
  const value = saidAmount(text, about, wish.number === undefined);
  const values = {
    ...(isNamed(wish) ? { note: { ...wish } } : {}),
    ...(wish.month === undefined ? {} : { month: wish.month }),
    ...(wish.name === undefined ? {} : { name: wish.name }),
    ...(value === undefined ? {} : { value }),
  };
  const isOne = wish.number !== undefined || wish.key !== undefined || wish.last === true;
  return { values, ...(isOne ? { isNamed: true } : {}) };
}

/** "Quanto custa o corte?", "manda no meu e-mail": customers are told what is not done here. */
function passingOf(text: string, about: About, asked: string | undefined): Passing | undefined {
  if (about.role === "operator") return undefined;
  const what = aside(text);
  if (!what) return undefined;
  if (asked !== undefined && TAKES.has(asked) && !(asked === "text" && bidsEmail(text)))
    return undefined;
  // "Manda a nota no meu e-mail": the note is shown all the same, with its link.
  return what === "email" ? { word: "no-email", begins: true } : { word: "not-about-notes" };
}

function sentenceOf(text: string, context: ProgramContext): Told | undefined {
  const understood = invoice(text, context);
  if (!understood.ok) return undefined;
  const { value, description, ...others } = understood.value;
  return {
    ...others,
    ...(value === undefined ? {} : { money: value }),
    ...(description === undefined ? {} : { text: description }),
  };
}
