/** The headers of a chat file as what they mean: whose business, when, in which language, who is there. */
import { z } from "zod";
import type { Json, JsonObject } from "../../base/index.ts";
import { instantOf } from "../../brazil/index.ts";
import { type Account, type AccountModel, ChannelName, type Session } from "../../engine/index.ts";
import {
  type Catalogue,
  type Catalogues,
  type ChatFile,
  didYouMean,
  words,
} from "../../flow/index.ts";

export interface ChatSetting {
  readonly account: Account;
  /** When it begins, ms. */
  readonly at: number;
  readonly locale: Session["locale"];
  readonly channel: ChannelName;
  /** Whose texts `{say.…}` means. */
  readonly flow?: string;
  readonly contacts: readonly {
    readonly speaker: string;
    readonly number?: string;
    readonly name: string;
  }[];
}

/** Where a file names no time: a fixed day, so that what it says of months and weekdays stays so. */
const BEGINS = "2026-11-21 10:00";

/** Of the runtime; plugins add theirs. */
const HEADERS = ["flow", "account", "at", "channel", "locale", "contact", "from"];

const LOCALES = ["pt-BR", "en"] as const;

/** Throws `file:line …` for a header that means nothing. */
export function settingOf(
  { file, headers }: ChatFile,
  given: Account,
  model: AccountModel,
  /** Headers of plugins, which mean something to them alone. */
  others: readonly string[] = [],
): ChatSetting {
  let account = given;
  let at = BEGINS;
  let channel: ChannelName = "engine-b";
  let flow: string | undefined;
  const contacts: ChatSetting["contacts"][number][] = [];
  const read = (name: string, rest: string): void => {
    const [first = "", second, third] = words(rest);
    switch (name) {
      case "account":
        account = { ...withSettings(account, model, rest), id: accountNamed(rest) ?? account.id };
        break;
      case "at":
        at = rest.trim();
        break;
      case "channel":
        channel = oneOf(first, ChannelName.options, "channel");
        break;
      case "locale": {
        const locale = oneOf(first, LOCALES, "language");
        const others = account.languages.filter((one) => one !== locale);
        account = { ...account, languages: [locale, ...others] };
        break;
      }
      case "flow":
        flow = first;
        break;
      case "contact":
        contacts.push({
          speaker: first,
          name: third ?? first,
          number: second === undefined ? undefined : numberOf(second),
        });
        break;
      case "from":
        break;
      default:
        if (others.includes(name)) break;
        throw new Error(`there is no such header.${didYouMean(name, [...HEADERS, ...others])}`);
    }
  };
  for (const { name, rest, line } of headers) {
    try {
      read(name, rest);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`${file}:${line} @${name}: ${why}`, { cause: error });
    }
  }
  return {
    account,
    channel,
    contacts,
    locale: account.languages[0] ?? "pt-BR",
    at: instantIn(at, account.zone),
    flow,
  };
}

/** `2026-11-21 10:00` of a zone, ms. */
export function instantIn(text: string, zone: string): number {
  const match = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d):(\d\d))?$/.exec(text);
  if (!match?.[1]) throw new Error(`"${text}" is no time; write 2026-11-21 10:00`);
  return instantOf(match[1], `${match[2] ?? "00"}:${match[3] ?? "00"}:00`, zone);
}

function oneOf<T extends string>(word: string, known: readonly T[], what: string): T {
  const found = known.find((one) => one === word);
  if (found === undefined)
    throw new Error(
      `"${word}" is no ${what}.${didYouMean(word, known)} There are: ${known.join(", ")}`,
    );
  return found;
}

function numberOf(text: string): string {
  if (!/^\d{8,15}$/.test(text)) throw new Error(`"${text}" is no number with country code`);
  return text;
}

type Locale = Session["locale"];
type Text = NonNullable<Catalogue["say"]>[string];

/**
 * `{say.hello}` and `{ask.item}`: every string a catalogue's text can become. Empty for a key that is none. A text that one language lacks is said in
 * the other.
 */
