/**
 * Talk that is no request for a note, though it speaks of one: of notes that exist already, of none at all, of how things
 * work, of another day, of school marks and of bank notes. Of plain text.
 */

const NOTE = "(?:notas?|notinha|nf|nfs-?e|nota fiscal)";
const MONTHS =
  "janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro";
/** Verbs of asking for a note and of making one, by their beginnings. */
const MAKING = "(?:emit|fa[zc]|fiz|ger[aeo]|tir[aeo]|mand[aeo]|lanc|solt[aeo]|ped[ie]|precis)";

const PATTERNS: readonly RegExp[] = [
  /\b(?:cancel(?:a|ar|e|ei)|estorn(?:a|ar|e)|anul(?:a|ar|e)|consultar|reenvi(?:a|ar|e)|repet(?:e|ir|e)|(?:segunda|2[aª]) via(?! (?:d[aeo] )?(?:cnh|rg|crlv|certidao|identidade|carteira|placa|chave|diploma|planta|projeto|crachas?))|faturei|(?<!\b(?:para|pra|providenciar|solicito|solicitar|pedido de) (?:o )?)faturamento(?! ?[:;]|,.*\b(?:cpf|cnpj)\b))\b/,
  new RegExp(
    `\\bminhas (?:ultimas )?notas?\\b|\\bnotas (?:de |do |da |no )?(?:mes|ontem|hoje|semana|${MONTHS})\\b|\\btotal (?:de |do |em )(?:mes|${MONTHS})\\b(?! ?:? ?(?:r\\$|\\d))`,
  ),
  /\b(?:nao|n) (?:quero|preciso|precisa|queria|vou querer|quer)\b.{0,20}\b(?:nota|nf)\b/,
  /\b(?:nota|nf)\b(?! d[ao] [^,;.]{1,20}\bque (?:veio|chegou)).{0,20}\b(?:errad[oa]|saiu|chegou|veio)\b|\b(?:recebi|cade|chegou) (?:a |as |minha |essa |aquela )?(?:nota|nf)s?\b(?! de| pra| para| pro)|(?<!(?:\breais\b|r\$|\bcpf\b|\bcnpj\b|\d,\d\d\b|\bconto\b|\bdeu \d).*)\b(?:me )?manda (?:a |as |minha |essa |aquela )?(?:nota|nf)s?\b(?! de| pra| para| pro)(?!.*(?:\breais\b|r\$|\bcpf\b|\bcnpj\b|\bem nome d|\bvalor\b|\btotal\b|\d{3}[.]\d{3}|\d{11}))/,
  /\btalvez\b|\bver (?:a |as |minhas? |essas? |aquelas? )?(?:notas?|nf)\b|\b(?:numero|chave|link|copia) da (?:nota|nf)\b|\b(?:troc|mud|corrig|alter)\w*\b.*\bd[ae] (?:nota|nf)\b|\baceit\w+ notas?\b|\b(?:deu|dei|deram|dar) (?:\w+ )?uma nota de\b|\b(?:ta|esta|saiu|veio|ficou) (?:com (?:o |a )?[a-z]+ )?errad[oa]\b|\ba (?:nota|nf) que\b|\b(?:expli\w+|abrir|baixar|imprimir|achar|encontrar|acessar) (?:a |essa |minha |uma )?(?:nota|nf)\b|\bnota\b.*(?<!\b(?:de|pra|para) )\b(?:passar(?! (?:roupas?|cabos?|fios?|massa|verniz|cera|tinta)\b)|(?<!\bque )passou(?! (?:os?|as?|pra|para|por|aqui|em)\b)|reprov\w+)\b|\bdeu erro\b|\brecus(?:ou|aram|ada)\b|\b(?:foto|print|imagem) da (?:nota|nf)\b|\bobrigad[oa] (?:pel[ao]|por)\b|\bsem nota de\b|\borcamento\b(?!.*\b(?:nota|nf)\b)/,
  /^(?:aprov|recus|reprov|rejeit|apag|cadastr(?!o (?:ambiental|rural|no|do car)\b))\w*\b(?! e (?:emit|fa[cz]|ger|fatur))|^meus dados\b|\b(?:pdf|xml|status|situacao) d[aeo] (?:nota|nf)\b|\bsobre a nota\b|\b(?:nota|nf) \d+ (?:foi|esta|ta|ja)\b|\bmesma nota\b|\bigual (?:a|o) (?:ultim|anterior)/,
  /^(?:(?:oi|ola|bom dia|boa tarde|boa noite)[ ,.!?]+)*(?:como|quanto(?! aos?\b)|quando(?! (?:puder\w*|der)\b.*\b(?:fa[zc]\w*|emit\w+|tir[ae]\w*|ger[ae]\w*|solt[ae]\w*|lanc\w+)\b)|onde|cade|qual|quais|quem(?! (?:recebe|vai receber|paga|fez)\b(?!.*\?))|por que|pq)\b(?! ?[:;])(?! .*\br\$)/,
  /\b(?:da pra|tem como|pode|posso|consigo|sera)\b.*\bsem (?:o )?(?:cpf|cnpj|documento|nome|endereco)\b/,
  /\b(?:nota|nf) igual\b|\b(?:cancel|void|refund) (?:the |my |that )?nota\b|\b(?:where|when|how)(?: s| is| much| many| do| can|'s)?\b.*\bnota\b|\b(?:last|previous|copy of) (?:the )?nota\b|\b(?:do (?:you|i|they|we)|does|did|don't|didn't|doesn't|not|already) (?:you |i |they )?(?:\w+ ){0,2}notas?\b/,
  // Asked about, told of, supposed.
  /\b(?:perguntou|perguntaram|quer(?:ia|o)? saber|gostaria de saber|(?:tenho|tiro|tirar) (?:uma )?duvida|tem imposto|paga imposto|pago de imposto|quanto (?:custa|pago|paga|fica|sai|cobra|vou pagar|e o imposto))\b/,
  new RegExp(
    `(?:^|[,.!] ?)(?:e )?(?:se|caso|quando) (?:eu|a gente|voce|vc|voces|vcs|for|fosse|precisar|quiser)\\b.*\\b${NOTE}\\b`,
  ),
  // Done already.
  new RegExp(
    `\\b(?:ja|ontem|hoje|acabei de|acabou de|semana passada|eu)(?: \\w+){0,2}? (?:emit(?:i|iu|imos|iram|ido|ida|ir)|fiz|fizeram|fez|gerei|gerou|gerar|mandei|mandou|mandaram|enviei|enviou|pedi|pediu|solicitei|recebi|recebeu|tirei|lancei)\\b.{0,12}\\b${NOTE}\\b`,
  ),
  new RegExp(
    `^(?:(?:oi|ola|bom dia|boa tarde|boa noite)[ ,.!]+)*(?:(?:eu|ele|ela|a gente|voce|vc|voces|vcs) )?(?:emiti|emitiu|emitimos|emitiram|fiz|recebi|recebemos|perdi|achei|ganhei|paguei com|tirei|pedi|mandei|enviei|gerei) (?:a|as|uma|umas|minha|essa|esta|aquela|outra|o|meu)?s? ?(?:segunda )?${NOTE}\\b`,
  ),
  new RegExp(
    `\\b${NOTE} (?:ja )?(?:foi|sera|esta|ta) (?:emitida|emitido|feita|cancelada|enviada|paga|pronta|aprovada|recusada)\\b`,
  ),
  new RegExp(
    `\\ba ${NOTE}(?: (?:de|d[aeo]|no valor de) [\\wç$.,]{1,15}){0,3}(?: reais)? (?:nao(?! (?:e|eh) (?:pra|pro|para))|ainda(?! (?:hoje|hj|es[st]a semana)\\b)|ja|era|foi(?! (?:r\\$ ?)?\\d)|saiu|ficou|sumiu|deu(?! (?:r\\$ ?)?\\d)|tem(?! (?:que|q|de) )|esta|ta|vai(?! (?:pra|pro|para|em nome) )|veio|chega|vence|venceu|caiu|voltou|demora|(?:e|eh) (?:pra|pro|para)(?= quem)|e de quem)\\b`,
  ),
  // Somebody has made it: "alguém emitiu nota de 900?".
  new RegExp(
    `\\b(?:emitiu|emitiram|gerou|geraram|fez|fizeram|lancou|lancaram|tirou|tiraram) (?:(?:a|as|uma|umas|essas?|aquelas?|minhas?) )?${NOTE}\\b`,
  ),
  // Somebody has it: "já tenho a nota de 45". "Tenho uma nota pra emitir" asks.
  new RegExp(
    `\\b(?:tenho|tinha|temos|guardei|guardamos|baixei|imprimi|conferi|encontrei|peguei)(?: (?:aqui|ja))? (?:(?:todas )?(?:a|as|essas?|aquelas?|minhas?|sua) )${NOTE}\\b(?!.{0,60}\\b(?:pra|para|a) (?:emit|faz|tir|ger|lanc|solt))`,
  ),
  // Those there are: "o contador pediu as notas de 300 pra cima".
  /\bnotas?\b.{0,40}\d (?:reais )?(?:pra|para) (?:cima|baixo)\b|\bnotas?\b.{0,20}\b(?:acima|abaixo) de (?:r\$ ?)?\d/,
  /\b(?:pediu|pediram|pede|quer|querem|cobrou|cobraram|perguntou) (?:d?as|todas as|minhas|essas|aquelas|suas) notas\b/,
  // Nobody knows yet.
  new RegExp(
    `\\b(?:ver|vejo|vendo|sei|saber|decidir|decido|decidindo|pensar|pensando) se (?:eu )?(?:vou|vai|quero|preciso|precisa|faco|vale)\\b[^,;.]{0,20}\\b${NOTE}\\b`,
  ),
  // Not to be done, or not now.
  new RegExp(`\\b(?:nao|n|nem|nunca|ninguem)(?: \\w+){0,2}? ${MAKING}\\w*\\b.{0,14}\\b${NOTE}\\b`),
  new RegExp(
    `\\b(?:sem precisar|sem necessidade|para de|pare de|evita)(?: de)? (?:emitir|fazer|mandar|tirar)\\b`,
  ),
  /^(?:amanha|depois|mais tarde|outro dia|semana que vem|mes que vem|(?:segunda|terca|quarta|quinta|sexta|sabado|domingo)(?: que vem)?|dia \d{1,2})(?: cedo| de manha| a tarde| a noite)?[, ]+(?:eu |voce |vc )?(?:vou|preciso|quero|te|peco|passo|mando|a gente)\b|^amanha(?: cedo| de manha| a tarde| a noite)?[, ]+(?:voce |vc )?(?:me )?(?:faz|faca|emite|emita|gera|tira|lanca|solta)\b/,
  /\b(?:vou|quero|preciso|irei|pretendo)\b.{0,40}\b(?:amanha|mais tarde|outro dia|semana que vem|mes que vem|(?:segunda|terca|quarta|quinta|sexta|sabado|domingo) que vem)\b/,
  // "nota de 150 amanhã pra Ana"
  new RegExp(`\\b${NOTE}(?: de \\S+)?(?: reais)? amanha\\b(?! nao)`),
  /\b(?:me lembr\w+|lembrete|lembrar de|lembra de)\b/,
  // Marks of school and of shops.
  /\bnota (?:10|dez|mil|zero|maxima|\d)(?: |$)(?:(?:pro|pra|para|ao?|no|na|com|de|em) )?(?:o |a )?(?:atendimento|servicos?|vcs?|voces?|bot|app|equipe|trabalho|prova|redacao|enem|teste|curso|materia|matematica|portugues)?(?: |$)?(?=de v|pra v|pro v|[^\w]*$|no |na )/,
  /\b(?:nota|notas) (?:d[aeo]|n[aeo]|em) (?:enem|vestibular|prova|provas|escola|boletim|trabalho|tcc|faculdade|aluno|alunos|redacao|matematica|portugues|concurso|filho|filha)\b(?! de (?:vela|surf|danca|musica|futebol|natacao|idiomas|ingles|tenis|circo|teatro|judo|yoga))|\b(?:enem|vestibular|boletim)\b(?!.*(?:r\$|\breais\b|\bcpf\b|\d{3}[.]\d{3}))/,
  new RegExp(
    `\\b${NOTE} d[aeo] (?:meu|minha|seu|sua) (?:filh[oa]|net[oa]|sobrinh[oa]|alun[oa])\\b|\\b${NOTE}\\b.{0,40}\\bfoi \\d{1,2}(?:[.,]\\d)?[.!]*$`,
  ),
  /\b(?:dou|dei|merecem?|avalio|avaliacao|avaliar)\b.{0,12}\bnotas? /,
  // Bank notes.
  /\bnotas? (?:falsas?|rasgadas?|fria|velhas?|de dinheiro|promissoria)\b|\b(?:troc(?:a|o|ar|ado|am|ou|aram)|troquei|trocad[oa]|troco|saquei|sacar|cedulas?|pagar com|paguei com|achei|perdi)\b.{0,16}\bnotas? (?:de|d)\b/,
  // Other papers.
  /^(?:(?:oi|ola|bom dia|boa tarde|boa noite|por favor)[ ,.!]+)*(?:(?:me )?(?:mand|envi|pass|ger|faz|fac|encaminh|reenvi)\w*|quero|queria|preciso(?: d[aeo])?|cade|segue|o|a|meu|minha) ?(?:o |a |um |uma |meu |minha )?(?:comprovante|boleto|extrato|orcamento|contrato|link|chave|codigo|qr ?code|cobranca|fatura|catalogo|lista|relatorio|planilha)\b(?!.*\bnota\b)/,
  /\b(?:lista|relacao|relatorio|planilha|copia|copias) d[aeo]s? notas?\b/,
];

