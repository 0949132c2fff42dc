/** A refusal that hints at a note that exists, or whose words were lost: the sale stays, and no second request leaves. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { json, type Remote, startRemote } from "../../../gateway/remote.ts";
import { CUSTOMER, issue, OTHER, rig, type Rig } from "../../../worker/rig.ts";

let it: Rig;
let remote: Remote;
beforeEach(async () => {
  remote = await startRemote();
  it = await rig({ gatewayUrl: remote.baseUrl });
});
afterEach(async () => {
  await it.close();
  await remote.close();
});

/** One sale, asked for by two contacts. */
async function askTwice() {
  for (const phone of [CUSTOMER, OTHER]) {
    await it.asks(phone, issue());
    await it.worker.drain();
  }
  const { items } = await it.worker.invoices.list("demo", { limit: 5 });
  return { items, sent: remote.received.filter(({ method }) => method === "POST").length };
}

const ERRORS = [
  { codigo: "X900", mensagem: "Rejeitada" },
  { codigo: "E0014", mensagem: "Conjunto de série e número repetido" },
];
const HTML = { "content-type": "text/html" };

describe("a note refused", () => {
  test.each([
    ["with a list of errors", json({ error: true, message: "Rejeitada", errors: ERRORS })],
    ["with its payload's list", json({ error: true, message: "x", data: { erros: ERRORS } })],
    ["by 422 with a list of errors", json({ message: "Rejeitada", errors: ERRORS }, 422)],
    ["by a page", json("<p>Nota j&aacute; emitida</p>", 422, HTML)],
    ["with half an answer", json(`{"error":true,"message":"Nota rejei`, 422)],
    ["in an answer that is a success", json({ error: false, data: refusedBy(ERRORS) })],
  ])("%s is uncertain, and nobody sends its sale again", async (_name, behaviour) => {
    remote.behave(behaviour);

    const { items, sent } = await askTwice();

    expect(items.map(({ state }) => state)).toEqual(["incerta"]);
    expect(sent).toBe(1);
  });

  const CRASH = "Internal error: Object reference not set to an instance of an object.";
  test.each([
    ["in its message", json({ error: true, message: CRASH })],
    [
      "by a code",
      json({
        error: true,
        message: "Erro",
        data: { erros: [{ codigo: "E999", mensagem: "Erro" }] },
      }),
    ],
    ["with nothing", json({ error: true, message: "" })],
    [
      "by 422 with a stack",
      json({ message: "java.lang.IllegalStateException: x\n\tat a.B.c(B.java:1)" }, 422),
    ],
    [
      "in an answer that is a success",
      json({ error: false, data: { status: "erro", mensagem: CRASH } }),
    ],
  ])(
    "by the authority's own crash %s is uncertain, and nobody is asked for another answer",
    async (_name, behaviour) => {
      remote.behave(behaviour);

      const { items, sent } = await askTwice();

      expect(items.map(({ state }) => state)).toEqual(["incerta"]);
      expect(sent).toBe(1);
    },
  );

  test.each([
    ["without a hint", json({ message: "x", errors: [{ codigo: "E0206", mensagem: "y" }] }, 422)],
    [
      "with a reason and a failure beside it",
      json({
        error: true,
        message: "x",
        data: { erros: [...refusals(), { codigo: "RNG9999", mensagem: "?" }] },
      }),
    ],
    ["by a proxy's page", json("<h1>404 Not Found</h1>", 404, HTML)],
  ])("%s is refused, and may be asked for anew", async (_name, behaviour) => {
    remote.behave(behaviour);

    const { items, sent } = await askTwice();

    expect(items.map(({ state }) => state)).toEqual(["rejeitada", "rejeitada"]);
    expect(sent).toBe(2);
  });
});

function refusals() {
  return [{ codigo: "E0206", mensagem: "CPF inválido" }];
}

function refusedBy(erros: object) {
  return { status: "rejeitada", erros };
}
