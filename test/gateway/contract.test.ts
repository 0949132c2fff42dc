import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  CallClass,
  GatewayProfile,
  contract,
  findRoute,
  pathOf,
  queuePaths,
  routeTable,
  routes,
} from "../../src/gateway/index.ts";

/** Every row of the interface's messaging section: method, path, (g), and how many body variants it names. */
const MESSAGING = `
POST /message/sendText 3
POST /message/sendText/queue 1
POST /message/sendStatus 3
POST /message/sendButtons 1
POST /message/sendPoll 1
POST /message/sendMedia 4
POST /message/sendMessengerAudio 2
POST /message/sendSticker 2
POST /message/sendLocation 1
POST /message/sendReaction 1
POST /message/sendContact 1
POST /call/offer 1
POST /instance/create 1
GET /instance/connect 1
GET /instance/connectionState 1
POST /instance/restart 1
PUT /instance/restart 1
DELETE /instance/logout 1
DELETE /instance/delete 1
POST /settings/set 1
GET /settings/find 1
POST /chat/messengerNumbers 1
POST /chat/findChats 1
GET /chat/findMessages 1
POST /chat/findContacts 1
POST /chat/fetchProfilePictureUrl 1
POST /chat/fetchProfile 1
POST /chat/getBase64FromMediaMessage 1
DELETE /chat/deleteMessageForEveryone 1
POST /chat/updateProfileName 1
POST /chat/updateProfileStatus 1
POST /chat/updateProfilePicture 1
DELETE /chat/removeProfilePicture 1
GET /chat/fetchPrivacySettings 1
POST /chat/updatePrivacySettings 1
POST /group/create 1
POST /group/fetchAllGroups 1
POST /group/updateGroupPicture 1 g
POST /group/updateGroupSubject 1 g
POST /group/updateGroupDescription 1 g
GET /group/inviteCode 1 g
POST /group/revokeInviteCode 1 g
POST /group/sendInvite 1
GET /group/inviteInfo 1 g
GET /group/findGroupInfos 1 g
POST /group/updateParticipant 1 g
POST /group/updateSetting 1 g
GET /group/participants 1 g
POST /label/handleLabel 1
GET /label/findLabels 1
`
  .trim()
  .split("\n");

/** Rows whose body, or a variant of it, the interface does not show. */
const DAGGERS = `
message.sendText message.sendStatus message.sendButtons message.sendMessengerAudio message.sendSticker
message.sendReaction message.sendContact instance.restartPost chat.findChats chat.findMessages chat.findContacts
chat.getBase64FromMediaMessage chat.deleteMessageForEveryone chat.updatePrivacySettings group.fetchAllGroups
group.sendInvite group.updateParticipant group.updateSetting label.handleLabel`
  .trim()
  .split(/\s+/);

const messaging = routes.filter((route) => route.area === "messaging");

