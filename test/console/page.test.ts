import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { violations } from "./axe.ts";
import { DESK, POCKET, openBrowser } from "./browser.ts";
import { type Fixture, startFixture, turnOf } from "./fixture-server.ts";

/** From the turn's event to the lit step, ms: what a person takes as "at once". */
const HIGHLIGHT_LIMIT = 150;

const cacheDir = mkdtempSync(path.join(tmpdir(), "prosa-console-"));
let browser: Browser;
let busy: Fixture;
let empty: Fixture;
let real: Fixture;

beforeAll(async () => {
  browser = await openBrowser();
  busy = await startFixture({ cacheDir });
  empty = await startFixture({ cacheDir, talk: false });
  real = await startFixture({ cacheDir, sandbox: false });
});
afterAll(async () => {
  await browser.close();
  await Promise.all([busy, empty, real].map((fixture) => fixture.close()));
  rmSync(cacheDir, { recursive: true, force: true });
});

interface Visit {
  readonly page: Page;
  /** Errors of the console, of scripts, and requests that left the origin. */
  readonly troubles: string[];
  readonly close: () => Promise<void>;
}

async function visit(url: string, options: BrowserContextOptions): Promise<Visit> {
  const context = await browser.newContext({
    locale: "pt-BR",
    reducedMotion: "reduce",
    ...options,
  });
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") troubles.push(message.text());
  });
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== url) troubles.push(`left for ${request.url()}`);
  });
  await page.goto(url);
  await page.locator("main.panes").waitFor();
  return { page, troubles, close: () => context.close() };
}

/** Serious and critical findings of axe, in words. */
async function findings(page: Page): Promise<string[]> {
  return (await violations(page))
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
}

const focused = (page: Page) => page.evaluate<string>("document.activeElement.tagName");

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("a page without a button's name and with pale text has both findings", async () => {
  const page = await browser.newPage();
  const pale = '<p style="color:#ccc;background:#fff">pale</p>';
  await page.setContent(
    `<html lang="en"><title>x</title><main><h1>x</h1>${pale}<button></button></main>`,
  );
  expect(await findings(page)).toEqual([
    "button-name: <button></button>",
    expect.stringMatching(/^color-contrast: <p/),
  ]);
  await page.evaluate('document.querySelector("button").textContent = "x"');
  expect(await findings(page)).toEqual([expect.stringMatching(/^color-contrast: /)]);
  await page.close();
});

