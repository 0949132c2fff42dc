/**
 * Options that an answer may mean which names none of them: a slip of the thumb ("cortte"), or another common word for
 * the same work ("conserto do ar"). To be proposed, never taken: {@link pickOption} has found nothing.
 */
import { foldWords } from "../../brazil/index.ts";
import type { Business } from "../business.ts";
import { singular, type Pickable } from "./pick-option.ts";

const NO_THINGS = { things: [] };
/** A longer answer tells a story. */
const LONGEST = 80;
const MOST_WORDS = 6;
/** More than these are the list again. */
const MOST = 3;
/** What says nothing of a service by itself. */
const SMALL: ReadonlySet<string> = new Set(
  "de da do das dos a o as os um uma e em no na pra para com por the of my me meu minha foi era servico service quero queria fazer fiz".split(
    " ",
  ),
);
/** A denial or a second thought names nothing. */
const AGAINST = /^no\b|\b(?:nao|nem|sem|menos|exceto|outr[oa]|nenhuma?|not|none|other)\b/;
/** One slip in a word, two in a long one; a short word with a slip is another word. */
const ONE_SLIP = 5;
const TWO_SLIPS = 9;

export function similarOptions<T extends Pickable>(
  text: string,
  options: readonly T[],
  { things }: Pick<Business, "things"> = NO_THINGS,
): readonly T[] {
  const line = foldWords(text);
  if (text.length > LONGEST || AGAINST.test(line) || /\d/.test(line)) return [];
  const said = wordsOf(line).filter((word) => !things.includes(word));
  if (said.length === 0 || said.length > MOST_WORDS) return [];
  const found = options.filter((option) => {
    const name = [option.label, ...(option.aliases ?? [])].flatMap((one) =>
      wordsOf(foldWords(one)),
    );
    return said.every((word) => name.some((other) => isMeant(word, other)));
  });
  return found.length <= MOST ? found : [];
}

function wordsOf(line: string): string[] {
  return line
    .split(" ")
    .filter((word) => word.length > 1 && !SMALL.has(word))
    .map(singular);
}

function isMeant(said: string, name: string): boolean {
  if (isSlip(said, name) || areLike(said, name)) return true;
  return LIKE_WORDS.some((word) => areLike(word, name) && isSlip(said, word));
}

/** Whether one is the other but for a slip or two: letters left out, doubled, exchanged or wrong. */
export function isSlip(one: string, other: string): boolean {
  if (one === other) return true;
  const shorter = Math.min(one.length, other.length);
  const most = shorter >= TWO_SLIPS ? 2 : shorter >= ONE_SLIP ? 1 : 0;
  // The first letter is rarely the wrong one, and tells most words apart.
  return most > 0 && one[0] === other[0] && slips(one, other, most) <= most;
}

/** Letters to change from one word to the other, two that changed places as one; more than `most` is not counted. */
function slips(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      let least = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return row[other.length] ?? 0;
}

/** Common words for the same work. Folded; what stands in one line may stand for each other in the name of a service. */
const LIKE: readonly string[] = [
  "corte cortar cabelo cabeleireiro cabeleireira barbearia barbeiro haircut hair",
  "barba barbear barbeiro beard",
  "manutencao conserto consertar reparo reparar revisao arrumar assistencia repair maintenance fix",
  "ar condicionado split climatizador climatizacao ac",
  "fotografia foto fotografo fotografa ensaio book photo photography picture",
  "filmagem video filmar filme filming",
  "consultoria consultor consulta consultar assessoria mentoria consulting advice",
  "limpeza faxina faxinar diarista higienizacao cleaning",
  "unha manicure pedicure esmaltacao nail",
  "aula curso reforco treino lesson class course",
  "site website pagina web desenvolvimento",
  "frete carreto transporte mudanca entrega delivery freight moving",
  "massagem massoterapia massagista massage",
  "jardinagem jardim jardineiro poda grama gardening",
  "pintura pintar pintor painting",
  "eletrica eletricista eletrico eletricidade electrician",
  "hidraulica encanador encanamento hidraulico plumbing plumber",
  "terapia psicoterapia psicologo psicologa sessao therapy",
  "contabilidade contador contadora contabil accounting",
  "marketing divulgacao publicidade propaganda trafego",
  "design designer arte logo logotipo identidade",
  "computador informatica notebook pc computer",
  "celular telefone smartphone phone",
  "carro automovel veiculo auto car",
  "lavagem lavar lavacao ducha wash",
  "instalacao instalar montagem montar install installation",
  "costura costurar costureira ajuste sewing",
  "maquiagem maquiar make makeup",
  "traducao traduzir tradutor translation",
  "aluguel locacao alugar rental rent",
  "advocacia advogado advogada juridico honorario lawyer legal",
];

const GROUPS: ReadonlyMap<string, ReadonlySet<number>> = (() => {
  const groups = new Map<string, Set<number>>();
  for (const [at, line] of LIKE.entries())
    for (const word of line.split(" ")) groups.set(word, (groups.get(word) ?? new Set()).add(at));
  return groups;
})();

/** Every word of the list, for reading one with a slip. */
export const LIKE_WORDS: readonly string[] = [...GROUPS.keys()];

/** Whether two words stand for the same work. */
export function areLike(one: string, other: string): boolean {
  const groups = GROUPS.get(other);
  return [...(GROUPS.get(one) ?? [])].some((group) => groups?.has(group));
}
