/**
 * A flow as data: what both front-ends produce, and what compiler, lint, chart and paths read.
 *
 * It holds no texts and no functions. Step ids are slot names, text keys or given by hand, never positions. So a
 * conversation in progress survives edits.
 */
import type { JsonObject } from "../../base/index.ts";
import type { Expr } from "./expression.ts";

export interface SlotDef {
  readonly kind: string;
  readonly params?: JsonObject;
  readonly optional?: true;
  /** Never shown in summaries, outputs or the console. */
  readonly secret?: true;
}

/** Where the rows of a choice come from: a list in the account, the input or a lookup's result. */
interface OptionsFrom {
  readonly from: string;
  readonly value: string;
  readonly label: string;
}

/** An override of a repair event at one step: `off`, other words (a text key), or steps to run. */
export type RepairRule = string | readonly Step[];
export type RepairEvent =
  | "CANCEL"
  | "BACK"
  | "SKIP"
  | "REPEAT"
  | "HELP"
  | "WHY"
  | "HUMAN"
  | "quiet.nudge"
  | "quiet.expire"
  | "send.failed";
export type Repair = { readonly [E in RepairEvent]?: RepairRule };

/** `90s`, `15m`, `2h`, `3d`, `2bh` and `1bd` (business hours and days of the account), or a path that holds one: `account.policy.answerWithin`. */
type DurationText = string;
/** A number, or the path of one: `account.policy.tries`. */
export type Amount = number | string;

export interface Quiet {
  /** `off` for none. */
  readonly nudge?: DurationText;
  readonly expire?: DurationText;
}

export type OnMax = "handoff" | "skip" | "cancel";

interface Asking {
  readonly id: string;
  readonly slot: string;
  /** Misunderstood answers in a row before `onMax`. */
  readonly max?: Amount;
  readonly onMax?: OnMax;
  readonly quiet?: Quiet;
  readonly repair?: Repair;
}

export interface SayStep {
  readonly t: "say";
  readonly id: string;
  /** Text key when it differs from the id. */
  readonly text?: string;
  readonly vars?: { readonly [name: string]: Expr };
  /** A picture, a document or a sound: `{kind, url | base64, mimetype, fileName?}`. */
  readonly media?: Expr;
  /** A place: `{latitude, longitude, name?, address?}`. */
  readonly location?: Expr;
}
export interface AskStep extends Asking {
  readonly t: "ask";
  readonly optional?: true;
  /** Slots (or parts of them) this answer depends on: when one changes, the answer must still fit, or it is asked again. */
  readonly from?: readonly string[];
  readonly options?: OptionsFrom;
}
export interface FormStep {
  readonly t: "form";
  readonly id: string;
  readonly asks: readonly AskStep[];
}
export interface ChooseStep extends Asking {
  readonly t: "choose";
  readonly branches: { readonly [option: string]: readonly Step[] };
}
export interface ConfirmStep {
  readonly t: "confirm";
  readonly id: string;
  readonly show: readonly string[];
  readonly edit?: readonly string[];
  /** The word that means yes, when a plain yes is not enough. */
  readonly word?: string;
  readonly no?: readonly Step[];
  readonly quiet?: Quiet;
  readonly repair?: Repair;
}
/**
 * The same questions for each item of a list. The item in hand lives in the slots of `of`; when another one is begun it
 * joins those before it in `slot`, whose value is all of them.
 */
export interface RepeatStep {
  readonly t: "repeat";
  readonly id: string;
  /** A slot of kind `list`. */
  readonly slot: string;
  readonly of: Block;
  /** Most items; default 10. */
  readonly max?: Amount;
  /** The question after each item: another, no more, or one to leave out. Written out by the linker. */
  readonly more?: AskStep;
}
export type Branches = { readonly [outcome: string]: readonly Step[] };
export interface EffectStep {
  readonly t: "effect";
  readonly id: string;
  readonly effect: string;
  readonly input: { readonly [name: string]: Expr };
  readonly on: Branches;
  readonly repair?: Repair;
}
export interface WhenStep {
  readonly t: "when";
  readonly id: string;
  readonly if: Expr;
  readonly then: readonly Step[];
  readonly else?: readonly Step[];
}
export interface GotoStep {
  readonly t: "goto";
  readonly id: string;
  readonly to: string;
  /** Slots to ask again: names, or a reference to a list of names. */
  readonly clear?: readonly string[] | { readonly ref: string };
}
export interface SubflowStep {
  readonly t: "subflow";
  readonly id: string;
  readonly flow: string;
  readonly input: { readonly [name: string]: Expr };
  /** Slots that take what it ends `done` with under their names. */
  readonly fills?: readonly string[];
  readonly on: Branches;
  readonly repair?: Repair;
}
export interface NotifyStep {
  readonly t: "notify";
  readonly id: string;
  readonly flow: string;
  readonly to: Expr;
  readonly input: { readonly [name: string]: Expr };
  readonly within: DurationText;
  readonly remind?: DurationText;
  readonly on: Branches;
  readonly repair?: Repair;
}
export interface WaitStep {
  readonly t: "wait";
  readonly id: string;
  readonly event: string;
  /** Which of such events counts; what it brought is read by the step's id: `paid.order == order`. */
  readonly where?: Expr;
  readonly within: DurationText;
  readonly on: Branches;
  readonly repair?: Repair;
}
export interface HandoffStep {
  readonly t: "handoff";
  readonly id: string;
  readonly reason: string;
  readonly repair?: Repair;
}
export interface EndStep {
  readonly t: "end";
  readonly id: string;
  readonly outcome: string;
  /** Answer to the caller; absent = the live answers, secrets left out. */
  readonly output?: { readonly [name: string]: Expr };
}

