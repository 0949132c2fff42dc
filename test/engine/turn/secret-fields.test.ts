import { expect, test } from "vitest";
import { loadFlows } from "../../../src/app/loading/flow-files.ts";
import { type Effect, run, type Session } from "../../../src/engine/index.ts";
import { carriesSecret, journalled } from "../../../src/engine/turn/secret-fields.ts";
import { model } from "../../support/plugins.ts";

const upload: Effect = {
  ...{ id: "c:1:0", class: "replace", type: "call", name: "invoicing.certificadoUpload" },
  input: { dados: { emitente_id: "e1", senha: "s3nha", certificado: "MIIKFAIBAzCC" }, list: [1] },
};

test("a journal keeps that a certificate was uploaded, and neither it nor its password", () => {
  const kept = journalled(upload);

  expect(kept).toEqual({
    ...upload,
    input: {
      dados: { emitente_id: "e1", senha: "[secret]", certificado: "[secret]" },
      list: [1],
    },
  });
  // What is sent is another object: it still has them.
  expect(upload.input).toMatchObject({ dados: { senha: "s3nha" } });
});

test("an effect without a secret is kept as it is", () => {
  const call: Effect = { ...upload, input: { dados: { emitente_id: "e1" }, none: null } };
  const send = { ...upload, type: "peer", to: "phone:1", mail: { senha: "x" } } as const;

  expect(journalled(call)).toBe(call);
  expect(carriesSecret(call.input)).toBe(false);
  expect(journalled(send)).toBe(send);
});

test("what is said to a secret question stands in no journal, an edit of it neither", async () => {
  const { library } = await loadFlows();
  const account = model.schema.parse({
    ...{ id: "demo", name: "Loja", operators: [{ name: "Ana", alias: "phone:5511900000001" }] },
    issuers: [
      {
        ...{ emitente_id: "6f1f7d3e-0000-4000-8000-000000000001", cnpj: "11222333000181" },
        ...{ razao: "Loja Ltda", town: "3550308", uf: "SP", regime: "simples" },
      },
    ],
  });
  let session: Session | null = null;
  let now = Date.UTC(2026, 10, 21, 13);
  const records: unknown[] = [];
  const says = (event: object) => {
    now += 60_000;
    const head = {
      id: `m${now}`,
      at: now,
      from: { address: "5511900000001", phone: "5511900000001" },
    };
    const mail = {
      kind: "inbound",
      channel: "engine-b",
      acceptedAt: now,
      event: { ...head, ...event },
    };
    const env = {
      account,
      accountModel: model,
      accountId: "demo",
      contact: "0".repeat(32),
      role: "operator" as const,
      now,
      library,
    };
    const turn = run(session, [{ event: head.id, mail: mail as never }], env);
    expect(turn.failed).toBeUndefined();
    session = turn.session;
    records.push(...turn.journal);
    return turn;
  };
  const text = (words: string, messageId = `t${now}`) =>
    says({ kind: "message", messageId, content: { type: "text", text: words } });
  text("certificado");
  text("2");
  const ref = { fileName: "empresa.pfx", key: "k1" };
  says({ kind: "message", messageId: "f1", content: { type: "media", media: "document", ref } });
  const { effects } = text("cancela 150 Canário#1", "secret");
  says({ kind: "edit", messageId: "secret", text: "Canário#2" });

  // The call has it, letter by letter; nothing that is kept does.
  expect(effects).toMatchObject([
    { name: "certificate.check", input: { senha: "cancela 150 Canário#1" } },
  ]);
  expect(JSON.stringify(records)).toContain("empresa.pfx");
  expect(JSON.stringify(records)).not.toMatch(/Canário/);
});
