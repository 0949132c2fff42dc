/** Valid invoices to spoil. */
import { isoWithOffset } from "../../src/brazil/index.ts";
import { DEMO_ISSUER_ID } from "../../src/sandbox/index.ts";
import type { Stage } from "./stage.ts";

const ZONE = "America/Sao_Paulo";

interface Draft {
  tomador: Record<string, unknown>;
  servico: Record<string, unknown>;
  [key: string]: unknown;
}

/** `dados` that the sandbox authorises for the demo issuer at this moment. */
export function goodNote(now: number, cents = 15_050): Draft {
  const value = cents / 100;
  const item = {
    codigo: "060101",
    codigo_interno: "CORTE",
    cIntContrib: "A1B2C3D4E5F6A7B8C9D0",
    codigo_nbs: "126021000",
    discriminacao: "Corte de cabelo",
    valor_servicos: value,
  };
  return {
    status: "1",
    natureza_operacao: "1",
    regime_apuracao: "1",
    data_emissao: isoWithOffset(now - 90_000, ZONE),
    data_competencia: isoWithOffset(now - 100_000, ZONE),
    codigo_aleatorio: "48210377",
    nacional: true,
    tomador: {
      cpf: "52998224725",
      razao_social: "Marina Lopes",
      endereco: {
        logradouro: "Avenida Paulista",
        numero: "1000",
        bairro: "Bela Vista",
        codigo_municipio: "3550308",
        uf: "SP",
        cep: "01310100",
      },
    },
    servico: {
      ...item,
      codigo_tributacao_municipio: "001",
      codigo_municipio: "3550308",
      endereco_local_prestacao: { codigo_municipio_prestacao: "3550308" },
      tributos_municipais: { iss_retido: false },
      tributos_totais: { percentual_tributos_simples_nacional: 6 },
      itens: [item],
    },
  };
}

/** Submits a good note after one change. */
export async function submit(
  stage: Stage,
  change: (note: Draft) => void = () => undefined,
  options: { emitente?: string; cents?: number } = {},
) {
  const dados = goodNote(await stage.now(), options.cents);
  change(dados);
  return stage.call("invoicing.nfseEnvio", {
    emitente_id: options.emitente ?? DEMO_ISSUER_ID,
    dados,
  });
}