export function phrasesOf(
  catalogues: Catalogues | undefined,
  locale: Locale,
  key: string,
): readonly string[] {
  const own = phrasesIn(catalogues?.[locale], key);
  return own.length > 0 ? own : phrasesIn(catalogues?.[locale === "en" ? "pt-BR" : "en"], key);
}

function phrasesIn(catalogue: Catalogue | undefined, key: string): readonly string[] {
  const [group = "", name = ""] = key.split(/\.(.*)/);
  if (group === "say") return forms(catalogue?.say?.[name]);
  if (group !== "ask") return [];
  const asked = catalogue?.ask?.[name];
  return forms(typeof asked === "object" ? asked.text : asked);
}

function forms(text: Text | undefined): readonly string[] {
  if (text === undefined) return [];
  if (typeof text === "string") return [text];
  if (Array.isArray(text)) return text;
  return Object.entries(text).flatMap(([name, form]) => (name === "by" ? [] : [String(form)]));
}

/** A change: where, and to what. */
interface Setting {
  readonly path: readonly string[];
  readonly value: Json;
}

/** The account with what `@account ID key=value…` changes. Throws with a sentence for a name or a value that does not fit. */
function withSettings(account: Account, { schema }: AccountModel, rest: string): Account {
  const settings = settingsIn(rest);
  const whole = JSON.parse(JSON.stringify(account)) as Json;
  for (const { path } of settings) checkName(schema, path, []);
  // Some settings hold only together: `hours.from` is none without the days.
  const changed = settings.reduce<Json | undefined>(
    (to, { path, value }) => put(to, path, value),
    whole,
  );
  const parsed = schema.safeParse(changed);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = issue?.path.join(".") ?? "";
  const given = settings.find(({ path }) => path.join(".") === at)?.value;
  throw new Error(`${at}=${JSON.stringify(given)} does not fit the account: ${issue?.message}.`);
}

/** The account's id in the header; absent when it names none. */
function accountNamed(rest: string): string | undefined {
  const [first = ""] = words(rest);
  return first === "" || first.includes("=") ? undefined : first;
}

function settingsIn(rest: string): readonly Setting[] {
  const named = accountNamed(rest);
  return words(rest)
    .slice(named === undefined ? 0 : 1)
    .map((word) => {
      const at = word.indexOf("=");
      if (at < 1) throw new Error(`"${word}" is no setting; write policy.approval=false`);
      return { path: word.slice(0, at).split("."), value: valueOf(word.slice(at + 1)) };
    });
}

/** JSON where it is JSON, else words. */
function valueOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

function put(into: Json | undefined, path: readonly string[], value: Json): Json {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (Array.isArray(into)) {
    const list = [...(into as readonly Json[])];
    list[Number(name)] = put(list[Number(name)], rest, value);
    return list;
  }
  const known = typeof into === "object" && into !== null ? (into as JsonObject) : {};
  return { ...known, [name]: put(known[name], rest, value) };
}

/** Unknown keys would be dropped in silence, and the chat would test something else. */
function checkName(schema: z.ZodType, path: readonly string[], before: readonly string[]): void {
  const [name, ...rest] = path;
  if (name === undefined) return;
  const bare = inner(schema);
  if (bare instanceof z.ZodArray) {
    if (!/^\d+$/.test(name))
      throw new Error(`${before.join(".")} is a list: name an item by its number, from 0.`);
    checkName(bare.element as z.ZodType, rest, [...before, name]);
  } else if (bare instanceof z.ZodObject) {
    const shape = bare.shape as Readonly<Record<string, z.ZodType>>;
    const next = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const whole = [...before, name].join(".");
    if (!next)
      throw new Error(`an account has no "${whole}".${didYouMean(name, Object.keys(shape))}`);
    checkName(next, rest, [...before, name]);
  } else throw new Error(`${before.join(".")} has no parts such as "${name}".`);
}

/** A schema without its defaults and wrappers. */
function inner(schema: z.ZodType): z.ZodType {
  if (
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable
  )
    return inner(schema.def.innerType as z.ZodType);
  // What is written is what a transform takes in.
  if (schema instanceof z.ZodPipe) return inner(schema.def.in as z.ZodType);
  return schema;
}
