/** What a body is refused for, row by row: the sentence a bot author reads. */
import { describe, expect, test } from "vitest";
import { Fault, type Json } from "../../src/base/index.ts";
import { createGateway, routeOf, type RouteId } from "../../src/gateway/index.ts";

const gateway = createGateway({ baseUrl: "http://127.0.0.1:1/api/v2", token: "t" });

/** The sentence of a refusal; undefined where the body is taken. */
function refusal(id: RouteId, body: unknown, variant?: string): string | undefined {
  try {
    gateway.exactBytes(id, body, variant);
    return undefined;
  } catch (error) {
    if (!Fault.is(error, "GATEWAY_BODY")) throw error;
    return error.message.replace(/^GATEWAY_BODY: /, "").replace(/ The request body breaks.*/, "");
  }
}

/** The example of a variant with some fields put over it; `undefined` takes one away. */
function like(id: RouteId, variant: string, patch: Record<string, unknown>): unknown {
  const example = routeOf(id).variants[variant]?.example as Record<string, Json>;
  return { ...example, ...patch };
}

const number = "5511900000002";
const reply = (id: string) => ({ type: "reply", displayText: "Sim", id });
const pix = { type: "pix", currency: "BRL", name: "Loja", keyType: "email", key: "a@b.co" };
const link = { type: "url", displayText: "Site", url: "https://a.example" };

