/** Words by which a company is known. Of plain text (see `plain`). */

/** What a company's name begins or ends with. */
export const COMPANY_WORDS =
  /^(?:[a-z]{3,}(?:aria|eria)|padaria|mercado|mercadinho|supermercado|auto|oficina|clinica|escola|colegio|igreja|construtora|condominio|restaurante|lanchonete|bar|pizzaria|farmacia|drogaria|hotel|pousada|academia|salao|barbearia|associacao|instituto|fundacao|transportes|transportadora|distribuidora|comercial|grupo|studio|estudio|loja|lojas|prefeitura|cooperativa|imobiliaria|metalurgica|industria|editora|livraria|pet|petshop|posto|sitio|fazenda|agro|agropecuaria|confeitaria|floricultura|grafica|laboratorio|hospital|centro|casa|empresa|organizacoes|consultorio|escritorio|atelie|otica|papelaria|mecanica|madeireira|marmoraria|serralheria)$/;
/** More of them, of which the learnt second opinion knows nothing. */
const MORE_COMPANY_WORDS =
  /^(?:agencia|produtora|seguradora|incorporadora|administradora|locadora|dedetizadora|panificadora|mineradora|sindicato|paroquia|edificio|camara|frigorifico|ceramica|cerealista|cartorio|creche|sociedade|ong|residencial|viacao|vidracaria|faculdade|universidade|granja|consorcio|haras|municipio|clube|companhia|cia|federacao|vinicola|boutique|bistro|emporio|hostel|supermercados|tabelionato)$/;

export function isCompanyWord(word: string): boolean {
  return COMPANY_WORDS.test(word) || MORE_COMPANY_WORDS.test(word);
}

/** The form of a company, which ends its name: "Ltda", "ME", "S/A". Of text as it was written. */
export const COMPANY = /(?<![\p{L}\d])(?:ltda|me|mei|epp|eireli|s\/a|s\.a\.?|sa)(?![\p{L}\d])\.?/iu;
