/** Words of work: what is done for money begins with one, a person's or a company's name does not. Of plain text. */
import type { Business } from "../business.ts";
import { plain } from "../plain.ts";

/** Short forms and single words. */
const HEADS =
  "corte|cortes|conserto|consertos|frete|fretes|carreto|aluguel|banho|banhos|tosa|unhas?|manicure|pedicure|escova|hidratacao|projeto|projetos|curso|cursos|" +
  "treino|treinos|terapia|sessao|sessoes|diarias?|mensalidades?|fotos?|ensaio|ensaios|show|shows|buffet|bolos?|doces|salgados|jardinagem|troca|trocas|" +
  "som|arte|artes|logo|logos|logotipo|site|sites|laudo|laudos|parecer|exames?|implante|mudanca|entregas?|transporte|traducao|design|plantao|plantoes|" +
  "pacote|pacotes|combo|kit|drenagem|barba|sobrancelha|maquiagem|make|penteado|luzes|progressiva|depilacao|podologia|bronzeamento|quiropraxia|" +
  "fono|fonoaudiologia|psico|psicoterapia|fisio|fisioterapia|nutricao|pilates|yoga|personal|avaliacao|check-up|vacina|vacinas|castracao|hotelzinho|creche|" +
  "poda|podas|roco|dedetizacao|desinsetizacao|faxinas?|diarista|lavanderia|passadoria|revisao|retifica|funilaria|guincho|suporte|hospedagem|trafego|gestao|" +
  "criacao|edicao|filmagem|video|videos|locucao|dublagem|mixagem|decoracao|cerimonial|animacao|assessoria|consultoria|auditoria|pericia|mentoria|coaching|" +
  "honorarios|contabilidade|despachante|vistoria|obra|reparo|reparos|solda|soldagem|torno|usinagem|letreiro|placa|placas|banner|banners|cartao|cartoes|" +
  "panfletos|impressao|impressoes|copia|copias|encadernacao|chaveiro|croche|trico|bordados?|vestidos?|xerox|marmitas?|bolinhos|mao de obra|pecas?|chave|chaves|afiacao|estofado|montagem|instalacao|motoboy|moto-frete|taxi|viagem|passeio|" +
  "excursao|workshop|palestra|palestras|aulas?|reforco|musica|dj|garcom|garcons|seguranca|portaria|vigilancia|zeladoria|haircuts?|lessons?|" +
  "ajustes?|analise|bateria|treinamento|faixas?|degustacoes|corretagem|interpretacao|registro|abertura|encerramento|baixa|calculo|imposto de renda|irpf|usucapiao|inventario|divorcio|alvara|degustacao|doma|capina|rocada|rocagem|trancas?|mega hair|dreads?|cilios|botox|peeling|" +
  "clareamento|protese|restauracao|radiografia|ultrassom|acupuntura|adestramento|discotecagem|cobertura|transmissao|drone|diagramacao|formatacao|cabeamento|backup|hospedagem|" +
  "retirada|coleta|remocao|escavacao|demolicao|perfuracao|sondagem|topografia|terraplenagem|regularizacao|escritura|elaboracao|redacao|digitacao|transcricao|folha de pagamento|balanco|balancete|" +
  "certificado digital|licenca|assinatura|comissao|representacao|intermediacao|corretagem|administracao|gerenciamento|monitoramento|mensalidade|anuidade|banca|arbitragem|natacao|judo|danca|ballet|" +
  "traslado|translado|transfer|corrida|polimento|martelinho|alinhamento|balanceamento|cambagem|regulagem|calibracao|afericao|colocacao|aplicacao|reposicao|substituicao|ligacao|religacao|" +
  "forro|drywall|gesso|reboco|alvenaria|impermeabilizacao|telhado|calcada|toldo|persiana|cortina|papel de parede|moveis|convites?|lembrancinhas?|arranjos?|buque|cestas?|tortas?|cupcakes?|" +
  "brigadeiros?|coxinhas?|churrasco|feijoada|quentinhas?|salgadinhos?|docinhos?|brownies?|coffee break|coquetel|album|book|pedreiro|eletricista|encanador|jardineiro|faxineira|baba|cuidadora?|" +
  "motorista|chapa|ajudante|servente|calheiro|gesseiro|serralheiro|marceneiro|empreitada|mecanica diesel|inspecao|interpreter|translator|inspection|tutoring|painting|plumbing|haircut|" +
  "translation|massage|consulting|training|cleaning|website|support|photos?|repair|maintenance";

/** "roof leak repair": what was done ends with its noun. */
const IN_ENGLISH =
  "(?:(?!(?:the|a|an|my|your|our|his|her|for|of|and|or|to|in|on|by|i|we|you|pode|emite|quero|taught|gave|had|did|made|need|much|one|two|three|four|five|service|services|request) )[a-z-]{2,} ){0,3}(?:repairs?|cleaning|painting|mowing|towing|trimming|lessons?|classes|replacement|installation|maintenance|catering|translation|transfer|grooming|tutoring|photography|inspection|haircut|massage)";

export const SERVICE = new RegExp(
  "^(?:(?!(?:associa|organiza|funda|constru|comunica|alimenta|confec|prefeitura|agencia)\\w*)[a-z]{3,}(?:agem|agens|cao|coes|mento|mentos|oria|terapia|logia|grafia|ncia|tura)|" +
    "(?:pint|faxin|costur|reform|limpez|consult|pales|visto|revis|manuten|assess)\\w*|servicos?|tratamentos?|" +
    `(?:${HEADS})|${IN_ENGLISH})\\b`,
);

export function isServiceWord(word: string): boolean {
  return SERVICE.test(word);
}

/** "Consultoria financeira", "2 horas de aula": words of work and nothing else. Not "muito curta". */
export function isWork(text: string, business?: Business): boolean {
  if (business?.describes) return business.describes(text);
  return (
    isServiceWord(
      plain(text)
        .trim()
        .replace(/^\d{1,3} /, ""),
    ) && !text.includes("?")
  );
}
