/**
 * What a plugin is, and what a bot is beside its flows. Both are plain objects of hooks. Each hook is optional, and is described
 * where its type is defined, in the module that calls it.
 * At the end stands the check of a written one: what does not fit is left out with a sentence.
 */
import { z } from "zod";
import type { JsonObject } from "../../base/index.ts";
import type { ConsoleHooks } from "../../console/index.ts";
import type {
  Account,
  AccountSection,
  CallEffect,
  CallResult,
  EngineHooks,
  Session,
} from "../../engine/index.ts";
import { type FlowHooks, type Locale, didYouMean } from "../../flow/index.ts";
import type { ServerHooks } from "../../server/index.ts";
import type { Context, WorkerHooks } from "../../worker/index.ts";
import type { PluginCommand } from "../operator/client.ts";

/**
 * A business's part of the runtime. A plugin is written against `prosa/plugin` alone:
 *
 *     import type { Plugin } from "prosa/plugin";
 *     export function deliveries(): Plugin {
 *       return { name: "deliveries", kinds: [parcel], effects: [track], … };
 *     }
 *
 * Names of kinds, rules, pipes, effects, texts, routes and collections are unique over the runtime, all plugins and the bot.
 * Who claims a name that is taken is told so at the start, and is left out.
 */
export interface Plugin
  extends FlowHooks, EngineHooks, WorkerHooks, ServerHooks<Context>, ConsoleHooks {
  /** Lower case, 2 to 30 letters, digits and dashes: `deliveries`. Findings, routes and documents carry it. */
  readonly name: string;
  /** Its section of an account's settings. */
  readonly account?: AccountSection;
  /** Commands of the command line. */
  readonly commands?: readonly PluginCommand[];
  /** What chat files play of it. */
  readonly rehearsal?: Rehearsal;
}

/** The default export of `config.ts` in the bot's folder. A bot has the flow hooks of a plugin itself. */
export interface Bot extends FlowHooks, EngineHooks {
  /** In the order in which their readers are asked. */
  readonly plugins?: readonly Plugin[];
  /**
   * What the bot speaks: `["pt-BR"]`, `["en"]`, or both, which is the default. Texts of other languages are not looked at, and
   * people who write in them are answered in one that is named here. Where it is given, flows have texts in each.
   */
  readonly languages?: readonly Locale[];
}

/**
 * Describes a bot. A folder without `config.ts` is a bot without plugins.
 *
 *     export default defineBot({ plugins: [deliveries()], languages: ["pt-BR", "en"], kinds: [plate] });
 */
export function defineBot(bot: Bot): Bot {
  return bot;
}

/*
 * What chat files play of a plugin: its calls wait for a `*` line, and its documents lie in a store in memory.
 */

/** Where a plugin's part of a chat file happens. */
export interface Stage {
  /** The worker's, on a store in memory. */
  readonly context: Context;
  readonly account: Account;
  /** The contact of a speaker of the file, such as `ana`. */
  readonly contactOf: (speaker: string) => Promise<string>;
  /** 0, 1, 2 and so on: tells what is written in one file apart. */
  readonly serial: () => number;
}

/**
 * Every part is optional.
 *
 *     rehearsal: {
 *       headers: { parcel: (rest, stage) => parcelsOf(stage.context).keep(parcelIn(rest, stage.account)) },
 *       does: ["deliveries.track"],
 *     }
 *
 * With it `@parcel PX123456 out` stands above the first line of a chat file, and `deliveries.track` finds that parcel.
 */
export interface Rehearsal {
  /** Headers by name: what exists before the first line. One that means nothing throws a sentence, told with its place. */
  readonly headers?: Readonly<Record<string, (rest: string, stage: Stage) => Promise<void>>>;
  /** Local effects that are done on the documents. Every other effect waits for a `*` line. */
  readonly does?: readonly string[];
  /** What a call leaves in the documents that a `*` line ends as done. `now`: virtual ms. */
  readonly done?: (
    call: { readonly effect: CallEffect; readonly contact: string; readonly now: number },
    out: JsonObject,
    stage: Stage,
  ) => Promise<void>;
  /** What the flow gets of a gateway's no that a `!` line asks for; undefined: `{ code, text }`. */
  readonly refused?: (
    effect: string,
    no: { readonly code: string; readonly message: string },
    locale: Session["locale"],
  ) => CallResult | undefined;
}

