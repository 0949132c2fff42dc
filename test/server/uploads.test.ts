/** The one-time page of a certificate: who may use it, how often, what it gives away, and how it looks. */
import type { Browser } from "playwright-core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Certificates } from "../../src/plugins/invoicing/certificates/certificates.ts";
import { systemRandom, VirtualClock } from "../../src/worker/index.ts";
import { PfxReader } from "../../src/plugins/invoicing/certificates/pfx-reader.ts";
import { violations } from "../console/axe.ts";
import { openBrowser } from "../console/browser.ts";
import { pfx } from "../sandbox/certificates.ts";
import { startRedis } from "../support/redis.ts";
import { ACCOUNT, ISSUER, OPERATOR } from "../worker/rig.ts";
import { demo, type House, openHouse } from "./house.ts";
import { model } from "../support/plugins.ts";
import { invoicingOf } from "../../src/plugins/invoicing/account.ts";

vi.setConfig({ testTimeout: 60_000 });

const PASSWORD = "Canário#2026";
const DAY = 86_400_000;
const made = (options: object) =>
  Buffer.from(
    pfx({
      ...{ cnpj: "11222333000181", password: PASSWORD, form: "legacy" },
      ...{ from: Date.now() - DAY, until: Date.now() + 300 * DAY },
      ...options,
    }),
    "base64",
  );
/** To make one costs a tenth of a second: one that says nothing of itself is made once. */
let usual: Buffer | undefined;
const file = (options?: object): Buffer => (options ? made(options) : (usual ??= made({})));

let house: House;
let clock: VirtualClock;
let contact: string;
afterEach(() => house.close());

async function open(redisUrl?: string): Promise<Certificates> {
  clock = new VirtualClock();
  house = await openHouse({
    ...(redisUrl === undefined ? {} : { redisUrl }),
    uploads: (deps) => certificatesOf(deps),
  });
  const { issuers, operators } = ACCOUNT;
  const stored = await house.deps.accounts.get("demo");
  await house.deps.accounts.put(model.schema.parse({ ...demo, issuers, operators }), stored?.rev);
  contact = await house.store.contacts.identify("demo", [`phone:${OPERATOR}`]);
  return house.uploads;
}

/** What stands behind the pages, as each process has it. */
function certificatesOf(
  { store, accounts }: Pick<House["deps"], "store" | "accounts">,
  reader?: PfxReader,
) {
  const context = {
    ...{ store, clock, random: systemRandom, wake: () => undefined },
    accounts: {
      get: async (id: string) => (await accounts.get(id))?.account ?? null,
      ids: () => Promise.resolve([]),
    },
  };
  return new Certificates(context, reader);
}

async function link(locale: "pt-BR" | "en" = "pt-BR"): Promise<string> {
  const of = { account: "demo", contact, issuer: ISSUER, locale };
  return (await house.uploads.link(of)).code;
}

const address = (code: string) => `${house.url}/u/${code}`;

async function post(
  code: string,
  { pfx: bytes = file(), password = PASSWORD, headers = {} }: Partial<Sent> = {},
) {
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(bytes)]), "empresa.pfx");
  form.set("password", password);
  const answer = await fetch(address(code), {
    ...{ method: "POST", body: form, redirect: "manual", headers },
  });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}
interface Sent {
  readonly pfx: Buffer;
  readonly password: string;
  readonly headers: Record<string, string>;
}

/** Events that wait for the operator's conversation. */
async function told(): Promise<readonly { readonly event: string; readonly mail: unknown }[]> {
  const options = { owner: "test", contacts: 9, events: 9, leaseMs: 1 };
  const claims = await house.store.mail.claim(options);
  return claims.flatMap(({ mail }) => mail);
}

