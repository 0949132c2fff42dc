import { expect, test } from "vitest";
import type { Effect } from "../../src/engine/index.ts";
import { carriesSecret, journalled } from "../../src/engine/secret-fields.ts";

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
