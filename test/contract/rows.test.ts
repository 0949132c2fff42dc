/** No row of the interface is missing: `interface-rows.json` holds them all, transcribed by hand, and each is looked for. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { channels } from "../../src/channels/index.ts";
import { ChannelName } from "../../src/engine/index.ts";
import {
  Enqueued,
  Job,
  ServiceInvoice,
  contract,
  createGateway,
  findRoute,
  queuePaths,
  routeOf,
  routes,
  type RouteId,
} from "../../src/gateway/index.ts";
import { CREDIT_QUOTA, PLAN_QUOTA } from "../../src/sandbox/world/billing.ts";
import { json, startRemote } from "../gateway/remote.ts";
import { FIRST } from "../sandbox/stage.ts";
import { ROOT } from "../docs/fences.ts";
import facts from "./interface-rows.json" with { type: "json" };
import { missingOf, pathsOf, schemaOf, undeclared, type InterfaceRow } from "./missing.ts";
import { openScene, PERSON, type Scene } from "./scene.ts";

const rows = facts.routes as readonly InterfaceRow[];

describe("every route of the interface", () => {
  test("is counted as the interface counts: 50 messaging routes in 59 forms, 7 operations, 2 of jobs", () => {
    const messaging = rows.filter((row) => row.path.startsWith("/msgengine/"));
    expect(messaging).toHaveLength(50);
    expect(messaging.flatMap((row) => row.variants)).toHaveLength(59);
    expect(rows.filter((row) => row.section === "4.1")).toHaveLength(7);
    expect(rows.filter((row) => row.path === "/jobs")).toHaveLength(2);
    expect(new Set(rows.map((row) => `${row.method} ${row.path} ${row.tipo ?? ""}`)).size).toBe(
      rows.length,
    );
  });

  test.each(rows.map((row) => [row.id, row] as const))(
    "%s has entry, client, schema, class, behaviour, effect, document and test",
    (_, row) => {
      expect(missingOf(row)).toEqual([]);
    },
  );

  test("has nothing beside it that does not say why it is there", () => {
    const known = new Set([...rows.map((row) => row.id), ...facts.extras.map((extra) => extra.id)]);
    expect(undeclared(known)).toEqual([]);
    for (const extra of facts.extras) {
      const { id, method, path: at, because } = extra;
      expect(findRoute(id), id).toMatchObject({ method, path: at });
      expect(because, id).not.toBe("");
    }
  });

  test("would be named, thing by thing, if it were missing", () => {
    const [poll] = rows.filter((row) => row.id === "message.sendPoll") as [InterfaceRow];
    expect(missingOf({ ...poll, id: "message.sendList" })).toEqual([
      "the contract has no entry message.sendList",
    ]);
    const other: InterfaceRow = {
      ...poll,
      path: "/msgengine/message/sendPolls",
      body: ["number", "question"],
      marks: ["beta"],
      variants: ["one", "many"],
    };
    expect(missingOf(other)).toEqual([
      "POST /msgengine/message/sendPoll is not POST /msgengine/message/sendPolls",
      "OpenAPI has no POST /msgengine/message/sendPolls",
      "its variants are default",
      "it takes options, name, selectableCount, values besides",
      "it takes no question",
      "it is marked no beta",
      "round trips are played for default besides",
      "round trips are played for no one, many",
    ]);
    expect(undeclared(new Set(routes.map((route) => route.id).slice(1)))).toEqual([
      "message.sendText",
    ]);
  });
});

describe("every field of the interface", () => {
  test.each(facts.types.map((row) => [row.field, row] as const))(
    "%s has the type the interface gives it",
    (_, { field, type, on }) => {
      for (const id of on)
        for (const [variant, { body, dagger }] of Object.entries(routeOf(id as RouteId).variants)) {
          if (dagger) continue;
          const [first = "", second] = field.split(".");
          const top = schemaOf(body).properties?.[first];
          const schema = second === undefined ? top : top?.properties?.[second];
          expect(schema?.type ?? schema?.anyOf?.map((one) => one.type), `${id} ${variant}`).toBe(
            type,
          );
        }
    },
  );

  const record = (id: string) => {
    const found = facts.records.find((row) => row.id === id);
    if (!found) throw new Error(id);
    return found.fields;
  };

  test("of an invoice is taken, and only the company document and the answers' fields are ours", () => {
    const ours = pathsOf(schemaOf(ServiceInvoice)).filter(
      (field) => !record("record.invoice").includes(field),
    );
    expect(pathsOf(schemaOf(ServiceInvoice))).toEqual(
      expect.arrayContaining(record("record.invoice")),
    );
    expect(ours).toEqual(["tomador.cnpj"]);
  });

  test("of issuer documents, certificate, job and enqueue answer is known by its name", () => {
    const issuer = schemaOf(contract.invoicing.emitentesCadastro.variants.default.body);
    expect(Object.keys(issuer.properties?.["documentos"]?.properties ?? {})).toEqual(
      record("record.issuer.documentos"),
    );
    const upload = schemaOf(contract.invoicing.certificadoUpload.variants.default.body);
    expect(Object.keys(upload.properties?.["dados"]?.properties ?? {})).toEqual(
      record("record.certificate"),
    );
    expect(pathsOf(schemaOf(Job))).toEqual(record("record.job"));
    expect(pathsOf(schemaOf(Enqueued))).toEqual(record("record.enqueued"));
    expect(pathsOf(schemaOf(contract.jobs.list.response))).toEqual(
      expect.arrayContaining(record("record.listedJob").map((field) => `data[].${field}`)),
    );
  });

  test("of the envelope is read, with a comma or a dot and two or three decimals", async () => {
    const remote = await startRemote();
    const gateway = createGateway({ baseUrl: remote.baseUrl, token: "t" });
    for (const [text, thousandths] of [
      ["1.250,70", 1_250_700],
      ["1250.700", 1_250_700],
      ["0,50", 500],
    ] as const) {
      const envelope = { balance: text, tax: text, extra_charges: { total: text } };
      remote.behave(json({ error: false, message: "feito", data: [], ...envelope }));
      expect(await gateway.invoicing.emitentesLista()).toMatchObject({
        kind: "ok",
        message: "feito",
        data: [],
        balance: thousandths,
        tax: thousandths,
        extraCharges: thousandths,
      });
    }
    await gateway.close();
    await remote.close();
    expect(record("record.envelope")).toHaveLength(6);
  });
});

describe("every queue row", () => {
  test.each(facts.queues.map((row) => [row.shape, row] as const))("%s is there", (_, row) => {
    const pattern = new RegExp(
      `^${row.shape
        .slice("POST ".length)
        .replace("{controller}", "([^/]+)")
        .replace("{action}", "slashes" in row ? ".+" : "[^/]+")}$`,
    );
    const forms = queuePaths().filter(({ path: at }) => pattern.test(at));
    expect(forms.length).toBeGreaterThan(0);
    for (const { route } of forms) {
      expect(route.method, route.id).toBe("POST");
      expect(route.queue === "refused", route.id).toBe(row.refused);
    }
    const { controllers } = row;
    if (!controllers) return;
    const posts = rows.filter(
      ({ method, path: at }) =>
        method === "POST" &&
        controllers.some((name) => at.startsWith(`/msgengine/${name}/`)) &&
        !at.endsWith("/queue"),
    );
    expect(forms.map(({ path: at }) => at).sort()).toEqual(
      posts.map(({ path: at }) => `${at}/queue`).sort(),
    );
  });
});

describe("every channel row", () => {
  const folder = path.join(ROOT, "test/fixtures/webhooks");
  const textsOf = (channel: string) =>
    readdirSync(path.join(folder, channel)).map((file) =>
      readFileSync(path.join(folder, channel, file), "utf8"),
    );

  test("names all channels there are", () => {
    expect(facts.channels.map((row) => row.channel).sort()).toEqual(
      [...ChannelName.options].sort(),
    );
    expect(Object.keys(channels).sort()).toEqual([...ChannelName.options].sort());
  });

  test.each(facts.channels.map((row) => [row.channel, row] as const))(
    "%s: each of its events has a webhook among the fixtures, with what is read of it",
    (channel, row) => {
      const texts = textsOf(channel);
      const key = channel === "engine-a" ? "wook" : channel === "engine-c" ? "event" : "status";
      const wanted = row.names ?? row.kinds;
      expect(wanted).toHaveLength(row.events);
      const lost = wanted.filter((name) => {
        const told = "names" in row ? `"${key}": "${name}"` : `"kind": "${name}"`;
        return !texts.some((text) => text.includes(told));
      });
      expect(lost).toEqual([]);
    },
  );
});

describe("the rules of auth, errors and limits", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene.close());
  beforeEach(() => scene.again());

  const send = { number: PERSON, text: "oi" };
  const list = { emitente: "6f1f7d3e-0000-4000-8000-000000000001" };
  const ledger = () => scene.rows("ledger");

  /** One proof for each row; the names are compared with the rows below. */
  const proofs: Readonly<Record<string, () => unknown>> = {
    "auth.bearer": async () => {
      for (const id of ["message.sendText", "jobs.list", "invoicing.emitentesLista"] as const)
        expect((await scene.stage.call(id, {}, { as: {} })).status).toBe(401);
    },
    "auth.device": async () => {
      const as = { authorization: FIRST.authorization ?? "" };
      expect((await scene.stage.call("message.sendText", send, { as })).status).toBe(401);
      expect(await ledger()).toEqual([]);
    },
    "auth.noDevice": async () => {
      await scene.ask("invoicing.emitentesLista", list);
      await scene.ask("jobs.list");
      const calls = (await scene.rows("requests")).filter((row) => row["route"] !== null).slice(-2);
      for (const call of calls)
        expect(call["headers"] as unknown as string[]).not.toContain("devicetoken");
    },
    "auth.contentType": async () => {
      await scene.gateway.instance.connectionState();
      await scene.gateway.chat.removeProfilePicture();
      await scene.gateway.group.revokeInviteCode({}, { query: { groupJid: "1@g.us" } });
      const [a, b, c] = (await scene.rows("requests")).slice(-3);
      for (const call of [a, b, c])
        expect(call?.["headers"] as unknown as string[]).toContain("content-type");
    },
    "auth.registration": async () => {
      const as = { authorization: "Bearer sandbox-token-cpf" };
      const refused = await scene.stage.call("invoicing.emitentesLista", list, { as });
      expect(refused.status).toBe(403);
      expect((await scene.stage.call("jobs.list", undefined, { as })).status).toBe(200);
    },
    "error.business": async () => {
      const fault = {
        route: "message.sendText",
        effect: { kind: "business_error", message: "não" },
      };
      await scene.stage.http("POST", "/sandbox/faults", fault);
      const outcome = await scene.gateway.message.sendText(send);
      expect(outcome).toMatchObject({ kind: "business_error", status: 200, message: "não" });
      expect(outcome).not.toHaveProperty("data");
      await scene.stage.http("DELETE", "/sandbox/faults");
    },
    "error.balance": async () => {
      await scene.stage.http("PUT", "/sandbox/billing", { enforce: true, balance: 0 });
      for (let attempt = 0; attempt < 2; attempt++)
        expect(
          await scene.gateway.invoicing.nfseConsulta({ ...issuerAnd(list.emitente) }),
        ).toMatchObject({ kind: "refused", status: 402 });
      expect(await ledger()).toEqual([]);
    },
    "error.unknownJob": async () => {
      const queued = await scene.gateway.message.sendText.queue(send);
      const id = queued.kind === "ok" ? queued.data.id : "";
      const unknown = "00000000-0000-4000-8000-000000000000";
      const outcome = await scene.gateway.jobs.find({ id: [id, unknown] });
      expect(outcome).toMatchObject({ kind: "refused", status: 422 });
      expect((await scene.gateway.jobs.find({ id: [id] })).kind).toBe("ok");
    },
    "error.queue": async () => {
      const outcome = await scene.gateway.official.sendText.queue(send);
      expect(outcome).toMatchObject({ kind: "refused", code: "queue_not_available" });
    },
    "error.other4xx": async () => {
      const wrong = { number: PERSON, text: 7 };
      for (let attempt = 1; attempt <= 2; attempt++) {
        expect((await scene.stage.call("message.sendText", wrong)).status).toBe(422);
        expect(await ledger()).toHaveLength(attempt);
      }
    },
    "limit.creditsQuota": () => expect(CREDIT_QUOTA).toBe(valueOf("limit.creditsQuota")),
    "limit.creditsPrice": async () => {
      await scene.gateway.invoicing.nfseConsulta(issuerAnd(list.emitente));
      expect((await ledger()).at(-1)).toMatchObject({ price: valueOf("limit.creditsPrice") });
    },
    "limit.registerPrice": () =>
      expect(contract.invoicing.emitentesCadastro.price).toBe(valueOf("limit.registerPrice")),
    "limit.issuePrice": () =>
      expect(contract.invoicing.nfseEnvio.price).toBe(valueOf("limit.issuePrice")),
    "limit.listPrice": () =>
      expect(contract.invoicing.emitentesLista.price).toBe(valueOf("limit.listPrice")),
    "limit.planPrice": async () => {
      // The plan is paid by the month: its calls have no price of their own.
      await scene.gateway.message.sendText(send);
      expect((await ledger()).at(-1)).toMatchObject({ scope: "plan:sandbox-device", price: 0 });
    },
    "limit.planQuota": async () => {
      expect(PLAN_QUOTA).toBe(valueOf("limit.planQuota"));
      const outcome = await scene.gateway.message.sendText(send);
      expect(outcome).toMatchObject({ limit: { max: 1_000, used: 1 } });
    },
    "limit.queueBilling": async () => {
      await scene.gateway.message.sendText.queue(send);
      expect((await scene.rows("jobs"))[0]).toMatchObject({ status: "queued" });
      expect(await ledger()).toHaveLength(1);
    },
    "limit.extraCharges": async () => {
      const extra = [{ tipo: "nfse-consulta", name: "certidão", price: 0.25 }];
      await scene.stage.http("PUT", "/sandbox/billing", { extra });
      const answer = await scene.stage.call("invoicing.nfseConsulta", issuerAnd(list.emitente));
      expect(answer.body["extra_charges"]?.["total"]).toMatch(/^0[.,]250?$/);
    },
    "limit.homolog": async () => {
      const before = await ledger();
      const outcome = await scene.gateway.invoicing.emitentesCadastro({
        ...contract.invoicing.emitentesCadastro.variants.default.example,
        homolog: true,
      });
      expect(outcome).toMatchObject({ kind: "ok" });
      expect(await ledger()).toEqual(before);
      expect(await scene.rows("issuers")).toHaveLength(1);
    },
    "version.base": () => expect(scene.origin + "/api/v2").toMatch(/api\/v2$/),
    "version.invoicing": () =>
      expect(versionsOf("invoicing")).toEqual([valueOf("version.invoicing")]),
    "version.messaging": () =>
      expect(versionsOf("messaging")).toEqual([valueOf("version.messaging")]),
    "version.volatile": () =>
      expect(routes.filter((route) => route.volatile).map((route) => route.id)).toEqual(
        valueOf("version.volatile"),
      ),
    "version.beta": () =>
      expect(routes.filter((route) => route.beta).map((route) => route.id)).toEqual(
        valueOf("version.beta"),
      ),
  };

  const ruled = [...facts.auth, ...facts.errors, ...facts.limits, ...facts.versions];

  test("each have a proof, and no proof is of a rule that is none", () => {
    expect(Object.keys(proofs).sort()).toEqual(ruled.map((row) => row.id).sort());
  });

  test.each(ruled.map((row) => row.id))("%s holds", async (id) => {
    await proofs[id]?.();
  });
});

function issuerAnd(emitente_id: string) {
  return { emitente_id, chave: "3".repeat(44) };
}

function valueOf(id: string): unknown {
  return [...facts.limits, ...facts.versions].find((row) => row.id === id)?.value;
}

function versionsOf(area: string): string[] {
  return [...new Set(routes.filter((route) => route.area === area).map((route) => route.version))];
}
