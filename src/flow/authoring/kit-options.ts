/** Options of a flow and of its questions, and the compiler's types of slots and steps. */
import type { z } from "zod";
import type { Audience, Budget, Migration, OnMax, Quiet } from "../ast/ast.ts";
import type { AnyRef, AnyRefs, Ref, RefOf } from "./reference.ts";
import type { AnyRegistry, FlowContact } from "./registry.ts";
import type { Limit, SlotSchema } from "./slot.ts";

/** A step under construction. `A` = slots it asks for. */
export interface Built<out A extends string> {
  readonly t: string;
  readonly id: string;
  readonly "~asks"?: A;
}
export type Block = readonly Built<string>[];
export type AskedIn<B> = B extends readonly (infer X)[]
  ? X extends Built<infer A>
    ? A
    : never
  : never;

type Shape = z.ZodRawShape;
export type SlotName<S> = keyof S & string;
type Inner<T> = T extends z.ZodOptional<infer I> ? I : T;
export type ValueOf<T> = Inner<T> extends SlotSchema<infer V> ? V : never;
export type FacetsOf<T> = Inner<T> extends SlotSchema<unknown, infer F> ? F : object;
type RefTo<T> = RefOf<ValueOf<T>> & {
  readonly [K in keyof FacetsOf<T> & string]: RefOf<FacetsOf<T>[K]>;
};

/** What `$` holds. */
export type Scope<S, I, R extends AnyRegistry> = { readonly [K in SlotName<S>]: RefTo<S[K]> } & {
  readonly account: RefOf<R["account"]>;
  readonly contact: RefOf<FlowContact>;
  readonly input: I extends z.ZodObject ? RefOf<z.output<I>> : AnyRefs;
};

type Required<S> = { [K in SlotName<S>]: S[K] extends z.ZodOptional ? never : K }[SlotName<S>];
/** Fails with the names of required slots that no step asks for. */
export type Complete<S, T> = [Exclude<Required<S>, AskedIn<T>>] extends [never]
  ? unknown
  : { readonly "these slots are never asked": Exclude<Required<S>, AskedIn<T>> };

type RepairOption = "off" | (string & Record<never, never>) | Block;
export interface RepairOptions {
  readonly cancel?: RepairOption;
  readonly back?: RepairOption;
  readonly skip?: RepairOption;
  readonly repeat?: RepairOption;
  readonly help?: RepairOption;
  readonly why?: RepairOption;
  readonly human?: RepairOption;
  readonly nudge?: RepairOption;
  readonly expire?: RepairOption;
}

export interface FlowOptions<S extends Shape, I extends z.ZodObject | undefined> {
  /** For people; the content hash decides whether a conversation is in the same version. */
  readonly version: number;
  /** Who may begin it by writing. */
  readonly audience?: Audience;
  /**
   * What it is to the runtime, which knows no flow by its id: the `menu`, the way to a `person`, a right over one's data
   * (`my-data`, `export`, `erase`); or to a plugin, whose roles its page names. Each audience has one of a kind.
   */
  readonly role?: string;
  /**
   * Its own start phrase, said in the middle of it, begins it anew: what stood of it goes without a word. Not at a password, and
   * not while an effect of it is on its way.
   */
  readonly restarts?: true;
  readonly title?: string;
  readonly slots: z.ZodObject<S>;
  /** What a caller hands in; read as `$.input.x`. */
  readonly input?: I;
  /** Answers that a caller may hand in, by slot: they hold before anything is asked. */
  readonly takes?: readonly SlotName<S>[];
  /** Outcomes besides done, cancelled, expired. */
  readonly outcomes?: readonly string[];
  /** Default: nudge after 15m, end after 24h. */
  readonly quiet?: Quiet;
  /** Misunderstood answers in a row before a person is called; default 3. A number, or where the account says it. */
  readonly max?: AmountOption;
  readonly repair?: RepairOptions;
  /** What one conversation may cost before `flows check` warns; 20 calls of the plan and 20 BRL. */
  readonly budget?: Budget;
  readonly migrate?: readonly (Migration & {
    readonly rename?: { readonly [old: string]: SlotName<S> };
  })[];
}

export interface AskOptions<S> {
  /** Needed when the slot is asked in more than one place. */
  readonly id?: string;
  /** Prompt written here instead of in the catalogue. */
  readonly ask?: string;
  readonly optional?: true;
  /** Misunderstood answers in a row; a number, or where the account says it. */
  readonly max?: AmountOption;
  readonly onMax?: OnMax;
  readonly options?: {
    readonly from: AnyRef | Ref<readonly unknown[]>;
    readonly value: string;
    readonly label: string;
  };
  /** What this answer depends on: when it changes, the answer must still fit, or it is asked again. */
  readonly from?: readonly (SlotName<S> | Ref<unknown> | AnyRef)[];
  readonly quiet?: Quiet;
  readonly repair?: RepairOptions;
}

/** A number, or the path of one in the account or the input. */
export type AmountOption = Limit;
/** A file that is sent along with words. One of `url` and `base64`. */
export interface MediaLiteral {
  readonly kind: "image" | "document" | "audio";
  readonly mimetype: string;
  readonly url?: string;
  readonly base64?: string;
  readonly fileName?: string;
}
export interface PlaceLiteral {
  readonly latitude: number;
  readonly longitude: number;
  readonly name?: string;
  readonly address?: string;
}
