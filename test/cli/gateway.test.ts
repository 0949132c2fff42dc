import { writeFileSync } from "node:fs";
import path from "node:path";
import pc from "picocolors";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readSettings, UsageError } from "../../src/app/index.ts";
import { gateway } from "../../src/cli/commands/gateway.ts";
import { routeTable } from "../../src/gateway/index.ts";
import { json, startRemote, type Remote } from "../gateway/remote.ts";
import { stage, type Stage } from "../sandbox/stage.ts";

const number = "5511987650001";
let sandbox: Stage;
let remote: Remote;
let out: string[] = [];
let notes: string[] = [];
beforeAll(async () => {
  sandbox = await stage();
  remote = await startRemote();
});
afterAll(async () => {
  await sandbox.close();
  await remote.close();
});
beforeEach(() => {
  out = [];
  notes = [];
});

const onSandbox = () => ({ SANDBOX_PORT: new URL(sandbox.sandbox.url()).port });
const onRemote = (more: Record<string, string> = {}) => ({
  GATEWAY_URL: remote.baseUrl,
  GATEWAY_TOKEN: "canary-bearer-1",
  GATEWAY_DEVICE_TOKEN: "canary-device-1",
  ...more,
});

/** Exit code of `prosa gateway …`; what it wrote stands in `out` and `notes`. */
function prosa(env: Record<string, string>, ...args: string[]): Promise<number> {
  return gateway.run({
    args,
    terminal: {
      out: (line) => out.push(line),
      say: (line) => notes.push(line),
      stdout: process.stdout,
      isTty: false,
      colors: pc.createColors(false),
    },
    settings: () => readSettings({ PROSA_DATA_DIR: sandbox.dataDir, ...env }),
    signal: new AbortController().signal,
  });
}
const printed = () => JSON.parse(out.join("\n")) as Record<string, unknown>;
async function refusal(run: Promise<number>): Promise<string> {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(UsageError);
  return (error as UsageError).message;
}
function bodyFile(body: unknown): string {
  const file = path.join(sandbox.dataDir, "body.json");
  writeFileSync(file, JSON.stringify(body));
  return file;
}

describe("gateway routes", () => {
  test("prints every route with exactly the fields scripts rely on", async () => {
    expect(await prosa({}, "routes", "--json")).toBe(0);
    const rows = printed() as unknown as Record<string, unknown>[];
    expect(rows).toEqual(routeTable());
    const fields =
      "id method path auth version queue beta volatile group variants billing price class source";
    for (const row of rows) expect(Object.keys(row).join(" ")).toBe(fields);
    const messaging = rows.filter((row) => row["path"]?.toString().startsWith("/msgengine/"));
    expect(messaging).toHaveLength(50);
    expect(messaging.flatMap((row) => row["variants"])).toHaveLength(59);
  });

  test("prints one line a route for people, marks and prices included", async () => {
    expect(await prosa({}, "routes")).toBe(0);
    expect(out).toHaveLength(routeTable().length);
    expect(out.find((line) => line.startsWith("message.sendText "))).toContain(
      "{plain reply mentionAll}",
    );
    expect(out.find((line) => line.startsWith("group.inviteCode "))).toMatch(/ group$/);
    expect(out.find((line) => line.startsWith("invoicing.emitentesCadastro "))).toContain("19.00");
  });
});

