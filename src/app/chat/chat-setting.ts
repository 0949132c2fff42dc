/** The headers of a chat file as what they mean: whose business, when, in which language, who is there. */
import { instantOf } from "../../brazil/index.ts";
import { type Account, type AccountModel, ChannelName, type Session } from "../../engine/index.ts";
import {
  type Catalogue,
  type Catalogues,
  type ChatFile,
  didYouMean,
  words,
} from "../../flow/index.ts";
import { accountNamed, withSettings } from "./chat-account.ts";

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
          ...(second === undefined ? {} : { number: numberOf(second) }),
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
    ...(flow === undefined ? {} : { flow }),
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
