/** What the demo account has of the invoicing section: one issuer in São Paulo, three services with all their codes. */
import type { JsonObject } from "../../plugin.ts";

export const DEMO_ISSUER = "6f1f7d3e-0000-4000-8000-000000000001";

export const DEMO: JsonObject = {
  // Public, as all tokens of the demo account are.
  invoicingToken: "demo0000000000000000000000000000",
  issuers: [
    {
      emitente_id: DEMO_ISSUER,
      cnpj: "11222333000181",
      razao: "Estúdio Aurora Ltda",
      town: "3550308",
      uf: "SP",
      regime: "simples",
      natureza_operacao: "1",
      regime_apuracao: "1",
      nacional: true,
      percentual_simples: 6,
      default: true,
      zone: "America/Sao_Paulo",
    },
  ],
  services: [
    {
      id: "haircut",
      name: "Corte de cabelo",
      description: "Corte de cabelo",
      codigo: "060101",
      codigo_interno: "CORTE",
      codigo_tributacao_municipio: "001",
      codigo_nbs: "126021000",
      iss_retido: false,
    },
    {
      id: "consulting",
      name: "Consultoria",
      codigo: "170101",
      codigo_interno: "CONSULT",
      codigo_tributacao_municipio: "001",
      codigo_nbs: "114011900",
      iss_retido: false,
    },
    {
      id: "photography",
      name: "Fotografia",
      codigo: "130301",
      codigo_interno: "FOTO",
      codigo_tributacao_municipio: "001",
      codigo_nbs: "114081100",
      iss_retido: false,
    },
  ],
};
