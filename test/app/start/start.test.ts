import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { openChat, startProsa, startSandbox } from "../../../src/app/index.ts";
import { loadFlows } from "../../../src/app/loading/flow-files.ts";
import { loadWithHistory } from "../../../src/app/loading/flow-history.ts";
import { readSettings } from "../../../src/app/settings.ts";
import { keysOf, openConfiguredStore } from "../../../src/app/start/storage.ts";
import type { JsonObject } from "../../../src/base/index.ts";
import { createAccountRepository } from "../../../src/store/index.ts";
import { asking, FlowsFolder, words } from "../flows-folder.ts";
import { model } from "../../support/plugins.ts";

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), "prosa-app-"));
  undo.push(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const settingsIn = (dataDir: string, env: Record<string, string> = {}) =>
  readSettings({
    PROSA_DATA_DIR: dataDir,
    PORT: "0",
    SANDBOX_PORT: "0",
    LOG_LEVEL: "silent",
    ...env,
  });

/** Something else that listens. */
async function taken(): Promise<string> {
  const other = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  undo.push(() => new Promise((resolve) => other.close(resolve)));
  return String((other.address() as AddressInfo).port);
}

describe("a start", () => {
  test("tells the sandbox's port when it is taken, and leaves the store free", async () => {
    const data = folder();
    const busy = settingsIn(data, { SANDBOX_PORT: await taken() });

    await expect(startProsa(busy, { role: "all" })).rejects.toMatchObject({
      code: "SETTING_INVALID",
      message: expect.stringContaining("SANDBOX_PORT") as string,
    });
    await expect(startSandbox(busy)).rejects.toMatchObject({ code: "SETTING_INVALID" });
    const store = await openConfiguredStore(settingsIn(data));
    await store.close();
  });

  test("puts the demo account back that was removed by hand", async () => {
    const data = folder();
    const removing = async (demo: boolean) => {
      const store = await openConfiguredStore(settingsIn(data));
      const accounts = createAccountRepository(store, model, () => 0);
      const removed = demo && (await accounts.remove("demo"));
      const there = (await accounts.get("demo")) !== null;
      await store.close();
      return { removed, there };
    };
    await (await startProsa(settingsIn(data), { role: "all" })).stop();
    expect(await removing(true)).toEqual({ removed: true, there: false });

    await (await startProsa(settingsIn(data), { role: "all" })).stop();
    expect(await removing(false)).toEqual({ removed: false, there: true });
  });

  test("loads versions under the hash conversations name, with the words they were stored with", async () => {
    const store = await openConfiguredStore(settingsIn(folder()));
    undo.push(() => store.close());
    const { library } = await loadFlows();
    const [first] = library.asts().filter(({ ast }) => ast.flow === "talk-to-human");
    const gone = { ...first?.ast, flow: "gone" } as unknown as JsonObject;
    const texts = { "pt-BR": { locale: "pt-BR", say: { calling: "Já vem alguém." } } };
    await store.documents.put("flows", "gone@0123abcd", { ast: gone, texts });

    const program = (await loadWithHistory(store)).library.get("gone", "0123abcd");
    const context = { now: 0, zone: "UTC", locale: "pt-BR", variant: 0 } as const;
    const step = program?.start({ input: {}, account: {}, contact: {} }, context);

    expect(step?.say.map(({ text }) => text)).toContain("Já vem alguém.");
  });

  test("writes down a version that is new, changed or long unseen, and no other", async () => {
    const store = await openConfiguredStore(settingsIn(folder()));
    undo.push(() => store.close());
    const flows = new FlowsFolder();
    undo.push(() => flows.remove());
    flows.write("one/flow.ts", asking("one", ["name"]));
    flows.write("one/texts.pt-BR.yaml", words("one", { name: "Qual o nome?" }));
    const written: string[] = [];
    const put = store.documents.put.bind(store.documents);
    store.documents.put = (...what) => (written.push(what[1]), put(...what));
    const start = async (hours: number) => {
      written.length = 0;
      await loadWithHistory(store, { folder: flows.path, now: hours * 3_600_000 });
      return written.length;
    };

    expect(await start(100)).toBe(1);
    expect(await start(100.5)).toBe(0);
    flows.write("one/texts.pt-BR.yaml", words("one", { name: "Como se chama?" }));
    expect(await start(100.6)).toBe(1);
    expect(await start(100.7)).toBe(0);
    expect(await start(102)).toBe(1);
    // A clock that was set back must not make it look fresh for ever.
    expect(await start(90)).toBe(1);
  });

  test("uses the key that is there, whoever made it", () => {
    const settings = settingsIn(folder());

    expect(keysOf(settings)).toBe(keysOf(settings));
    expect(keysOf(settings)).toMatch(/^local:[A-Za-z0-9+/]{43}=$/);
  });
});

describe("a chat without a running server", () => {
  const who = { number: "5511988880001", account: "demo" };
  const real = {
    REDIS_URL: "redis://127.0.0.1:1",
    PROSA_KEYS: `k:${Buffer.alloc(32).toString("base64")}`,
  };

  test("has a store of its own, never the one of the real conversations", async () => {
    const port = await taken();
    const session = await openChat(settingsIn(folder(), { ...real, PORT: port }), who);
    undo.push(() => session.close());

    expect((await session.say("oi")).at(-1)).toMatchObject({ dir: "out", state: "menu.wish" });
  });

  test("is refused where the gateway is a real one", async () => {
    const env = { ...real, GATEWAY_URL: "https://gateway.example", PORT: await taken() };

    await expect(openChat(settingsIn(folder(), env), who)).rejects.toMatchObject({
      code: "SETTING_INVALID",
    });
  });
});
