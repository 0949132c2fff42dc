import { rmSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { newFlow } from "../../src/app/authoring/flow-commands.ts";
import { testFlows } from "../../src/app/authoring/flow-tests.ts";
import { FlowsFolder } from "./flows-folder.ts";

test("a new flow has a chat file that goes as written, keeps what every flow keeps and leaves nothing untested", async () => {
  const folder = new FlowsFolder();
  onTestFinished(() => folder.remove());
  const files = await newFlow("iced-coffee", folder.path);
  expect(files).toContain(path.join(folder.path, "iced-coffee/chats/hello.chat"));
  const report = await testFlows("iced-coffee", { coverage: true, folder: folder.path });
  expect(report.results.map(({ ok, failure }) => [ok, failure])).toEqual([[true, undefined]]);
  expect(report.generated[0]?.broken).toEqual([]);
  expect(report.coverage[0]?.edges.missing).toEqual([]);
  await expect(newFlow("iced-coffee", folder.path)).rejects.toThrow(
    /exists already\. Give the new flow another name\.$/,
  );
  rmSync(path.join(folder.path, "iced-coffee"), { recursive: true });
});

test("a name that is no flow id is refused with what one looks like", async () => {
  await expect(newFlow("../Etc")).rejects.toThrow("lower case letters, digits and dashes");
  await expect(newFlow("a")).rejects.toThrow("2 to 41 lower case letters");
});
