/**
 * The interface that a flow offers to the engine. The authoring kit (compiled ASTs) and raw machines implement it.
 *
 * A program is pure: it has no clock, no randomness and no effects. Its state is plain JSON (facts and a cached position).
 */
import type { Json, JsonObject } from "../../base/index.ts";
import type { Business } from "../../understanding/index.ts";
import type { Choice, Outbound, EffectClass, ShownRequest } from "../session/effect.ts";
import type { Content } from "../session/inbound.ts";

export type ProgramState = JsonObject;

/** What may vary from turn to turn and is not a fact of the frame. */
export interface ProgramContext {
  readonly now: number;
  /** IANA zone in which a day of the account begins. */
  readonly zone: string;
  readonly locale: "pt-BR" | "en";
  /** Chooses among variants of a text without randomness (digest of contact and rev). */
  readonly variant: number;
  /** Words of the business, for readings of any text. */
  readonly business?: Business;
}

/** Events a program takes. Upper case: a person meant it. `<step>.<outcome>`: the world reports it. */
export type FlowEvent =
  | { readonly type: "ANSWER" | "CORRECT"; readonly values: JsonObject }
  /** `anew`: the former answers of these slots are not valid any more. */
  | {
      readonly type: "EDIT";
      readonly slots: readonly string[];
      readonly anew?: readonly string[];
    }
  | {
      readonly type: "BAD";
      readonly reason: string;
      readonly hint?: string;
      readonly options?: readonly Choice[];
      /** What it says is of another slot than the one that is asked. */
      readonly of?: string;
      /** What was understood of it, as a text that the next answer is read behind. */
      readonly piece?: string;
      /** It is a piece of the answer that is being put together: no try in vain. */
      readonly nearer?: true;
    }
  | {
      readonly type:
        | "YES"
        | "NO"
        | "BACK"
        | "SKIP"
        | "CANCEL"
        | "REPEAT"
        | "HELP"
        | "WHY"
        | "HUMAN"
        | "RESUME"
        | "quiet.nudge"
        | "quiet.expire";
      /** Of the last two: how long ago they were due, ms, from a second on. What is long past may not be worth a word. */
      readonly lateMs?: number;
      /** Of WHY: it is wanted to be known of these, instead of what is asked. */
      readonly slots?: readonly string[];
    }
  /** A message of this flow failed for good; `reason` as operators read it. */
  | { readonly type: "send.failed"; readonly reason: string }
  | { readonly type: `${string}.${string}`; readonly for: string; readonly out: JsonObject };

/** One paragraph of the turn's message. `key` names the text (for tests and the console). */
export interface Paragraph {
  readonly text: string;
  readonly key?: string;
  readonly choices?: readonly Choice[];
  readonly media?: NonNullable<Outbound["media"]>;
  readonly location?: NonNullable<Outbound["location"]>;
  /** The request that the paragraph is about; set by the turn, never by a program. */
  readonly request?: ShownRequest;
}

/** What a step asks for. `for` is the digest of its resolved input: results must bring it back. */
export type Demand =
  | {
      readonly type: "effect";
      readonly step: string;
      readonly name: string;
      readonly class: EffectClass;
      readonly input: JsonObject;
      readonly for: string;
    }
  | {
      readonly type: "notify";
      readonly step: string;
      readonly flow: string;
      readonly to: readonly string[];
      readonly input: JsonObject;
      readonly for: string;
      readonly withinMs: number;
      readonly remindMs?: number;
    }
  | {
      readonly type: "subflow";
      readonly step: string;
      readonly flow: string;
      readonly input: JsonObject;
      readonly for: string;
    }
  | {
      readonly type: "wait";
      readonly step: string;
      readonly event: string;
      readonly for: string;
      readonly withinMs: number;
    }
  | { readonly type: "handoff"; readonly step: string; readonly reason: string }
  /** Replaces the frame's quiet timers; both absent = stop them. */
  | { readonly type: "quiet"; readonly nudgeMs?: number; readonly expireMs?: number };

export interface ProgramStep {
  readonly state: ProgramState;
  /** False when no transition took the event: same state, nothing said. */
  readonly handled: boolean;
  readonly say: readonly Paragraph[];
  readonly demands: readonly Demand[];
  /** Set when the flow ended in this step. */
  readonly ended?: { readonly outcome: string; readonly out: JsonObject };
  /** Names of the transitions and guards taken, for the journal. */
  readonly trace: readonly string[];
}

/** Where a frame rests and what it waits for: all that turning a message into an event needs. */
export interface Expectation {
  readonly step: string;
  readonly rests:
    "ask" | "choose" | "confirm" | "effect" | "notify" | "subflow" | "wait" | "handoff" | "ended";
  /** The slot asked, for ask and choose. */
  readonly slot?: string;
  /** Options of the slot or of the menu, as shown. */
  readonly choices?: readonly Choice[];
  /** The word a confirm demands (EMITIR), if it demands one. */
  readonly word?: string;
  /** Others that do as well: the same word in the other language. */
  readonly words?: readonly string[];
  /** What declines a confirm, beside a no. */
  readonly nots?: readonly string[];
  /** Live slots in asking order. */
  readonly slots: readonly ExpectedSlot[];
  /** The one of `slots` that is asked; found there when left out. */
  readonly asked?: ExpectedSlot;
  /**
   * The slots of `slots` of which a name may stand in a folded line, with that name: a shorter list than all of them for
   * whoever can look names up.
   */
  readonly named?: (
    line: string,
  ) => readonly { readonly slot: ExpectedSlot; readonly name: string }[];
  /** An effect that cannot be taken back is on its way: cancel, back and corrections are too late. */
  readonly sealed: boolean;
  readonly optional: boolean;
}

