import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type ConsoleAssets,
  consoleAssets,
  type PanelCode,
  panelCode,
  registerConsole,
} from "../../src/console/index.ts";
import { plugins } from "../support/plugins.ts";
import { en } from "../../src/console/web/texts/en.ts";
import { ptBR } from "../../src/console/web/texts/pt-br.ts";

/** Bytes of page, script and style over the wire. */
const SHELL_LIMIT = 60_000;

/** Words of the invoicing plugin. */
const BUSINESS =
  /\b(?:notas?|nfs-?e|invoic\w*|tomador|taker|issuers?|emitente|certific\w*|prefeitura|town hall)\b/gi;

const cacheDir = mkdtempSync(path.join(tmpdir(), "prosa-console-"));
let assets: ConsoleAssets;
let panels: readonly PanelCode[];
beforeAll(async () => {
  panels = await Promise.all(
    plugins.flatMap(({ name, panels: file }) => (file ? [panelCode(name, file)] : [])),
  );
  assets = await consoleAssets({ cacheDir, panels });
});
afterAll(() => rmSync(cacheDir, { recursive: true, force: true }));

describe("the console's bundle", () => {
  test("page, script and style fit 60 kB gzip", () => {
    const sizes = [...assets.files.values()].map((file) => file.gzip.length);
    const total = sizes.reduce((sum, size) => sum + size, Buffer.byteLength(assets.html));
    expect(total).toBeLessThan(SHELL_LIMIT);
    expect(assets.files.size).toBe(3);
  });

  test("no file carries the layout engine or an address elsewhere", () => {
    for (const [name, file] of assets.files) {
      const text = file.body.toString();
      expect(text).not.toMatch(/org\.eclipse\.elk|elkjs/);
      const addresses = text.match(/https?:\/\/[a-z0-9.-]+/g) ?? [];
      expect([name, addresses.filter((one) => !one.endsWith("//www.w3.org"))]).toEqual([name, []]);
    }
  });

  test("without plugins no word of a business is in it", async () => {
    const bare = await consoleAssets({ cacheDir: path.join(cacheDir, "bare") });
    for (const [name, file] of bare.files)
      expect([name, file.body.toString().match(BUSINESS) ?? []]).toEqual([name, []]);
    expect(bare.html).not.toMatch(BUSINESS);
  });

  test("the second start reads the kept files and gives the same", async () => {
    const again = await consoleAssets({ cacheDir, panels });
    expect(again.html).toBe(assets.html);
    expect([...again.files.keys()].sort()).toEqual([...assets.files.keys()].sort());
  });

  test("a kept file that was changed is bundled anew", async () => {
    const [folder = ""] = readdirSync(cacheDir).filter((one) => one.startsWith("console-"));
    const [name = ""] = readdirSync(path.join(cacheDir, folder)).filter((one) =>
      one.endsWith(".js"),
    );
    writeFileSync(path.join(cacheDir, folder, name), "broken");
    const again = await consoleAssets({ cacheDir, panels });
    expect(
      again.files.get(name)?.body.equals(assets.files.get(name)?.body ?? Buffer.alloc(0)),
    ).toBe(true);
  });

  test("a data directory that cannot be written still gives a console", async () => {
    const file = path.join(cacheDir, "not-a-folder");
    writeFileSync(file, "");
    const again = await consoleAssets({ cacheDir: file, panels });
    expect(again.html).toBe(assets.html);
    rmSync(file);
  });
});

describe("serving it", () => {
  test("the page is fresh and strict, its files are immutable and gzipped", async () => {
    const app = Fastify();
    registerConsole(app, { assets: async () => assets });
    const page = await app.inject({ url: "/" });
    expect(page.headers["cache-control"]).toBe("no-cache");
    expect(page.headers["content-security-policy"]).toContain("script-src 'self'");
    expect(page.headers["content-security-policy"]).not.toContain("unsafe");
    expect(page.body).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=|<style/);
    for (const [name, file] of assets.files) {
      expect(page.body).toContain(`/console/${name}`);
      const url = `/console/${name}`;
      const zipped = await app.inject({ url, headers: { "accept-encoding": "gzip, br" } });
      expect(zipped.headers["cache-control"]).toContain("immutable");
      expect(zipped.headers["content-encoding"]).toBe("gzip");
      expect(zipped.rawPayload.equals(file.gzip)).toBe(true);
      expect((await app.inject({ url })).rawPayload.equals(file.body)).toBe(true);
    }
    for (const url of ["/console/nothing.js", "/console/..%2findex.html", "/console/"])
      expect((await app.inject({ url })).statusCode).toBe(404);
    await app.close();
  });
});

describe("making it", () => {
  test("waits for the first page, happens once, and again only after it failed", async () => {
    const app = Fastify();
    let asked = 0;
    const made = async (): Promise<ConsoleAssets> => {
      asked += 1;
      if (asked === 1) throw new Error("the disk is full");
      return assets;
    };
    registerConsole(app, { assets: made });
    await app.ready();
    expect(asked).toBe(0);
    expect((await app.inject({ url: "/" })).statusCode).toBe(500);
    const pages = await Promise.all(["/", "/", "/"].map((url) => app.inject({ url })));
    expect(pages.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(asked).toBe(2);
    await app.close();
  });
});

describe("the words", () => {
  test("both languages have the same keys and the same placeholders, and no text is empty", () => {
    expect(Object.keys(en).sort()).toEqual(Object.keys(ptBR).sort());
    const names = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();
    for (const key of Object.keys(ptBR) as (keyof typeof ptBR)[]) {
      expect([key, names(en[key])]).toEqual([key, names(ptBR[key])]);
      expect(en[key].trim() !== "" && ptBR[key].trim() !== "").toBe(true);
    }
  });
});
