import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Session, SESSION_SCHEMA } from "../../src/engine/index.ts";
import { apiRoutes } from "../../src/server/index.ts";
import { inbound, openHouse, post, TOKEN, type House } from "./house.ts";

let house: House;
let contact: string;
beforeAll(async () => {
  house = await openHouse();
  contact = await talked(house, "meu CPF é 52998224725");
});
afterAll(() => house.close());

type Reply = { status: number; body: Record<string, unknown> };

async function call(method: string, path: string, body?: unknown, on = house): Promise<Reply> {
  const answer = await fetch(`${on.url}/api${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  const text = await answer.text();
  return { status: answer.status, body: JSON.parse(text) as Record<string, unknown> };
}
const get = (path: string, on?: House) => call("GET", path, undefined, on);

/** Makes a contact with a session by one message and one committed turn. */
async function talked(on: House, text: string): Promise<string> {
  await post(`${on.url}/webhooks/engine-b/${TOKEN}`, inbound(text, "FIRST"));
  const [claimed] = await on.store.mail.claim({
    owner: "t",
    contacts: 1,
    events: 1,
    leaseMs: 5_000,
  });
  if (!claimed) throw new Error("nobody wrote");
  const session = Session.parse({
    schema: SESSION_SCHEMA,
    account: "demo",
    contact: claimed.contact,
    rev: claimed.rev + 1,
    frames: [],
    requests: [],
    channel: "engine-b",
    address: "5511987650001@s.whatsapp.net",
    name: "Marina Lopes",
    role: "customer",
    locale: "pt-BR",
    lastSaid: "Seu CPF é 529.982.247-25?",
    handoff: { since: 5, reason: "asked" },
    timers: [],
    count: 0,
  });
  await on.store.mail.commit([
    {
      account: "demo",
      contact: claimed.contact,
      epoch: claimed.epoch,
      rev: claimed.rev,
      applied: 1,
      session: JSON.parse(JSON.stringify(session)) as never,
      effects: [],
      due: null,
      journal: [{ at: 1, said: "CPF 529.982.247-25" }],
    },
  ]);
  return claimed.contact;
}

async function audit(on = house): Promise<readonly Record<string, unknown>[]> {
  return (await get("/audit?limit=50", on)).body["items"] as Record<string, unknown>[];
}

describe("looking", () => {
  test("what runs here", async () => {
    expect((await get("/meta")).body).toMatchObject({
      name: "prosa",
      store: { kind: "embedded" },
      sandbox: null,
      accounts: [{ id: "demo", name: "Loja Demo" }],
      clock: { offsetMs: 0 },
      roles: ["ingress", "worker"],
    });
  });

  test("conversations, with people's numbers hidden", async () => {
    const { body } = await get("/sessions?account=demo");
    expect(body).toMatchObject({
      items: [
        { contact, name: "Marina Lopes", address: "*********0001@s.whatsapp.net", queued: 0 },
      ],
    });
    const one = await get(`/sessions/demo/${contact}`);
    expect(one.body).toMatchObject({ session: { lastSaid: "Seu CPF é ***.***.***-25?" }, rev: 1 });
    const journal = await get(`/sessions/demo/${contact}/journal`);
    expect(JSON.stringify(journal.body)).toContain("***.***.***-25");
  });

  test("revealing is possible, and written down", async () => {
    const one = await get(`/sessions/demo/${contact}?reveal=1`);
    expect(one.body).toMatchObject({ session: { lastSaid: "Seu CPF é 529.982.247-25?" } });
    expect((await audit())[0]).toMatchObject({
      action: "sessions.reveal",
      target: `demo/${contact}`,
      actor: "local",
      outcome: "done",
    });
  });

  test("outbox, invoices, dead letters, pauses, holds, flows and backlog", async () => {
    expect((await get("/outbox?state=held")).body).toEqual({ items: [] });
    expect((await get("/invoices")).body).toMatchObject({
      items: [{ taker: "***.***.***-25", chave: "3".repeat(50) }],
    });
    expect((await get("/invoices?open=1")).body).toMatchObject({ items: [{ state: "incerta" }] });
    expect((await get("/invoices/demo/none")).status).toBe(404);
    expect((await get("/dead")).body).toEqual({ items: [] });
    expect((await get("/hold")).body).toMatchObject({ items: [{ class: "fiscal" }] });
    expect((await get("/flows")).body).toMatchObject({ items: [{ flow: "menu" }] });
    expect((await get("/flows/menu/graph")).body).toMatchObject({ title: "Menu" });
    expect((await get("/flows/nothing/layout")).status).toBe(404);
    expect((await get("/backlog")).body).toHaveProperty("counters.accepted");
  });

  test("one dead letter, with people's numbers hidden unless somebody asks, which is written down", async () => {
    const own = await openHouse();
    const { store } = own;
    const to = await store.contacts.identify("demo", ["phone:5511987650009"]);
    const mail = { kind: "inbound", text: "CPF 529.982.247-25" };
    await store.mail.accept([{ account: "demo", contact: to, event: "bad", mail }]);
    const [claimed] = await store.mail.claim({
      owner: "t",
      contacts: 1,
      events: 1,
      leaseMs: 5_000,
    });
    if (!claimed) throw new Error("a claim was expected");
    const { epoch, rev } = claimed;
    await store.deadLetters.add({ account: "demo", contact: to, epoch, rev, reason: "poison" });
    const id = (await store.deadLetters.list({ limit: 1 })).items[0]?.id ?? "";
    const path = `/dead/${encodeURIComponent(id)}`;

    expect((await get(path, own)).body).toMatchObject({ id, reason: "poison" });
    expect(JSON.stringify((await get(path, own)).body)).not.toContain("529.982.247");
    expect(JSON.stringify((await get(`${path}?reveal=1`, own)).body)).toContain("529.982.247-25");
    expect((await audit(own))[0]).toMatchObject({ action: "dead.reveal", target: id });
    expect((await get("/dead/nothing", own)).status).toBe(404);
    await own.close();
  });

  test("metrics hold no person and no token", async () => {
    const page = await (await fetch(`${house.url}/metrics`)).text();
    expect(page).toContain('prosa_webhooks_total{channel="engine-b",outcome="stored"}');
    expect(page).not.toContain(TOKEN);
    expect(page).not.toContain("551198765");
  });
});

describe("acting on a conversation", () => {
  test("claim, reply and return are mail, in order", async () => {
    const at = `/handoffs/demo/${contact}`;
    expect((await get("/handoffs")).body).toMatchObject({ items: [{ contact, reason: "asked" }] });
    expect((await call("POST", `${at}/claim`)).status).toBe(200);
    expect((await call("POST", `${at}/reply`, { text: "Já olho." })).status).toBe(200);
    expect((await call("POST", `${at}/return`)).status).toBe(200);
    expect((await call("POST", `/sessions/demo/${contact}/release`)).status).toBe(200);
    expect(await house.mail()).toMatchObject([
      { kind: "operator", action: "take", actor: "local" },
      { kind: "operator", action: "say", text: "Já olho." },
      { kind: "operator", action: "return" },
      { kind: "operator", action: "release" },
    ]);
    expect((await audit()).slice(0, 4).map((deed) => deed["action"])).toEqual([
      "sessions.release",
      "handoffs.return",
      "handoffs.reply",
      "handoffs.claim",
    ]);
  });

  test("something that happened outside is mail, once for each id and bounded", async () => {
    const at = `/sessions/demo/${contact}/events`;
    const paid = { name: "payment.received", data: { order: "A17" }, id: "p-1" };
    const before = (await house.mail()).length;
    expect((await call("POST", at, paid)).status).toBe(200);
    expect((await call("POST", at, paid)).status).toBe(200);
    expect((await house.mail()).slice(before)).toEqual([
      { kind: "event", name: "payment.received", data: { order: "A17" } },
    ]);
    expect((await call("POST", at, { name: "x", data: { y: "z".repeat(5_000) } })).status).toBe(
      400,
    );
    expect((await call("POST", at, { name: "No Name" })).status).toBe(400);
  });

  test("a stranger's conversation cannot be acted on", async () => {
    const nobody = "0".repeat(32);
    expect((await call("POST", `/handoffs/demo/${nobody}/claim`)).status).toBe(404);
    expect((await call("POST", `/handoffs/other/${contact}/claim`)).status).toBe(404);
    expect((await get(`/sessions/other/${contact}`)).status).toBe(404);
    expect((await call("DELETE", `/sessions/demo/${nobody}`)).status).toBe(404);
  });

  test("export gives the whole, audited; forgetting leaves nothing", async () => {
    const other = await openHouse();
    const id = await talked(other, "oi");
    const copy = await get(`/sessions/demo/${id}/export`, other);
    expect(JSON.stringify(copy.body)).toContain("529.982.247-25");
    expect((await audit(other))[0]).toMatchObject({ action: "sessions.export" });
    expect((await call("DELETE", `/sessions/demo/${id}`, undefined, other)).status).toBe(200);
    expect(other.done.at(-1)).toMatchObject({ what: "forget", args: [{ contact: id }] });
    expect((await get(`/sessions/demo/${id}`, other)).status).toBe(404);
    await other.close();
  });
});

describe("the copy of one whom very much waits for", () => {
  let other: House;
  let id: string;
  beforeAll(async () => {
    other = await openHouse();
    id = await talked(other, "oi");
  });
  afterAll(() => other.close());

  /** So many more messages wait for the person. */
  async function wait(turn: string, count: number): Promise<void> {
    const mail = { kind: "tick", due: 0 };
    await other.store.mail.accept([{ account: "demo", contact: id, event: turn, mail }]);
    const [mine] = await other.store.mail.claim({
      ...{ owner: "t", contacts: 1, events: 9, leaseMs: 60_000 },
    });
    if (!mine) throw new Error("nothing is there to claim");
    const [done] = await other.store.mail.commit([
      {
        ...{ account: "demo", contact: id, epoch: mine.epoch, rev: mine.rev, applied: 1 },
        ...{ session: mine.session, due: null, journal: [] },
        effects: Array.from({ length: count }, (_, index) => ({
          ...{ id: `${id}:${turn}:${index}`, class: "message", scope: "plan:demo", ordered: true },
          payload: { type: "send", message: { text: `${turn} ${index}` } },
        })),
      },
    ]);
    expect(done?.ok).toBe(true);
  }
  const copied = async () => {
    const { body } = await get(`/sessions/demo/${id}/export`, other);
    const { effects, effectsMore } = body as never as {
      effects: { id: string }[];
      effectsMore: boolean;
    };
    return { ids: effects.map((one) => one.id.split(":").slice(1).join(":")), effectsMore };
  };

  test("holds all of it, the oldest first", async () => {
    await wait("a", 1_200);
    const { ids, effectsMore } = await copied();
    expect(ids).toEqual(Array.from({ length: 1_200 }, (_, index) => `a:${index}`));
    expect(effectsMore).toBe(false);
  });

  test("and past its bound the latest, and says so", async () => {
    await wait("b", 8_800);
    expect(await copied()).toMatchObject({ effectsMore: false, ids: { length: 10_000 } });
    await wait("c", 1);
    const { ids, effectsMore } = await copied();
    expect(ids).toHaveLength(10_000);
    expect([ids[0], ids.at(-1)]).toEqual(["a:1", "c:0"]);
    expect(effectsMore).toBe(true);
  });
});

describe("deciding", () => {
  const effect = (id: string) => `/outbox/demo/${"a".repeat(32)}/${encodeURIComponent(id)}`;

  test("about effects: retried, resolved, given up, each with its reason", async () => {
    const id = `${"a".repeat(32)}:3:0`;
    expect((await call("POST", `${effect(id)}/retry`)).status).toBe(200);
    expect((await call("POST", `${effect(id)}/resolve`, { decision: "done" })).status).toBe(400);
    const resolved = { decision: "done", reason: "visto no telefone" };
    expect((await call("POST", `${effect(id)}/resolve`, resolved)).status).toBe(200);
    expect((await call("POST", `${effect(id)}/discard`, { reason: "engano" })).status).toBe(200);
    expect((await call("POST", `${effect("absent")}/retry`)).status).toBe(404);
    expect(await call("POST", `${effect("fiscal")}/retry`)).toMatchObject({
      ...{ status: 409, body: { error: { code: "REFUSED", why: "a-note" } } },
    });
    expect(house.done.slice(0, 2)).toEqual([
      {
        what: "decideEffect",
        args: [
          { account: "demo", contact: "a".repeat(32), id },
          "retry",
          { actor: "local", reason: "" },
        ],
      },
      {
        what: "decideEffect",
        args: [
          { account: "demo", contact: "a".repeat(32), id },
          "done",
          { actor: "local", reason: "visto no telefone" },
        ],
      },
    ]);
    expect((await audit()).map((deed) => deed["outcome"]).slice(0, 2)).toEqual([
      "refused",
      "refused",
    ]);
  });

  test("about an invoice, with a key of the right length only", async () => {
    const at = "/invoices/demo/i1/resolve";
    const body = { decision: "issued", reason: "consultada", chave: "3".repeat(50), rev: 3 };
    expect((await call("POST", at, body)).status).toBe(200);
    expect((await call("POST", at, { ...body, chave: "33" })).status).toBe(400);
    const letters = `355030822${"12ABC34501DE35"}${"3".repeat(27)}`;
    expect((await call("POST", at, { ...body, chave: letters })).status).toBe(200);
    expect((await call("POST", at, { ...body, chave: "é".repeat(50) })).status).toBe(400);
    expect((await call("POST", at, { ...body, decision: "perhaps" })).status).toBe(400);
    expect(house.done.at(-1)).toMatchObject({
      what: "resolveInvoice",
      args: [{ id: "i1" }, "issued", { rev: 3 }],
    });
  });

  test("says what was seen: a number is asked for in words, and an old one is a conflict", async () => {
    const at = "/invoices/demo/i1/resolve";
    const body = { decision: "not_issued", reason: "não consta" };
    for (const rev of [undefined, -1, 1.5, "3"]) {
      const answer = await call("POST", at, { ...body, ...(rev === undefined ? {} : { rev }) });
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.body)).toMatch(/body rev \(the number `rev` that was shown/);
    }
    const before = house.done.length;
    const costly = (what: string, more: object) =>
      call("POST", `${effect("costly")}/${what}`, { reason: "visto", ...more });
    for (const what of ["retry", "discard"]) {
      expect(await costly(what, {})).toMatchObject({
        status: 400,
        body: { error: { code: "REV_MISSING", message: "Send rev." } },
      });
      expect(await costly(what, { rev: 3 })).toMatchObject({
        status: 409,
        body: { error: { code: "STALE", message: "It is 4 now." } },
      });
      expect((await costly(what, { rev: 4 })).status).toBe(200);
    }
    expect((await costly("resolve", { decision: "done", rev: 3 })).status).toBe(409);
    expect((await costly("resolve", { decision: "done", rev: 4 })).status).toBe(200);
    expect(house.done.length - before).toBe(8);

    const { paths } = (await get("/openapi.json")).body as unknown as {
      paths: Record<string, { post?: { requestBody?: object } }>;
    };
    const schemaOf = (path: string) => JSON.stringify(paths[`/api${path}`]?.post?.requestBody);
    expect(schemaOf("/invoices/{account}/{id}/resolve")).toMatch(
      /"required":\["decision","reason","rev"\]/,
    );
    for (const deed of ["retry", "resolve", "discard"])
      expect(schemaOf(`/outbox/{account}/{contact}/{id}/${deed}`)).toContain(
        "demanded of what costs",
      );
  });

  test("about pauses and holds", async () => {
    const pause = { scope: "plan:demo", reason: "manutenção" };
    expect((await call("POST", "/pauses", pause)).body).toEqual({ ok: true, changed: true });
    expect((await get("/pauses")).body).toMatchObject({ items: [{ ...pause }] });
    expect((await call("DELETE", "/pauses/plan%3Ademo")).status).toBe(200);
    expect((await call("DELETE", "/pauses/plan%3Ademo")).status).toBe(404);
    const channel = { scope: "plan:demo:engine-a", reason: "instance_not_open" };
    await call("POST", "/pauses", channel);
    expect((await get("/pauses")).body).toMatchObject({ items: [channel] });
    expect((await call("DELETE", "/pauses/plan%3Ademo%3Aengine-a")).status).toBe(200);
    expect((await call("POST", "/pauses", { scope: "Plan;DROP", reason: "x" })).status).toBe(400);
    // A lease ends by itself, is renewed by whoever has it, and takes the place of nobody else's pause.
    const lease = { scope: "plan:demo", reason: "for a while", seconds: 60 };
    const until = async () => (await house.store.scopes.pauses()).get("plan:demo");
    expect((await call("POST", "/pauses", lease)).body).toEqual({ ok: true, changed: true });
    expect((await until())?.until).toBeGreaterThan(Date.now() + 50_000);
    await call("POST", "/pauses", { ...lease, seconds: 600 });
    expect((await until())?.until).toBeGreaterThan(Date.now() + 500_000);
    await call("POST", "/pauses", pause);
    await call("POST", "/pauses", lease);
    expect(await until()).toMatchObject({ reason: pause.reason });
    expect((await until())?.until).toBeUndefined();
    expect((await call("POST", "/pauses", { ...lease, seconds: 0 })).status).toBe(400);
    expect((await call("DELETE", "/pauses/plan%3Ademo")).status).toBe(200);
    expect((await call("DELETE", "/hold/fiscal")).status).toBe(200);
    expect((await call("DELETE", "/hold/message")).status).toBe(404);
  });

  test("what does not fit is refused by its place, without its value", async () => {
    const bad = await call("POST", "/pauses", { scope: "SECRET-52998224725", reason: "x" });
    expect(bad.status).toBe(400);
    expect(JSON.stringify(bad.body)).toContain("scope");
    expect(JSON.stringify(bad.body)).not.toContain("52998224725");
    expect((await call("GET", "/sessions?limit=0")).status).toBe(400);
    expect((await call("GET", "/sessions/demo/..%2f..")).status).toBe(400);
    const text = await fetch(`${house.url}/api/pauses`, { method: "POST", body: "{" });
    expect(text.status).toBe(400);
  });
});

describe("accounts", () => {
  test("secrets go in and never come back", async () => {
    const added = await call("POST", "/accounts", {
      id: "padaria",
      name: "Padaria",
      channels: [
        { channel: "engine-b" },
        { channel: "engine-a", hmac: { secrets: ["shared-secret"] } },
      ],
      gateway: { token: "very-secret-token" },
    });
    expect(added.status).toBe(200);
    const told = JSON.stringify([added.body, (await get("/accounts")).body]);
    expect(told).not.toContain("very-secret-token");
    expect(told).not.toContain("shared-secret");
    expect(added.body).toMatchObject({
      account: { gateway: { hasToken: true }, channels: [{}, { hmac: { secrets: 1 } }] },
    });
  });

  test("the webhook URLs shown work, and a change keeps what is not named", async () => {
    const { webhooks, account } = (await get("/accounts/padaria")).body as unknown as {
      webhooks: { channel: string; hook?: string; url: string }[];
      account: { name: string };
    };
    expect(account.name).toBe("Padaria");
    expect(webhooks.map(({ channel, hook }) => hook ?? channel)).toEqual([
      "engine-b",
      ...["message", "status", "connect", "qrcode"],
    ]);
    const url = webhooks[0]?.url.replace("http://localhost:3000", house.url) ?? "";
    expect((await post(url, inbound("oi", "P1"))).status).toBe(200);
    const change = { name: "Padaria Nova", channels: [{ channel: "engine-b", filter: ["call"] }] };
    expect((await call("PUT", "/accounts/padaria", change)).body).toMatchObject({
      account: { name: "Padaria Nova", channels: [{ filter: ["call"] }, { channel: "engine-a" }] },
      webhooks: [{ url: webhooks[0]?.url }, {}, {}, {}, {}],
    });
    expect((await house.deps.accounts.get("padaria"))?.account.gateway.token).toBe(
      "very-secret-token",
    );
  });

  test("new tokens shut the old ones, a removed account all of them", async () => {
    const urlOf = async () => {
      const { webhooks } = (await get("/accounts/padaria")).body as { webhooks: { url: string }[] };
      return (webhooks[0]?.url ?? "").replace("http://localhost:3000", house.url);
    };
    const before = await urlOf();
    expect((await call("POST", "/accounts/padaria/rotate")).status).toBe(200);
    const after = await urlOf();
    expect((await post(before, inbound("oi", "P2"))).status).toBe(404);
    expect((await post(after, inbound("oi", "P3"))).status).toBe(200);
    expect((await call("DELETE", "/accounts/padaria")).status).toBe(200);
    expect((await post(after, inbound("oi", "P4"))).status).toBe(404);
    expect((await get("/accounts/padaria")).status).toBe(404);
  });

  test("the id of a removed account is nobody else's; the same business is put back, and that is audited", async () => {
    const other = { id: "padaria", name: "Outra Padaria" };
    const refused = await call("POST", "/accounts", other);
    expect(refused).toMatchObject({ status: 409, body: { error: { code: "ACCOUNT_REMOVED" } } });
    expect(JSON.stringify(refused.body)).toMatch(/was removed.*another id.*restore: true/);
    // Removing it once more forgets nothing.
    expect((await call("DELETE", "/accounts/padaria")).status).toBe(404);
    expect((await call("POST", "/accounts", other)).status).toBe(409);
    expect((await call("POST", "/accounts", { ...other, restore: "yes" })).status).toBe(400);

    const never = { id: "nunca", name: "Nunca", restore: true };
    expect(await call("POST", "/accounts", never)).toMatchObject({
      ...{ status: 409, body: { error: { code: "NOT_REMOVED" } } },
    });
    const back = await call("POST", "/accounts", { id: "padaria", name: "Padaria", restore: true });
    expect(back).toMatchObject({ status: 200, body: { account: { id: "padaria" } } });
    expect(JSON.stringify(back.body)).not.toContain("restore");
    expect(await house.store.documents.get("removed-accounts", "padaria")).toBeNull();
    const [row] = (await audit()).filter((one) => one["action"] === "accounts.restore");
    expect(row).toMatchObject({ target: "padaria", outcome: "done" });
    expect((await call("POST", "/accounts", { ...never, id: "padaria" })).status).toBe(409);
  });

  test("a taken id, a taken token and a bad account are refused", async () => {
    expect((await call("POST", "/accounts", { id: "demo", name: "X" })).status).toBe(409);
    const stolen = { id: "thief", name: "X", channels: [{ channel: "engine-b", token: TOKEN }] };
    expect((await call("POST", "/accounts", stolen)).status).toBe(409);
    const bad = await call("POST", "/accounts", { id: "Bad Id", name: "X" });
    expect(bad).toMatchObject({ status: 400, body: { error: { code: "INVALID" } } });
    expect((await call("PUT", "/accounts/nobody", { name: "X" })).status).toBe(404);
  });

  test("approvals that nobody could give are refused with a sentence, and nothing else is", async () => {
    const one = { id: "oficina", name: "Oficina" };
    const asks = { policy: { approval: true } };
    const refused = await call("POST", "/accounts", { ...one, ...asks });
    expect(refused).toMatchObject({ status: 400, body: { error: { code: "INVALID" } } });
    expect(JSON.stringify(refused.body)).toMatch(/no operator.*Name an operator, or set policy/);
    // Who cannot issue yet has nothing to approve.
    expect((await call("POST", "/accounts", one)).status).toBe(200);
    const issuers = [
      {
        ...{ emitente_id: "6f1f7d3e-0000-4000-8000-000000000009", cnpj: "11222333000181" },
        ...{ razao: "Oficina Ltda", town: "3550308", uf: "SP", regime: "simples" },
        ...{ regime_apuracao: "1", percentual_simples: 6, default: true },
      },
    ];
    expect((await call("PUT", "/accounts/oficina", { issuers })).status).toBe(400);
    const operators = [{ name: "Ana", alias: "phone:5511900000009" }];
    expect((await call("PUT", "/accounts/oficina", { issuers, operators })).status).toBe(200);
    expect((await call("PUT", "/accounts/oficina", { operators: [] })).status).toBe(400);
    const alone = { operators: [], policy: { approval: false } };
    expect((await call("PUT", "/accounts/oficina", alone)).status).toBe(200);
    expect((await call("PUT", "/accounts/oficina", asks)).status).toBe(400);
    expect((await call("POST", "/accounts/oficina/rotate")).status).toBe(200);
    await call("DELETE", "/accounts/oficina");
  });

  test("every change is in the audit log, without what was in it", async () => {
    const rows = await audit();
    const deeds = new Set(rows.map((row) => row["action"]));
    for (const deed of ["accounts.add", "accounts.set", "accounts.rotate", "accounts.remove"])
      expect(deeds).toContain(deed);
    expect(JSON.stringify(rows)).not.toContain("secret");
  });
});

describe("against a sandbox", () => {
  let sandbox: Server;
  let on: House;
  const seen: string[] = [];
  beforeAll(async () => {
    sandbox = createServer((request, answer) => {
      let body = "";
      request.on("data", (data: Buffer) => (body += data.toString()));
      request.on("end", () => {
        seen.push(`${request.method} ${request.url} ${body}`);
        answer.writeHead(202, { "content-type": "application/json" }).end('{"ok":1}');
      });
    });
    await new Promise<void>((resolve) => sandbox.listen(0, "127.0.0.1", resolve));
    const { port } = sandbox.address() as AddressInfo;
    on = await openHouse({
      deps: () => ({ sandboxUrl: `http://127.0.0.1:${port}`, adminToken: "admin-token" }),
    });
  });
  afterAll(async () => {
    await on.close();
    sandbox.close();
  });

  test("the sandbox moves the clock and waits for quiet, without a token but from here only", async () => {
    expect((await call("POST", "/clock", { now: 1_800_000_000_000 }, on)).body).toEqual({
      now: 1_800_000_000_000,
    });
    expect((await call("POST", "/turns/drain", undefined, on)).body).toEqual({ quiet: true });
    expect(on.done.map((one) => one.what)).toEqual(["setClock", "drain"]);
    expect((await call("POST", "/clock", { now: "later" }, on)).status).toBe(400);
    expect((await call("POST", "/clock", { now: 1 }, house)).status).toBe(404);
  });

  test("its controls are passed through, and nothing else is", async () => {
    const headers = { authorization: "Bearer admin-token", "content-type": "application/json" };
    const inboundAnswer = await fetch(`${on.url}/api/sandbox/inbound?x=1`, {
      method: "POST",
      headers,
      body: '{"from":"5511900000002","text":"oi"}',
    });
    expect([inboundAnswer.status, await inboundAnswer.json()]).toEqual([202, { ok: 1 }]);
    expect(seen).toEqual(['POST /sandbox/inbound?x=1 {"from":"5511900000002","text":"oi"}']);
    for (const path of ["../api/v2/jobs", "%2e%2e/api/v2/jobs", "..%2fapi"]) {
      const answer = await fetch(`${on.url}/api/sandbox/${path}`, { headers });
      expect([path, answer.status === 202 && !seen.at(-1)?.includes(" /sandbox/")]).toEqual([
        path,
        false,
      ]);
    }
    expect(seen.every((line) => / \/sandbox\//.test(line))).toBe(true);
    expect((await fetch(`${house.url}/api/sandbox/clock`)).status).toBe(404);
  });
});

describe("the description", () => {
  test("is OpenAPI of every operation, with its parameters", async () => {
    const { body } = await get("/openapi.json");
    const paths = body["paths"] as Record<string, Record<string, { parameters: object[] }>>;
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const declared = [...apiRoutes, ...house.deps.plugins.routes].map(
      ({ method, path }) => `${method} /api${path.replace(/:(\w+)/g, "{$1}")}`,
    );
    expect(described.sort()).toEqual(declared.sort());
    expect(body["openapi"]).toBe("3.1.0");
    const get_ = paths["/api/sessions/{account}/{contact}"]?.["get"];
    expect(get_?.parameters).toMatchObject([
      { name: "account", in: "path", required: true },
      { name: "contact", in: "path", required: true },
      { name: "reveal", in: "query", required: false },
    ]);
    const ids = Object.values(paths).flatMap((one) =>
      Object.values(one as Record<string, { operationId?: string }>).map((two) => two.operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
});