describe("gateway call", () => {
  test("prints the envelope as the gateway sent it, and nothing else with --json", async () => {
    const file = bodyFile({ number, text: "oi" });
    expect(await prosa(onSandbox(), "call", "message.sendText", "--body", file, "--json")).toBe(0);
    expect(notes).toEqual([]);
    expect(printed()).toMatchObject({
      error: false,
      response: { status: "PENDING", message: { conversation: "oi" } },
      api_limit: 1000,
    });
    const row = (await sandbox.http("GET", "/sandbox/requests")).body as unknown as object[];
    expect(row.at(-1)).toMatchObject({ route: "message.sendText", body: { number, text: "oi" } });
  });

  test("reads query values as what the route takes, and can use a variant and the queue", async () => {
    const query = ["--query", "getParticipants=true"];
    expect(await prosa(onSandbox(), "call", "group.fetchAllGroups", ...query)).toBe(0);
    expect(notes.join()).toMatch(/^group\.fetchAllGroups: ok, HTTP 200, \d+ ms\.$/);
    out = [];
    const file = bodyFile({ number, text: "oi" });
    const how = ["--body", file, "--variant", "plain", "--queue"];
    expect(await prosa(onSandbox(), "call", "message.sendText", ...how)).toBe(0);
    expect(printed()).toMatchObject({ id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string });
    out = [];
    expect(await prosa(onSandbox(), "call", "jobs.list", "--query", "page=1")).toBe(0);
    expect(printed()["data"]).toHaveLength(1);
  });

  test("masks every credential of the answer and keeps the rest", async () => {
    remote.behave(
      json({
        error: false,
        message: "canary-bearer-1",
        response: { hash: "k1", instance: { state: "open" }, note: ["canary-device-1"] },
      }),
    );
    expect(await prosa(onRemote(), "call", "instance.connectionState")).toBe(0);
    expect(printed()).toEqual({
      error: false,
      message: "***",
      response: { hash: "***", instance: { state: "open" }, note: ["***"] },
    });
    expect([...out, ...notes].join()).not.toContain("canary");
  });

  test.each([
    ["a business failure", { error: true, message: "Sem chip" }, 200, "The gateway says: Sem chip"],
    ["a refusal", { message: "Sem saldo" }, 402, "Refused: Sem saldo."],
    ["a page", "<html>", 502, "cannot be read: the call may have taken effect"],
  ])(
    "%s ends with exit code 1, its body on stdout where it is JSON",
    async (_, body, status, said) => {
      remote.behave(json(body, status));
      expect(await prosa(onRemote(), "call", "instance.connectionState", "--json")).toBe(1);
      expect(notes.join()).toContain(said);
      expect(printed()).toEqual(
        typeof body === "string"
          ? { kind: "unknown", reason: "server_error", status, ms: printed()["ms"] }
          : body,
      );
    },
  );

  test("says where nothing answers and what to start", async () => {
    const port = "1";
    expect(await prosa({ SANDBOX_PORT: port }, "call", "jobs.list")).toBe(1);
    expect(out).toEqual([]);
    expect(notes.join()).toContain("Nothing answers at http://127.0.0.1:1/api/v2. Start one");
  });

  test("names the setting that is missing before anything is sent", async () => {
    remote.received.length = 0;
    const bare = { GATEWAY_URL: remote.baseUrl };
    await expect(prosa(bare, "call", "jobs.list")).rejects.toThrow("GATEWAY_TOKEN is not set");
    const half = { ...bare, GATEWAY_TOKEN: "canary-bearer-1" };
    await expect(prosa(half, "call", "instance.connect")).rejects.toThrow(
      "GATEWAY_DEVICE_TOKEN is not set",
    );
    remote.behave(json({ data: [] }));
    expect(await prosa(half, "call", "jobs.list")).toBe(0);
    expect(remote.received).toHaveLength(1);
  });

  test("what was asked wrongly is a usage error that says what would be right", async () => {
    const file = bodyFile({ number, text: "" });
    const on = onSandbox();
    const cases: [string[], RegExp][] = [
      [["sendtext"], /There is no route sendtext\. Did you mean message\.sendText/],
      [["instance.conect"], /Did you mean instance\.connect/],
      [["zzzz"], /There is no route zzzz\. See: prosa gateway routes/],
      [["message.sendText", "--body", file], /text .*Nothing was sent\.\nExample: \{"number"/s],
      [["message.sendText", "--variant", "x"], /no variant.* It has plain, reply, mentionAll/],
      [["jobs.list", "--queue"], /has no queue form/],
      [["jobs.list", "--query", "size=3"], /no query field of that name; it has page/],
      [["jobs.list", "--query", "page=x"], /page/],
      [["jobs.list", "--query", "page"], /--query must be k=v/],
      [["jobs.list", "--query", "page=1", "--query", "page=2"], /--query names page twice/],
      [["group.inviteCode"], /groupJid/],
      [["jobs.list", "more"], /Usage: prosa gateway/],
    ];
    for (const [args, sentence] of cases)
      expect(await refusal(prosa(on, "call", ...args)), args.join(" ")).toMatch(sentence);
    expect(await refusal(prosa(on, "routes", "more"))).toContain("Usage:");
  });
});
