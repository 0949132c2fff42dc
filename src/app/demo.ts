/**
 * The demo account: what a first run, the sandbox and every check from outside rely on. Its tokens are public, so it is
 * made only on loopback.
 */
import { Account, type ChannelName } from "../engine/index.ts";
import { isLoopback, type Settings } from "./settings.ts";

export const DEMO_TOKEN = "demo0000000000000000000000000000";
export const DEMO_SECRET = "demo-secret";
export const DEMO_OPERATOR = "5511900000001";
export const DEMO_ISSUER = "6f1f7d3e-0000-4000-8000-000000000001";
const SANDBOX_TOKENS = { token: "sandbox-token", deviceToken: "sandbox-device" };

const CHANNELS: readonly ChannelName[] = ["sms", "engine-a", "engine-b", "engine-c"];

/** One business in São Paulo with three services; customers' requests need the operator's approval. */
export function demoAccount(settings: Settings): Account {
  const { token, deviceToken } = settings.gateway;
  return Account.parse({
    id: "demo",
    name: "Estúdio Aurora",
    gateway: {
      token: token ?? SANDBOX_TOKENS.token,
      deviceToken: deviceToken ?? SANDBOX_TOKENS.deviceToken,
    },
    channels: CHANNELS.map((channel) => ({
      channel,
      token: DEMO_TOKEN,
      ...(channel === "engine-a" ? { hmac: { secrets: [DEMO_SECRET] } } : {}),
    })),
    invoicingToken: DEMO_TOKEN,
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
    operators: [{ name: "Operador", alias: `phone:${DEMO_OPERATOR}`, address: DEMO_OPERATOR }],
    policy: {
      ...{ approval: true, address: "companies", ceiling: 5_000_000 },
      // Tests and benchmarks write faster than people.
      ...(isSandbox(settings) ? { perMinute: 1_000_000 } : {}),
    },
    // The sandbox counts the plan and refuses nothing unless it is told to: a long day of trying must not go quiet.
    quotaReserve: 0,
    ...(isSandbox(settings) ? { pace: null } : {}),
  });
}

/** The sandbox listens on loopback alone, and has no number that could be cut off for writing too fast. */
function isSandbox({ gateway }: Settings): boolean {
  return gateway.url === undefined || isLoopback(new URL(gateway.url).hostname);
}
