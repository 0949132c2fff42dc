/**
 * What a message means to the step that rests. Pure: charts see meanings, never texts.
 *
 * Values that touch only empty slots and the current one answer; a value for a filled slot corrects; a slot named without
 * a value is to be edited. A message is a command only when it is nothing else.
 */
import { foldWords } from "../../brazil/index.ts";
import { opened, understand, type Command as SaidCommand } from "../../understanding/index.ts";
import type { Content } from "../session/inbound.ts";
import { addressPart } from "./meaning-address.ts";
import { answered } from "./meaning-answer.ts";
import { confirmed, isWord } from "./meaning-confirm.ts";
import { labelled } from "./meaning-labels.ts";
import { saidAlone, severalLabelled } from "./meaning-several.ts";
import { amendmentIn } from "../turn/readers.ts";
import { isThing, withThings } from "../turn/things.ts";
import { STRICT } from "./meaning-values.ts";
import { bad, current, flow, type Meaning, NONE, picked, wrong } from "./meant.ts";
import type { Expectation, ExpectedSlot } from "../turn/program.ts";
import type { Amendment, ReadingContext } from "../turn/reader.ts";

const WHY = /^(?:por ?que|pq|pra que|para que|why|what for)(?: [a-z0-9 ]{0,40})?$/;

