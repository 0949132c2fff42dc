/** The few sentences that come from the machine room and reach a person through a flow's text. */
type Locale = "pt-BR" | "en";

const WORDS = {
  issued: { "pt-BR": "Nota {number} emitida.", en: "Invoice {number} issued." },
  processing: {
    "pt-BR": "A prefeitura ainda está processando a nota. Aviso assim que sair.",
    en: "The town is still processing the invoice. I will tell you as soon as it is out.",
  },
  uncertain: {
    "pt-BR": "Não recebi a confirmação da nota. Ela pode ter sido emitida; vou conferir e aviso.",
    en: "I did not get the confirmation of the invoice. It may have been issued; I am checking.",
  },
  waiting: {
    "pt-BR":
      "A nota ainda não saiu: não deu para enviar agora. Ela sai quando der, ou quando a empresa a liberar em Envios, no painel.",
    en: "The invoice has not gone out yet: it could not be sent right now. It goes out when there is room, or when the company lets it go under Sends in the console.",
  },
  failed: {
    "pt-BR": "Não consegui emitir a nota; já avisei a empresa.",
    en: "I could not issue the invoice; the company has been told.",
  },
  abandoned: {
    "pt-BR":
      "A empresa encerrou esse pedido sem a confirmação da nota. Ela pode ter sido emitida: confira antes de pedir outra.",
    en: "The company closed this request without a confirmation. The invoice may have been issued: check before asking for another.",
  },
  abandoned_unsent: {
    "pt-BR": "A empresa encerrou esse pedido; a nota não foi emitida.",
    en: "The company closed this request; the invoice was not issued.",
  },
  blocked_duplicate: {
    "pt-BR": "Já existe uma nota igual a essa, pedida há pouco.",
    en: "There is a note just like this one, asked for a short while ago.",
  },
  blocked_duplicate_number: {
    "pt-BR": "Já existe uma nota igual a essa: a {number}.",
    en: "There is a note just like this one: {number}.",
  },
  over_ceiling: {
    "pt-BR": "O valor passa do limite que a empresa definiu para uma nota.",
    en: "The amount is above the limit the company set for one invoice.",
  },
  over_day: {
    "pt-BR": "A empresa chegou ao limite de notas de hoje; amanhã dá para emitir de novo.",
    en: "The company has reached its limit of invoices for today; more can be issued tomorrow.",
  },
  cancelled_elsewhere: {
    "pt-BR": "Cancelada no sistema do emissor, sem pedido por aqui.",
    en: "Cancelled in the issuer's own system, without a request here.",
  },
  issuer_missing: {
    "pt-BR": "A empresa ainda não tem um emissor de notas cadastrado.",
    en: "The company has not registered an issuer of invoices yet.",
  },
  service_missing: {
    "pt-BR": "Esse serviço não está mais no cadastro da empresa.",
    en: "The company does not offer this service any more.",
  },
} as const satisfies Record<string, Record<Locale, string>>;
export type IssueWord = keyof typeof WORDS;

export function issueWord(word: IssueWord, locale: Locale, number = ""): string {
  return WORDS[word][locale].replace("{number}", number);
}
