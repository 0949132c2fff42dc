/** What people ask a business in passing, and what nobody here can do, told apart from answers. Pure. */
import { foldWords } from "../../../plugin.ts";

/** `email`: something is to come by e-mail. `business`: prices, places, ways of paying, appointments. */
export type Aside = "email" | "business";

/** Longer is more than an aside. */
const LONGEST = 140;
const LEAD =
  "(?:(?:oi|ola|opa|bom dia|boa tarde|boa noite|por favor|me diz|me fala|ah|e|mas|so uma duvida|uma duvida|queria saber|gostaria de saber|hi|hello|but|and) )*";
const THEM =
  "(?:d?e? ?voces?|d?e? ?vcs?|d[ao] (?:loja|empresa|salao|escritorio|clinica|oficina|estudio)|a[ei]|your|the (?:shop|store))";
const BUSINESS = [
  `(?:qual|onde)(?: (?:e|eh|fica))? (?:o |a )?(?:endereco|localizacao|telefone|whatsapp|site|instagram|insta|pix|chave pix) ${THEM}`,
  `onde (?:(?:voces?|vcs?|a loja|o salao|a empresa) )?(?:fica|ficam|e|estao)(?: (?:localizad[oa]s?|voces?|vcs?|(?:o|a) (?:loja|empresa|salao|escritorio|clinica|oficina|estudio)|${THEM}))?`,
  "(?:quanto|qto|qnto) (?:custa|ta|esta|e|eh|fica|sai|cobra|cobram|voces cobram|vcs cobram)\\b(?!.*\\bnotas?\\b) .{2,60}",
  "quanto (?:eu )?(?:(?:vou|tenho que|preciso) )?pag\\w+ (?:de|em) (?:impostos?|iss|taxas?)\\b.{0,40}",
  "qual (?:e |eh )?(?:o )?(?:preco|valor) (?:d[aeo]s? )(?!nota).{1,60}",
  "(?:(?:voces?|vcs?) )?(?:aceitam?|recebem?|trabalham? com|parcelam?)\\b.{0,40}",
  "(?:(?:eu )?(?:posso|quero|queria|da pra|tem como|consigo) )(?:marcar|agendar|remarcar|desmarcar)\\b(?!.*\\bnotas?\\b).{0,60}",
  "(?:voces? |vcs? |ai )?tem (?:vaga|vagas|horario|estacionamento|promocao|desconto|wi ?fi|delivery)\\b.{0,40}",
  "(?:(?:voces?|vcs?) )?(?:fazem?|atendem?) (?:entregas?|orcamentos?|em domicilio|a domicilio|em casa)\\b.{0,40}",
  "(?:where are you|what is your address|how much (?:is|does|do)|do you (?:take|accept)|can i book)\\b.{0,60}",
].map((one) => new RegExp(`^${LEAD}${one}$`));
const EMAIL =
  /\b(?:mand\w*|envi\w*|reenvi\w*|pass\w*|encaminh\w*|receb\w*|quero|queria|preciso|segunda via|copia|send|get|forward)\b.{0,40}\b(?:por|n[oa]|pel[oa]|via|pr[oa]|para|meu|by|to|my) (?:o |a |meu |minha |my )*e ?mail\b/;

/** What of this a text is; undefined where it is an answer or anything else. */
export function aside(text: string): Aside | undefined {
  if (text.length > LONGEST) return undefined;
  const said = foldWords(text);
  if (EMAIL.test(said)) return "email";
  return text.trim().endsWith("?") && BUSINESS.some((one) => one.test(said))
    ? "business"
    : undefined;
}

const BIDS =
  /^(?:(?:e|ai|tambem|depois|por favor|pf|pode|poderia|da pra|me|please|can you|could you) )*(?:mand[ae]r?|envi[ae]r?|reenvi[ae]r?|encaminh[ae]r?|send|forward)(?: (?:me|pra mim|para mim|it|a nota|the invoice|isso|tudo|depois|tambem)){0,2} (?:por|n[oa]|pel[oa]|via|pr[oa]|para [oa]|by|to)(?: (?:o|a|my|the|meu|minha|esse|este))? e ?mail\b/;

/** Whether a text bids to send by e-mail, as no description and no reason begins: "manda no email ana@exemplo.com.br". */
export function bidsEmail(text: string): boolean {
  return text.length <= LONGEST && BIDS.test(foldWords(text));
}
