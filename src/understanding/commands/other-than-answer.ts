/** What is said instead of an answer, or beside it: "por que?", "precisa do CPF?", "só um minuto", "qual o horário?" */
import { foldWords } from "../../brazil/index.ts";
import { type Business, oneOf, perBusiness } from "../business.ts";

const WHY = /^(?:por ?que|pq|pra que|para que|why|what for)(?: [a-z0-9 ]{0,40})?$/;
const MOMENT =
  /^(?:(?:so|me da|da|give me|just|por favor|ei) )*(?:(?:(?:um|uns|1|a|one) )?(?:momento|momentinho|minuto|minutinho|instante|segundo|segundinho|moment|minute|second|sec)|(?:es)?pera(?: ?(?:ai|um pouco|um pouquinho|um momento|um minuto|so um momento|so um minuto))?|espere|aguarde|aguenta(?: ai)?|calma(?: ai)?|ja volto|ja te (?:falo|respondo|mando)|vou (?:ver|procurar|pegar|buscar)|wait(?: a (?:moment|minute|second|sec))?|hold on|hang on|be right back|brb)(?: (?:por favor|pf|please|que .{1,60}))?$/;
const AND_WHY =
  /^(.{1,400}?)\s*[,.;!\n\u2013-]\s*((?:mas |e |but |and )?(?:por ?qu[eê]|pq|pra qu[eê]|para qu[eê]|why|what for)\b[^?]{0,80}\?)\s*$/is;
const NEEDED = perBusiness(
  (_, { things }) =>
    new RegExp(
      String.raw`^(?:(?:mas|e|but|and|oi|ah) )*(?:eu )?(?:preciso|precisa|precisam|voces? precisam?|vcs precisam|tem que|tenho que|(?:e|eh) (?:mesmo )?(?:preciso|necessari[oa]|obrigatori[oa]|obrigad[oa])|obrigatorio|necessario|tem necessidade de|da (?:pra|para) (?:ser|fazer|emitir|ir|tirar)?(?: a (?:${oneOf(things)}))? ?sem|pode ser sem|(?:consigo|posso) (?:fazer|emitir|tirar|ir)?(?: a (?:${oneOf(things)}))? ?sem|serve (?:pra|para) que|(?:pra|para) que serve|(?:pra|para) que (?:voces?|vcs?) (?:precisam?|querem?)|do (?:i|you|we) (?:really )?(?:need|have to give)|must i give|is it (?:needed|necessary|required|mandatory)|can i (?:do|have|get) it without|why do you (?:need|want|ask for)|o que (?:e|eh|significa)|what is|what s|whats)(?: (.{1,40}))?$`,
    ),
);
/** "O CPF é obrigatório?" */
const NEEDED_BEHIND =
  /^(?:mas |e )?(.{2,30}) (?:e|eh|is) (?:mesmo |really )?(?:obrigatori[oa]|necessari[oa]|preciso|required|needed|mandatory|necessary)$/;
/** Words around what is asked about. */
const SMALL: ReadonlySet<string> = new Set(
  (
    "o a os as um uma de do da dos das meu minha my the an any mesmo realmente really isso essa esse informar dar passar mandar " +
    "colocar ter dizer give send have it this that para pra for na no por agora ser todo"
  ).split(" "),
);
/** What people think may be wanted of them. */
const DATUM: ReadonlySet<string> = new Set(
  (
    "cpf cnpj rg documento document endereco address cep nome name email e-mail mail telefone celular phone data date " +
    "cadastro registration senha password pix pagamento payment inscricao comprovante completo full"
  ).split(" "),
);

export function asksWhy(text: string): boolean {
  const said = foldWords(text);
  return WHY.test(said) && (text.trim().endsWith("?") || said.split(" ").length <= 2);
}

/** "150 reais, por que precisa disso?": what stands before the question, which may be the answer. */
export function beforeWhy(text: string): string | undefined {
  return AND_WHY.exec(text)?.[1];
}

/** At no answer: "só um minuto", "pera aí", "já volto", also where any text is one. */
export function asksForTime(text: string): boolean {
  return MOMENT.test(foldWords(text));
}

export interface Need {
  /** What is asked about; empty where it is what was asked for. */
  readonly words: readonly string[];
  /** It is something that people think may be wanted of them. */
  readonly isDatum: boolean;
}

/** "Precisa do CPF?": whether something is needed at all. */
export function asksWhetherNeeded(text: string, business?: Business): Need | undefined {
  if (!text.trim().endsWith("?")) return undefined;
  const said = foldWords(text);
  const found = NEEDED(business).exec(said) ?? NEEDED_BEHIND.exec(said);
  if (!found) return undefined;
  const words = (found[1] ?? "")
    .split(" ")
    .filter((word) => word !== "" && !SMALL.has(word) && !business?.things.includes(word));
  return { words, isDatum: words.every((word) => DATUM.has(word)) };
}

/** "Deixa", "esquece", "deixa o valor como estava": what stands is to stay. */
const KEEPS =
  /^(?:(?:nao|entao|ah|ok|bom|tudo|bem|melhor|pode|desculpa|no|then|please|just) )*(?:deixa|deixe|deixar|deixo|esquece|esqueca|esquecer|mantem|mantenha|manter|mantenho|fica|fique|ficar|keep|leave|forget|never ?mind)\b/;
/** Beside it, or alone: the old answer, and nothing else. */
const AS_IT_WAS: ReadonlySet<string> = new Set(
  (
    "deixa deixe esquece esqueca mantem mantenha fica fique o a os as do da que como esta estava era ta tava antes assim mesmo mesma " +
    "jeito isso quieto pra para la com por anterior igual entao nao it as is was that the same old one what before and forget leave keep never mind"
  ).split(" "),
);
/** What confirms a summary, said before it is shown again. */
const CONFIRMS = /^(?:emitir|emite|confirmar|confirmo|confirma|issue|confirm)$/;

/** Whether somebody would rather keep an answer, by one of these names. Of folded words. */
export function keepsAnswer(said: string, names: readonly string[]): boolean {
  if (CONFIRMS.test(said)) return true;
  const known = new Set(names.flatMap((name) => name.split(" ")));
  return (
    KEEPS.test(said) &&
    said
      .replace(KEEPS, "")
      .split(" ")
      .every((word) => word === "" || AS_IT_WAS.has(word) || known.has(word))
  );
}

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
