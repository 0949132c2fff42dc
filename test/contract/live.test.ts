/** The check of a real deployment, tried on the sandbox and on servers that answer badly. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { routeOf, type RouteId } from "../../src/gateway/index.ts";
import { json, startRemote, type Behaviour, type Remote } from "../gateway/remote.ts";
import { main } from "./live.ts";
import { costOf, plan } from "./live-plan.ts";
import type { Row } from "./live-run.ts";
import { openScene, PERSON, type Scene } from "./scene.ts";

let out: string[] = [];
let notes: string[] = [];
const io = { out: (line: string) => out.push(line), note: (line: string) => notes.push(line) };
beforeEach(() => {
  out = [];
  notes = [];
});
const rowsTold = () => JSON.parse(out.join("\n")) as Row[];
const everything = () => [...out, ...notes].join("\n");

describe("what is asked", () => {
  test("only reads that cost nothing above the plan, and invoicing in test mode", () => {
    for (const { route, mode, make } of plan()) {
      if (mode === "read") {
        expect(route.class, route.id).toBe("read");
        expect(route.billing === "credits" ? route.price : 0, route.id).toBe(0);
      } else expect(route.area, route.id).toBe("invoicing");
      const everythingKnown = {
        number: PERSON,
        groupJid: "1@g.us",
        mediaId: "M",
        jobId: "J",
        isOpen: true,
        testMode: true,
      };
      const made = make(everythingKnown);
      if (mode === "homolog") expect(made, route.id).toMatchObject({ body: { homolog: true } });
      else expect(typeof made, route.id).toBe("object");
    }
    const reads = plan().filter(({ mode }) => mode === "read");
    expect(costOf(plan())).toMatchObject({ creditBrl: 0, homologCalls: 7 });
    expect(new Set(reads.map(({ route }) => route.id)).size).toBe(reads.length);
  });

  test.each([
    [[], "--url and --token are needed"],
    [["--url", "ftp://x", "--token", "t"], "--url must be"],
    [["--url", "http://x", "--token", "t", "--number", "+55"], "--number must be"],
    [["--url", "http://x", "--token", "t", "--words", "{"], "--words must be JSON"],
    [["--url", "http://x", "--token", "t", "--send"], "An option is not known"],
    [["--url", "http://x/?a=b", "--token", "t"], "no plain http(s) address"],
  ])("%j is wrong usage: exit code 2", async (args, sentence) => {
    expect(await main(args, io)).toBe(2);
    expect(notes.join("\n")).toContain(sentence);
  });
});

describe("on the sandbox", () => {
  let scene: Scene;
  const target = () => ["--url", `${scene.origin}/api/v2`, "--token", "sandbox-token"];
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene.close());
  beforeEach(() => scene.again());

  test("every row answers as the contract says, and nothing but reads and tests was asked", async () => {
    await scene.gateway.message.sendText.queue({ number: PERSON, text: "na fila" });
    const before = await scene.rows("issuers");

    const code = await main([...target(), "--device", "sandbox-device", "--json"], io);

    const rows = rowsTold();
    expect(rows.filter((row) => row.outcome !== "ok" || row.other?.length || row.note)).toEqual([]);
    expect(code).toBe(0);
    expect(rows.map((row) => row.id)).toEqual(plan().map(({ route }) => route.id));
    const asked = (await scene.rows("requests")).slice(1);
    expect(asked).toHaveLength(rows.length);
    for (const call of asked) {
      const route = routeOf(call["route"] as unknown as RouteId);
      if (route.class !== "read") expect(call["body"]).toMatchObject({ homolog: true });
    }
    const paid = (await scene.rows("ledger")).slice(1);
    expect(paid.every((row) => (row["price"] as unknown) === 0)).toBe(true);
    expect(paid.filter((row) => JSON.stringify(row["scope"]).includes("plan:"))).toHaveLength(
      costOf(plan()).planCalls,
    );
    expect(await scene.rows("issuers")).toEqual(before);
    expect(notes[0]).toMatch(/^At most \d+ calls: \d+ of the plan .*0\.00 BRL each/);
  });

  test("prints neither tokens nor documents nor phones, as table and as JSON", async () => {
    for (const form of [[], ["--json"]]) {
      await main([...target(), "--device", "sandbox-device", "--number", PERSON, ...form], io);
      expect(everything()).not.toMatch(/sandbox-(?:token|device)|\d{10,}|Estúdio|@s\.|@g\.us/);
    }
    expect(out.find((line) => line.startsWith("chat.fetchProfile "))).toMatch(
      /read +ok +200 +\d+ ms plan +response/,
    );
  });

  test("a phone that is not connected is not paired, and without --device only Bearer rows are asked", async () => {
    await scene.gateway.instance.logout();
    await main([...target(), "--device", "sandbox-device", "--json"], io);
    const connect = rowsTold().find((row) => row.id === "instance.connect");
    expect(connect).toMatchObject({ outcome: "left out" });
    out = [];
    await main([...target(), "--json"], io);
    for (const row of rowsTold())
      expect(row.outcome === "left out", row.id).toBe(
        routeOf(row.id as RouteId).auth === "bearer+device" || row.note === "the caller has no job",
      );
  });

  test("a person who says no is obeyed, one who says yes or --yes begins", async () => {
    const args = [...target(), "--json"];
    const asked: string[] = [];
    const person = (yes: boolean) => ({
      ...io,
      confirm: (question: string) => {
        asked.push(question);
        return Promise.resolve(yes);
      },
    });
    expect(await main(args, person(false))).toBe(1);
    expect(await scene.rows("requests")).toEqual([]);
    expect(await main(args, person(true))).toBe(0);
    expect(await main([...args, "--yes"], person(false))).toBe(0);
    expect(asked).toHaveLength(2);
  });
});

describe("on a server that answers badly", () => {
  let remote: Remote;
  beforeAll(async () => {
    remote = await startRemote();
  });
  afterAll(() => remote.close());
  beforeEach(() => (remote.received.length = 0));

  const run = () =>
    main(
      [
        ...["--url", remote.baseUrl, "--token", "canary-bearer-9", "--device", "canary-device-9"],
        ...["--timeout", "500", "--json"],
      ],
      io,
    );
  const secret = "canary-bearer-9 529.982.247-25 5511987650001";

  test.each<[string, Behaviour]>([
    ["HTML", json("<html>", 200, { "content-type": "text/html" })],
    ["cut JSON", json('{"error":false,"response":{"a":')],
    ["error as a text", json({ error: "false", response: { [secret]: secret } })],
    ["null", json("null")],
    ["an array", json([[[secret]]])],
    ["a business error", json({ error: true, message: secret })],
    ["a refusal", json({ message: secret, errors: { number: [secret] } }, 422)],
    ["a redirect", json({}, 302, { location: "http://127.0.0.1:1/" })],
    ["an error page", json(secret, 500)],
    ["a reset", (_, response) => response.destroy()],
  ])("%s: no row passes, nothing is repeated, no secret is printed", async (_, behaviour) => {
    remote.behave(behaviour);
    expect(await run()).toBe(1);
    const rows = rowsTold();
    expect(rows.filter((row) => row.outcome === "ok")).toEqual([]);
    const asked = rows.filter((row) => row.outcome !== "left out");
    expect(remote.received).toHaveLength(asked.length);
    expect(everything()).not.toMatch(/canary|529\.982|5511987650001/);
  });

  test("types of another kind are told by name, however odd the payload is", async () => {
    remote.behave(
      json({
        error: false,
        response: { reject_call: "false", msg_call: 7, instance: [], messages: [], secret },
        data: [{ emitente_id: 9 }],
      }),
    );
    expect(await run()).toBe(1);
    const settings = rowsTold().find((row) => row.id === "settings.find");
    expect(settings).toMatchObject({
      outcome: "ok",
      family: "plan",
      place: "response",
      other: ["reject_call: string, not boolean", "msg_call: integer, not string"],
      missing: ["groups_ignore"],
    });
    const list = rowsTold().find((row) => row.id === "invoicing.emitentesLista");
    expect(list?.other).toEqual(["[].emitente_id: integer, not string"]);
    expect(everything()).not.toMatch(/canary|529\.982/);
  });

  test("one that does not hear homolog gets the free list and no other operation", async () => {
    const heard: string[] = [];
    remote.behave((request, response) => {
      const { tipo } = JSON.parse(request.body.toString() || "{}") as { tipo?: string };
      if (tipo !== undefined) heard.push(tipo);
      json({ error: false, response: {}, data: [], homolog: false })(
        request,
        response,
        response.socket as never,
      );
    });
    expect(await run()).toBe(1);
    expect(heard).toEqual(["emitentes-lista", "emitentes-lista"]);
    const left = rowsTold().filter((row) => row.mode === "homolog" && row.outcome === "left out");
    expect(left).toHaveLength(6);
  });
});
