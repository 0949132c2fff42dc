/**
 * What a plugin knows about the sentences of its business. The engine asks its readers at named places of its routing table, in
 * the order in which the plugins are listed; the first that answers counts. An author's own start phrases, options and
 * questions come before them.
 *
 * Readers are pure: they get text and data, and return data. They keep nothing, throw nothing and mutate nothing.
 *
 * @example A reader of a pizzeria: "duas calabresas pra hoje" begins the flow with the role `order`.
 * ```ts
 * const orders: Reader = {
 *   name: "pizzeria",
 *   roles: { order: { fills: true } },
 *   opens(text, { flows }) {
 *     const flow = flows.get("order");
 *     const pizzas = pizzasIn(text);
 *     return flow && pizzas.length > 0 ? { begins: true, wanted: { flow, prefill: { pizzas } } } : undefined;
 *   },
 * };
 * ```
 */
import type { JsonObject } from "../../base/index.ts";
import type { Business, Command, OwnCommand } from "../../understanding/index.ts";
import type { Account } from "../session/account.ts";
import type { Expectation, ExpectedSlot, ProgramContext, SlotReading } from "./program.ts";

/** What a plugin adds to the engine. */
export interface EngineHooks {
  readonly readers?: readonly Reader[];
}

/** One business's knowledge of sentences. Every part is optional but the name. */
export interface Reader {
  /** The plugin's name; shown by `prosa flows routing`. */
  readonly name: string;
  /** The roles that flows may declare for it, beside the runtime's own, and what each means to the engine. */
  readonly roles?: Readonly<Record<string, RoleTraits>>;
  /** Nouns of the business, folded (lower case, no accents). */
  readonly words?: Readonly<Record<ProgramContext["locale"], ReaderWords>>;
  /** Its own commands, by the names that `understand("command")` gives them. Asked in this order. */
  readonly commands?: Readonly<Record<string, ReaderCommand>>;
  /** Exact forms of the runtime's commands that name a thing: "desisti da pizza" is `cancel`. Folded, without marks. */
  readonly forms?: ReadonlyMap<string, Command>;
  /** Whether a text says what was done or is wanted, and nothing else. */
  readonly describes?: (text: string) => boolean;
  /** Further kinds of `prosa understand`. */
  readonly understands?: Readonly<
    Record<string, (text: string, context: ProgramContext) => { readonly ok: boolean }>
  >;

  /** What a text begins outside any form. Undefined where it says nothing of this business. */
  opens?(text: string, about: About): Opening | undefined;
  /** What a text goes on with right after (at most 10 minutes), or in, a flow of this role: "e do mês passado?" */
  continues?(text: string, role: string, about: About): JsonObject | undefined;
  /** What a text says to a flow that begins by a phrase or a command: its input, and answers of slots of these names. */
  input?(text: string, about: About): Said;
  /**
   * The question of somebody that is answered in passing: a word is said, and the question in progress asked again. `asked`: the
   * kind of that question. Undefined where the text may be an answer to it.
   */
  passing?(text: string, about: About, asked: string | undefined): Passing | undefined;
  /** What one sentence tells, by kind of slot. Used inside forms, and to tell a bare name from other words. */
  sentence?(text: string, context: ProgramContext): Told | undefined;
  /**
   * Answers of a form that a text makes doubtful. With `values`: beside these, which were read from the text. Without: the text is
   * looked at by itself, before anything else of it is read.
   */
  amends?(
    form: Pick<Expectation, "rests" | "slots">,
    text: string,
    values: JsonObject | undefined,
    context: ProgramContext,
  ): Amendment | undefined;
}

/** What flows of a role are to the engine. */
export interface RoleTraits {
  /** `opens` begins it with answers: a sentence says more than its own start phrases, and is read before them. */
  readonly fills?: true;
  /** Several flows of one audience may have the role. */
  readonly shared?: true;
  /**
   * It looks at something that exists, named by this input. While something is waited for, its start phrase without that
   * input is about what waits ("where is it?"), and begins nothing.
   */
  readonly looksAt?: string;
  /** Never begun while something costly is on its way: it would ask for another one. */
  readonly alone?: true;
  /** Its form asks something of the business: listed among a customer's own requests before it is sent. */
  readonly isRequest?: true;
}

export interface ReaderWords {
  /**
   * What the business makes, in all its forms: "pizza", "pizzas". One of these that exists is given up by another way than a
   * request that waits; in an answer to a request they stand for it ("recusar a pizza").
   */
  readonly things: readonly string[];
  /** Whom it is made for, beside "cliente" and "empresa". */
  readonly people?: readonly string[];
  /** Words beside them that count for the language: "calabresa". */
  readonly beside?: readonly string[];
  /** What the business calls a month, beside "mês": "período". */
  readonly months?: readonly string[];
}

