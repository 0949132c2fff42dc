/** The types of the steps of `flow()`, from which the compiler reports mistakes. */
import type { z } from "zod";
import type { Quiet } from "../ast/ast.ts";
import type {
  AmountOption,
  AskedIn,
  AskOptions,
  Block,
  Built,
  FacetsOf,
  MediaLiteral,
  PlaceLiteral,
  RepairOptions,
  SlotName,
  ValueOf,
} from "./kit-options.ts";
import type { AnyRef, AnyRefs, Arg, Cond, Loose, Ref, RefOf } from "./reference.ts";
import type {
  AnyRegistry,
  EffectEnd,
  EffectField,
  EffectName,
  EventData,
  EventName,
  FlowEnd,
  FlowField,
  FlowName,
  TextKey,
} from "./registry.ts";
import type { ListFacets } from "./slot.ts";

type Shape = z.ZodRawShape;
/** Outcomes every flow has. */
type CommonOutcome = "done" | "cancelled" | "expired";
type ListSlot<S> = {
  [K in SlotName<S>]: FacetsOf<S[K]> extends ListFacets ? K : never;
}[SlotName<S>];
type EventRefs<R, E> =
  EventData<R, E> extends infer D ? (D extends object ? RefOf<D> : AnyRefs) : never;

export type Branch<Refs, B extends Block> = B | ((result: Refs) => B);
/** Branches by the outcomes of another flow, each with what that one brings. */
type Branches<Keys extends string, R, N> = {
  readonly [K in Keys]: Branch<Refs<FlowEnd<R, N, K>>, Block>;
};
/** Outcomes that the other flow does not have. */
type Unknown<On, Keys extends string> = {
  readonly [K in Exclude<keyof On, Keys>]: "no such outcome";
};
/** Slots that any of these branches asks for; none where no branch is written and `On` is its own limit. */
type AskedOn<On> = {
  [K in keyof On]-?: Known<AskedIn<On[K] extends (...of: never) => infer B ? B : On[K]>>;
}[keyof On];
type Known<A> = string extends A ? never : A;
type Refs<T> = T extends object ? RefOf<T> : AnyRefs;

/** Keys an effect needs and no slot of the same name and type gives. */
type Missing<S, I> = string extends keyof I
  ? never
  : {
      [K in keyof I & string]-?: undefined extends I[K]
        ? never
        : K extends keyof S
          ? ValueOf<S[K]> extends I[K]
            ? never
            : K
          : K;
    }[keyof I & string];
type Args<I> = { readonly [K in keyof I]?: Arg<NonNullable<I[K]>> };
type InputOption<S, I> = I extends object
  ? [Missing<S, I>] extends [never]
    ? { readonly input?: Args<I> }
    : { readonly input: Args<I> & { readonly [K in Missing<S, I>]: Arg<NonNullable<I[K]>> } }
  : { readonly input?: { readonly [name: string]: Loose } };

type Held<Class, H extends Block> = Class extends "fiscal" | "costly"
  ? { readonly held: H | (() => H) }
  : { readonly held?: H | (() => H) };

/** What happens when a call does not work. */
interface Ends<R, N, J extends Block, F extends Block> {
  readonly rejected: Branch<Refs<EffectEnd<R, N, "rejected">>, J>;
  readonly failed: Branch<Refs<EffectEnd<R, N, "failed">>, F>;
}

type Outcomes<R, N> =
  FlowField<R, N, "outcomes"> extends infer O ? (O extends string ? O : string) : string;

/** An ask of a slot that no catalogue has a prompt for must bring its own. */
type NoPrompt<K extends string> = `no prompt: add ask.${K} to texts.*.yaml, or write { ask: ... }`;
type Prompted<S> = AskOptions<S> & ({ readonly ask: string } | { readonly id: string });
type AskArgs<R, Id, S, K extends string> =
  K extends TextKey<R, Id, "ask"> ? [o?: AskOptions<S>] : [o: Prompted<S> | NoPrompt<K>];
type FormField<R, Id, S, K extends string> =
  K extends TextKey<R, Id, "ask"> ? true | AskOptions<S> : Prompted<S> | NoPrompt<K>;

export interface Kit<
  Id extends string,
  S extends Shape,
  R extends AnyRegistry,
  O extends string = string,