describe("the page", () => {
  beforeEach(() => open());

  test("is a form that may be looked at, gives nothing away and loads nothing", async () => {
    const code = await link();
    for (const method of ["HEAD", "GET", "GET"])
      expect((await fetch(address(code), { method })).status).toBe(200);
    const answer = await fetch(address(code));
    const html = await answer.text();

    expect(html).toContain("Estúdio Aurora Ltda");
    expect(html).toContain("mais 10 minutos e 5 tentativas");
    expect(html).not.toContain(code);
    expect(html).not.toMatch(/https?:|<script|src=/);
    expect(answer.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
  });

  test("a code nobody was given is the same 404 as a broken one", async () => {
    const answers = await Promise.all(
      ["x".repeat(43), "short", "a%2Fb", `${"y".repeat(42)}!`].map((code) => fetch(address(code))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(new Set(texts).size).toBe(1);
    expect((await post("x".repeat(43))).status).toBe(404);
  });

  test("takes one file, tells the conversation, and never another", async () => {
    const code = await link();
    const first = await post(code);
    expect([first.status, first.headers.get("location")]).toEqual([303, `/u/${code}`]);
    expect(await (await fetch(address(code))).text()).toContain("Certificado recebido");
    expect((await post(code)).status).toBe(410);

    const events = await told();
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ mail: { kind: "event", name: "certificate.uploaded" } });
    const text = JSON.stringify(events);
    for (const secret of [PASSWORD, code, file().toString("base64").slice(40, 80)])
      expect(text).not.toContain(secret);
  });

  test("says what is wrong in so many words, and ends after five tries", async () => {
    const code = await link();
    const wrong = await post(code, { password: "errada" });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining("A senha não abre")]);
    expect(wrong.text).toContain("4 tentativas");
    expect(wrong.text).not.toContain("errada");
    const unknown = await post(code, { pfx: file({ cipher: "1.2.840.113549.1.12.1.99" }) });
    expect(unknown.text).toContain("Não quer dizer que a senha esteja errada");
    const other = await post(code, { pfx: file({ cnpj: "11444777000161" }) });
    expect(other.text).toContain("de outra empresa");
    const old = await post(code, { pfx: file({ until: Date.now() - 1 }) });
    expect(old.text).toContain("já venceu");
    expect(old.text).toContain("1 tentativa.");
    expect(await told()).toEqual([]);
    const last = await post(code, { pfx: Buffer.from("%PDF-1.7") });
    expect([last.status, last.text]).toEqual([
      422,
      expect.stringContaining("não é um certificado"),
    ]);
    expect(last.text).toContain("As tentativas acabaram");
    expect(last.text).toContain("escreva <strong>certificado</strong>");
    expect(last.text).not.toMatch(/tente (?:de novo|outra vez)|<form/i);
    const after = await post(code);
    expect([after.status, after.text]).toEqual([
      410,
      expect.stringContaining("tentativas acabaram"),
    ]);
    const looked = await fetch(address(code));
    expect([looked.status, await looked.text()]).toEqual([
      410,
      expect.stringContaining("As tentativas acabaram"),
    ]);

    const events = await told();
    expect(events.map(({ mail }) => mail)).toEqual([
      { kind: "event", name: "certificate.uploaded", data: { link: expect.any(String) as string } },
    ]);
  });

  test("says in English, too, that no try is left", async () => {
    const code = await link("en");
    for (let tries = 0; tries < 4; tries++)
      expect((await post(code, { password: "wrong" })).text).toContain("Try again.");
    const { text } = await post(code, { password: "wrong" });
    expect(text).toContain("The password does not open this file.");
    expect(text).toContain("No tries are left");
    expect(text).toContain("write <strong>certificate</strong>");
    expect(text).not.toMatch(/try again|<form/i);
    expect(await told()).toHaveLength(1);
  });

  test("of its last two tries at once the right one brings its file, whichever ends first", async () => {
    const code = await link();
    for (let tries = 0; tries < 3; tries++) await post(code, { password: "errada" });
    const both = await Promise.all([post(code), post(code, { password: "errada" })]);

    expect(both.map(({ status }) => status)).toEqual([303, expect.any(Number)]);
    const events = await told();
    expect(events.map(({ mail }) => mail)).toMatchObject([
      { name: "certificate.uploaded", data: { ticket: expect.any(String) as string } },
    ]);
    expect(await (await fetch(address(code))).text()).toContain("Certificado recebido");
  });

  test("gives a try back that found no place, also the last one", async () => {
    const reader = new PfxReader({ waiting: 0 });
    const certificates = certificatesOf(house.deps, reader);
    const code = await link();
    for (let tries = 0; tries < 4; tries++) await certificates.give(code, file(), "errada");
    const others = [reader.read(file(), PASSWORD), reader.read(file(), PASSWORD)];
    expect(await certificates.give(code, file(), PASSWORD)).toMatchObject({
      ...{ ok: false, reason: "busy", page: { state: "open", triesLeft: 1 } },
    });
    await Promise.all(others);

    expect(await certificates.give(code, file(), PASSWORD)).toMatchObject({ ok: true });
    expect((await told()).map(({ mail }) => mail)).toMatchObject([
      { data: { ticket: expect.any(String) as string } },
    ]);
  });

  test("is over after ten minutes, and for who is no operator any more", async () => {
    const late = await link();
    clock.moveTo(clock.now() + 10 * 60_000);
    expect((await fetch(address(late))).status).toBe(410);
    expect((await post(late)).status).toBe(410);

    const code = await link();
    const { account, rev } = (await house.deps.accounts.get("demo")) ?? {};
    await house.deps.accounts.put(model.schema.parse({ ...account, operators: [] }), rev);
    expect((await post(code)).status).toBe(410);
    expect(await told()).toEqual([]);
  });

  test("takes no form of another site, no large body and nothing but a form", async () => {
    const code = await link();
    expect((await post(code, { headers: { "sec-fetch-site": "cross-site" } })).status).toBe(403);
    expect((await post(code, { headers: { origin: "https://elsewhere.example" } })).status).toBe(
      403,
    );
    expect((await post(code, { pfx: Buffer.alloc(200_000) })).status).toBe(413);
    const json = await fetch(address(code), {
      ...{ method: "POST", body: "{}", headers: { "content-type": "application/json" } },
    });
    expect(json.status).toBe(415);
    expect((await post(code, { password: "" })).status).toBe(422);
    expect(
      (await fetch(address(code)).then((answer) => answer.text())).includes("5 tentativas"),
    ).toBe(true);
  });

  test("escapes what others wrote, and keeps its code out of logs", async () => {
    const { account, rev } = (await house.deps.accounts.get("demo")) ?? {};
    const issuers =
      account &&
      invoicingOf(account).issuers.map((one) => ({ ...one, razao: `<b onload="x">Zé & Cia` }));
    await house.deps.accounts.put(model.schema.parse({ ...account, issuers }), rev);
    const code = await link();
    expect(await (await fetch(address(code))).text()).toContain(
      "&lt;b onload=&quot;x&quot;&gt;Zé &amp; Cia",
    );
    await post(code);
    expect(JSON.stringify(house.log)).not.toContain(code);
    expect(JSON.stringify(house.log)).not.toContain(PASSWORD);
  });
});