const NEEDED = withThings(
  ({ things }) =>
    new RegExp(
      String.raw`^(?:(?:mas|e|but|and|oi|ah) )*(?:eu )?(?:preciso|precisa|precisam|voces? precisam?|vcs precisam|tem que|tenho que|(?:e|eh) (?:mesmo )?(?:preciso|necessari[oa]|obrigatori[oa]|obrigad[oa])|obrigatorio|necessario|tem necessidade de|da (?:pra|para) (?:ser|fazer|emitir|ir|tirar)?(?: a (?:${things}))? ?sem|pode ser sem|(?:consigo|posso) (?:fazer|emitir|tirar|ir)?(?: a (?:${things}))? ?sem|serve (?:pra|para) que|(?:pra|para) que serve|(?:pra|para) que (?:voces?|vcs?) (?:precisam?|querem?)|do (?:i|you|we) (?:really )?(?:need|have to give)|must i give|is it (?:needed|necessary|required|mandatory)|can i (?:do|have|get) it without|why do you (?:need|want|ask for)|o que (?:e|eh|significa)|what is|what s|whats)(?: (.{1,40}))?$`,
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
/** "só um minuto", "pera aí", "já volto": no answer, also where any text is one. */
const MOMENT =
  /^(?:(?:so|me da|da|give me|just|por favor|ei) )*(?:(?:(?:um|uns|1|a|one) )?(?:momento|momentinho|minuto|minutinho|instante|segundo|segundinho|moment|minute|second|sec)|(?:es)?pera(?: ?(?:ai|um pouco|um pouquinho|um momento|um minuto|so um momento|so um minuto))?|espere|aguarde|aguenta(?: ai)?|calma(?: ai)?|ja volto|ja te (?:falo|respondo|mando)|vou (?:ver|procurar|pegar|buscar)|wait(?: a (?:moment|minute|second|sec))?|hold on|hang on|be right back|brb)(?: (?:por favor|pf|please|que .{1,60}))?$/;
/** "150 reais, por que precisa disso?": what stands before the question may be the answer. */
const AND_WHY =
  /^(.{1,400}?)\s*[,.;!\n\u2013-]\s*((?:mas |e |but |and )?(?:por ?qu[eê]|pq|pra qu[eê]|para qu[eê]|why|what for)\b[^?]{0,80}\?)\s*$/is;

/** "Deixa", "esquece", "deixa o valor como estava", "keep it as it was": what stands is to stay. */
const KEEPS =
  /^(?:(?:nao|entao|ah|ok|bom|tudo|bem|melhor|pode|desculpa|no|then|please|just) )*(?:deixa|deixe|deixar|deixo|esquece|esqueca|esquecer|mantem|mantenha|manter|mantenho|fica|fique|ficar|keep|leave|forget|never ?mind)\b/;
/** Beside it, or alone: the old answer, and nothing else. */
const AS_IT_WAS: ReadonlySet<string> = new Set(
  (
    "deixa deixe esquece esqueca mantem mantenha fica fique o a os as do da que como esta estava era ta tava antes assim mesmo mesma " +
    "jeito isso quieto pra para la com por anterior igual entao nao it as is was that the same old one what before and forget leave keep never mind"
  ).split(" "),
);

/** What confirms a summary, said before it is shown again: it is shown then. */
const CONFIRMS = /^(?:emitir|emite|confirmar|confirmo|confirma|issue|confirm)$/;

/** An answer that stands is asked for anew: whether the person would rather keep it. */
function keepsStanding(asked: ExpectedSlot | undefined, said: string): boolean {
  if (!asked?.filled || asked.secret === true || asked.value === undefined) return false;
  if (CONFIRMS.test(said)) return true;
  const names = new Set(asked.names.flatMap((name) => name.split(" ")));
  return (
    KEEPS.test(said) &&
    said
      .replace(KEEPS, "")
      .split(" ")
      .every((word) => word === "" || AS_IT_WAS.has(word) || names.has(word))
  );
}

/** What the content means. Never throws on any content. */
export function meaning(
  expectation: Expectation,
  content: Content,
  context: ReadingContext,
): Meaning {
  switch (content.type) {
    case "choice":
      return pressed(expectation, content.picks, context);
    case "text":
      return written(expectation, content.text, context);
    case "media":
      return (
        handed(expectation, content, context) ??
        (content.caption ? captioned(expectation, content.caption, context) : NONE)
      );
    case "contacts": {
      const [only, second] = content.contacts;
      const slot = current(expectation);
      if (second || !only?.phone || slot?.kind !== "phone") return NONE;
      return written(expectation, only.phone, context);
    }
    case "location":
      return handed(expectation, content, context) ?? NONE;
    case "other":
      return NONE;
  }
}

/** What is no text, where a slot takes it: the one that is asked, else the only empty one that does. */
function handed(
  expectation: Expectation,
  content: Content,
  context: ReadingContext,
): Meaning | undefined {
  const asked = current(expectation);
  const reading = asked?.take?.(asked.secret === true ? uncaptioned(content) : content, context);
  if (asked && reading)
    return reading.ok
      ? flow({ type: "ANSWER", values: { [asked.name]: reading.value } })
      : bad(reading);
  const fits = expectation.slots.flatMap((slot) => {
    const other = slot.filled ? undefined : slot.take?.(content, context);
    return other?.ok ? [{ slot, value: other.value }] : [];
  });
  const [only, second] = fits;
  return only && !second
    ? flow({ type: "ANSWER", values: { [only.slot.name]: only.value } })
    : undefined;
}

/** Words under a picture: where they are no answer, the picture was to be one, and cannot be read. */
function captioned(expectation: Expectation, caption: string, context: ReadingContext): Meaning {
  const said = written(expectation, caption, context);
  if (said.kind !== "flow" || said.event.type !== "BAD") return said;
  return said.event.reason === "absent" && !said.event.options ? NONE : said;
}

/** What stands beside a secret file is often its password. */
function uncaptioned(content: Content): Content {
  if (content.type !== "media") return content;
  const { caption: _, ...rest } = content;
  return rest;
}

function pressed(
  expectation: Expectation,
  picks: Extract<Content, { type: "choice" }>["picks"],
  context: ReadingContext,
): Meaning {
  const [first, second] = picks;
  if (!first) return NONE;
  if (second) return bad({ ok: false, reason: "ambiguous" });
  const choice = expectation.choices?.find(
    (one) => one.id === first.id || foldWords(one.label) === foldWords(first.label),
  );
  if (choice) return picked(expectation, choice);
  if (expectation.rests === "confirm" && (first.id === "yes" || isWord(first.label, expectation)))
    return flow({ type: "YES" });
  if (expectation.rests === "confirm" && first.id === "no") return flow({ type: "NO" });
  if (!expectation.choices?.length) {
    const late = pressedLate(expectation, first.label, context);
    if (late) return late;
  }
  return written(expectation, first.label, context);
}

/** A press where nothing is offered: a vote on an older list corrects it, and is no answer to a question for any text. */
function pressedLate(
  expectation: Expectation,
  label: string,
  context: ReadingContext,
): Meaning | undefined {
  const asked = current(expectation);
  const fits = expectation.slots.flatMap((slot) => {
    if (slot.kind !== "choice" || !slot.filled) return [];
    const reading = slot.read(label, context);
    return reading.ok ? [{ slot, value: reading.value }] : [];
  });
  const [only, second] = fits;
  if (only && !second)
    return only.value === only.slot.value
      ? NONE
      : flow({ type: "CORRECT", values: { [only.slot.name]: only.value } });
  return asked && !STRICT.has(asked.kind) ? NONE : undefined;
}

function written(expectation: Expectation, raw: string, context: ReadingContext): Meaning {
  const text = raw.trim();
  if (text === "") return NONE;
  const said = foldWords(text);
  // "Aprovar?" asks; whether it chooses, too, the slot says.
  const exact = text.includes("?")
    ? undefined
    : expectation.choices?.find((choice) => said !== "" && foldWords(choice.label) === said);
  if (exact) return picked(expectation, exact);
  const asked = current(expectation);
  if (asked && keepsStanding(asked, said))
    return flow({ type: "ANSWER", values: { [asked.name]: asked.value ?? null } });
  const { value: command } = understand("command", text, context) as { value: SaidCommand };
  if (command !== "none" && command !== "edit" && !isThankfulNo(expectation, command, said))
    return { kind: "command", command };
  if (isWhy(text, said)) return { kind: "command", command: "why" };
  const needed = whyOf(expectation, text, said, context);
  if (needed) return needed;
  if (MOMENT.test(said)) return { kind: "command", command: "moment" };
  const twofold = AND_WHY.exec(text);
  if (twofold?.[1] !== undefined) {
    const first = written(expectation, twofold[1], context);
    if (first.kind === "flow" && first.event.type !== "BAD") return { ...first, asks: "why" };
  }
  const amended = amendmentIn(expectation, text, undefined, context);
  if (amended) return askedAnew(amended);
  const several = severalLabelled(expectation, text, context);
  if (several) return several;
  const told = opened(text);
  const label =
    addressPart(expectation, told, context) ??
    labelled(expectation, text, context) ??
    labelled(expectation, told, context);
  if (label)
    return label.ok ? { ...flow(label.event), ...wrong(label.reading) } : bad(label.reading);
  switch (expectation.rests) {
    case "confirm":
      return confirmed(expectation, text, command, context);
    case "ask":
    case "choose":
      return answered(expectation, text, command, context);
    case "notify":
      // Somebody else decides on what stands meanwhile.
      return command === "edit"
        ? { kind: "command", command }
        : (saidAlone(expectation, text, context) ?? NONE);
    case "effect":
    case "subflow":
    case "wait":
    case "handoff":
    case "ended":
      return command === "edit" ? { kind: "command", command } : NONE;
  }
}

/** "Não, obrigada" thanks, and answers. */
function isThankfulNo(expectation: Expectation, name: string, said: string): boolean {
  if (name !== "thanks" || !/^(?:nao|n|no)\b/.test(said)) return false;
  return expectation.rests === "confirm" || current(expectation)?.kind === "yesno";
}

/** "Precisa do CPF?", "do I need a CPF?": whether what is asked, or something else, is needed at all. */
function whyOf(
  expectation: Expectation,
  text: string,
  said: string,
  context: ReadingContext,
): Meaning | undefined {
  const found = text.trim().endsWith("?")
    ? (NEEDED(context).exec(said) ?? NEEDED_BEHIND.exec(said))
    : null;
  if (!found) return undefined;
  const words = (found[1] ?? "")
    .split(" ")
    .filter((word) => word !== "" && !SMALL.has(word) && !isThing(word, context));
  if (words.length === 0) return { kind: "command", command: "why" };
  const line = ` ${words.join(" ")} `;
  const asked = current(expectation);
  const names = (slot: ExpectedSlot): boolean =>
    slot.names.some((one) => line.includes(` ${one} `));
  if (asked && names(asked)) return { kind: "command", command: "why" };
  const other = expectation.slots.find(names);
  if (other) return flow({ type: "WHY", slots: [other.name] });
  return words.every((word) => DATUM.has(word))
    ? { kind: "command", command: "needed" }
    : undefined;
}

function isWhy(text: string, said: string): boolean {
  return WHY.test(said) && (text.trim().endsWith("?") || said.split(" ").length <= 2);
}

/** What was said before holds no more: asked again, beside what the text says instead. */
function askedAnew({ again, anew, values }: Amendment): Meaning {
  return {
    ...flow({ type: "EDIT", slots: again.map(({ slot }) => slot.name), anew }),
    ...wrong(again[0]?.reading),
    ...(Object.keys(values).length > 0 ? { beside: values } : {}),
  };
}