> {
  /** Says a text of the catalogue's `say` group, once per set of its variables. */
  say(
    text: TextKey<R, Id, "say">,
    o?: {
      readonly id?: string;
      readonly with?: { readonly [name: string]: Arg<string | number | boolean> | Ref<unknown> };
      /** A file to send along: of a result, or written here. */
      readonly media?: AnyRef | Ref<object> | MediaLiteral;
      /** A place to send along: an answer of kind location, or written here. */
      readonly location?: AnyRef | Ref<object> | PlaceLiteral;
    },
  ): Built<never>;
  /** Asks for one slot. */
  ask<K extends SlotName<S>>(slot: K, ...o: AskArgs<R, Id, S, K>): Built<K>;
  /** Asks for several, one group on the chart. */
  form<const F extends { readonly [K in SlotName<S>]?: true | AskOptions<S> }>(
    id: string,
    fields: F & { readonly [K in Exclude<keyof F, SlotName<S>>]: "no such slot" } & {
      readonly [K in keyof F & SlotName<S>]: FormField<R, Id, S, K>;
    },
  ): Built<keyof F & string>;
  /** A menu: an ask with one branch per option. */
  choose<K extends SlotName<S>, B extends Block>(
    slot: K,
    branches: { readonly [O in ValueOf<S[K]> & string]: B },
    o?: Omit<AskOptions<S>, "options" | "from" | "optional">,
  ): Built<K | AskedIn<B>>;
  /** The same questions for each item of a list, then "another one?". `$.list` is all items so far. */
  repeat<K extends ListSlot<S>, const B extends Block>(
    list: K,
    of: B,
    o?: {
      readonly id?: string;
      /** Most items; default 10. */
      readonly max?: AmountOption;
      readonly more?: Omit<AskOptions<S>, "id" | "options" | "from" | "optional">;
    },
  ): Built<K | AskedIn<B>>;
  /** Shows answers and wants a yes to exactly them. */
  confirm<B extends Block = readonly []>(
    id: TextKey<R, Id, "confirm">,
    o: {
      readonly show: readonly SlotName<S>[];
      readonly edit?: readonly SlotName<S>[];
      readonly word?: string;
      readonly no?: B;
      readonly quiet?: Quiet;
      readonly repair?: RepairOptions;
    },
  ): Built<AskedIn<B>>;
  /** Has something done once per input, whatever its class. */
  submit<
    N extends EffectName<R>,
    D extends Block = readonly [],
    J extends Block = readonly [],
    F extends Block = readonly [],
    H extends Block = readonly [],
  >(
    effect: N,
    o: {
      readonly id: string;
      readonly done?: Branch<Refs<EffectEnd<R, N, "done">>, D>;
      readonly repair?: RepairOptions;
    } & Ends<R, N, J, F> &
      Held<EffectField<R, N, "class">, H> &
      InputOption<S, EffectField<R, N, "input">>,
  ): Built<AskedIn<D> | AskedIn<J> | AskedIn<F> | AskedIn<H>>;
  /**
   * Calls a route of the gateway, or any effect. What only looks something up needs no branch but the ones you want; all
   * else says what happens when it does not work.
   */
  call<
    N extends EffectName<R>,
    D extends Block = readonly [],
    J extends Block = readonly [],
    F extends Block = readonly [],
    H extends Block = readonly [],
  >(
    effect: N,
    o: {
      readonly id: string;
      readonly done?: Branch<Refs<EffectEnd<R, N, "done">>, D>;
      readonly repair?: RepairOptions;
    } & (EffectField<R, N, "class"> extends "read" | undefined
      ? Partial<Ends<R, N, J, F>>
      : Ends<R, N, J, F>) &
      Held<EffectField<R, N, "class">, H> &
      InputOption<S, EffectField<R, N, "input">>,
  ): Built<AskedIn<D> | AskedIn<J> | AskedIn<F> | AskedIn<H>>;
  when<T extends Block, E extends Block = readonly []>(
    condition: Cond,
    then: T,
    otherwise?: E,
  ): Built<AskedIn<T> | AskedIn<E>>;
  /** Goes on elsewhere. Backward: what came after is forgotten; `clear` = slots to ask again. */
  goto(
    id: string,
    o?: { readonly clear?: readonly SlotName<S>[] | AnyRef | Ref<readonly string[]> },
  ): Built<never>;
  /** Runs another flow with the same person. Outcomes without branch go on. */
  subflow<
    N extends FlowName<R>,
    const On extends Partial<Branches<Outcomes<R, N> | CommonOutcome, R, N>>,
  >(
    flow: N,
    o: {
      readonly id: string;
      /** Slots whose answers it ends with, under the same names; what does not fit its slot is asked. */
      readonly fills?: readonly SlotName<S>[];
      readonly on?: On & Unknown<On, Outcomes<R, N> | CommonOutcome>;
      readonly repair?: RepairOptions;
    } & InputOption<S, FlowField<R, N, "input">>,
  ): Built<AskedOn<On>>;
  /** Asks somebody else by another flow and waits for the answer. */
  notify<N extends FlowName<R>, const On extends Branches<Outcomes<R, N> | "late", R, N>>(
    flow: N,
    o: {
      readonly id: string;
      readonly to: AnyRef | Ref<string> | Ref<readonly string[]>;
      readonly within: string;
      readonly remind?: string;
      readonly on: On & Unknown<On, Outcomes<R, N> | "late">;
      readonly repair?: RepairOptions;
    } & InputOption<S, FlowField<R, N, "input">>,
  ): Built<AskedOn<On>>;
  /** Waits for something from outside. Its outcomes are `got` and `late`. */
  wait<E extends EventName<R>, G extends Block = readonly [], L extends Block = readonly []>(
    event: E,
    o: {
      readonly id: string;
      /** Which of such events counts; without it any. */
      readonly where?: (event: EventRefs<R, E>) => Cond;
      readonly within: string;
      readonly on: {
        readonly got: Branch<EventRefs<R, E>, G>;
        readonly late: L | (() => L);
      };
      readonly repair?: RepairOptions;
    },
  ): Built<AskedIn<G> | AskedIn<L>>;
  /** A person takes over; goes on when the conversation is given back. */
  handoff(
    reason: string,
    o?: { readonly id?: string; readonly repair?: RepairOptions },
  ): Built<never>;
  end(
    outcome?: O | CommonOutcome,
    o?: {
      readonly id?: string;
      readonly output?: { readonly [name: string]: Arg<string | number | boolean> | Ref<unknown> };
    },
  ): Built<never>;
}
