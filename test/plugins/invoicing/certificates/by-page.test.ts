/** The one-time page lives as long as the conversation that gave it: after "cancelar" or a newer page it takes nothing. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadFlows } from "../../../../src/app/loading/flow-files.ts";
import { pfx } from "../../../sandbox/certificates.ts";
import { bot, HEARING, pass, writes, type Bot } from "../../../worker/bot.ts";
import { OPERATOR, rig, textOf, type Rig } from "../../../worker/rig.ts";

const loaded = await loadFlows();
const DAY = 86_400_000;
const PASSWORD = "Canário#2026";
const PAGE = /\/u\/([A-Za-z0-9_-]{43})/;

let it: Rig;
let on: Bot;
beforeEach(async () => {
  it = await rig({ library: loaded.library, kept: true, account: HEARING });
  on = bot(it, { publicUrl: "https://bot.example" });
  await on.up();
});
afterEach(async () => {
  await on.down();
  await it.close();
});

async function says(...said: string[]): Promise<string> {
  for (const one of said) {
    await writes(it, OPERATOR, one);
    await on.hear();
    await pass(it, 2 / 3_600);
    await on.hear();
  }
  return (await it.received(OPERATOR)).join("\n");
}

async function page(...said: string[]): Promise<string> {
  const codes = [...(await says(...said)).matchAll(new RegExp(PAGE, "g"))].map(([, code]) => code);
  return codes.at(-1) ?? "";
}

function give(code: string, password = PASSWORD) {
  const now = it.clock.now();
  const made = { cnpj: "11222333000181", password: PASSWORD, from: now - DAY, until: now + DAY };
  return on.worker.certificates.give(code, Buffer.from(pfx(made), "base64"), password);
}

async function uploads(): Promise<number> {
  const rows = await it.list("requests");
  return rows.filter((row) => textOf(row["route"] ?? "") === "invoicing.certificadoUpload").length;
}

const state = async (code: string) => (await on.worker.certificates.page(code))?.state;

test("is open until the conversation is cancelled, and then takes nothing", async () => {
  const code = await page("certificado", "1");
  expect(await state(code)).toBe("open");
  await says("cancelar");
  expect(await state(code)).toBe("over");
  expect(await give(code)).toMatchObject({ ok: false, reason: "closed", page: { state: "over" } });
  expect((await it.store.documents.list("certificates")).items).toEqual([]);
  expect(await uploads()).toBe(0);
});

test("stays open beside another question, and ends when a newer one is given", async () => {
  const first = await page("certificado", "1");
  await says("menu");
  expect(await state(first)).toBe("open");
  const second = await page("cancelar", "cancelar", "certificado", "1");
  expect(second).not.toBe(first);
  expect([await state(first), await state(second)]).toEqual(["over", "open"]);
  expect(await give(first)).toMatchObject({ ok: false, reason: "closed" });
  expect(await give(second)).toMatchObject({ ok: true });
  await on.hear();
  expect(await uploads()).toBe(1);
});

test("tells the conversation once that its tries are used up, and a new page is one answer away", async () => {
  const code = await page("certificado", "1");
  const before = (await it.received(OPERATOR)).length;
  for (let tries = 0; tries < 6; tries++) await give(code, "errada");
  expect(await state(code)).toBe("spent");
  await on.hear();
  expect((await it.received(OPERATOR)).slice(before)).toEqual([
    expect.stringMatching(/tentativas daquele link acabaram[^]*Como prefere mandar o certificado/),
  ]);
  const second = await page("1");
  expect([await state(code), await state(second)]).toEqual(["spent", "open"]);
  expect(await give(second)).toMatchObject({ ok: true });
  await on.hear();
  expect(await uploads()).toBe(1);
});

test("is closed by beginning anew from amid it, and the older conversation says nothing later", async () => {
  const first = await page("certificado", "1");
  const second = await page("certificado", "1");
  expect(second).not.toBe(first);
  expect([await state(first), await state(second)]).toEqual(["over", "open"]);
  expect(await give(second)).toMatchObject({ ok: true });
  await on.hear();
  const said = await says("obrigado");
  await pass(it, 1);
  await on.hear();
  expect((await it.received(OPERATOR)).join("\n")).toBe(said);
  expect(await uploads()).toBe(1);
});
