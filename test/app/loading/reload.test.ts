/** Flows and texts that are saved while somebody is in them. */
import { rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { FlowReader } from "../../../src/app/loading/flow-reader.ts";
import { loadWithHistory } from "../../../src/app/loading/flow-history.ts";
import { Reload, type Reloaded } from "../../../src/app/loading/reload.ts";
import { Session } from "../../../src/engine/index.ts";
import { CurrentLibrary, findingLine } from "../../../src/flow/index.ts";
import { openStore } from "../../../src/store/index.ts";
import { CUSTOMER, Town } from "../../engine/town.ts";
import { asking, FlowsFolder, words } from "../flows-folder.ts";

const reader = new FlowReader();
beforeAll(() => reader.warm(), 60_000);
afterAll(() => reader.close());
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** A folder with one flow, watched, and a town that talks to what is live. */
async function watched(files: Readonly<Record<string, string>>) {
  const folder = new FlowsFolder();
  undo.push(() => folder.remove());
  for (const [name, text] of Object.entries(files)) folder.write(name, text);
  const keys = `k:${Buffer.alloc(32).toString("base64")}`;
  const store = await openStore({ keys, journalLimit: 10, dataDir: `${folder.path}/data` });
  undo.push(() => store.close());
  const read = (file: string) => reader.read(file);
  const loaded = await loadWithHistory(store, { folder: folder.path, read });
  const library = new CurrentLibrary(loaded.library);
  const told: Reloaded[] = [];
  const reload = new Reload({
    ...{ ...loaded, folder: folder.path, store, library, read },
    told: (what) => told.push(what),
    failed: (error) => expect.unreachable(String(error)),
  });
  reload.start();
  undo.push(() => reload.stop());
  const town = new Town(library);
  /** Saves, and waits until something was made of it. */
  const save = async (name: string, text: string): Promise<Reloaded> => {
    const before = told.length;
    folder.write(name, text);
    for (let wait = 0; told.length === before && wait < 1_000; wait++) await pause(10);
    return (
      told.at(-1) ?? {
        flows: [],
        findings: [],
        texts: new Map(),
        ms: 0,
      }
    );
  };
  return { folder, store, library, reload, town, save, told };
}

const ASKS = { name: "Seu nome?", day: "Que dia?", place: "Onde?" };
const COFFEE = {
  "coffee/flow.ts": asking("coffee", ["name", "day"]),
  "coffee/texts.pt-BR.yaml": words("coffee", ASKS),
};

describe("a flow that is saved while somebody is in it", () => {
  test("is live with the next message, and the conversation goes on with its answers", async () => {
    const { town, save } = await watched(COFFEE);
    expect(town.talks(CUSTOMER, ["coffee", "Ana Lima"])).toContain("Que dia?");

    expect(
      (await save("coffee/flow.ts", asking("coffee", ["name", "place", "day"]))).flows,
    ).toEqual(["coffee"]);
    expect(town.talks(CUSTOMER, ["sexta"])).toContain("Onde?");
    const { facts } = town.sessions.get(CUSTOMER)?.frames.at(-1)?.state as {
      facts: { slots: object };
    };
    expect(facts.slots).toMatchObject({ name: "Ana Lima" });
  }, 60_000);

  test("takes new words without moving anybody", async () => {
    const { town, save } = await watched(COFFEE);
    town.talks(CUSTOMER, ["coffee", "Ana Lima"]);
    const hash = town.sessions.get(CUSTOMER)?.frames.at(-1)?.hash;

    await save(
      "coffee/texts.pt-BR.yaml",
      words("coffee", { ...ASKS, day: "Qual dia, então?" }, "Tchau."),
    );
    expect(town.talks(CUSTOMER, ["repete"])).toContain("Qual dia, então?");
    expect(town.sessions.get(CUSTOMER)?.frames.at(-1)?.hash).toBe(hash);
    expect(town.talks(CUSTOMER, ["sexta"])).toContain("Tchau.");
  }, 60_000);

  test("leaves who stays in the version before the words that fit it, also over a restart", async () => {
    const waiting = (id: string, say: string) =>
      `flow: coffee\nversion: 1\naudience: anyone\nslots: { name: name }\nsteps:\n  - ask: name\n  - wait: cup.ready\n    id: ${id}\n    within: 2d\n    on: { got: [{ say: ${say} }], late: [] }\n`;
    const said = (key: string, text: string) =>
      `locale: pt-BR\nstart: [coffee]\nsay: { ${key}: "${text}" }\nask: { name: "Nome?" }\n`;
    const { town, save, store, folder } = await watched({
      "coffee/flow.yaml": waiting("cup", "ready"),
      "coffee/texts.pt-BR.yaml": said("ready", "Pronto na mesa {{cup.table}}."),
    });
    town.talks(CUSTOMER, ["coffee", "Ana Lima"]);
    const session = JSON.stringify(town.sessions.get(CUSTOMER));
    const ready = (table: string) =>
      town.deliver(CUSTOMER, { kind: "event", name: "cup.ready", data: { table } });
    folder.write("coffee/texts.pt-BR.yaml", said("come", "Pode vir: {{mug.table}}."));
    await save("coffee/flow.yaml", waiting("mug", "come"));
    await save("coffee/texts.pt-BR.yaml", said("come", "Pode vir, {{mug.table}}."));
    ready("1");
    expect(town.last(CUSTOMER)).toBe("Pronto na mesa 1.");

    town.sessions.set(CUSTOMER, Session.parse(JSON.parse(session)));
    const read = (file: string) => reader.read(file);
    town.library = (await loadWithHistory(store, { folder: folder.path, read })).library;
    ready("2");
    expect(town.last(CUSTOMER)).toBe("Pronto na mesa 2.");
    town.talks(CUSTOMER, ["coffee", "Ana Lima"]);
    ready("3");
    expect(town.last(CUSTOMER)).toBe("Pode vir, 3.");
  }, 60_000);

  test("keeps the version before while the file is broken, and says where and why", async () => {
    const { town, save, library } = await watched(COFFEE);
    town.talks(CUSTOMER, ["coffee"]);
    const good = library.get("coffee")?.hash;
    const broken: Record<string, [string, RegExp]> = {
      "coffee/flow.ts": [
        asking("coffee", ["name", "day"]).replace("f.end()", "f.end("),
        /coffee\/flow\.ts:6:\d+ \[flow\/unreadable\] Unexpected "\]"/,
      ],
      "coffee/texts.pt-BR.yaml": [
        words("coffee", ASKS).replace("ask:", "ask: ["),
        /texts\.pt-BR\.yaml:\d+:\d+ /,
      ],
    };
    for (const [name, [text, where]] of Object.entries(broken)) {
      const { flows, findings } = await save(name, text);
      expect(flows).toEqual([]);
      expect(findings.map(findingLine).join("\n")).toMatch(where);
      expect(library.get("coffee")?.hash).toBe(good);
      expect((await save(name, COFFEE[name as "coffee/flow.ts"])).findings).toEqual([]);
    }
    const unasked = asking("coffee", ["name", "day"]).replace('f.ask("day"), ', "");
    expect((await save("coffee/flow.ts", unasked)).findings.map(({ rule }) => rule)).toContain(
      "slot/never-asked",
    );
    expect(library.get("coffee")?.hash).toBe(good);
    expect(town.talks(CUSTOMER, ["Ana Lima"])).toContain("Que dia?");
  }, 60_000);

  test("comes and goes with its folder; who was in it goes on", async () => {
    const { town, save, library, folder, reload } = await watched(COFFEE);
    folder.write("tea/texts.pt-BR.yaml", words("tea", ASKS));
    await save("tea/flow.ts", asking("tea", ["name"]));
    expect(town.talks(CUSTOMER, ["tea"])).toContain("Seu nome?");
    rmSync(`${folder.path}/tea`, { recursive: true });
    await reload.look();
    expect(library.get("tea")).toBeUndefined();
    expect(town.talks(CUSTOMER, ["Ana Lima"])).toContain("Até logo.");
  }, 60_000);

  test("says nothing of a save that changes nothing, and of one that undoes what was broken that it is live", async () => {
    const { save, folder, library, reload, told } = await watched(COFFEE);
    const coffee = library.get("coffee");
    for (const [name, text] of Object.entries(COFFEE)) folder.write(name, text);
    await reload.look();
    expect(told).toEqual([]);
    expect((await save("coffee/flow.ts", "export default 1;")).flows).toEqual([]);
    const undone = await save("coffee/flow.ts", COFFEE["coffee/flow.ts"]);
    expect([undone.flows, undone.findings]).toEqual([["coffee"], []]);
    expect(library.get("coffee")?.hash).toBe(coffee?.hash);
    expect(library.findings.filter(({ severity }) => severity === "error")).toEqual([]);
  }, 60_000);

  test("leaves flows nobody saved as they are: not made, not checked and not stored anew", async () => {
    const { save, library, store } = await watched({
      ...COFFEE,
      "tea/flow.ts": asking("tea", ["name"]),
      "tea/texts.pt-BR.yaml": words("tea", ASKS),
    });
    const [coffee, tea] = [library.get("coffee"), library.get("tea")];
    const stored: string[] = [];
    const put = store.documents.put.bind(store.documents);
    store.documents.put = (...what) => (stored.push(what[1]), put(...what));

    await save("coffee/flow.ts", asking("coffee", ["name", "place", "day"]));
    expect(library.get("coffee")).not.toBe(coffee);
    expect(library.get("tea")).toBe(tea);
    expect(stored).toEqual([`coffee@${library.get("coffee")?.hash}`]);
    // Who is in the version before goes on in what was made for it already.
    expect(library.get("coffee", coffee?.hash)).toBe(coffee);

    await save("tea/texts.pt-BR.yaml", words("tea", ASKS, "Tchau."));
    expect(library.get("tea")).not.toBe(tea);
    expect(stored).toHaveLength(2);
    expect((await store.documents.get("flows", stored[1] ?? ""))?.value["texts"]).toMatchObject({
      "pt-BR": { say: { bye: "Tchau." } },
    });
  }, 60_000);

  test("leaves nothing behind over two hundred saves but the latest versions and those somebody is in", async () => {
    const yaml = (n: number) =>
      `flow: coffee\nversion: 1\ntitle: Coffee\naudience: anyone\nslots:\n  name: { kind: text, max: ${100 + n} }\nsteps:\n  - ask: name\n  - say: bye\n  - end: done\n`;
    const { folder, town, library, reload, store } = await watched({
      "coffee/flow.yaml": yaml(0),
      "coffee/texts.pt-BR.yaml": words("coffee", { name: "Seu nome?" }),
    });
    town.says(CUSTOMER, "coffee");
    for (let n = 1; n <= 200; n++) {
      folder.write("coffee/flow.yaml", yaml(n));
      await reload.look();
    }
    expect(library.versions().length).toBeLessThanOrEqual(24);
    expect(
      (await store.documents.list("flows", { limit: 1_000 })).items.length,
    ).toBeLessThanOrEqual(24);
    expect(library.get("coffee")?.model.ast.slots["name"]?.params).toEqual({ max: 300 });
  }, 60_000);
});
