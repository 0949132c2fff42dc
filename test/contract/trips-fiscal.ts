/** What must be seen after each invoicing operation, and of jobs. */
import { expect } from "vitest";
import { routeOf, type RouteId } from "../../src/gateway/index.ts";
import { DEMO_ISSUER_ID } from "../../src/sandbox/index.ts";
import { pfx } from "../sandbox/certificates.ts";
import { goodNote } from "../sandbox/notes.ts";
import { textOf, type Body } from "../sandbox/stage.ts";
import { PERSON, type Scene } from "./scene.ts";
import type { Plays } from "./trips.ts";

const DAY_MS = 86_400_000;
const NEW_CNPJ = "11444777000161";
const issuer = async (scene: Scene, id: unknown) =>
  (await scene.rows("issuers")).find((row) => textOf(row["emitente_id"]) === textOf(id));
const invoice = async (scene: Scene, chave: unknown) =>
  (await scene.rows("invoices")).find((row) => textOf(row["chave"]) === textOf(chave));
const noteBody = async (scene: Scene) => ({
  emitente_id: DEMO_ISSUER_ID,
  dados: goodNote(await scene.stage.now()),
});
const issued = async (scene: Scene) => scene.ask("invoicing.nfseEnvio", await noteBody(scene));
const queued = async (scene: Scene) => {
  const outcome = await scene.gateway.message.sendText.queue({ number: PERSON, text: "na fila" });
  return { id: outcome.kind === "ok" ? outcome.data.id : "" };
};

export const FISCAL_TRIPS = {
  "invoicing.emitentesCadastro": {
    default: {
      body: () => ({
        ...(routeOf("invoicing.emitentesCadastro").example.body as object),
        cnpj: NEW_CNPJ,
      }),
      seen: async ({ scene, raw, body }) => {
        const { tipo: _tipo, ...fields } = body as unknown as Record<string, unknown>;
        expect(await issuer(scene, raw["emitente_id"])).toMatchObject(fields);
        const ledger = await scene.rows("ledger");
        expect(ledger.at(-1)).toMatchObject({ tipo: "emitentes-cadastro", price: 19 });
      },
    },
  },
  "invoicing.emitentesAtualiza": {
    default: {
      seen: async ({ scene }) =>
        expect(await issuer(scene, DEMO_ISSUER_ID)).toMatchObject({
          razao: "Loja Um Serviços Ltda",
          email: "fiscal@loja.example",
        }),
    },
  },
  "invoicing.emitentesLista": {
    default: {
      seen: ({ raw }) =>
        expect((raw as unknown as Body[]).map((row) => row["emitente_id"])).toEqual([
          DEMO_ISSUER_ID,
        ]),
    },
  },
  "invoicing.nfseEnvio": {
    default: {
      before: noteBody,
      body: (_, prepared) => prepared,
      seen: async ({ scene, raw, body }) => {
        expect(textOf(raw["status"])).toBe("autorizada");
        const row = await invoice(scene, raw["chave"]);
        expect(row).toMatchObject({ status: "autorizada", numero: raw["numero"] });
        expect(row?.["dados"]).toEqual(body["dados"]);
      },
    },
  },
  "invoicing.nfseConsulta": {
    default: {
      before: issued,
      body: (_, { chave }) => ({ emitente_id: DEMO_ISSUER_ID, chave }),
      seen: ({ raw, prepared }) =>
        expect(raw).toMatchObject({ chave: prepared["chave"], status: "autorizada" }),
    },
  },
  "invoicing.certificadoUpload": {
    default: {
      before: async (scene) => {
        const now = await scene.stage.now();
        const password = "senha-do-teste";
        const until = now + 40 * DAY_MS;
        const certificado = pfx({ cnpj: "11222333000181", password, from: now - DAY_MS, until });
        return { emitente_id: DEMO_ISSUER_ID, senha: password, certificado };
      },
      body: (_, dados) => ({ dados }),
      seen: async ({ scene }) => {
        const { certificado_validade: until } = (await issuer(scene, DEMO_ISSUER_ID)) ?? {};
        const day = new Date((await scene.stage.now()) + 40 * DAY_MS).toISOString().slice(0, 10);
        expect(textOf(until)).toBe(day);
      },
    },
  },
  "invoicing.cancelamento": {
    default: {
      before: issued,
      body: (_, { chave }) => ({
        emitente_id: DEMO_ISSUER_ID,
        chave,
        codigo_motivo: "1",
        motivo: "Emitida com o valor errado",
      }),
      seen: async ({ scene, prepared }) =>
        expect(await invoice(scene, prepared["chave"])).toMatchObject({ status: "cancelada" }),
    },
  },
  "jobs.list": {
    default: {
      before: queued,
      seen: ({ raw, prepared }) => {
        const rows = raw["data"] as unknown as Body[];
        expect(rows.map((row) => row["job_id"])).toEqual([prepared["id"]]);
      },
    },
  },
  "jobs.find": {
    default: {
      before: queued,
      body: (_, { id }) => ({ id: [id] }),
      seen: ({ raw, prepared }) => {
        const [job] = raw as unknown as Body[];
        expect(job?.["id"]).toBe(prepared["id"]);
        expect(textOf(job?.["created_at"])).toMatch(/^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/);
      },
    },
  },
} satisfies Partial<Record<RouteId, Plays>>;