/** Talk of an office, and of friends. */
const MORE: readonly RegExp[] = [
  // Conditions and other days.
  /\b(?:se|caso|quando|assim que|depois que|so se|somente se) (?:[oa]s? )?(?:\w+ ){0,2}(?:aprov\w+|fech\w+|pag(?:ar|arem|asse)|confirm\w+|assin\w+|liber\w+|autoriz\w+|volt\w+|cheg\w+)\b/,
  /^(?:\w+ ){0,2}(?:n[ao] )?(?:semana|mes) que vem\b.*\b(?:vou|vamos|preciso|quero|peco|mando|passo)\b|\bdeixa (?:pra|para|a nota|essa nota|isso)\b.*\b(?:pra|para|quando|depois|amanha|semana|mes)\b/,
  // Complaints, and what somebody else has sent.
  new RegExp(
    `\\b(?:recebemos|recebi|chegou|mandaram|mandou|enviaram|enviou|lancaram|lancou|emitiram|emitiu|veio|veram) (?:pra mim |para mim |pra gente |aqui )?(?:(?:a|as|uma|umas|sua|suas|essa|esta|aquela|minha) )?(?:segunda )?${NOTE}\\b`,
  ),
  new RegExp(
    `\\b(?:a|essa|esta|minha|aquela) ${NOTE}\\b[^;]{0,50}\\b(?:(?:ja|nao|ainda nao) (?:saiu|chegou|foi (?:emitida|feita|enviada|lancada))|foi (?:emitida|feita|enviada|lancada)|duplicad\\w+|em duplicidade)\\b`,
  ),
  /\b(?:reclamacao|reclamar|em duplicidade|duplicidade|estorn\w+|substitu(?:ir|a|i|icao)(?! d[aeo]s? (?!(?:notas?|nf|nfs-?e)\b))|retific(?:ar|ue|acao)|carta de correcao)\b/,
  // Asked about: rules, limits, how it works.
  /\b(?:qual|quais) (?:(?:e|eh|o|a|os|as|sao|seria) ){0,2}(?:prazo|cnae|aliquota|codigo|limite|imposto|taxa|valor|horario|procedimento|diferenca|data|numero|email|e-mail|previsao|status)\b/,
  /\b(?:aparece|apareceu|da|deu|dando|mostra) (?:um )?erro\b|\bnao (?:consigo|estou conseguindo|to conseguindo|esta funcionando|funciona|abre|carrega)\b/,
  /\b(?:copy|duplicate|status) of\b|\b(?:last|previous|past) month's (?:nota|invoice|bill)s?\b|\b(?:resend|re-send|forward)\b/,
  /\btem (?:algum\w*|uma|mais) (?:nota|nf)\b|\btem (?:nota|nf)s? (?:no|em) (?:meu|nosso)\b|\b(?:seu|sua) (?:agendamento|consulta|horario|sessao) (?:com|ficou|esta|foi)\b|\bagende\b|\ba partir de (?:r\$ ?)?\d/,
  // "não emite a de 900 ainda": not to be done.
  /\b(?:nao|n|nem) (?:emit[aei]\w*|fac[ao]\w*|faz|lanc[ae]\w*|ger[ae]\w*|manda|mande|tira|solta) (?:a|as|essa|esta|aquela|o|nada|ainda|agora|isso) /,
  /\b(?:nota|carta) de (?:repudio|falecimento|esclarecimento|pesar|agradecimento|credito|debito|empenho)\b/,
  // Other papers, other ways of money, without a word of a note.
  /^(?!.*\b(?:nota|notas|notinha|nf|nfs|nfse|nfs-e|emit\w+|fatur\w+|invoice)\b).*(?:\b(?:boleto|pix|orcamento|recibo|contrato|emprestimo|vale|adiantamento|salario)\b.*\b(?:vou|pediu|quer|gerar|gera|manda|mandar|mando|te mando|pagar|faz|fazer)\b|\b(?:vou|pediu|quer|gerar|gera|manda|mandar|te mando) (?:\w+ ){0,3}(?:boleto|pix|orcamento|recibo)\b)/,
  /^(?!.*\b(?:nota|notas|notinha|nf|nfs|nfse|nfs-e|emit\w+|fatur\w+|cpf|cnpj)\b|.*\d{11}).*\b(?:trampei|trabalhei|ralei|to morto|to cansad[oa]|cansei|ganhei|perdi|gastei)\b/,
  /\bnotas? separadas?\b|\buma (?:nota )?(?:pra|para) cada\b|\bcada um ?:|\bcada um dos\b|\b(?:faz|emite|manda) as (?:duas|tres|quatro|2|3|4)\b/,
  /\bnf-?e? ?(?:n[º°o.]{1,2} ?)?\d{1,6}\b.{1,80}\bnf-?e? ?(?:n[º°o.]{1,2} ?)?\d{1,6}\b/,
  /\b(?:pra|para) cada (?:um|uma)\b|\bcada (?:um|uma) d(?:eles|elas)\b/,
  /\bd[ao] [a-z]{3,} e d[ao] [a-z]{3,}\b.*\d (?:reais )?cada\b/,
  /\b(?:nota|nf|valor) (?:e|eh|foi|vai ser) (?:de )?(?:r\$ ?)?\d[\d.,]* ou (?:de )?(?:r\$ ?)?\d|\b(?:nota|nf)s? d(?:ele|ela)s? nao\b/,
  /\b(?:pediu|pediram|mandou) (?:pra|para) (?:te |eu |me )?lembr|^bug\b|\b(?:ainda nao|nao) (?:assinou|fechou|aceitou|aprovou|confirmou|respondeu|decidiu)\b/,
  // Not yet, not sure, not what was asked.
  /\b(?:deixa|deixe) (?:quieto|assim|pra la|para la|por enquanto)\b|\bpor enquanto (?:nao|n|deixa)\b/,
  /\b(?:tava|estava|tou|to|estou|ando|pensei em|penso em) (?:pensando )?(?:em )?(?:cobrar|emitir|fazer|pedir)\b.*\?|\b(?:tava|estava|to|estou) pensando em\b/,
  /\bo que (?:eu |a gente )?(?:faco|fazer|fazemos|devo)\b|\bcomo (?:eu )?(?:faco|proceder|procedo|resolvo)\b.*\?/,
  /\b(?:cpf|cnpj|valor|nome|dados?|documento)\b[^,;]{0,40} (?:ta|esta|estao|tao) (?:cert[oa]s?|corret[oa]s?|ok|bom|errad[oa]s?)\?/,
  /\bmesm[oa] (?:valor|preco|dados|descricao|servico)s? d[aeo] (?:ultim|anterior|outr|mes|vez)/,
  /\b(?:can|could|may) (?:i|we|you)\b.*\bwithout (?:an? |the |my )?(?:cpf|cnpj|tax|id|document)/,
  // Two notes in one sentence.
  new RegExp(
    `\\b(?:duas|2|tres|3|quatro|4|varias|umas) (?:notas?|nfs?|nfs-?e)\\b.*\\b(?:uma|1) (?:de|pra|para|pro|no valor)\\b.*\\b(?:outra|a outra|e outra|a segunda)\\b`,
  ),
];

