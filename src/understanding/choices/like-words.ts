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
