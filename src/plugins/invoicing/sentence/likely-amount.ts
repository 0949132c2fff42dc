/**
 * The number of a terse sentence that is most likely its amount: "nota 150 maria souza 52998224725 corte ontem". Nobody said that it
 * is one, so it is never taken: whoever asks for the amount may propose it.
 */
import { NOTE_NOUNS } from "../talk/nouns.ts";
import {
  fragmentsOf,
  money,
  plainOf,
  type TextContext,
  tidy,
  withoutNumbered,
} from "../../../plugin.ts";

/** Longer texts tell of more than a note. */
const LONGEST = 160;
const NUMBER = /(?<![\w.,/:@-])(?:\d{2,6}|\d{1,3}(?:\.\d{3})+)(?:,\d\d)?(?![\w/:@-]|[.,]\d)/g;
/** Before a number that is none of money. */
const OTHER =
  /\b(?:dia|dias|numero|n[o\u00ba\u00b0.]|rua|av|avenida|ap|apto|apartamento|sala|casa|lote|quadra|km|cep|tel|fone|celular|as|das|ate|item|pedido|os|contrato|placa|turma|serie|nivel|rg|day|number|room|order)\.? ?$/;
/** Behind a number that counts something. */
const COUNTED =
  /^ ?(?:%|x\b|h\b|hs\b|min\b|kg\b|m2\b|km\b|un\b|vez\b|hora\b|aula\b|mes\b|ano\b|dia\b|de (?:janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)\b|[a-z]{3,}(?:oes|as|es|os|ns|is)\b)/;
const YEAR = /^(?:19|20)\d\d$/;

/** Integer cents; undefined where none or more than one number may be it. */
export function likelyAmount(text: string, context: TextContext): number | undefined {
  if (text.length > LONGEST) return undefined;
  const said = tidy(text);
  const cut = fragmentsOf(said)
    .filter(({ bare }) => bare.replace(/\D/g, "").length >= 7)
    .reduceRight(
      (line, { start, end }) =>
        `${line.slice(0, start)}${"_".repeat(end - start)}${line.slice(end)}`,
      said,
    );
  const line = withoutNumbered(plainOf(cut), NOTE_NOUNS);
  const found = [...line.matchAll(NUMBER)].filter(
    ({ index, 0: figure }) =>
      !YEAR.test(figure) &&
      !OTHER.test(line.slice(0, index)) &&
      !COUNTED.test(line.slice(index + figure.length)),
  );
  const [only, second] = found;
  if (!only || second) return undefined;
  const amount = money(`R$ ${only[0]}`, context);
  return amount.ok ? amount.value : undefined;
}