/** Two notes, those there are, other papers and other days, as strangers spoke of them. */
const STRANGERS: readonly RegExp[] = [
  /\b(?:uma|um)(?: nota| nf)? (?:de|no valor|pra|pro|para)\b.* e (?:a )?outra (?:de|no valor|pra|pro|para)\b(?!.*\btudo junto\b)/,
  /\b(?:emit|fa[zc]|tir[ae]|ger[ae]|lanc)\w* (?:duas|tres|quatro|2|3|4) ?[:;]|\be outra (?:pra|pro|para) .*\bmesmo valor\b|\bfa[zc]\w* as notas\b/,
  /\bdivergencia\b|\bcontest\w+ (?:a|o|essa|esta)\b|\bcorrecao d[aeo]\b|\b(?:aguard|esper)(?:o|amos|ando) (?:o envio|a chegada)\b|\bnota (?:ja )?recebida\b|\bacus(?:o|amos) o recebimento\b/,
  /\bnever (?:got|received)\b|\bwhether the\b|\bbeen sent\b|\bquote\b|\bfalei que nao\b|\besquec[ea] (?:aquela|a|essa) nota\b|\bdesconto na nota\b|\bnota sai em \d/,
  // A mark of school has one decimal; what somebody wonders about is not asked for.
  /\bnotas? \d{1,2}[,.]\d(?!\d)(?! ?(?:mil|k)\b)|\bsera que (?:eu )?(?:faco|emito)\b|\bou faco recibo\b/,
  /\bpaguei a fatura\b|\b(?:a|sua|minha) fatura\b.*\b(?:venceu|vence|em aberto)\b/,
  /^(?:\w+ ){0,2}(?:segunda|terca|quarta|quinta|sexta|sabado|domingo)(?:-feira)? que vem\b/,
  /^(?!.*\b(?:notas?|notinha|nf|nfs|nfse|nfs-e|emit\w+)\b)(?:(?:oi|ola|bom dia|boa tarde|boa noite|por favor)[ ,.!]+)*(?:(?:eu )?(?:preciso|quero|queria|faz|me faz|manda|me manda|gera) (?:d[aeo] )?(?:um |uma |o |a )?)?(?:recibo|comprovante|proposta|agenda|agendamento|ata|anota(?!.*(?:\d{3}[.]\d{3}|\d{11})))\b/,
];

export function isOtherTalk(line: string): boolean {
  return [...PATTERNS, ...MORE, ...STRANGERS].some((pattern) => pattern.test(line));
}
