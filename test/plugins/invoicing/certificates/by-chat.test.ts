/** A certificate sent in the chat: its file fetched from the gateway, its password asked, and neither found anywhere after. */
import { afterEach, expect, test } from "vitest";
import { loadFlows } from "../../../../src/app/loading/flow-files.ts";
import { saveTest } from "../../../../src/app/authoring/save-test.ts";
import { wholeRecord } from "../../../../src/engine/index.ts";
import { PFX_LIMIT_BYTES } from "../../../../src/plugins/invoicing/certificates/pfx-reading.ts";
import { pfx, type PfxOptions } from "../../../sandbox/certificates.ts";
import { bot, HEARING, pass, writes, type Bot } from "../../../worker/bot.ts";
import { OPERATOR, rig, textOf, WAITER, type Rig } from "../../../worker/rig.ts";

const loaded = await loadFlows();
const DAY = 86_400_000;
const PASSWORD = "Canário#2026 150";

let it: Rig;
let on: Bot;
let logged: unknown[];
/** Copies of everything kept of the person, as they were sent. */
let copies: string[];
afterEach(async () => {
  await on.down();
  await it.close();
});

/** A chat of the operator that waits for the file. */
async function begun(): Promise<readonly string[]> {
  it = await rig({ library: loaded.library, kept: true, account: HEARING });
  logged = [];
  copies = [];
  const keep = (...line: unknown[]) => void logged.push(line);
  const spied: (...given: Parameters<typeof it.gateway.call>) => unknown = (route, body, given) => {
    const { fileName, media } = (body ?? {}) as { fileName?: string; media?: string };
    if (fileName === "meus-dados.json") copies.push(Buffer.from(media ?? "", "base64").toString());
    return it.gateway.call(route, body, given);
  };
  const call = Object.assign<typeof spied, typeof it.gateway.call>(spied, it.gateway.call);
  on = bot(it, {
    log: { debug: keep, info: keep, warn: keep, error: keep },
    gatewayFor: () => ({ ...it.gateway, call }),
  });
  await on.up();
  return says("certificado", "2");
}

async function says(...said: (string | object)[]): Promise<readonly string[]> {
  let before = 0;
  for (const one of said) {
    before = (await it.received(OPERATOR)).length;
    await writes(it, OPERATOR, one);
    await on.hear();
    await pass(it, 2 / 3_600);
    await on.hear();
  }
  return (await it.received(OPERATOR)).slice(before);
}

function made(options: Partial<PfxOptions> = {}): Buffer {
  const now = it.clock.now();
  const all = {
    cnpj: "11222333000181",
    password: PASSWORD,
    from: now - DAY,
    until: now + 90 * DAY,
  };
  return Buffer.from(pfx({ ...all, ...options }), "base64");
}

function sent(file: Buffer, caption?: string) {
  const document = {
    ...{ base64: file.toString("base64"), mimetype: "application/x-pkcs12", fileName: "loja.pfx" },
    ...(caption === undefined ? {} : { caption }),
  };
  return { document };
}

async function calls(route: string): Promise<number> {
  return (await it.list("requests")).filter((row) => textOf(row["route"] ?? "") === route).length;
}
const uploads = () => calls("invoicing.certificadoUpload");

/** Neither the words nor the file stand in anything that stays. */
async function nothingStays(file: Buffer, ...words: string[]): Promise<void> {
  const contact = await it.contact(OPERATOR);
  const records = (await it.journal(OPERATOR)).map((line) => wholeRecord(line));
  const states = ["pending", "inflight", "enqueued", "held"] as const;
  const kept: unknown[] = [
    // The session of an event stays inside; consoles get the rest.
    ...it.events.map((event) => ({ ...event, session: null })),
    ...[logged, records, await it.store.views.session("demo", contact)],
    ...[
      await it.store.documents.list("certificates"),
      await it.store.documents.list("certificate-links"),
    ],
    ...(await Promise.all(
      states.map((state) => it.store.views.effects({ state, contact, limit: 50 })),
    )),
    await saveTest(records, "certificado", loaded),
  ];
  // A person's own copy holds the journal's words and the answers of what is open.
  const copy = { type: "call", class: "read", name: "privacy.export" } as const;
  await it.asks(OPERATOR, { ...copy, waiter: WAITER, input: {} });
  await on.worker.drain();
  expect(copies).toHaveLength(1);
  kept.push(copies);
  const text = JSON.stringify(kept);
  const bytes = file.toString("base64");
  for (const secret of [...words, bytes.slice(0, 60), bytes.slice(900, 960)])
    expect(text.includes(secret), `found ${secret.slice(0, 12)}`).toBe(false);
}

