import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { checkAgainst } from "../../../src/app/authoring/flows-against.ts";
import { readSettings } from "../../../src/app/settings.ts";
import { openConfiguredStore } from "../../../src/app/start/storage.ts";
import { loadWithHistory } from "../../../src/app/loading/flow-history.ts";
import type { JsonObject } from "../../../src/base/index.ts";
import { CUSTOMER, Town } from "../../engine/town.ts";
import { FlowsFolder, words } from "../flows-folder.ts";

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const yaml = (id: string, slots: readonly string[]) =>
  [
    ...[`flow: ${id}`, "version: 1", `title: ${id}`, "audience: anyone", "slots:"],
    ...slots.map((slot) => `  ${slot}: name`),
    ...["steps:", ...slots.map((slot) => `  - ask: ${slot}`), "  - say: bye", "  - end: done", ""],
  ].join("\n");
const TEXTS = words("coffee", { first: "Um?", second: "Dois?", third: "Três?" });

function flows(slots: readonly string[]): FlowsFolder {
  const folder = new FlowsFolder();
  undo.push(() => folder.remove());
  folder.write("coffee/flow.yaml", yaml("coffee", slots));
  folder.write("coffee/texts.pt-BR.yaml", TEXTS);
  return folder;
}

function settingsFor(folder: FlowsFolder) {
  const data = mkdtempSync(path.join(tmpdir(), "prosa-against-test-"));
  undo.push(() => rmSync(data, { recursive: true, force: true }));
  // Nothing listens there: a running server would be asked.
  const env = { PROSA_DATA_DIR: data, PROSA_FLOWS_DIR: folder.path, PORT: "1" };
  return readSettings(env);
}

describe("flows held against an older version", () => {
  test("are held against a folder, a flow's file or a flow as JSON", async () => {
    const older = flows(["first", "second", "third"]);
    const settings = settingsFor(flows(["first", "third"]));
    const file = path.join(older.path, "coffee", "flow.yaml");
    const asked = [older.path, path.join(older.path, "coffee"), file];
    for (const target of asked) {
      const report = await checkAgainst(target, settings);
      const rows = report.results[0]?.rows.map(({ at, word, lost }) => [at, word, ...lost]);
      expect(rows).toContainEqual(["first", "stays"]);
      expect(rows).toContainEqual(["second", "goes on"]);
      expect(rows).toContainEqual(["third", "loses", "second"]);
      expect(report.ok).toBe(false);
    }
    const json = path.join(older.path, "old.json");
    const same = { flow: "coffee", version: 1, title: "", audience: "anyone", outcomes: [] };
    const steps = [{ t: "ask", id: "first", slot: "first" }];
    const slots = { first: { kind: "name" } };
    writeFileSync(json, JSON.stringify({ ...same, policy: {}, slots, steps }));
    expect((await checkAgainst(json, settings)).results[0]?.rows).toMatchObject([
      { at: "first", word: "stays" },
    ]);
  });

  test("are held against a commit, and refused where there is none of that name", async () => {
    const settings = readSettings({ PORT: "1" });
    const head = execFileSync("git", ["rev-parse", "HEAD"]).toString().trim();
    const report = await checkAgainst(head, settings);
    expect(report.what).toContain(head.slice(0, 8));
    expect(report.same.length + report.results.length).toBeGreaterThan(3);
    await expect(checkAgainst("no-such-thing", settings)).rejects.toMatchObject({
      code: "FLOW_INVALID",
      message: expect.stringContaining('neither "live", nor a file') as string,
    });
  }, 60_000);

  test("are held against what people are in now, with their number and nothing of them", async () => {
    const older = flows(["first", "second"]);
    const settings = settingsFor(older);
    const live = await openConfiguredStore(settings);
    const { library } = await loadWithHistory(live, { folder: older.path });
    const town = new Town(library);
    town.talks(CUSTOMER, ["coffee", "Ana Lima"]);
    const session = town.sessions.get(CUSTOMER) as unknown as JsonObject;
    for (const phone of ["5511988880001", "5511988880002"]) {
      const contact = await live.contacts.identify("demo", [`phone:${phone}`]);
      const event = { account: "demo", contact, event: "e1", mail: { kind: "tick", due: 1 } };
      await live.mail.accept([event]);
      const [claim] = await live.mail.claim({ owner: "w", contacts: 1, events: 1, leaseMs: 5_000 });
      await live.mail.commit([
        {
          ...{ account: "demo", contact, epoch: claim?.epoch ?? 0, rev: 0, applied: 1, due: null },
          ...{ session: { ...session, contact, rev: 1 }, effects: [], journal: [] },
        },
      ]);
    }
    await live.close();

    older.write("coffee/flow.yaml", yaml("coffee", ["second"]));
    const report = await checkAgainst("live", settings);
    expect(report.what).toBe("Against 1 versions in which 2 conversations are.");
    expect(report.results[0]?.rows).toMatchObject([
      { at: "second", word: "loses", lost: ["first"], people: 2 },
    ]);
    expect(JSON.stringify(report)).not.toContain("Ana");
  });
});
