/** "Vocês estão abertos?", "qual o horário?" */
import { foldWords } from "../../brazil/index.ts";

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

/** How plainly a text asks for the hours; undefined where it does not. "Está aberto" without a question mark may tell something. */
export function asksForHours(text: string): "surely" | "perhaps" | undefined {
  if (text.length > LONGEST) return undefined;
  const said = foldWords(text);
  if (!ASKS.test(said)) return undefined;
  return text.trim().endsWith("?") ? "surely" : NEEDS_MARK.test(said) ? undefined : "perhaps";
}
