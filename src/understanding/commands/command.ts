/**
 * Words that steer the conversation instead of answering. Only a message that is nothing but a command is one:
 * "cancelamento de contrato" describes a service, "pessoa física" is a choice, "pedido cancelado" is neither.
 */
import type { Business, Command } from "../business.ts";
import { plainOf } from "../plain.ts";
import { clear, type TextContext, type Understood } from "../understood.ts";
import {
  BACK,
  COMMANDS,
  EDIT_SOMETHING,
  editOf,
  GREETED,
  GREETING,
  HELP,
  HUMAN,
  MENU,
  NONE_OF,
  NOT_CANCEL,
  POLITE,
  PUT_OFF,
  PUT_OFF_TO,
  REPEAT,
  SKIP,
  STOP,
  THANKS,
} from "./command-patterns.ts";

const NO_BUSINESS: Business = { things: [] };
/** Commands are short; whatever is longer is an answer or a story. */
const MAX_WORDS = 12;
const MAX_COMMAND = 160;

/** Words as thumbs write them. */
const IN_FULL: Readonly<Record<string, string>> = {
  mto: "muito",
  mt: "muito",
  mta: "muito",
  obg: "obrigado",
  obgd: "obrigado",
  obgda: "obrigada",
  vlw: "valeu",
  brigado: "obrigado",
  brigada: "obrigada",
};
const SHORT_FORM = /\b(?:mto|mta|mt|obgda|obgd|obg|vlw|brigado|brigada)\b/g;

const LABELS: Readonly<Record<Command, readonly [string, string]>> = {
  cancel: ["cancelar", "cancel"],
  back: ["voltar", "back"],
  menu: ["menu", "menu"],
  help: ["ajuda", "help"],
  human: ["falar com alguém", "talk to a person"],
  stop: ["parar", "stop"],
  repeat: ["repetir", "repeat"],
  skip: ["pular", "skip"],
  edit: ["corrigir", "edit"],
  thanks: ["obrigado", "thanks"],
  greeting: ["oi", "hello"],
  none: ["nenhum comando", "no command"],
};

/** The command of which a text is an exact form. */
type Exact = (form: string) => Command | undefined;

/** The text read last: a turn asks several times what one message means. */
let last:
  { readonly text: string; readonly business: Business; readonly value: string } | undefined;

function refusal(asked: string, exact: Exact): Command {
  const found = exact(asked) ?? exact(asked.replace(/(?: (?:por favor|mesmo|viu|direito))+$/, ""));
  if (found) return found;
  if (STOP.test(asked)) return "stop";
  if (REPEAT.test(asked)) return "repeat";
  if (HELP.test(asked)) return "help";
  if (SKIP.test(asked)) return "skip";
  if (PUT_OFF_TO.test(asked)) return "cancel";
  if (/^nao quero falar com (?:robo|maquina)/.test(asked)) return "human";
  return NONE_OF.test(asked) ? "skip" : "none";
}

/** Always clear; `none` when the text is no command. */
export function command(
  text: string,
  { locale = "pt-BR", business = NO_BUSINESS }: Pick<TextContext, "locale" | "business"> = {},
): Understood<"command"> {
  if (last?.text !== text || last.business !== business) {
    const value = text.length > MAX_COMMAND ? "none" : commandOf(plainOf(text), business);
    last = { text, business, value };
  }
  const { value } = last;
  const own = business.commands?.find(({ name }) => name === value)?.label[locale];
  const label = own ?? LABELS[value as Command][locale === "en" ? 1 : 0];
  return clear("command", value, label);
}

/** "Não, cancela a 12": the comma says that it is no "don't". */
const NO_BUT = /^(?:nao|no|na verdade|pera(?: ?ai)?|opa|ops|actually) ?[,.!;:]+ ?/;