describe("at the desk", () => {
  const looks = [
    ["light", "pt-BR"],
    ["dark", "en-US"],
  ] as const;
  for (const [colorScheme, locale] of looks)
    test(`every panel is accessible and stays at home, ${colorScheme}, ${locale}`, async () => {
      const { page, troubles, close } = await visit(busy.url, {
        viewport: DESK,
        colorScheme,
        locale,
      });
      await page.locator(".chart .node.live").waitFor();
      expect(await findings(page)).toEqual([]);
      for (let tab = 1; tab < 6; tab += 1) {
        await page.getByRole("tab").nth(tab).click();
        if (tab === 1) await page.locator(".entry summary").first().click();
        expect(await findings(page)).toEqual([]);
      }
      for (const popover of [".people .popover", ".composer .popover", ".top-bar .popover"]) {
        const trigger = page.locator(`${popover} > button`).last();
        await trigger.click();
        await page.locator(".popover-panel").waitFor();
        expect(await findings(page)).toEqual([]);
        await page.keyboard.press("Escape");
        await page.locator(".popover-panel").waitFor({ state: "detached" });
        expect(await focused(page)).toBe("BUTTON");
      }
      await page.locator(".segmented button").last().click();
      await page.locator(".outline .step.live").waitFor();
      expect(await findings(page)).toEqual([]);
      expect(troubles).toEqual([]);
      await close();
    });

  test("an empty console says what to do, and its button says hi", async () => {
    const { page, troubles, close } = await visit(empty.url, { viewport: DESK });
    await page.getByText("Diga oi").waitFor();
    expect(await findings(page)).toEqual([]);
    await button(page, "oi").click();
    await page.locator(".message.me", { hasText: "oi" }).waitFor();
    await page.locator(".typing-message").waitFor();
    expect(empty.inbound[0]).toMatchObject({ from: "5511988880001", text: "oi" });
    expect(troubles).toEqual([]);
    await close();
  });

  test("an option is sent by its number, typed text by Enter, and the field keeps the focus", async () => {
    const { page, close } = await visit(busy.url, { viewport: DESK });
    const field = page.getByLabel("Mensagem", { exact: true });
    await field.fill("Consulta de rotina");
    await field.press("Enter");
    await page.locator(".message.me", { hasText: "Consulta de rotina" }).waitFor();
    expect(await field.inputValue()).toBe("");
    expect(await focused(page)).toBe("TEXTAREA");
    await field.press("ArrowUp");
    expect(await field.inputValue()).toBe("Consulta de rotina");
    expect(busy.inbound.at(-1)).toMatchObject({ text: "Consulta de rotina" });
    busy.events.tell(
      turnOf(
        {
          said: "x",
          heard: "Confere?\n1. Emitir\n2. Corrigir",
          flow: "request-invoice",
          to: "summary",
        },
        40,
      ),
    );
    await page.locator(".options button", { hasText: "Corrigir" }).click();
    await expect.poll(() => busy.inbound.at(-1)).toMatchObject({ text: "2" });
    await close();
  });

  test("a turn lights its step within 150 ms of the event", async () => {
    const { page, close } = await visit(busy.url, { viewport: DESK });
    await page.locator(".chart .node.live").waitFor();
    await page.evaluate(`{
      globalThis.lit = 0;
      new MutationObserver(() => {
        if (!globalThis.lit && document.querySelector('.node.live[data-step="competence"]'))
          globalThis.lit = Date.now();
      }).observe(document.body, { subtree: true, childList: true, attributes: true });
    }`);
    const told = Date.now();
    busy.events.tell(
      turnOf(
        {
          said: "rotina",
          heard: "De que mês?",
          flow: "request-invoice",
          from: "description",
          to: "competence",
        },
        41,
      ),
    );
    await page.locator('.node.live[data-step="competence"]').waitFor();
    expect((await page.evaluate<number>("globalThis.lit")) - told).toBeLessThan(HIGHLIGHT_LIMIT);
    await close();
  });

  test("clock, faults and reset are calls of the sandbox", async () => {
    const { page, close } = await visit(empty.url, { viewport: DESK });
    const calls: string[] = [];
    page.on("request", (request) => {
      if (request.method() !== "GET")
        calls.push(
          `${request.method()} ${new URL(request.url()).pathname} ${request.postData() ?? ""}`,
        );
    });
    await page.getByRole("button", { name: /Relógio virtual/ }).click();
    await button(page, "+15 min").click();
    await page.getByText("Relógio adiantado.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /Falhas de propósito/ }).click();
    await page.getByText("Gateway fora do ar").click();
    await page.locator(".active-faults li").waitFor();
    await button(page, "Desligar todas").click();
    await page.getByText("Nenhuma falha ligada.").waitFor();
    await button(page, "Zerar o sandbox").click();
    await button(page, "Zerar agora").click();
    await page.getByText("Sandbox zerado.").waitFor();
    expect(calls).toEqual([
      'POST /api/sandbox/clock {"advance":"15m"}',
      'POST /api/sandbox/faults {"effect":{"kind":"status","status":503},"times":3}',
      "DELETE /api/sandbox/faults ",
      'PUT /api/sandbox/delivery {"duplicate":0,"drop":0,"reorder":0}',
      "POST /api/sandbox/reset {}",
    ]);
    await close();
  });

  test("dead letters are counted, told with reason, age and account, released, and dropped only with a reason", async () => {
    const fixture = await startFixture({ cacheDir });
    const { page, troubles, close } = await visit(fixture.url, { viewport: DESK });
    const calls: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST")
        calls.push(`${new URL(request.url()).pathname} ${request.postData() ?? ""}`);
    });
    const tab = page.getByRole("tab", { name: /Parados/ });
    await tab.locator(".tab-count", { hasText: "3" }).waitFor();
    await tab.click();
    const letters = page.locator(".inspector .entry");
    expect(await letters.count()).toBe(3);
    expect(await letters.first().innerText()).toMatch(/the flow is broken[\s\S]*há 2 h[\s\S]*demo/);
    expect(await letters.nth(1).innerText()).toContain("A caixa do contato estava cheia");

    await letters.first().locator("summary").click();
    expect(await letters.first().locator("pre").innerText()).toContain("***.982.247-**");
    expect(await findings(page)).toEqual([]);
    if (process.env["SHOT"]) await page.screenshot({ path: process.env["SHOT"] });
    await button(page, "Descartar").click();
    await button(page, "Descartar de vez").click();
    await page.getByText("Diga o porquê").waitFor();
    expect(calls).toEqual([]);
    await letters.first().locator("input").fill("era um teste");
    await button(page, "Descartar").click();
    await button(page, "Descartar de vez").click();
    await page.getByText("Descartado.").waitFor();
    await letters.first().locator("summary").click();
    await letters.first().getByRole("button", { name: "Devolver" }).click();
    await page.getByText("Devolvido").waitFor();
    await tab.locator(".tab-count", { hasText: "1" }).waitFor();
    expect(calls).toEqual([
      '/api/dead/c-ana.1/drop {"reason":"era um teste"}',
      "/api/dead/c-ana.2/release {}",
    ]);

    const download = page.waitForEvent("download");
    await button(page, "Exportar todos").click();
    const file = await (await download).path();
    expect(readFileSync(file, "utf8")).toMatch(/^\{"id":"c-op\.3".*\}\n$/);
    expect(troubles).toEqual([]);
    await close();
    await fixture.close();
  });

  test("a lost note is shown once and decided with what was seen; an old look is told so and loads anew", async () => {
    const fixture = await startFixture({ cacheDir });
    const { page, close } = await visit(fixture.url, { viewport: DESK });
    const calls: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST")
        calls.push(`${new URL(request.url()).pathname} ${request.postData() ?? ""}`);
    });
    const tab = page.getByRole("tab", { name: /Envios/ });
    await tab.locator(".tab-count", { hasText: "3" }).waitFor();
    // No count may hide behind the edge.
    for (const name of [/Envios/, /Parados/])
      expect((await page.getByRole("tab", { name }).boundingBox())?.x).toBeLessThan(
        DESK.width - 70,
      );
    await tab.click();
    const rows = page.locator(".inspector .entry");
    expect(await rows.locator(".entry-title").allInnerTexts()).toEqual([
      expect.stringMatching(/^Nota de R\$\s350,00 · Ana Souza$/),
      "Mensagem · Ana Souza",
      "group.create · Ana Souza",
    ]);
    await rows.first().locator("summary").click();
    await rows.nth(1).locator("summary").click();
    expect(await rows.first().innerText()).toMatch(
      /sem confirmação · há 2 h[\s\S]*pode existir[\s\S]*\*\*\*\.982\.247-\*\*[\s\S]*Só faça isso se a prefeitura não a tem/,
    );
    expect(await rows.nth(1).innerText()).toMatch(/\(429\): não aconteceu[\s\S]*chega em dobro/);
    expect(await findings(page)).toEqual([]);
    if (process.env["SHOT"]) await page.screenshot({ path: process.env["SHOT"] });

    const note = rows.first();
    const again = async () => {
      await note.getByRole("button", { name: "Não existe: enviar outra vez" }).click();
      await note.getByRole("button", { name: "Enviar a nota agora" }).click();
    };
    await again();
    await note.getByText("Diga o porquê").waitFor();
    await note.getByLabel("Por quê").fill("não consta");
    await note.getByRole("button", { name: "A nota existe" }).click();
    await note.getByRole("button", { name: "Conferir a chave e encerrar" }).click();
    await note.getByText("A chave tem 50").waitFor();
    expect(calls).toEqual([]);

    await fixture.app.inject({ method: "POST", url: "/test/again/n1" });
    await again();
    await page.getByText("Mudou desde que você olhou, então nada foi feito").waitFor();
    // The row is another one now: what was typed about the old state is gone with it.
    await page.locator(".inspector .entry:not([open])").first().locator("summary").click();
    expect(await note.getByLabel("Por quê").inputValue()).toBe("");
    await note.getByLabel("Por quê").fill("não consta ainda");
    await again();
    await page.getByText("Decisão registrada.").waitFor();
    await tab.locator(".tab-count", { hasText: "2" }).waitFor();
    expect(calls.map((call) => call.replace(/^.*resolve /, ""))).toEqual([
      '{"decision":"not_issued","reason":"não consta","rev":2}',
      '{"decision":"not_issued","reason":"não consta ainda","rev":4}',
    ]);
    await close();
    await fixture.close();
  });

  test("a contact can be added by keyboard and is there after a reload", async () => {
    const { page, close } = await visit(empty.url, { viewport: DESK });
    await button(page, "Adicionar contato").press("Enter");
    await page.getByLabel("Número com DDI e DDD").fill("12");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Número com DDI e DDD").fill("5511977770002");
    await page.getByLabel("Nome", { exact: true }).fill("Bruno Lima");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Bruno Lima" }).waitFor();
    await page.reload();
    await button(page, "Bruno").waitFor();
    await close();
  });

  test("against a real gateway the phone only shows, from the journal", async () => {
    const { page, troubles, close } = await visit(real.url, { viewport: DESK });
    await page.getByText("Gateway real", { exact: true }).waitFor();
    await page.locator(".message.bot", { hasText: "Qual o nome completo?" }).waitFor();
    expect(await page.locator("textarea").count()).toBe(0);
    expect(await page.getByRole("button", { name: /Relógio virtual/ }).count()).toBe(0);
    expect(await findings(page)).toEqual([]);
    expect(troubles).toEqual([]);
    await close();
  });
});

describe("in the pocket", () => {
  for (const colorScheme of ["light", "dark"] as const)
    test(`every tab is accessible, fits the width and stays at home, ${colorScheme}`, async () => {
      const { page, troubles, close } = await visit(busy.url, {
        viewport: POCKET,
        colorScheme,
        hasTouch: true,
      });
      for (const name of ["Conversa", "Fluxo", "Sessão", "Mais"]) {
        await page.locator(".bottom-tabs button", { hasText: name }).click();
        await page.waitForTimeout(50);
        expect(await findings(page)).toEqual([]);
        const width = await page.evaluate("document.documentElement.scrollWidth");
        expect(width).toBeLessThanOrEqual(POCKET.width);
      }
      expect(troubles).toEqual([]);
      await close();
    });

  test("the flow opens as a list with the live step marked", async () => {
    const { page, close } = await visit(busy.url, { viewport: POCKET });
    await page.locator(".bottom-tabs button", { hasText: "Fluxo" }).click();
    await page.locator('.outline [aria-current="step"]').waitFor();
    await close();
  });
});
