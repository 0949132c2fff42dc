/** The console in a real browser, as on a first visit: chat, see the step light up, the calls and the invoice. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { DESK, openBrowser, POCKET } from "../console/browser.ts";
import { type Prosa, startProsa } from "../support/prosa.ts";
import { OPERATOR, REQUEST } from "./note.ts";

// Whole processes start and stop here, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const REPLY_MS = 10_000;

describe("the console at the printed address", () => {
  let prosa: Prosa;
  let browser: Browser;
  let context: BrowserContext;
  const foreign: string[] = [];
  const complaints: string[] = [];
  beforeAll(async () => {
    [prosa, browser] = await Promise.all([startProsa(), openBrowser()]);
  });
  afterEach(async () => context?.close());
  afterAll(async () => {
    await browser.close();
    await prosa.close();
  });

  async function open(viewport: { width: number; height: number }): Promise<Page> {
    const printed = /https?:\/\/\S+/.exec(prosa.log())?.[0];
    if (printed === undefined) throw new Error(`no address was printed:\n${prosa.log()}`);
    context = await browser.newContext({ viewport, locale: "pt-BR", acceptDownloads: false });
    const page = await context.newPage();
    const own = new URL(printed).origin;
    page.on("request", (request) => {
      const { protocol, origin } = new URL(request.url());
      if (!["data:", "blob:"].includes(protocol) && origin !== own) foreign.push(request.url());
    });
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    page.setDefaultTimeout(REPLY_MS);
    await page.goto(printed);
    return page;
  }

  async function say(page: Page, text: string, reply: RegExp): Promise<void> {
    const field = page.getByRole("textbox", { name: "Mensagem" });
    await field.fill(text);
    await field.press("Enter");
    await page.locator(".message.bot").filter({ hasText: reply }).last().waitFor();
  }

  const live = (page: Page) => page.locator("svg.chart g.node.live");

  test("shows a whole conversation: reply, live step, calls and the invoice", async () => {
    const page = await open(DESK);
    await say(page, "oi", /assistente da Estúdio Aurora/);
    await live(page).waitFor();
    expect(await live(page).getAttribute("data-step")).toBe("wish");

    await say(page, "nota", /Qual serviço/);
    await page.locator('svg.chart g.node.live[data-step="service"]').waitFor();
    await say(page, "1", /CPF ou CNPJ/);
    await say(page, "529.982.247-25", /nome de quem vai receber/);
    await say(page, "Maria da Silva", /valor do serviço/);
    await say(page, "150", /O que foi feito/);
    await say(page, "Corte e escova", /Quando foi o serviço/);
    await say(page, "hoje", /Confere pra mim/);
    await page.locator('svg.chart g.node.live[data-step="summary"]').waitFor();
    await say(page, "EMITIR", /enviado para a empresa/);

    await page.getByRole("button", { name: /Operador/ }).click();
    await page
      .locator(".message.bot")
      .filter({ hasText: /Pedido/ })
      .last()
      .waitFor();
    await say(page, "aprovar", /aprovado/);
    await page.getByRole("button", { name: /Ana/ }).click();
    await page
      .locator(".message.bot")
      .filter({ hasText: /emitida ✅/ })
      .waitFor();

    await page.getByRole("tab", { name: "HTTP" }).click();
    await page.locator(".entry-title", { hasText: "message.sendText" }).first().waitFor();
    await page.locator(".entry-title", { hasText: "invoicing.nfseEnvio" }).waitFor();
    await page.getByRole("tab", { name: /Notas/ }).click();
    const invoice = page.locator(".invoice");
    await invoice.filter({ hasText: "autorizada" }).waitFor();
    expect(await invoice.count()).toBe(1);
    expect(await invoice.innerText()).toMatch(/R\$\s?150,00[\s\S]*Maria da Silva/);

    const file = path.join(mkdtempSync(path.join(tmpdir(), "prosa-console-")), "console.png");
    await page.screenshot({ path: file });
    process.stdout.write(`Screenshot of the console: ${file}\n`);
    expect(await prosa.phone(OPERATOR).waitFor(REQUEST)).toMatch(/150,00/);
  });

  test("works on a phone's width without scrolling sideways", async () => {
    const page = await open(POCKET);
    await page.getByRole("button", { name: /Operador/ }).waitFor();
    await say(page, "oi", /./);
    const wide = await page.evaluate("document.documentElement.scrollWidth");
    expect(wide).toBeLessThanOrEqual(POCKET.width);
    await page.getByRole("button", { name: "Fluxo" }).click();
    await page.getByRole("button", { name: "Desenho" }).click();
    await live(page).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(
      POCKET.width,
    );
  });

  test("asked nobody but its own server for anything, and complained of nothing", () => {
    expect(foreign).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
