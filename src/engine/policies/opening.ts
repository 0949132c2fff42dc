/** "Vocês estão abertos?", "qual o horário?": answered from what the account says, wherever it is asked. */
import { foldWords } from "../../brazil/index.ts";
import type { Account } from "../session/account.ts";
import type { Draft } from "../session/draft.ts";
import { reprompt } from "../stack/frames.ts";
import { opening, opensAt } from "./hours.ts";
import { isMenu } from "../session/roles.ts";

/** Longer than any such question. */
const LONGEST = 80;
const WHO =
  "(?:voces?|vcs?|a loja|a empresa|o salao|o escritorio|a clinica|a oficina|you|the (?:shop|store|office))";
const LEAD =
  "(?:(?:oi|ola|opa|bom dia|boa tarde|boa noite|por favor|me diz|me fala|queria saber|hi|hello|e|ai) )*";
const DAY =
  "(?: (?:hoje|agora|ainda|amanha|no sabado|sabado|domingo|aos domingos|aos sabados|today|now|tomorrow|on (?:saturday|sunday)s?|por favor|please))*";
const PATTERNS = [
  `(?:${WHO} )?(?:ta|tao|esta|estao|tem|ja|fica|ficam) ?(?:abert[oa]s?|fechad[oa]s?|abrindo|atendendo|funcionando)`,
  `(?:${WHO} )?(?:abrem?|fecham?|funcionam?|atendem?)`,
  `(?:de |ate |a |as )?(?:que horas?|q horas?)(?: (?:e )?(?:que )?${WHO})? (?:abrem?|fecham?|funcionam?|atendem?)(?: ${WHO})?`,
  `(?:qual(?: e)?|quais)(?: (?:o|os|e o|sao os))? (?:(?:seu|teu) )?horarios?(?: d[aeo]s?)?(?: (?:funcionamento|atendimento|abertura|trabalho))?(?: d[aeo] ${WHO}| ${WHO})?`,
  `horarios? de (?:funcionamento|atendimento|abertura)`,
  `are you (?:still )?(?:open|closed)`,
  `(?:what|which) (?:are|is) (?:your|the) (?:opening |business )?(?:hours|times?)`,
  `(?:what time|when) do you (?:open|close)`,
  `(?:opening|business) hours`,
];
const ASKS = new RegExp(`^${LEAD}(?:${PATTERNS.join("|")})${DAY}$`);
/** Without a sign of asking these tell something. */
const NEEDS_MARK = new RegExp(`^${LEAD}(?:${PATTERNS[0]}|${PATTERNS[1]})${DAY}$`);

/** Answers the question, and asks its own again; false when the text is another one. */
export function tellsHours(draft: Draft, text: string): boolean {
  if (text.length > LONGEST) return false;
  const said = foldWords(text);
  if (!ASKS.test(said)) return false;
  const asked = text.trim().endsWith("?");
  if (!asked && (NEEDS_MARK.test(said) || (draft.top && !isMenu(draft, draft.top)))) return false;
  const { account, now } = draft.env;
  const { hours } = account;
  const days = hours ? daysOf(hours, draft.context.locale) : "";
  if (!hours || days === "") draft.word("hours-unknown");
  else {
    const opens = opensAt(account, now);
    const vars = { days, from: hours.from, to: hours.to };
    if (opens === undefined) draft.word("hours-open", vars);
    else
      draft.word("hours-closed", {
        ...vars,
        when: opening(account, now, opens, draft.context.locale),
      });
  }
  if (draft.top) reprompt(draft);
  return true;
}

/** 2026-11-22 is a Sunday: names of days come from the language. */
const SUNDAY = Date.UTC(2026, 10, 22, 12);
const DAY_MS = 86_400_000;
const WEEK = 7;
const JOINED = { "pt-BR": ["de ", " a ", " e "], en: ["", " to ", " and "] } as const;
const EVERY = { "pt-BR": "todos os dias", en: "every day" } as const;

/** "de segunda a sexta", "segunda, quarta e sábado"; the week begins on Monday. */
export function daysOf({ days }: NonNullable<Account["hours"]>, locale: "pt-BR" | "en"): string {
  const open = [...new Set(days)].sort((a, b) => ((a + 6) % WEEK) - ((b + 6) % WEEK));
  if (open.length >= WEEK) return EVERY[locale];
  const names = new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" });
  const name = (day: number) => names.format(SUNDAY + day * DAY_MS).replace(/-feira$/, "");
  const [from, to, and] = JOINED[locale];
  const [first, last] = [open[0], open.at(-1)];
  if (first === undefined || last === undefined) return "";
  const inRow = open.every((day, at) => at === 0 || day === ((open[at - 1] ?? 0) + 1) % WEEK);
  if (inRow && open.length > 2) return `${from}${name(first)}${to}${name(last)}`;
  const rows = open.map(name);
  return rows.length < 2 ? rows.join("") : `${rows.slice(0, -1).join(", ")}${and}${rows.at(-1)}`;
}
