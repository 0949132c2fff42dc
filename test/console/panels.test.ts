/** Panels of plugins in the console: drawn beside the runtime's, and kept apart where they fail. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PanelCode, panelCode } from "../../src/console/index.ts";
import { DESK, openBrowser } from "./browser.ts";
import { type Fixture, startFixture } from "./fixture-server.ts";

const DELIVERIES = `
import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import "./parcels.css";
export default function open({ get, t, decide, now, pieces: { Entry, Decision } }) {
  const parcels = signal([]);
  const title = "parcels.title";
  function Parcels() {
    const [open, setOpen] = useState(false);
    return <button class="parcels" onClick={() => setOpen(!open)}>{open ? "open" : t("parcels.all", { count: parcels.value.length })}</button>;
  }
  return {
    texts: {
      "pt-BR": { [title]: "Entregas", "parcels.all": "{count} entregas", "fault.lorry": "Caminhão parado", "sends.do.found": "Achado", "sends.sure.found": "Achado mesmo" },
      en: { [title]: "Deliveries" },
    },
    panels: [{ id: "parcels", title, after: "sends", count: () => parcels.value.length, View: Parcels,
      load: async () => { parcels.value = (await get("/outbox?state=held&limit=200")).items; } }],
    waiting: {
      rows: () => [{ key: "p1 " + (now.value > 0), view: <Entry mark="!" title="Parcel p1" sub="lost">
        <Decision name="found" hint="It is told." icon="check" act={() => void decide({ path: "/outbox/demo/c/p1/resolve", body: { decision: "done" } })} />
      </Entry> }],
      covers: ({ class: callClass }) => callClass === "fiscal",
      ofEffect: ({ payload: { name } }) => name === "group.create" ? { decisions: ["failed", "burn"], warning: "parcels.title" } : undefined,
    },
    Call: ({ call }) => call.status === 503 ? <p class="hint">Gateway of parcels</p> : null,
    suggestions: ["parcels.title"],
    faults: [{ name: "fault.lorry", hint: "a day", fault: { effect: { kind: "slow", ms: 9 }, times: 1 } }],
  };
}`;
const THROWING = `
export default () => ({
  panels: [
    { id: "maps", title: "Maps", count: () => { throw new Error("no count"); }, View: () => { throw new Error("no map here"); } },
    { id: "odd", title: 7, count: 7, View: 7 },
    { id: "log", title: "Log of maps", View: () => <p>never drawn</p> },
  ],
  waiting: { rows: () => { throw new Error("no rows here"); }, covers: () => { throw new Error("no"); }, ofEffect: () => ({ decisions: "all" }) },
  texts: { en: 7 },
  Call: () => { throw new Error("no call here"); },
});`;
const CRASHING = `throw new Error("gone at once"); export default () => ({});`;

const folder = mkdtempSync(path.join(tmpdir(), "prosa-panels-"));
let browser: Browser;
let fixture: Fixture;
let page: Page;

function code(plugin: string, text: string): Promise<PanelCode> {
  const file = path.join(folder, `${plugin}.tsx`);
  writeFileSync(file, text);
  return panelCode(plugin, pathToFileURL(file));
}

beforeAll(async () => {
  writeFileSync(path.join(folder, "parcels.css"), ".parcels { color: rgb(1, 2, 3); }");
  const panels = [
    await code("crashing", CRASHING),
    await code("throwing", THROWING),
    await code("deliveries", DELIVERIES),
  ];
  browser = await openBrowser();
  fixture = await startFixture({ cacheDir: folder, panels });
  const context = await browser.newContext({ locale: "pt-BR", viewport: DESK });
  page = await context.newPage();
  await page.goto(fixture.url);
  await page.locator("main.panes").waitFor();
});
afterAll(async () => {
  await browser.close();
  await fixture.close();
  rmSync(folder, { recursive: true, force: true });
});

const tab = (name: string | RegExp) => page.getByRole("tab", { name });
const body = () => page.locator(".inspector-body");

describe("a plugin's parts", () => {
  test("its tab stands where it says, counts, and is drawn with the console's pieces, state and style", async () => {
    await tab("Entregas").locator(".tab-count", { hasText: "3" }).waitFor();
    const names = await page.getByRole("tab").allInnerTexts();
    const at = names.findIndex((name) => name.startsWith("Envios"));
    expect(names[at + 1]).toMatch(/^Entregas/);
    await tab("Entregas").click();
    const button = page.getByRole("button", { name: "3 entregas" });
    expect(await page.evaluate("getComputedStyle(document.querySelector('.parcels')).color")).toBe(
      "rgb(1, 2, 3)",
    );
    await button.click();
    await page.getByRole("button", { name: "open", exact: true }).waitFor();
  });

  test("its row waits beside held effects without the one it speaks for, and a decision is sent", async () => {
    await tab(/Envios/).click();
    const titles = await page.locator(".inspector .entry-title").allInnerTexts();
    expect(titles).toEqual(["Parcel p1", "Mensagem · Ana Souza", "group.create · Ana Souza"]);
    const effect = page.locator(".inspector .entry").last();
    await effect.locator("summary").click();
    await effect.getByText("Entregas").waitFor();
    expect(await effect.getByRole("button").allInnerTexts()).toEqual(["Não aconteceu"]);
    await page.locator(".inspector .entry summary").first().click();
    const sent = page.waitForRequest(/\/api\/outbox\/demo\/c\/p1\/resolve$/);
    await page.getByRole("button", { name: "Achado" }).click();
    await page.getByRole("button", { name: "Achado mesmo" }).click();
    expect((await sent).postDataJSON()).toEqual({ decision: "done" });
  });

  test("an opened call has its words, and the lab its fault", async () => {
    await tab("HTTP").click();
    const calls = page.locator(".inspector .entry");
    const failed = calls.filter({ hasText: "503" });
    await failed.locator("summary").click();
    await failed.getByText("Gateway of parcels").waitFor();
    await page.getByRole("button", { name: /Falhas de propósito/ }).click();
    const added = page.waitForRequest(
      (one) => one.method() === "POST" && one.url().endsWith("/faults"),
    );
    await page.getByRole("button", { name: /Caminhão parado/ }).click();
    expect((await added).postDataJSON()).toEqual({
      effect: { kind: "slow", ms: 9 },
      times: 1,
    });
    await page.keyboard.press("Escape");
  });
});

describe("a plugin's part that fails", () => {
  test("is told in its tab, and the other tabs stand", async () => {
    await tab("Maps").click();
    expect(await body().innerText()).toBe("Esta parte do plugin throwing falhou: no map here");
    await tab("Registro").click();
    await body().getByText("Todos os contatos").waitFor();
  });

  test("is told in its row of what waits, and in the call it speaks of", async () => {
    await tab(/Envios/).click();
    await body().getByText("Esta parte do plugin throwing falhou: no rows here").waitFor();
    await body().getByText("Parcel p1").waitFor();
    await tab("HTTP").click();
    await page.locator(".inspector .entry summary").first().click();
    await body().getByText("Esta parte do plugin throwing falhou: no call here").first().waitFor();
  });

  test("an id that another one has, and a module that throws, have a tab with the plugin's name", async () => {
    await tab("throwing").click();
    expect(await body().innerText()).toMatch(/throwing falhou: log já é de Prosa/);
    await tab("crashing").click();
    expect(await body().innerText()).toMatch(/crashing falhou: gone at once/);
  });
});

test("a module that does not compile is rejected with file and line", async () => {
  const error = await code("wrong", "export default () => ({\n  panels: [,\n").then(
    () => undefined,
    (one: { errors?: { location?: { file: string; line: number } }[] }) => one,
  );
  expect(error?.errors?.[0]?.location).toMatchObject({
    file: expect.stringMatching(/wrong\.tsx$/) as string,
    line: 3,
  });
  await expect(code("node", 'import "node:fs";')).rejects.toThrow("node:fs");
});