function commandOf(said: string, business: Business): string {
  const { commands = [], forms } = business;
  const exact: Exact = (form) => COMMANDS.get(form) ?? forms?.get(form);
  const behind = said.replace(NO_BUT, "");
  const line =
    behind !== said && commands.some(({ begins }) => begins?.test(behind)) ? behind : said;
  if (/^[?!]+$/.test(line) && line.includes("?")) return "help";
  if (/^(?:🙏|❤️?|🤝)+$/u.test(line)) return "thanks";
  const words = line
    .replace(/[^a-z0-9 ?-]+/g, " ")
    .replace(/ {2,}/g, " ")
    .trim();
  if (words === "" || words.split(" ").length > MAX_WORDS) return "none";
  const asked = words
    .replace(/[ ?]+$/, "")
    .replace(/^((?:eu )?)n (?=[a-z]{3})/, "$1nao ")
    .replace(/ q /g, " que ")
    .replace(SHORT_FORM, (word) => IN_FULL[word] ?? word);
  // Nothing below is said in digits alone: most answers end here.
  if (!/[a-z]/.test(words)) return exact(words) ?? exact(asked) ?? "none";
  const explained = withReason(line, asked, exact);
  if (explained) return explained;
  if (NOT_CANCEL.test(asked)) return exact(asked) ?? "none";
  // "não vou querer não" refuses twice; "cancela não" takes it back.
  if (/ nao$/.test(asked)) return exact(asked) ?? (PUT_OFF_TO.test(asked) ? "cancel" : "none");
  const polite = asked.replace(POLITE, "").trim();
  const stretched = asked.replace(/([a-z])\1{2,}/g, "$1");
  // "não quero ajuda", "não volta": the contrary, unless the whole says something itself ("não quero mais").
  const bare = asked.replace(GREETED, "");
  if (/^(?:eu )?(?:nao|nunca)\b/.test(bare)) return refusal(bare, exact);
  const ungreeted = bare.replace(POLITE, "").trim();
  const single = polite.replace(/([a-z])\1+/g, "$1");
  for (const form of [words, asked, stretched, polite, bare, ungreeted, single]) {
    const found = exact(form);
    if (found) return found;
  }
  const [, leaving = ""] = PUT_OFF.exec(asked) ?? [];
  for (const form of [leaving, leaving.replace(POLITE, "")])
    if (exact(form) === "cancel") return "cancel";
  if (STOP.test(asked) || STOP.test(polite)) return "stop";
  if (HUMAN.test(asked) || HUMAN.test(polite) || HUMAN.test(ungreeted)) return "human";
  for (const { name, is } of commands) {
    const found = is({ line, asked, polite });
    if (found) return found === true ? name : found;
  }
  if (NONE_OF.test(asked)) return "skip";
  for (const form of [asked, polite, ungreeted]) {
    if (SKIP.test(form)) return "skip";
    if (BACK.test(form)) return "back";
    if (EDIT_SOMETHING.test(form)) return "edit";
    if (GREETING.test(form)) return "greeting";
    if (MENU.test(form)) return "menu";
    if (HELP.test(form)) return "help";
    if (REPEAT.test(form)) return "repeat";
    if (PUT_OFF_TO.test(form)) return "cancel";
    if (THANKS.test(form)) return "thanks";
  }
  const edit = editOf(business);
  if (edit.test(asked) || edit.test(polite)) return "edit";
  return "none";
}

/** What is said beside a command, before or after it, that only tells why. */
const REASONS: readonly (readonly [Command, RegExp])[] = [
  [
    "cancel",
    /^(?:eu )?(?:(?:nao|n) (?:quero|precis[ao]|vou|da|vai)\b.*|mudei de ideia|fica pra (?:depois|outra hora)|desisti|deixa|deixa pra la|esquece|melhor nao)$/,
  ],
  [
    "help",
    /^(?:eu )?(?:(?:nao|n) (?:to|tou|estou|consigo|consegui|sei|entendi|acho|achei)\b.*|(?:to|estou) (?:perdid|com duvida|confus)\w*(?: aqui)?|ta (?:dificil|confuso|complicado))$/,
  ],
  [
    "human",
    /^(?:eu )?(?:(?:nao|n) (?:to|tou|estou|consigo|consegui|sei|entendi|resolveu|adiantou|e isso|quero (?:falar com )?(?:robo|maquina))\b.*|(?:to|estou) (?:perdid|com duvida|confus)\w*(?: aqui)?|ta (?:dificil|confuso|complicado))$/,
  ],
  [
    "repeat",
    /^(?:(?:desculpa|perdao|oi|ha|hein) )?(?:(?:nao|n) (?:entendi|peguei|compreendi)\b.*|como(?: assim)?|o que|oi|hein|ha)$/,
  ],
  [
    "back",
    /^(?:eu )?(?:errei|me confundi|me enganei|(?:digitei|coloquei|escrevi|mandei|respondi) errado)(?: aqui)?$/,
  ],
  [
    "edit",
    /^(?:eu )?(?:errei|me confundi|me enganei|(?:digitei|coloquei|escrevi|mandei|respondi) errado)(?: aqui)?$/,
  ],
  [
    "skip",
    /^(?:eu )?(?:nao|n) (?:tenho|sei|lembro|possuo|tem|quero (?:informar|dizer|passar))\b.*$/,
  ],
];
/** "mudei de ideia cancela": the reason in front, without a comma between. */
const REASON_FIRST =
  /^(?:eu )?((?:nao|n) (?:entendi(?: nada| direito)?|(?:to|estou|tou) \w+ndo|consigo|quero mais|preciso mais|precisa mais)|mudei de ideia|me confundi|errei)(?: (?:entao|pode|por favor|ai))* (?=[a-z]{4})/;

/** One command and nothing else but why: "esquece, não precisa mais", "não entendi, repete". */
export function withReason(
  line: string,
  asked: string,
  exact: (form: string) => Command | undefined,
): Command | null {
  const clauses = line
    .split(/[,.;!]+/)
    .map((clause) =>
      clause
        .replace(/[^a-z0-9 -]+/g, " ")
        .replace(/ {2,}/g, " ")
        .trim(),
    )
    .filter((clause) => clause !== "");
  const [, reason] = REASON_FIRST.exec(asked) ?? [];
  if (clauses.length === 1 && reason !== undefined)
    return told([reason, asked.slice(REASON_FIRST.exec(asked)?.[0].length ?? 0)], exact);
  return clauses.length === 2 ? told(clauses, exact) : null;
}

function told(
  clauses: readonly string[],
  exact: (form: string) => Command | undefined,
): Command | null {
  for (const [at, clause] of clauses.entries()) {
    const name = exact(clause) ?? exact(clause.replace(POLITE, "").trim());
    const why = REASONS.find(([command]) => command === name)?.[1];
    const other = clauses[1 - at] ?? "";
    if (name && why?.test(other)) return name;
  }
  return null;
}