test("by the chat: fetched, checked, uploaded once, and neither file nor password stays anywhere", async () => {
  expect(await begun()).toEqual([expect.stringContaining("Mande o arquivo do certificado")]);
  const file = made({ form: "legacy" });
  expect(await says(sent(file))).toEqual([expect.stringMatching(/^Qual a senha/)]);
  const [checked, uploaded] = await says(PASSWORD);
  expect(checked).toContain("apague desta conversa o arquivo e a senha");
  expect(uploaded).toMatch(/enviado ✅ Vale até/);
  expect(await calls("chat.getBase64FromMediaMessage")).toBe(1);
  expect(await uploads()).toBe(1);
  const stored = await it.store.documents.get("accounts", "demo");
  expect(JSON.stringify(stored)).toContain("certificate_until");
  await nothingStays(file, PASSWORD, "Canário");
});

test("a password sent along with the file, or before it, stands nowhere", async () => {
  await begun();
  const file = made();
  const [not = ""] = await says(`a senha é ${PASSWORD}`);
  expect(not).toContain("Ainda não veio o arquivo");
  expect(await says(sent(file, `senha: ${PASSWORD}`))).toEqual([
    expect.stringMatching(/^Qual a senha/),
  ]);
  await nothingStays(file, PASSWORD, "Canário");
});

test("three passwords that do not open it: nothing is paid for, and the file is asked for anew", async () => {
  await begun();
  const file = made();
  await says(sent(file));
  for (const one of ["errada 1", "errada 2"]) {
    const [again = ""] = await says(one);
    expect(again).toContain("Essa senha não abre o arquivo");
    expect(again).toContain("Qual a senha do certificado?");
  }
  const [enough = ""] = await says("errada 3");
  expect(enough).toContain("Foram três senhas");
  expect(enough).toContain("apague desta conversa o que mandou");
  expect(enough).toContain("Como prefere mandar");
  expect([await uploads(), await calls("chat.getBase64FromMediaMessage")]).toEqual([0, 3]);
  await nothingStays(file, "errada");
});

test.each([
  ["expired", () => made({ until: it.clock.now() - 1_000 }), "já venceu"],
  ["another company's", () => made({ cnpj: "11444777000161" }), "de outra empresa"],
  ["no certificate", () => Buffer.from("%PDF-1.7"), "não é um certificado A1"],
  [
    "in a form nobody knows",
    () => made({ form: "legacy", cipher: "1.2.840.113549.1.12.1.99" }),
    "*Não quer dizer que a senha esteja errada*",
  ],
])("a file that is %s is told so, and nothing is paid for", async (_name, file, words) => {
  await begun();
  await says(sent(file()));
  const [answer = ""] = await says(PASSWORD);
  expect(answer).toContain(words);
  expect(answer).toContain("apague desta conversa o arquivo e a senha");
  expect(answer).toContain("Como prefere mandar");
  expect(answer).not.toContain("Essa senha não abre");
  expect(await uploads()).toBe(0);
});

test("a file too large is not even fetched; a sound beside the password's question leaves the file good", async () => {
  await begun();
  const [large = ""] = await says(sent(Buffer.alloc(PFX_LIMIT_BYTES + 1_000, 1)));
  expect(large).toContain("grande demais");
  await says(sent(made({ form: "modern" })));
  expect((await says({ audio: { seconds: 3 } })).at(-1)).toContain("Qual a senha do certificado?");
  expect(await calls("chat.getBase64FromMediaMessage")).toBe(0);
  expect((await says(PASSWORD)).at(-1)).toMatch(/enviado ✅/);
  expect(await uploads()).toBe(1);
});

test("a file that the engine no longer has is no wrong password", async () => {
  await begun();
  await says(sent(made()));
  const effect = { kind: "business_error", status: 400, message: "Message not found" };
  await it.fault({ route: "chat.getBase64FromMediaMessage", effect, times: 1 });
  const [answer = ""] = await says(PASSWORD);
  expect(answer).toContain("Não consegui baixar o arquivo");
  expect(answer).toContain("O link costuma funcionar");
  expect(await uploads()).toBe(0);
});
