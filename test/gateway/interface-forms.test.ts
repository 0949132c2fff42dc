/** Shapes that the interface leaves open or allows in several forms, as the client reads and writes them. */
import { afterEach, expect, test } from "vitest";
import { contract, createGateway } from "../../src/gateway/index.ts";
import { json, startRemote } from "./remote.ts";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function jobsFrom(body: unknown, how: "list" | "find") {
  const remote = await startRemote();
  remote.behave(json(body));
  const gateway = createGateway({ baseUrl: remote.baseUrl, token: "t", deviceToken: "d" });
  open.push(
    () => gateway.close(),
    () => remote.close(),
  );
  return how === "list" ? gateway.jobs.list({}) : gateway.jobs.find({ id: [ID] });
}

const ID = "3f0c2d9a-0000-4000-8000-000000000001";
const listed = [{ job_id: ID, status: "queued", created_at: "21/11/2026 09:00:00" }];
const found = [{ id: ID, status: "queued", created_at: "21/11/2026 09:00:00", processed_at: "" }];

const WRAPPERS: readonly (readonly [string, (rows: unknown) => unknown])[] = [
  ["nothing", (rows) => rows],
  ["data", (rows) => ({ data: rows, total: 1 })],
  ["items", (rows) => ({ items: rows, total: 1 })],
  ["jobs", (rows) => ({ jobs: rows })],
  ["data.data", (rows) => ({ error: false, data: { data: rows, total: 1 } })],
  ["data.items", (rows) => ({ error: false, message: "ok", data: { items: rows } })],
  ["response", (rows) => ({ error: false, response: rows })],
  ["response.data", (rows) => ({ error: false, response: { data: rows } })],
];

test.each(WRAPPERS)("jobs are read under %s", async (_, wrap) => {
  expect(await jobsFrom(wrap(listed), "list")).toMatchObject({
    kind: "ok",
    data: { data: [{ job_id: ID, status: "queued" }] },
  });
  expect(await jobsFrom(wrap(found), "find")).toMatchObject({
    kind: "ok",
    data: [{ id: ID, status: "queued" }],
  });
  expect(await jobsFrom(wrap([]), "list")).toMatchObject({ kind: "ok", data: { data: [] } });
});

test("what holds no list is unreadable, never an empty one", async () => {
  for (const body of [{ error: false }, { data: { total: 0 } }, { data: "none" }])
    expect(await jobsFrom(body, "list")).toMatchObject({ kind: "unknown", reason: "unreadable" });
});

test.each([
  ["2026-11-21T12:00:00Z", "2026-11-21T12:00:00+00:00"],
  ["2026-11-21T09:00:00.250-0300", "2026-11-21T09:00:00-03:00"],
  ["20261121T0900-03", "2026-11-21T09:00:00-03:00"],
])("a note's time %s is sent as %s", (given, sent) => {
  const { emitente_id, dados } = contract.invoicing.nfseEnvio.variants.default.example;
  const gateway = createGateway({ baseUrl: "http://127.0.0.1:9/api/v2", token: "t" });
  open.push(() => gateway.close());
  const body = { emitente_id, dados: { ...dados, data_emissao: given, data_competencia: given } };
  const bytes = Buffer.from(gateway.exactBytes("invoicing.nfseEnvio", body)).toString("utf8");
  expect(JSON.parse(bytes)).toMatchObject({
    dados: { data_emissao: sent, data_competencia: sent },
  });
});