describe("the table of routes", () => {
  test("holds every messaging row of the interface, in its order, with its variants and (g) mark", () => {
    const rows = messaging.map(
      (route) =>
        `${route.method} ${route.path.replace("/msgengine", "")} ${Object.keys(route.variants).length}${route.group ? " g" : ""}`,
    );
    expect([...rows].sort()).toEqual([...MESSAGING].sort());
  });

  test("counts 50 messaging routes in 59 variants, and every route has at least one variant", () => {
    const rows = routeTable().filter((row) => row.path.startsWith("/msgengine/"));
    expect(rows).toHaveLength(50);
    expect(rows.reduce((sum, row) => sum + row.variants.length, 0)).toBe(59);
    expect(routeTable({ channels: true }).every((row) => row.variants.length > 0)).toBe(true);
  });

  test("holds one id per invoicing operation, with the selector and price the interface shows", () => {
    const rows = routes
      .filter((route) => route.area === "invoicing")
      .map((route) => [route.id, route.tipo, route.price]);
    expect(rows).toEqual([
      ["invoicing.emitentesCadastro", "emitentes-cadastro", 19],
      ["invoicing.emitentesAtualiza", "emitentes-atualiza", null],
      ["invoicing.emitentesLista", "emitentes-lista", 0],
      ["invoicing.nfseEnvio", "nfse-envio", 0],
      ["invoicing.nfseConsulta", "nfse-consulta", null],
      ["invoicing.certificadoUpload", "certificado-upload", null],
      ["invoicing.cancelamento", "nfse-cancelamento", null],
    ]);
  });

  test("holds the job routes and, apart from the 50, the routes of the other channels", () => {
    expect(
      routeTable()
        .filter((row) => row.id.startsWith("jobs."))
        .map((row) => `${row.id} ${row.method} ${row.path}`),
    ).toEqual(["jobs.list GET /jobs", "jobs.find POST /jobs"]);
    const channels = routes.filter((route) => route.area === "channels").map((route) => route.id);
    expect(channels).toEqual([
      "engineA.sendText",
      "engineA.reply",
      "engineA.sendFile64",
      "engineA.sendLocation",
      "engineC.connect",
      "engineC.sendText",
      "engineC.sendMedia",
      "engineC.sendPoll",
      "engineC.sendLocation",
      "official.sendText",
      "sms.send",
    ]);
    expect(routeTable()).toHaveLength(50 + 7 + 2);
    expect(routeTable({ channels: true })).toHaveLength(50 + 7 + 2 + channels.length);
  });

  test("gives every route an id of its own that follows from its path, but for the named exceptions", () => {
    expect(new Set(routes.map((route) => route.id)).size).toBe(routes.length);
    const exceptions = new Map([
      ["message.sendTextQueue", "message.queue"],
      ["instance.restartPost", "instance.restart"],
    ]);
    for (const route of messaging) {
      const segments = route.path.split("/");
      expect(exceptions.get(route.id) ?? route.id).toBe(
        route.id === "message.sendTextQueue"
          ? "message.queue"
          : `${segments.at(-2)}.${segments.at(-1)}`,
      );
      expect(findRoute(route.id)).toBe(route);
    }
    expect(findRoute("message.nothing")).toBeUndefined();
  });

  test("states class, credentials and billing on every row as the interface has them", () => {
    for (const route of routes) {
      expect(CallClass.safeParse(route.class).success, route.id).toBe(true);
      const bearerOnly = route.area === "invoicing" || route.area === "jobs";
      expect(route.auth, route.id).toBe(bearerOnly ? "bearer" : "bearer+device");
      expect(route.version, route.id).toBe(route.area === "invoicing" ? "v1" : "v2");
      expect(route.billing, route.id).toBe(
        { invoicing: "credits", jobs: "none", messaging: "plan", channels: "plan" }[route.area],
      );
      expect(route.source, route.id).not.toBe("");
    }
    const ids = (wanted: string) =>
      routes.filter((route) => route.class === wanted).map((route) => route.id);
    expect(ids("fiscal")).toEqual(["invoicing.nfseEnvio", "invoicing.cancelamento"]);
    expect(ids("costly")).toEqual([
      "call.offer",
      "instance.create",
      "group.create",
      "group.sendInvite",
      "invoicing.emitentesCadastro",
    ]);
    expect(ids("destructive")).toEqual([
      "instance.restart",
      "instance.restartPost",
      "instance.logout",
      "instance.delete",
      "chat.deleteMessageForEveryone",
      "group.revokeInviteCode",
      "group.updateParticipant",
    ]);
  });

  test("marks what is beta, what may change without notice, and what the interface does not show", () => {
    expect(routes.filter((route) => route.beta).map((route) => route.id)).toEqual([
      "message.sendTextQueue",
    ]);
    expect(routes.filter((route) => route.volatile).map((route) => route.id)).toEqual([
      "message.sendButtons",
      "call.offer",
    ]);
    expect(messaging.filter((route) => route.dagger).map((route) => route.id)).toEqual(DAGGERS);
    expect(contract.message.sendText.variants.plain.dagger).toBe(false);
  });

  test("says of every body the interface does not show where its shape comes from", () => {
    const profile = new Set(Object.keys(GatewayProfile.shape));
    for (const route of routes)
      for (const [name, { dagger, provenance }] of Object.entries(route.variants)) {
        const title = `${route.id} ${name}`;
        expect(provenance !== null, title).toBe(dagger);
        if (provenance === null) continue;
        expect(provenance.note, title).toMatch(/^\S.{15,}\.$/);
        expect([...profile], title).toEqual(expect.arrayContaining([...provenance.profile]));
      }
  });

  test("lets exactly the POST routes of message, chat and group be queued, and no path twice", () => {
    const queueable = messaging.filter((route) => route.queue === "yes");
    expect(queueable.every((route) => route.method === "POST")).toBe(true);
    expect(new Set(queueable.map((route) => route.id.split(".")[0]))).toEqual(
      new Set(["message", "chat", "group"]),
    );
    expect(
      messaging.filter(
        (route) => route.method === "POST" && /^(message|chat|group)\./.test(route.id),
      ),
    ).toHaveLength(queueable.length + 1);
    const paths = queuePaths().map(({ path }) => path);
    expect(paths.filter((path) => path === "/msgengine/message/sendText/queue")).toHaveLength(1);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths).toContain("/engine-c/send/text/queue");
    expect(paths).toContain("/official/sendText/queue");
  });

  test("says the deployment's own words in paths, whole segments only", () => {
    const words = { msgengine: "engine", messengerNumbers: "numbers", "engine-a": "a" };
    expect(pathOf(contract.chat.messengerNumbers, words)).toBe("/engine/chat/numbers");
    expect(pathOf(contract.engineA.sendText, words, true)).toBe("/a/sendText/queue");
    expect(pathOf(contract.message.sendTextQueue, words, true)).toBe(
      "/engine/message/sendText/queue",
    );
    expect(pathOf(contract.jobs.list, { constructor: "x" })).toBe("/jobs");
  });
});

