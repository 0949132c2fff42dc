/**
 * What flows use by name and what needs code: slot kinds, pipes, rules and effects. Each has a version that is part of a
 * flow's hash, because its code is not.
 */
import type { z } from "zod";
import type { Json, JsonObject } from "../../base/index.ts";
import type {
  Choice,
  Content,
  EffectClass,
  PathValue,
  ProgramContext,
  SlotReading,
} from "../../engine/index.ts";
import type { Rule } from "../ast/expression.ts";

/** A choice and the words that name it besides its label. */
export interface Option extends Choice {
  readonly aliases?: readonly string[];
}

/** What a kind may know when it reads or shows a value. `params` are resolved: numbers, never paths. */
export interface KindContext extends ProgramContext {
  readonly params: JsonObject;
  /** Rows of a choice, as shown. */
  readonly options: readonly Option[];
  /** What is known of the answer from the person's messages before, as a text. */
  readonly piece?: string;
  /** What the answer depends on. */
  readonly given?: readonly Given[];
}

/** Something an answer depends on (`from`): its path, its kind when it is a whole slot, and its value now. */
export interface Given {
  readonly path: string;
  readonly kind: string;
  readonly value: Json;
}

export interface SlotKind {
  readonly name: string;
  readonly version: number;
  /**
   * Its parameters at this moment: limits that count from today as days. Without it they are as written, paths of the account
   * read.
   */
  resolve?(params: JsonObject, context: ProgramContext): JsonObject;
  /** Schema of a value under resolved parameters. */
  schema(params: JsonObject): z.ZodType;
  /** Understands a text. Never throws on a text. */
  read(text: string, context: KindContext): SlotReading;
  /** Understands what is no text: a picture, a place. Undefined for what it does not take at all. */
  take?(content: Content, context: KindContext): SlotReading | undefined;
  /**
   * What keeps a value that another question, sentence or caller gave from being this answer, as a hint of `bad`; undefined
   * where it fits, or where nothing can be said of it.
   */
  unfit?(value: Json, params: JsonObject): string | undefined;
  /** Whether a value fits what it depends on. Without it, it is asked again when that changes. */
  fits?(value: Json, given: readonly Given[]): boolean;
  /** The value as a person reads it. */
  echo(value: Json, context: KindContext): string;
  /** The echo for screens and logs of others, when the value is personal. */
  mask?(value: Json): string;
  /** Derived values: `document.type`. */
  readonly facets: { readonly [name: string]: (value: Json) => Json | undefined };
  /** Words that name such a slot in "muda o …": folded, both languages. */
  readonly names: readonly string[];
  /** Reasons and hints a reading can fail with; each may have a text `bad.<reason>`. */
  readonly bad: readonly string[];
  /** Longest echo, for the length checks of texts. */
  readonly longest: string;
  /** Values that the checks of versions try; without them, whatever the schema takes of some plain ones. */
  readonly samples?: readonly Json[];
}

/** A formatter in a text: `{{value | brl}}`. `arg` is the word after the name. */
export type Pipe = (value: Json, arg: string | undefined, context: PipeContext) => string;
export type PipeContext = Pick<ProgramContext, "locale" | "zone" | "now">;

export interface VersionedRule {
  readonly version: number;
  readonly run: Rule;
}

/** What the compiler and lint must know of an effect. The doing of it is not the kit's. */
export interface EffectInfo {
  readonly name: string;
  readonly version: number;
  readonly class: EffectClass;
  /**
   * Keys of its input; a required key without expression in the flow is an error. A slot of the same name gives its value,
   * unless the key is `explicit`.
   */
  readonly input: readonly {
    readonly name: string;
    readonly optional?: true;
    readonly explicit?: true;
    /** Another key that stands in its place: where that one has a value, this one is neither needed nor taken by its name. */
    readonly unless?: string;
    /** What it takes, where that is one sort of value. */
    readonly sort?: "text" | "number" | "yesno" | "list" | "object";
  }[];
  /** Fields of its results that flows may read. */
  readonly result: readonly string[];
  /** What those fields are, where that is one sort of value; `of` are all values it can have. */
  readonly results?: {
    readonly [field: string]: {
      readonly sort: "text" | "number" | "yesno" | "list" | "object";
      readonly of?: readonly string[];
    };
  };
  /** Which of them each end brings; an end that is not named may bring any. */
  readonly ends?: {
    readonly [O in "done" | "rejected" | "held" | "failed"]?: readonly string[];
  };
  /** Results may have more fields than are known: none is complained about. */
  readonly anyResult?: true;
  /** Calls of the messaging plan and BRL of credits that one such call takes. */
  readonly calls?: number;
  readonly brl?: number;
  /** Done by the runtime itself, without a call of the gateway: it ends at once. */
  readonly local?: true;
  /** A fiscal route: an effect of a plugin calls it, a flow may not. */
  readonly isForPlugins?: true;
  /** Inputs of any shape: unknown keys are not complained about. */
  readonly open?: true;
  /** What keeps these constants from the call, each the rest of a sentence; `given` are all keys that get a value. */
  readonly check?: (constants: JsonObject, given: readonly string[]) => readonly string[];
}

/** An outside event that is sent to a conversation. */
export interface EventInfo {
  readonly name: string;
  /** What it brings; absent where that may be anything. */
  readonly data?: readonly string[];
}

export interface Vocabulary {
  readonly kinds: ReadonlyMap<string, SlotKind>;
  readonly pipes: ReadonlyMap<string, Pipe>;
  readonly rules: ReadonlyMap<string, VersionedRule>;
  readonly effects: ReadonlyMap<string, EffectInfo>;
  /** All that may happen outside, where that is known. */
  readonly events?: ReadonlyMap<string, EventInfo>;
  /** Paths below `account` that plugins add, and what they hold. */
  readonly account?: Readonly<Record<string, PathValue>>;
}

/** A formatter for texts: `{{plate | dashed}}`. */
export function definePipe(name: string, pipe: Pipe): Readonly<Record<string, Pipe>> {
  return { [name]: pipe };
}

/** Odd pure logic by name: `isHoliday(date)`. Raise `version` when it answers differently. */
export function defineRule(
  name: string,
  rule: VersionedRule,
): Readonly<Record<string, VersionedRule>> {
  return { [name]: rule };
}

/** Whether a call of this class must be confirmed, seals the flow and may end held. */
export function isGrave(effectClass: EffectClass | undefined): boolean {
  return effectClass === "fiscal" || effectClass === "costly";
}

/** A reading as a refusal, short to write. */
export function refused(reason: string, hint?: string): SlotReading {
  return { ok: false, reason, hint };
}
