/**
 * What looks like a day and is none: the number of a room, a share of one, which one of several, part of a name. "sala 10/12",
 * "1/2 diária", "segunda consulta", "Restaurante Sábado & Cia". Of plain text.
 */

const NUMBERS = /^\d{1,2}\/\d{1,2}$/;
/** Right before: rooms, plots and doors; what is counted in steps. */
const NUMBERED =
  /\b(?:salas?|lotes?|lt|quadras?|qd|aptos?|apartamentos?|blocos?|lojas?|box|torres?|marcos?|etapas?|fases?|modulos?|medic(?:ao|oes)|sess(?:ao|oes)|mensalidades?|parcelas?|mesversario)\.? (?:n[o\u00ba\u00b0]?\.? ?)?$/;
/** Right behind: what there is half of, or so many of so many. */
const SHARED =
  /^ ?(?:(?:d[aeo]s?|a) )?(?:diarias?|fretes?|periodos?|turnos?|meses|parcelas?|prestac(?:ao|oes)|sessoes|polegadas?|pol)\b/;
const ORDINAL = /^(?:segunda|terca|quarta|quinta|sexta)$/;
const OF_SEVERAL =
  /^ (?:consultas?|mensalidades?|parcelas?|prestac(?:ao|oes)|vias?|visitas?|etapas?|partes?|mao|vez|fases?|medic(?:ao|oes)|turmas?|edic(?:ao|oes)|doses?|revis(?:ao|oes)|opcao|tentativa|geracao|divisao|casa|filha|filho|unidade|loja|de cinzas|da boa)\b/;
/** "1/2hp", "válvula de 1 1/2". */
const MEASURE = {
  is: /^[1357]\/(?:2|4|8|16)$/,
  before: /\d $/,
  after: /^ ?(?:hp|cv|pol)\b|^ \+/,
} as const;
/** "200 por dia 3 dias": how many, and no third. */
const HOW_MANY = {
  is: /^dia \d/,
  before: /\bpor $/,
  after: /^ (?:dias|diarias|vezes|pessoas|horas)\b/,
} as const;
/** "a turma de terça": which one. */
const GROUP = /\b(?:turma|grupo|equipe|feira) d[aeo] $/;
const NAMED = /^(?: (?:&|e cia\b|em dia\b|ltda\b|eireli\b|s\/a\b)|-feira da )/;

/** `start`, `end`: of what looks like a day in `folded`. */
export function isNoDay(folded: string, start: number, end: number): boolean {
  const said = folded.slice(start, end);
  const after = folded.slice(end);
  if (NAMED.test(after)) return true;
  const before = folded.slice(0, start);
  if (MEASURE.is.test(said) && (MEASURE.after.test(after) || MEASURE.before.test(before)))
    return true;
  if (HOW_MANY.is.test(said) && (HOW_MANY.before.test(before) || HOW_MANY.after.test(after)))
    return true;
  if (GROUP.test(before)) return true;
  if (ORDINAL.test(said)) return OF_SEVERAL.test(after);
  return NUMBERS.test(said) && (NUMBERED.test(before) || SHARED.test(after));
}