describe("the examples of the table", () => {
  test.each(
    routes.flatMap((route) =>
      Object.entries(route.variants).map(
        ([name, variant]) => [`${route.id} ${name}`, variant] as const,
      ),
    ),
  )("%s obeys its body schema", (_, variant) => {
    expect(z.safeParse(variant.body, variant.example).error).toBeUndefined();
  });

  test("answers obey the response schemas and keep keys nobody knows", () => {
    for (const route of routes) {
      const envelope = route.example.response as Record<string, unknown>;
      const payload = envelope["response"] ?? (route.area === "jobs" ? envelope : envelope["data"]);
      const parsed = z.safeParse(route.response, payload ?? envelope);
      expect(parsed.error, route.id).toBeUndefined();
    }
    expect(
      contract.message.sendText.response.parse({ key: { id: "x", extra: 1 }, more: [2] }),
    ).toEqual({
      key: { id: "x", extra: 1 },
      more: [2],
    });
  });

  test("bodies with a key nobody documented are refused where the interface shows the body", () => {
    const { sendText, sendMedia } = contract.message;
    expect(
      sendText.variants.plain.body.safeParse({ number: "5511900000002", text: "a", x: 1 }).success,
    ).toBe(false);
    expect(sendText.variants.plain.body.safeParse({ number: "+55 11", text: "a" }).success).toBe(
      false,
    );
    expect(
      sendMedia.variants.imageBase64.body.safeParse({
        ...sendMedia.variants.imageBase64.example,
        media: "data:image/png;base64,iVBORw0KGgo=",
      }).success,
    ).toBe(false);
    const { nfseEnvio } = contract.invoicing;
    const body = nfseEnvio.variants.default.example;
    const tenths = { ...body.dados.servico, valor_servicos: 150.505 };
    expect(
      nfseEnvio.variants.default.body.safeParse({
        ...body,
        dados: { ...body.dados, servico: tenths },
      }).success,
    ).toBe(false);
  });

  test("a record of another type than expected is empty for a send and unreadable for a list", () => {
    expect(contract.message.sendText.response.parse("sent")).toEqual({});
    expect(contract.message.sendText.response.parse({ key: 7 })).toEqual({});
    expect(contract.invoicing.emitentesLista.response.safeParse({}).success).toBe(false);
    expect(contract.invoicing.emitentesLista.response.parse({ emitentes: [] })).toEqual([]);
    expect(contract.invoicing.emitentesLista.response.parse({ cnpj: "11222333000181" })).toEqual([
      { cnpj: "11222333000181" },
    ]);
  });
});