/*
 * The shape of each hook, looked at before anything uses it: a config may have been written without a compiler. What does not fit is
 * left out with a sentence, one entry of a list by itself.
 */

const callable = z.custom((value) => typeof value === "function", "is no function");
const name = z.string("is no text");
const schema = z.custom(
  (value) => value instanceof z.ZodType,
  "is no zod schema: is there a second zod beside Prosa's?",
);
const object = z.looseObject({}, "is no object");
const record = (values: z.ZodType) => z.record(z.string(), values, "is no object");

/** Of each hook: the shape of its value, or of each entry where it is a list. */
const SHAPES = {
  kinds: list(
    z.looseObject(
      { name, version: z.number("is no number"), schema: callable, read: callable, echo: callable },
      "is no kind: make it with defineKind",
    ),
  ),
  rules: list(record(z.looseObject({ run: callable }, "is no rule: make it with defineRule"))),
  pipes: list(record(callable)),
  events: list(z.looseObject({ name }, "is no event")),
  texts: one(object),
  readers: list(object),
  account: one(object),
  effects: list(
    z.looseObject({ name, class: z.string("is no text"), input: schema }, "is no effect"),
  ),
  decisions: one(object),
  documents: list(z.looseObject({ name }, "is no object")),
  chores: list(z.looseObject({ name, run: callable }, "is no object")),
  alarms: one(record(object)),
  metrics: list(z.looseObject({ name, help: z.string("is no text") }, "is no object")),
  routes: one(callable),
  pages: one(callable),
  webhooks: one(callable),
  panels: one(
    z.instanceof(URL, {
      message: 'is no URL: write new URL("./panels.tsx", import.meta.url)',
    }),
  ),
  commands: list(z.looseObject({ name, usage: z.string("is no text") }, "is no object")),
  rehearsal: one(object),
} satisfies Record<Exclude<keyof Plugin, "name">, Shape>;
const HOOKS = Object.keys(SHAPES);

interface Shape {
  readonly isList: boolean;
  readonly of: z.ZodType;
}

function list(of: z.ZodType): Shape {
  return { isList: true, of };
}

function one(of: z.ZodType): Shape {
  return { isList: false, of };
}

/**
 * The hooks that fit. `who` begins each sentence: `The plugin deliveries`.
 *
 * @param also names that are no hooks and stay as they are.
 */
export function fittingHooks<H extends object>(
  hooks: H,
  who: string,
  tell: (sentence: string) => void,
  also: readonly string[] = [],
): H {
  const kept = Object.entries(hooks).flatMap(([hook, value]: [string, unknown]) => {
    const shape = (SHAPES as Readonly<Record<string, Shape>>)[hook];
    if (also.includes(hook)) return [[hook, value]];
    if (shape === undefined)
      tell(
        `${who}: there is no hook ${hook}.${didYouMean(hook, HOOKS)} There are: ${HOOKS.join(", ")}.`,
      );
    else if (value !== undefined && shape.isList && !Array.isArray(value))
      tell(`${who}: ${hook} is no list.`);
    else if (Array.isArray(value) && shape.isList)
      return [[hook, fittingOf(value, shape.of, `${who}: ${hook}`, tell)]];
    else if (value !== undefined) {
      const wrong = wrongIn(shape.of, value);
      if (wrong === undefined) return [[hook, value]];
      tell(`${who}: ${hook}${wrong}.`);
    }
    return [];
  });
  return Object.fromEntries(kept) as H;
}

function fittingOf(
  all: readonly unknown[],
  entry: z.ZodType,
  what: string,
  tell: (sentence: string) => void,
): readonly unknown[] {
  return all.filter((value, at) => {
    const wrong = wrongIn(entry, value);
    if (wrong !== undefined) tell(`${what}[${at}]${wrong}.`);
    return wrong === undefined;
  });
}

/** ` is no object`, or `.read is no function`. */
function wrongIn(shape: z.ZodType, value: unknown): string | undefined {
  const [issue] = shape.safeParse(value).error?.issues ?? [];
  if (issue === undefined) return undefined;
  const place = issue.path.map((part) => `.${String(part)}`).join("");
  return `${place} ${issue.message}`;
}