export type Step =
  | SayStep
  | AskStep
  | FormStep
  | ChooseStep
  | ConfirmStep
  | RepeatStep
  | EffectStep
  | WhenStep
  | GotoStep
  | SubflowStep
  | NotifyStep
  | WaitStep
  | HandoffStep
  | EndStep;
export type Block = readonly Step[];
/** Steps that wait for the world: they demand something once per content, and end by an outcome. */
export type PendingStep = EffectStep | SubflowStep | NotifyStep | WaitStep;
/** Steps that wait for the person. */
export type AskingStep = AskStep | ChooseStep | ConfirmStep;

/** How state of an older version moves here. `from` is a version number or a hash. */
export interface Migration {
  readonly from: number | string;
  /** Slots: old name to new name. */
  readonly rename?: { readonly [old: string]: string };
  /** Steps: old id to new id. */
  readonly steps?: { readonly [old: string]: string };
  readonly drop?: readonly string[];
  /** Slots whose values change: old name to the registered rule that makes the new value of the old one. */
  readonly map?: { readonly [old: string]: string };
  /**
   * Of machines made by hand: the registered rule that says where a conversation goes on. It is given `{ at, slots }` of the
   * older version and gives a state's name, or null for who stays there. Without it: the state of the same name, or of `steps`.
   */
  readonly place?: string;
}

export type Audience = "customer" | "operator" | "anyone" | "nobody";

export interface Ast {
  readonly flow: string;
  readonly version: number;
  readonly title: string;
  readonly audience: Audience;
  /** What it is to the runtime or a plugin, which know no flow by its id. Not part of the hash. */
  readonly role?: string;
  /** Begun by its own words from amid itself, it starts over. Not part of the hash. */
  readonly restarts?: true;
  readonly slots: { readonly [name: string]: SlotDef };
  /** What a caller hands in; read as `input.x`. */
  readonly input?: { readonly [name: string]: { readonly optional?: true } };
  readonly outcomes: readonly string[];
  readonly policy: { readonly max?: Amount; readonly quiet?: Quiet; readonly repair?: Repair };
  readonly steps: Block;
  /** A machine made by hand, as XState's config: `steps` are what its states ask, say and call, by their ids. */
  readonly machine?: JsonObject;
  /** Prompts written in the flow itself, in the account's first language. */
  readonly texts?: { readonly ask?: { readonly [slot: string]: string } };
  readonly migrate?: readonly Migration[];
  /** What one conversation may cost before `flows check` warns. Not part of the hash. */
  readonly budget?: Budget;
}

export interface Budget {
  /** Calls of the messaging plan, the other side's included; 20. */
  readonly calls?: number;
  /** Credits in BRL; 20. */
  readonly brl?: number;
}

/** Outcomes every flow has, beside its own. */
export const COMMON_OUTCOMES = ["done", "cancelled", "expired"] as const;
/** Outcomes of a step that waits for something from outside. */
export const WAIT_OUTCOMES = ["got", "late"] as const;
export const EFFECT_OUTCOMES = ["done", "rejected", "held", "failed"] as const;

/** Reserved ids: the compiler's own states, and the names that references begin with. */
export function isReservedId(id: string): boolean {
  return (
    ["idle", "start", "account", "contact", "input", "now", "quiet"].includes(id) ||
    /^ended-|-held$|-held-rest$/.test(id)
  );
}

/** Names of slots have no hyphen (they are variables), those of steps no underscore; neither has a dot (dots are paths). */
export const SLOT_NAME = /^[a-z][a-z0-9_]{0,40}$/;
export const STEP_ID = /^[a-z][a-z0-9_-]{0,60}$/;
export const FLOW_ID = /^[a-z][a-z0-9-]{1,60}$/;

/** Message of the first thing in a value that JSON would change or lose, with its path; null when it survives whole. */
export function notJson(value: unknown, path = "$"): string | null {
  if (value === null || typeof value === "string" || typeof value === "boolean") return null;
  if (typeof value === "number") return Number.isFinite(value) ? null : `${path} is not finite`;
  if (typeof value !== "object") return `${path} is a ${typeof value}`;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const inner = notJson(item, `${path}[${index}]`);
      if (inner) return inner;
    }
    return null;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return `${path} is not plain data`;
  for (const [key, item] of Object.entries(value)) {
    const inner = notJson(item, `${path}.${key}`);
    if (inner) return inner;
  }
  return null;
}
