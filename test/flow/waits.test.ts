/** What a flow waits for can happen: names of events are checked against what the house and the folder declare. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { loadFlows } from "../../src/app/loading/flow-files.ts";
import { findingLine, readEvents } from "../../src/flow/index.ts";

/** The plugin tells of certificates. */
const CONFIG = `import { defineBot } from "prosa";
import { invoicing } from "prosa/invoicing";
export default defineBot({ plugins: [invoicing()] });
`;

const waiting = (event: string, where = ""): string => `flow: parcel
version: 1
audience: nobody
slots: {}
steps:
  - wait: ${event}
    id: parcel
    within: 2d
${where}    on: { got: [], late: [] }
`;

/** What is found in a folder of one flow, beside the events it declares. */
async function found(flow: string, events?: string): Promise<string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "prosa-events-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(path.join(folder, "parcel"));
  writeFileSync(path.join(folder, "parcel", "flow.yaml"), flow);
  writeFileSync(path.join(folder, "config.ts"), CONFIG);
  if (events !== undefined) writeFileSync(path.join(folder, "events.yaml"), events);
  const { library } = await loadFlows(folder);
  return library.findings.map((finding) =>
    findingLine(finding).replace(`${folder}${path.sep}`, ""),
  );
}

const DECLARED = "parcel.ready: [item, shelf]\nparcel.lost:\n";

describe("the event of a wait", () => {
  test("is one of the house's, or one that a line of events.yaml declares", async () => {
    expect(await found(waiting("certificate.uploaded"))).toEqual([]);
    expect(await found(waiting("parcel.ready"), DECLARED)).toEqual([]);
    expect(await found(waiting("parcel.lost"), DECLARED)).toEqual([]);
  });

  test("that is misspelt is an error with the nearest name, at its place", async () => {
    expect(await found(waiting("certificate.uplaoded"))).toEqual([
      'parcel/flow.yaml:6:11 [notify/unknown-event] No event "certificate.uplaoded". Did you mean "certificate.uploaded"?',
    ]);
    expect(await found(waiting("parcel.redy"), DECLARED)).toEqual([
      'parcel/flow.yaml:6:11 [notify/unknown-event] No event "parcel.redy". Did you mean "parcel.ready"?',
    ]);
  });

  test("that nobody declares is told with the line that would, and does not keep the flow out", async () => {
    expect(await found(waiting("payment.received"), DECLARED)).toEqual([
      expect.stringContaining('add "payment.received: [what, it, brings]" to events.yaml'),
    ]);
    const { library } = await loadFlows();
    expect(library.findings.map(findingLine)).toEqual([]);
  });

  test("brings what its line says: another field is told with the nearest", async () => {
    const where = (field: string): string => `    where: parcel.${field} == 'umbrella'\n`;
    expect(await found(waiting("parcel.ready", where("item")), DECLARED)).toEqual([]);
    expect(await found(waiting("parcel.lost", where("anything")), DECLARED)).toEqual([]);
    expect(await found(waiting("parcel.ready", where("itm")), DECLARED)).toEqual([
      expect.stringContaining('Step "parcel" has no result "itm". Did you mean "item"?'),
    ]);
  });

  test.each([
    ["Parcel: [item]", '1:1 [notify/events-file] "Parcel" is no name of an event'],
    ["parcel.ready: item", '1:1 [notify/events-file] "parcel.ready" brings a list of fields'],
    ["- parcel.ready", "1:1 [notify/events-file] one event a line"],
    ["a: [b]\na: [c]", "2:1 [notify/events-file]"],
  ])("declared as %j is refused with its place, and the flows stay", async (text, message) => {
    const findings = await found(waiting("certificate.uploaded"), text);
    expect(findings).toEqual([expect.stringContaining(`events.yaml:${message}`)]);
  });

  test("an empty file declares nothing", () => {
    expect(readEvents("# none yet\n", "events.yaml")).toEqual({ ok: true, events: [] });
  });
});