export interface ExpectedSlot {
  readonly name: string;
  readonly kind: string;
  readonly filled: boolean;
  readonly value?: Json | undefined;
  /** What is said to it is kept by no journal. */
  readonly secret?: boolean;
  /** Words that name this slot in "muda o valor", "o endereço está errado"; folded, both languages. */
  readonly names: readonly string[];
  /** Understands what is no text as this slot's value: a picture, a place. Undefined where such a thing is no answer. */
  take?(content: Content, context: ProgramContext): SlotReading | undefined;
  /** Understands a text as this slot's value. */
  read(text: string, context: ProgramContext): SlotReading;
}

export type SlotReading =
  | { readonly ok: true; readonly value: Json; readonly echo: string }
  | {
      readonly ok: false;
      readonly reason: string;
      readonly hint?: string;
      /** A part of the answer: the next one is read behind it, too. */
      readonly piece?: string;
      readonly options?: readonly {
        readonly value: Json;
        readonly echo: string;
        readonly kind?: string;
      }[];
    };

export interface StartOptions {
  readonly input: JsonObject;
  /** Slots already known (one-sentence start, resume). Values that do not validate are left out. */
  readonly prefill?: JsonObject;
  /** Probable answers that the person did not give: they are proposed at their questions, never taken as answers. */
  readonly likely?: JsonObject;
  /** The account as flows see it (`account.*`), and the contact. Only the paths the flow uses are copied. */
  readonly account: JsonObject;
  readonly contact: JsonObject;
}

export interface Program {
  readonly flow: string;
  readonly version: number;
  readonly hash: string;
  /** File it was read from, for what is said when it fails. */
  readonly file?: string;
  readonly title: string;
  /** The title in a language. */
  titleIn?(locale: ProgramContext["locale"]): string;
  /** Phrases that begin this flow, folded, per locale; empty for flows only others start. */
  readonly starts: readonly string[];
  readonly outcomes: readonly string[];
  /** Who may begin it by writing: customers, operators, or nobody (only notify or subflow). */
  readonly audience: "customer" | "operator" | "anyone" | "nobody";
  /** What it is to the runtime, see `ROLES` in `programs.ts`, or to a plugin's reader, see `reader.ts`. */
  readonly role?: string;
  /** Begun by its own words from amid itself, it starts over: what stood of it goes without a word. */
  readonly restarts?: boolean;
  /** Whether any of its questions has a secret answer. */
  readonly secrets?: boolean;

  start(options: StartOptions, context: ProgramContext): ProgramStep;
  step(state: ProgramState, event: FlowEvent, context: ProgramContext): ProgramStep;
  expects(state: ProgramState, context: ProgramContext): Expectation;
  /** `expects(…).step` alone, where that can be had for less. */
  at?(state: ProgramState): string;
  /** The outcomes that a step which asked something of another flow has a branch for. Absent: every one. */
  heeds?(step: string): readonly string[];
  /** The current prompt again, after a digression or a repair. */
  prompt(state: ProgramState, context: ProgramContext): readonly Paragraph[];
  /** Slots with values and echoes, documents masked: for the console, hand-off summaries, "voltando ao pedido". */
  summary(
    state: ProgramState,
    context: ProgramContext,
  ): readonly {
    readonly slot: string;
    readonly label: string;
    readonly value: Json;
    readonly echo: string;
  }[];
  /** The answers as {@link StartOptions.prefill} takes them, secret ones left out; absent = nothing can be kept. */
  answers?(state: ProgramState): JsonObject;
  /** What steps and slots of an older version are called here; a slot that is gone is undefined. Absent: as they were. */
  namesNow?(from: { version: number; hash: string }): {
    slot(name: string): string | undefined;
    step(id: string): string;
  };
  /** Answers given in an older version, as this one takes them. Absent: as they are. */
  answersNow?(from: { version: number; hash: string }, answers: JsonObject): JsonObject;
  /**
   * What somebody who rests here has been asked, for comparing: a "1" and a "yes" mean what was shown, and that may be
   * something else in another version. Neither words nor names count.
   */
  question?(state: ProgramState, context: ProgramContext): string;
  /** Moves a state of an older version here, or says why it cannot. Asks nothing by itself. */
  adopt(
    from: {
      version: number;
      hash: string;
      state: ProgramState;
      /** The account and the contact as flows see them now: for paths that only the newer version reads. */
      account?: JsonObject;
      contact?: JsonObject;
    },
    context: ProgramContext,
  ): { ok: true; step: ProgramStep } | { ok: false; reason: string };
}