describe("a body is refused with path and reason in one sentence", () => {
  test.each<[RouteId, string, Record<string, unknown>, string]>([
    // Sends
    ["message.sendText", "plain", { text: "" }, "text must not be empty"],
    [
      "message.sendText",
      "plain",
      { text: "a".repeat(5_001) },
      "text must have at most 5000 characters",
    ],
    ["message.sendText", "plain", { text: undefined }, "text is required"],
    ["message.sendText", "plain", { txt: "oi" }, "the body has no field txt"],
    ["message.sendText", "plain", { number: 5511900000002 }, "number must be a text"],
    [
      "message.sendText",
      "plain",
      { number: "+55 11 90000-0002" },
      "number must be digits in international format or an engine's address",
    ],
    [
      "message.sendText",
      "plain",
      { options: { presence: "dancing" } },
      "options.presence must be composing, recording, paused, available or unavailable",
    ],
    ["message.sendText", "plain", { options: { delay: -1 } }, "options.delay must be at least 0"],
    [
      "message.sendText",
      "plain",
      { options: { delay: 1.5 } },
      "options.delay must be a whole number",
    ],
    ["message.sendText", "reply", { quoted: { key: {} } }, "quoted.key.id is required"],
    ["message.sendText", "mentionAll", { number }, "number must be a group's address (…@g.us)"],
    [
      "message.sendPoll",
      "default",
      { values: ["a", "a"] },
      "values must hold 2 to 10 different options",
    ],
    [
      "message.sendPoll",
      "default",
      { values: ["a"] },
      "values must hold 2 to 10 different options",
    ],
    ["message.sendPoll", "default", { selectableCount: 11 }, "selectableCount must be 0 to 10"],
    [
      "message.sendPoll",
      "default",
      { selectableCount: 3 },
      "selectableCount must not be more than there are options",
    ],
    [
      "message.sendStatus",
      "text",
      { backgroundColor: undefined, font: 0 },
      "backgroundColor is required; font must be 1 to 5",
    ],
    [
      "message.sendStatus",
      "text",
      { backgroundColor: "red" },
      "backgroundColor must be a colour (#RRGGBB)",
    ],
    [
      "message.sendStatus",
      "media",
      { allContacts: undefined },
      "the body must name its audience once: allContacts true or statusJidList",
    ],
    [
      "message.sendStatus",
      "audio",
      { statusJidList: [number] },
      "the body must name its audience once: allContacts true or statusJidList",
    ],
    [
      "message.sendStatus",
      "media",
      { content: "??" },
      "content must be an http(s) address or bare Base64",
    ],
    ["message.sendStatus", "media", { type: "poem" }, "type must be text, image, video or audio"],
    [
      "message.sendButtons",
      "default",
      { buttons: ["1", "2", "3", "4"].map(reply) },
      "buttons must hold at most 3 reply buttons",
    ],
    [
      "message.sendButtons",
      "default",
      { buttons: [reply("1"), link] },
      "buttons must not mix reply buttons with others",
    ],
    [
      "message.sendButtons",
      "default",
      { buttons: [pix, link] },
      "buttons must hold a pix button alone",
    ],
    [
      "message.sendButtons",
      "default",
      { buttons: [pix, pix] },
      "buttons must hold a pix button alone",
    ],
    [
      "message.sendButtons",
      "default",
      { buttons: [{ ...reply("1"), id: undefined }] },
      "buttons.0.id is required",
    ],
    [
      "message.sendButtons",
      "default",
      { buttons: [{ type: "reply2" }] },
      "buttons.0.type must be reply, copy, url, call or pix",
    ],
    ["message.sendButtons", "default", { buttons: [] }, "buttons must not be empty"],
    [
      "message.sendMedia",
      "imageBase64",
      { media: "data:image/png;base64,iVBORw0KGgo=" },
      "media must be bare Base64 or an http(s) address",
    ],
    [
      "message.sendMedia",
      "spreadsheetUrl",
      { mediatype: "spreadsheet" },
      "mediatype must be image, video, document or audio",
    ],
    ["message.sendMedia", "spreadsheetBase64", { fileName: "" }, "fileName must not be empty"],
    ["message.sendMessengerAudio", "url", { audio: undefined }, "audio is required"],
    [
      "message.sendMessengerAudio",
      "url",
      { audio: "ftp://x y" },
      "audio must be an http(s) address or bare Base64",
    ],
    ["message.sendSticker", "base64", { sticker: 7 }, "sticker must be a text"],
    ["message.sendLocation", "default", { latitude: 91 }, "latitude must be -90 to 90"],
    ["message.sendLocation", "default", { longitude: "-46" }, "longitude must be a number"],
    [
      "message.sendReaction",
      "default",
      { key: { id: "A" } },
      "key.remoteJid is required; key.fromMe is required",
    ],
    [
      "message.sendContact",
      "default",
      { contact: [{ fullName: "" }] },
      "contact.0.fullName must not be empty; contact.0.phoneNumber is required",
    ],
    // The rest of the messaging rows
    ["call.offer", "default", { callDuration: 16 }, "callDuration must be 1 to 15 seconds"],
    ["call.offer", "default", { isVideo: "false" }, "isVideo must be true or false"],
    ["instance.create", "default", { instanceName: "" }, "instanceName must not be empty"],
    ["settings.set", "default", { reject_call: undefined }, "reject_call is required"],
    ["settings.set", "default", { rejectCall: true }, "the body has no field rejectCall"],
    ["chat.messengerNumbers", "default", { numbers: [] }, "numbers must not be empty"],
    ["chat.messengerNumbers", "default", { numbers: number }, "numbers must be a list"],
    ["chat.findChats", "default", { page: 0 }, "page must be at least 1"],
    ["chat.findMessages", "default", { where: [] }, "where must be an object"],
    [
      "chat.updateProfilePicture",
      "default",
      { picture: "me.png" },
      "picture must be an http(s) address",
    ],
    [
      "chat.deleteMessageForEveryone",
      "default",
      { fromMe: "true" },
      "fromMe must be true or false",
    ],
    [
      "chat.updatePrivacySettings",
      "default",
      { online: "none" },
      "online must be all or match_last_seen",
    ],
    [
      "chat.updatePrivacySettings",
      "default",
      { groupadd: undefined },
      "groupadd must be all, contacts, contact_blacklist or none",
    ],
    ["group.create", "default", { participants: [] }, "participants must not be empty"],
    [
      "group.sendInvite",
      "default",
      { groupJid: number },
      "groupJid must be a group's address (…@g.us)",
    ],
    [
      "group.updateParticipant",
      "default",
      { action: "kick" },
      "action must be add, remove, promote or demote",
    ],
    [
      "group.updateSetting",
      "default",
      { action: "closed" },
      "action must be announcement, not_announcement, locked or unlocked",
    ],
    ["label.handleLabel", "default", { action: "create" }, "action must be add or remove"],
    // Invoicing
    [
      "invoicing.emitentesCadastro",
      "default",
      { cnpj: "11.222.333/0001-81" },
      "cnpj must be 14 positions without marks",
    ],
    ["invoicing.emitentesCadastro", "default", { cep: "01310-100" }, "cep must be 8 digits"],
    ["invoicing.emitentesCadastro", "default", { crt: 5 }, "crt must be 1 to 4"],
    [
      "invoicing.emitentesCadastro",
      "default",
      { email: "nobody" },
      "email must be an e-mail address",
    ],
    ["invoicing.emitentesAtualiza", "default", { emitente_id: "7" }, "emitente_id must be a UUID"],
    [
      "invoicing.nfseConsulta",
      "default",
      { chave: "3".repeat(45) },
      "chave must be 44 or 50 positions",
    ],
    ["invoicing.nfseConsulta", "default", { tipo: "nfse-envio" }, "tipo must be nfse-consulta"],
    [
      "invoicing.cancelamento",
      "default",
      { motivo: "erro" },
      "motivo must have 15 to 255 characters",
    ],
    // Jobs
    ["jobs.find", "default", { id: [] }, "id must not be empty"],
    // Other channels
    ["sms.send", "default", { number: "11 9000" }, "number must be 10 to 15 digits"],
    [
      "engineC.sendPoll",
      "default",
      { options: ["a"] },
      "options must hold at least 2 different options",
    ],
  ])("%s (%s) with %j", (id, variant, patch, reason) => {
    expect(refusal(id, like(id, variant, patch))).toBe(`${id}: ${reason}.`);
    expect(refusal(id, like(id, variant, {}))).toBeUndefined();
  });

  test("the form a caller names is the one that is spoken of", () => {
    const media = { number, mediatype: "image", media: "https://a.example/x.png" };
    expect(refusal("message.sendMedia", media, "imageBase64")).toBe(
      "message.sendMedia: media must be bare Base64.",
    );
    expect(refusal("message.sendMedia", media)).toBeUndefined();
  });

  test("a body that is none is refused, and more than three problems are counted", () => {
    expect(refusal("message.sendText", [])).toBe("message.sendText: the body must be an object.");
    expect(refusal("message.sendText", "oi")).toBe("message.sendText: the body must be an object.");
    expect(refusal("message.sendLocation", {})).toBe(
      "message.sendLocation: number is required; name is required; address is required; and 2 more.",
    );
  });

  test("a body of more than 32 MiB is refused", () => {
    const media = "QUJD".repeat(8.5 * 1024 * 1024);
    const file = { number, mediatype: "document", fileName: "a.bin", media };
    expect(refusal("message.sendMedia", file)).toBe(
      "message.sendMedia: the body must be at most 32 MiB.",
    );
  });

  test("no value and no name that somebody made up stands in the sentence", () => {
    const said = [
      refusal("message.sendText", { number, text: "oi", [number]: 1, "sk-live 99": 2 }),
      refusal("message.sendText", { number: `x${number}`, text: { [number]: 1 } }),
      refusal("instance.restart", { [number]: { a: "\ud800" } }),
      refusal("invoicing.certificadoUpload", { dados: { senha: "", certificado: "!!segredo" } }),
    ].join(" ");
    expect(said).not.toMatch(/\d{5}|sk-live|segredo/);
    expect(said).toContain("the body has no field *");
  });
});

