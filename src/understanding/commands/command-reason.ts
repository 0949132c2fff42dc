/** A command and why it is given: "esquece, não precisa mais", "não entendi, repete". */
import { POLITE } from "./command-patterns.ts";
import type { Command } from "../business.ts";

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