test("of two processes that get the file at once, on Redis, one takes it", async () => {
  const redis = await startRedis({ args: [] });
  try {
    await open(redis.url);
    const code = await link();
    const other = certificatesOf(house.deps);
    const both = await Promise.all([
      house.uploads.give(code, file(), PASSWORD),
      other.give(code, file(), PASSWORD),
    ]);

    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await told()).toHaveLength(1);
    const kept = await house.store.documents.list("certificates");
    expect(kept.items).toHaveLength(1);
    await other.sweep();
    expect((await house.store.documents.list("certificates")).items).toHaveLength(1);
    clock.moveTo(clock.now() + 25 * 3_600_000);
    await other.sweep();
    expect((await house.store.documents.list("certificates")).items).toEqual([]);
  } finally {
    await redis.stop();
  }
});

describe("in a browser, on a phone", () => {
  let browser: Browser;
  beforeEach(async () => {
    browser = await openBrowser();
    await open();
  });
  afterEach(() => browser.close());

  test.each([
    [
      "pt-BR",
      "light",
      "Senha do certificado",
      "Enviar certificado",
      /A senha não abre/,
      "Certificado recebido",
    ],
    [
      "en",
      "dark",
      "Certificate password",
      "Send certificate",
      /password does not open/,
      "Certificate received",
    ],
  ] as const)(
    "in %s and %s it is accessible, and a file goes its way",
    async (locale, colorScheme, field, send, wrong, received) => {
      const context = await browser.newContext({
        ...{ viewport: { width: 360, height: 740 }, colorScheme, locale },
      });
      const page = await context.newPage();
      const troubles: string[] = [];
      const foreign: string[] = [];
      page.on("console", (message) => {
        // The browser tells of each answer that says no; the page shows why.
        if (message.type() === "error" && !message.text().includes("422"))
          troubles.push(message.text());
      });
      page.on("request", (request) => {
        if (!request.url().startsWith(house.url)) foreign.push(request.url());
      });
      const check = async (name: string) => {
        const found = await violations(page);
        expect(
          found.map(({ id }) => id),
          name,
        ).toEqual([]);
        expect(
          await page.evaluate("document.documentElement.scrollWidth"),
          name,
        ).toBeLessThanOrEqual(360);
        const folder = process.env["PAGE_SHOTS"];
        if (folder !== undefined)
          await page.screenshot({ path: `${folder}/${locale}-${name}.png` });
      };
      const code = await link(locale);
      await page.goto(address(code));
      await check("form");
      const give = async (password: string) => {
        await page.setInputFiles("input[type=file]", {
          name: "empresa.pfx",
          mimeType: "application/x-pkcs12",
          buffer: file(),
        });
        await page.getByLabel(field).fill(password);
        await page.getByRole("button", { name: send }).click();
      };
      await give("errada");
      await page.getByRole("alert").filter({ hasText: wrong }).waitFor();
      await check("wrong");
      await give(PASSWORD);
      await page.getByRole("heading", { name: received }).waitFor();
      await check("received");
      const spent = await link(locale);
      const { uploads } = house;
      for (let tries = 0; tries < 5; tries++) await uploads.give(spent, file(), "errada");
      await page.goto(address(spent));
      await check("spent");
      await page.goto(address("x".repeat(43)));
      await check("nothing");

      // Nothing there, and no try left.
      expect(troubles.filter((one) => !/status of (?:404|410)\b/.test(one))).toEqual([]);
      expect(foreign).toEqual([]);
      await context.close();
    },
  );
});