describe("what is no plain data is refused before any schema", () => {
  const deep = (levels: number): unknown => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { value };
    return value;
  };
  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  test.each<[string, unknown, string]>([
    ["half a character", { a: "x\ud83d" }, "a must not hold half a character"],
    [
      "half a character in a name",
      { "\udc00": 1 },
      "the body must not hold half a character in a name",
    ],
    [
      "a forged prototype",
      JSON.parse('{"a":{"__proto__":{"x":1}}}'),
      "a must not name a prototype",
    ],
    ["100,000 levels", { a: deep(100_000) }, "a.value.0 is nested too deep"],
    ["a circle", cyclic, "self.self.self is nested too deep"],
    ["a date", { at: new Date(0) }, "at must be a plain object"],
    ["infinity", { a: Number.POSITIVE_INFINITY }, "a must be a finite number"],
    ["a big integer", { a: [1n] }, "a.0 must be data that JSON can hold"],
    ["a hole in a list", { a: [undefined] }, "a.0 must be data that JSON can hold"],
    [
      "too many values",
      { a: Array.from({ length: 30_000 }, () => 0) },
      "the body must hold fewer values",
    ],
  ])("%s", (_, body, reason) => {
    expect(refusal("instance.restart", body)).toBe(`instance.restart: ${reason}.`);
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });
});

describe("an invoice is whole before it is sent", () => {
  const example = routeOf("invoicing.nfseEnvio").variants["default"]?.example as {
    emitente_id: string;
    dados: { servico: { itens: { valor_servicos: number }[]; valor_servicos: number } };
  };
  const withItems = (total: number, ...values: number[]) => {
    const [item] = example.dados.servico.itens;
    const itens = values.map((valor_servicos) => ({ ...item, valor_servicos }));
    const servico = { ...example.dados.servico, valor_servicos: total, itens };
    return { ...example, dados: { ...example.dados, servico } };
  };
  test.each<[string, unknown, string | undefined]>([
    ["one item", withItems(150.5, 150.5), undefined],
    ["cents that binary fractions do not hold", withItems(0.3, 0.1, 0.2), undefined],
    ["many of those", withItems(33.3, ...Array.from({ length: 333 }, () => 0.1)), undefined],
    [
      "a cent too much",
      withItems(0.3, 0.1, 0.21),
      "dados.servico.itens must add up to valor_servicos",
    ],
    ["no item", withItems(10), "dados.servico.itens must not be empty"],
    [
      "tenths of a cent",
      withItems(10.005, 10.005),
      "dados.servico.valor_servicos must be whole cents; dados.servico.itens.0.valor_servicos must be whole cents",
    ],
  ])("%s", (_, body, reason) => {
    expect(refusal("invoicing.nfseEnvio", body)).toBe(
      reason === undefined ? undefined : `invoicing.nfseEnvio: ${reason}.`,
    );
  });

  test("items may not be left out", () => {
    const { itens: _, ...servico } = example.dados.servico;
    expect(
      refusal("invoicing.nfseEnvio", { ...example, dados: { ...example.dados, servico } }),
    ).toBe("invoicing.nfseEnvio: dados.servico.itens is required.");
  });
});