/** A command of a plugin: it begins a flow, with what {@link Reader.input} finds in the text. */
export interface ReaderCommand extends Omit<OwnCommand, "name"> {
  /** Role of that flow. */
  readonly role: string;
  /** Key of the word that is said where no such flow is offered, and the reason for which a person is called then. */
  readonly otherwise: string;
  /**
   * Set where the words may as well be about the form in progress ("cancela"): key of the word that asks which, unless the text
   * names its thing. A person is called where the flow cannot begin because something costly is on its way.
   */
  readonly doubt?: string;
  /** Kind of a question of that very flow to which the text is the answer. */
  readonly answers?: string;
}

/** Who writes, and what they may begin. */
export interface About extends ProgramContext {
  readonly account: Account;
  readonly role: "customer" | "operator";
  /** Ids of flows by role: those that this person may begin by writing, and those that only other flows begin. */
  readonly flows: ReadonlyMap<string, string>;
}

export interface Opening {
  /** Absent where what is asked for is not offered to this person. */
  readonly wanted?: Wanted;
  /** It asks for something, rather than only says something. */
  readonly begins?: true;
  /** It is wanted for another day: nothing begins now. Key of the word that says so. */
  readonly putOff?: string;
}

/** A flow that a text begins. */
export interface Wanted {
  readonly flow: string;
  /** Answers, by slot. What a slot does not take is left out and asked. */
  readonly prefill: JsonObject;
  readonly input?: JsonObject;
  /** Probable answers: they are proposed at their questions. */
  readonly likely?: JsonObject;
  /** Key of a word that is said before it begins. */
  readonly word?: string;
  /** The words ask for it by themselves, however little they hold: no choice from a menu is meant. */
  readonly isAsked?: true;
  /** It holds so much that it answers no question of another flow. */
  readonly isWhole?: true;
  /**
   * Where a flow that `fills` is waited for, and these answers (two at least) are not all that flow's: key of the word that
   * says that this one was not taken.
   */
  readonly other?: { readonly word: string; readonly tells: JsonObject };
}

/** What a text says to a flow that begins by a phrase or a command. */
export interface Said {
  readonly values: JsonObject;
  /** It names its thing: no other can be meant. */
  readonly isNamed?: true;
}

/** A question answered in passing. */
export interface Passing {
  /** Key of the word. */
  readonly word: string;
  /** At the menu and outside any flow, what the text begins begins all the same. */
  readonly begins?: true;
}

/** What a sentence tells; only the parts that are certain. */
export interface Told {
  /** Integer cents. */
  readonly money?: number;
  /** CPF or CNPJ in normal form. */
  readonly document?: string;
  readonly name?: string;
  /** What was done or is wanted, in words. */
  readonly text?: string;
  /** `YYYY-MM-DD`. */
  readonly date?: string;
}

/** Answers of a form that hold no more. */
export interface Amendment {
  /** Asked again, in this order. */
  readonly again: readonly Doubt[];
  /** Slots of which nothing that was said before holds. */
  readonly anew: readonly string[];
  /** Answers that the text gives beside. */
  readonly values: JsonObject;
}

export interface Doubt {
  readonly slot: ExpectedSlot;
  /** What is wrong with the answer that was offered; undefined where none was. */
  readonly reading?: SlotReading;
}

/** What a message is understood by. */
export interface ReadingContext extends ProgramContext {
  readonly readers?: readonly Reader[];
}

const made = new WeakMap<readonly Reader[], Business>();

export function businessOf(readers: readonly Reader[]): Business {
  const known = made.get(readers);
  if (known) return known;
  const words = readers.flatMap(({ words: of }) => (of ? Object.values(of) : []));
  const spokenIn = (locale: "pt-BR" | "en") =>
    readers.flatMap(({ words: of }) => [
      ...(of?.[locale].things ?? []),
      ...(of?.[locale].beside ?? []),
    ]);
  const describing = readers.filter(({ describes }) => describes !== undefined);
  const business: Business = {
    things: words.flatMap(({ things }) => things),
    beside: words.flatMap(({ beside = [] }) => beside),
    people: words.flatMap(({ people = [] }) => people),
    spoken: { "pt-BR": spokenIn("pt-BR"), en: spokenIn("en") },
    months: words.flatMap(({ months = [] }) => months),
    commands: readers.flatMap(({ commands = {} }) =>
      Object.entries(commands).map(([name, one]) => ({ name, ...one })),
    ),
    forms: new Map(readers.flatMap(({ forms }) => [...(forms ?? [])])),
    ...(describing.length > 0
      ? { describes: (text: string) => describing.some((reader) => reader.describes?.(text)) }
      : {}),
  };
  made.set(readers, business);
  return business;
}
