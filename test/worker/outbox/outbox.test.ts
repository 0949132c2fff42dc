import { createServer, type Server } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { freePort } from "../../support/ports.ts";
import {
  bubble,
  CUSTOMER,
  hear,
  issue,
  OTHER,
  rig,
  textOf,
  WAITER,
  type Asked,
  type Rig,
} from "../rig.ts";

let it: Rig;
afterEach(() => it.close());

const SEND = "message.sendText";
const calls = async (route: string) =>
  (await it.list("requests")).filter((row) => textOf(row["route"]) === route);
const held = () => it.store.views.effects({ state: "held", limit: 10 });
const unfinished = () => it.store.views.effects({ limit: 10 });
const pending = () => it.store.views.effects({ state: "pending", limit: 10 });
const paused = async () =>
  [...(await it.store.scopes.pauses())].map(([scope, { reason }]) => [scope, reason]);
/** Virtual minutes go by. */
const later = async (minutes: number) => {
  it.clock.moveTo(it.clock.now() + minutes * 60_000);
  await it.worker.drain();
};

/** The time a scope was told to wait for is over. */
const timeOver = async (scope: string) => {
  await it.store.scopes.pause(scope, "rate_limited", { until: Date.now() - 1 });
  await it.worker.drain();
};

/** An issuer as the interface takes one. */
const ISSUER_FIELDS = {
  ...{ razao: "Outra Empresa Ltda", nome: "Outra", cnae: "6209100", crt: 3, ie: "ISENTO" },
  ...{ im: "12345678", suframa: null, telefone: "1130000000", email: "fiscal@outra.example" },
  ...{ rua: "Rua Um", numero: "1", bairro: "Centro", municipio: "São Paulo", cmun: "3550308" },
  ...{ uf: "SP", cep: "01310100", logo: null },
  documentos: { nfe: false, nfce: false, nfse: true },
  webhook_url: "https://outra.example/notas",
};

const lookup: Asked = {
  type: "call",
  class: "read",
  name: "chat.messengerNumbers",
  waiter: { ...WAITER, step: "lookup" },
  input: { numbers: [CUSTOMER] },
};

describe("messages", () => {
  test("of one contact leave in order, and a failing one holds back nobody else's", async () => {
    it = await rig();
    await it.fault({ route: SEND, effect: { kind: "status", status: 500 }, times: 1 });
    await it.asks(
      CUSTOMER,
      bubble(CUSTOMER, "um"),
      bubble(CUSTOMER, "dois"),
      bubble(CUSTOMER, "três"),
    );
    await it.worker.drain();
    await it.asks(OTHER, bubble(OTHER, "oi"));
    await it.worker.drain();
    expect(await it.received(CUSTOMER)).toEqual([]);
    expect(await it.received(OTHER)).toEqual(["oi"]);

    await later(2);

    expect(await it.received(CUSTOMER)).toEqual(["um", "dois", "três"]);
  });

  test("are tried again after an unclear end, marked, and at most three times more", async () => {
    it = await rig();
    await it.fault({ route: SEND, effect: { kind: "status", status: 502 } });
    await it.asks(CUSTOMER, bubble(CUSTOMER, "um"), bubble(CUSTOMER, "dois"));
    for (let round = 0; round < 8; round++) await later(2);

    expect(await calls(SEND)).toHaveLength(4);
    expect((await held()).map(({ reason }) => reason)).toEqual(["failed:server_error", "turn"]);
    const mail = (await it.journal(CUSTOMER)).find(
      (line) => (line["mail"]?.["kind"] as unknown) === "send-failed",
    );
    expect(mail).toBeDefined();
  });

  test("that failed for good are told to the flow that said them", async () => {
    it = await rig();
    await it.fault({ route: SEND, effect: { kind: "status", status: 422 }, times: 1 });
    await it.asks(CUSTOMER, Object.assign(bubble(CUSTOMER, "um"), { frame: "f7" }));
    await it.worker.drain();

    const mails = (await it.journal(CUSTOMER)).map((line) => line["mail"] as unknown);
    expect(mails).toContainEqual(
      expect.objectContaining({ kind: "send-failed", reason: "failed:status_422", frame: "f7" }),
    );
  });

  test("say in the journal that they may have arrived twice", async () => {
    it = await rig();
    await it.fault({ route: SEND, effect: { kind: "accepted_then_lost" }, times: 1 });
    await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
    await it.worker.drain();
    await later(2);

    expect(await it.received(CUSTOMER)).toEqual(["um", "um"]);
    const lines = await it.journal(CUSTOMER);
    expect(lines.find((line) => line["possibleDuplicate"])).toBeDefined();
  });

  test("are sent again all the same when an earlier one with the same words is told once more", async () => {
    it = await rig({ timeoutMs: 500 });
    await it.asks(CUSTOMER, bubble(CUSTOMER, "oi", "t1"));
    await it.worker.drain();
    const [earlier] = await hear(it, "own");
    await it.fault({ route: "message.sendText", effect: { kind: "reset" }, times: 1 });
    await it.asks(CUSTOMER, bubble(CUSTOMER, "oi", "t2"));
    await it.worker.drain();
    if (!earlier) throw new Error("an echo was expected");

    await it.worker.signals.handle("demo", "engine-b", earlier);
    it.clock.moveTo(it.clock.now() + 120_000);
    await it.worker.drain();

    expect(await it.received(CUSTOMER)).toEqual(["oi", "oi"]);
  });

  test("are not sent again when their own echo came first", async () => {
    it = await rig();
    await it.fault({ route: SEND, effect: { kind: "accepted_then_lost" }, times: 1 });
    await it.asks(CUSTOMER, bubble(CUSTOMER, "*um* e dois"));
    await it.worker.drain();

    const heard = await it.worker.signals.handle("demo", "engine-b", own("um e dois", "WIRE1"));
    await later(2);

    expect(heard).toBe("echo");
    expect(await it.received(CUSTOMER)).toHaveLength(1);
    expect(await pending()).toEqual([]);
  });

  test("wait while a person has the conversation, except a person's own", async () => {
    it = await rig();
    await it.says(CUSTOMER, "oi");
    await it.worker.drain();
    const contact = await it.contact(CUSTOMER);
    const take = { kind: "operator", action: "take", actor: "ana" };
    await it.store.mail.accept([{ account: "demo", contact, event: "take", mail: take }]);
    await it.worker.drain();
    const before = await it.received(CUSTOMER);

    await it.asks(CUSTOMER, bubble(CUSTOMER, "do robô"), {
      ...bubble(CUSTOMER, "da Ana"),
      byHuman: true,
    } as Asked);
    await it.worker.drain();

    expect((await it.received(CUSTOMER)).slice(before.length)).toEqual(["da Ana"]);
    expect((await it.journal(CUSTOMER)).find((line) => line["dropped"])).toMatchObject({
      dropped: "handoff",
    });
  });

  test("that were waiting when their reader asked for silence are not sent", async () => {
    it = await rig();
    await it.says(CUSTOMER, "oi");
    await it.worker.drain();
    await it.store.scopes.pause("plan:demo", "operator");
    await it.asks(CUSTOMER, bubble(CUSTOMER, "uma oferta"));
    await it.says(CUSTOMER, "não quero mais receber mensagens");
    await it.worker.drain();
    await it.worker.scopes.resume("plan:demo");
    await it.worker.drain();

    const view = await it.store.views.session("demo", await it.contact(CUSTOMER));
    expect(view?.session).toHaveProperty("optOut");
    expect(await it.received(CUSTOMER)).not.toContain("uma oferta");
    expect((await it.journal(CUSTOMER)).find((line) => line["dropped"])).toMatchObject({
      dropped: "opt-out",
    });
  });

  test("that come half an hour late become one, with an apology", async () => {
    it = await rig();
    await it.store.scopes.pause("plan:demo", "operator");
    await it.asks(CUSTOMER, bubble(CUSTOMER, "um", "t1"));
    await it.asks(CUSTOMER, bubble(CUSTOMER, "dois", "t2"));
    await later(31);
    await it.worker.scopes.resume("plan:demo");
    await it.worker.drain();

    const [only, ...more] = await it.received(CUSTOMER);
    expect(more).toEqual([]);
    expect(only).toMatch(/^Desculpe a demora.*\n\ndois$/s);
  });
});

describe("scopes", () => {
  test("402 stops invoicing alone: nothing is asked again, the customer is still told, top-up ends it", async () => {
    it = await rig();
    await it.fault({ route: "invoicing.nfseEnvio", effect: { kind: "no_balance" }, times: 1 });
    await it.asks(CUSTOMER, issue());
    await it.worker.drain();
    await it.asks(OTHER, issue({ value: 20_000 }));
    await it.asks(CUSTOMER, bubble(CUSTOMER, "aguarde"));
    await it.worker.drain();

    expect(await paused()).toEqual([["credits:demo", "no_balance"]]);
    expect(await calls("invoicing.nfseEnvio")).toHaveLength(1);
    expect(await it.received(CUSTOMER)).toEqual(["aguarde"]);

    await it.worker.scopes.resume("credits:demo");
    await it.worker.drain();

    expect(await it.list("invoices")).toHaveLength(2);
    expect(
      (await it.worker.invoices.list("demo", { limit: 9 })).items.map(({ state }) => state),
    ).toEqual(["autorizada", "autorizada"]);
  });

  test("429 waits as long as it was told; the message rests for a person where the account wants it so", async () => {
    it = await rig({ account: { onRateLimit: "hold" } });
    await it.fault({ route: SEND, effect: { kind: "status", status: 429 }, times: 1 });
    await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
    await it.worker.drain();

    expect((await held()).map(({ reason }) => reason)).toEqual(["rate_limited"]);
    expect(await paused()).toEqual([["plan:demo", "rate_limited"]]);
    const until = (await it.store.scopes.pauses()).get("plan:demo")?.until ?? 0;
    expect(until).toBeGreaterThan(Date.now());
    expect(await calls(SEND)).toHaveLength(1);

    await timeOver("plan:demo");
    expect(await paused()).toEqual([]);
    expect((await held()).map(({ reason }) => reason)).toEqual(["rate_limited"]);
    expect(await calls(SEND)).toHaveLength(1);
  });

  test("429 lets the message and its turn go again in order once its time is over, and nothing before", async () => {
    it = await rig();
    await it.fault({ route: SEND, effect: { kind: "status", status: 429 }, times: 1 });
    const turn = ["um", "dois", "três"].map((text) => bubble(CUSTOMER, text));
    await it.asks(CUSTOMER, ...turn);
    await it.asks(CUSTOMER, bubble(CUSTOMER, "quatro", "t2"));
    await it.worker.drain();
    const why = (await held()).map(({ reason }) => reason);
    expect(why).toEqual(["rate_limited", "turn", "turn"]);
    expect(await calls(SEND)).toHaveLength(1);
    expect(it.events.filter((event) => event.type === "alarm")).toMatchObject([
      { code: "scope.paused" },
    ]);

    await timeOver("plan:demo");

    expect(await it.received(CUSTOMER)).toEqual(["um", "dois", "três", "quatro"]);
    expect(await unfinished()).toEqual([]);
    expect(await it.journal(CUSTOMER)).not.toContainEqual(
      expect.objectContaining({ mail: expect.objectContaining({ kind: "send-failed" }) as object }),
    );
  });

  test("429 without end makes the message a failed send after five goes", async () => {
    it = await rig();
    await it.fault({ route: SEND, effect: { kind: "status", status: 429 } });
    await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
    await it.worker.drain();
    for (let round = 0; round < 8; round++) await timeOver("plan:demo");

    expect(await calls(SEND)).toHaveLength(6);
    expect((await held()).map(({ reason }) => reason)).toEqual(["rate_limited"]);
    expect(it.events).toContainEqual(expect.objectContaining({ code: "send.failed" }));
  });

  test("429 holds a note for a person, unless the account lets all calls go again", async () => {
    it = await rig({ account: { onRateLimit: "all" } });
    const effect = { kind: "status", status: 429 };
    await it.fault({ route: "invoicing.nfseEnvio", effect, times: 1 });
    await it.asks(CUSTOMER, issue());
    await it.worker.drain();
    expect(await it.list("invoices")).toEqual([]);

    await timeOver("credits:demo");

    expect(await it.list("invoices")).toHaveLength(1);
    expect(await calls("invoicing.nfseEnvio")).toHaveLength(2);
    expect(await unfinished()).toEqual([]);
  });

  test("a phone that is not connected pauses messages until it opens", async () => {
    it = await rig();
    await it.worker.signals.handle("demo", "engine-b", connection("close"));
    await it.says(CUSTOMER, "oi");
    await it.worker.drain();
    expect(await it.received(CUSTOMER)).toEqual([]);
    expect(await paused()).toEqual([["plan:demo", "instance_not_open"]]);

    await it.worker.signals.handle("demo", "engine-b", connection("open"));
    await it.worker.drain();

    expect(await it.received(CUSTOMER)).toHaveLength(1);
    expect(await calls("instance.connectionState")).toEqual([]);
  });

  test("a gateway that cannot be reached costs no attempt and is asked for free until it is back", async () => {
    const gate = await closedDoor();
    it = await rig({ gatewayUrl: `http://127.0.0.1:${gate.port}/api/v2` });
    await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
    await it.worker.drain();
    expect(await paused()).toEqual([["plan:demo", "unreachable"]]);
    expect((await pending())[0]?.attempt).toBe(0);

    const server = await gate.open();
    await it.worker.start();
    const end = Date.now() + 10_000;
    while ((await unfinished()).length > 0 && Date.now() < end)
      await new Promise((wake) => setTimeout(wake, 50));

    expect(server.paths[0]).toBe("/api/v2/jobs");
    expect(server.paths.at(-1)).toBe("/api/v2/msgengine/message/sendText");
    expect(await unfinished()).toEqual([]);
    await server.close();
  });
});

describe("calls of flows", () => {
  test("bring their answer to the flow that waits", async () => {
    it = await rig();
    await it.asks(CUSTOMER, lookup);

    await it.worker.drain();

    const line = (await it.journal(CUSTOMER)).find(
      (one) => (one["mail"]?.["kind"] as unknown) === "result",
    );
    expect(line?.["mail"]).toMatchObject({
      waiter: { step: "lookup" },
      result: { outcome: "done" },
    });
  });

  test("with an input that breaks the route's schema fail without a call", async () => {
    it = await rig();
    await it.asks(CUSTOMER, { ...lookup, input: { numbers: 7 } });

    await it.worker.drain();

    expect(await calls("chat.messengerNumbers")).toEqual([]);
    const line = (await it.journal(CUSTOMER)).find((one) => one["outcome"]);
    expect(line).toMatchObject({ outcome: "failed", reason: "input" });
  });

  test("that cost money are held when their answer is lost", async () => {
    it = await rig();
    await it.fault({ route: "instance.create", effect: { kind: "accepted_then_lost" } });
    await it.asks(CUSTOMER, {
      ...{ type: "call", class: "costly", name: "instance.create", waiter: WAITER },
      input: { instanceName: "nova", qrcode: true },
    });
    await it.worker.drain();
    await later(120);

    expect(await calls("instance.create")).toHaveLength(1);
    expect(await held()).toHaveLength(1);
  });
});

describe("costly calls whose answer was lost are looked up, never repeated", () => {
  const lost = async (name: string, input: object, kind = "accepted_then_lost") => {
    it = await rig();
    await it.fault({ route: name, effect: { kind }, times: 1 });
    await it.asks(CUSTOMER, {
      ...{ type: "call", class: "costly", name, waiter: WAITER, input: input as never },
    });
    await it.worker.drain();
    expect(await held()).toHaveLength(1);
  };
  /** One round of house-keeping, some minutes later. */
  const sweep = async (minutes: number) => {
    it.clock.moveTo(it.clock.now() + minutes * 60_000);
    const worker = it.again();
    await worker.start();
    await pause(150);
    await worker.stop();
  };
  const outcomes = async () =>
    (await it.journal(CUSTOMER)).flatMap((line) =>
      (line["mail"]?.["kind"] as unknown) === "result"
        ? [line["mail"]?.["result"] as unknown as { outcome: string; out: object }]
        : [],
    );

  test("a group that is there, made since, by its name", async () => {
    await lost("group.create", { subject: "Clientes", participants: [OTHER] });

    await sweep(2);

    expect(await held()).toEqual([]);
    expect(await outcomes()).toMatchObject([
      { outcome: "held" },
      { outcome: "done", out: { subject: "Clientes" } },
    ]);
    expect(await calls("group.create")).toHaveLength(1);
  });

  test("an issuer that is in the list and was not ours before, for free", async () => {
    const cnpj = "11444777000161";
    await lost("invoicing.emitentesCadastro", { ...ISSUER_FIELDS, cnpj });

    await sweep(2);

    expect(await held()).toEqual([]);
    expect(await outcomes()).toMatchObject([
      { outcome: "held" },
      { outcome: "done", out: { cnpj } },
    ]);
    expect(await calls("invoicing.emitentesCadastro")).toHaveLength(1);
  });

  test("an instance that has the name it was to have", async () => {
    await lost("instance.create", { instanceName: "nova", qrcode: true });

    await sweep(2);

    expect(await held()).toEqual([]);
    expect((await outcomes()).map(({ outcome }) => outcome)).toEqual(["held", "done"]);
    expect(await calls("instance.create")).toHaveLength(1);
  });

  test("an instance of another name proves nothing; a person decides after three looks", async () => {
    await lost("instance.create", { instanceName: "nova", qrcode: true }, "reset");

    for (const minutes of [2, 5, 40, 300, 600]) await sweep(minutes);

    expect(await calls("instance.connectionState")).toHaveLength(3);
    expect(await calls("instance.create")).toHaveLength(1);
    expect(await held()).toHaveLength(1);
  });

  test("nothing is looked up while the scope is paused", async () => {
    await lost("instance.create", { instanceName: "nova", qrcode: true });
    await it.worker.scopes.pause("plan:demo", "unauthorized");

    await sweep(40);

    expect(await calls("instance.connectionState")).toEqual([]);
  });
});

test("mail between contacts arrives once, although its worker dies between doing and writing", async () => {
  it = await rig();
  const peer = {
    ...{ type: "peer", class: "internal", to: `phone:${OTHER}` },
    mail: { kind: "notice", key: "hello", vars: {} },
  } as Asked;
  const [effect = ""] = await it.asks(CUSTOMER, peer);
  // The first worker did it and died before it wrote the end.
  const contact = await it.contact(OTHER);
  await it.store.effects.begin({ limit: 1, leaseMs: 1, paused: [], offsetMs: 0 });
  const mail = { kind: "notice", key: "hello", vars: {} };
  await it.store.mail.accept([{ account: "demo", contact, event: effect, mail }]);

  await it.worker.start();
  const end = Date.now() + 10_000;
  while ((await unfinished()).length > 0 && Date.now() < end)
    await new Promise((wake) => setTimeout(wake, 50));
  await it.worker.drain();

  const lines = await it.journal(OTHER);
  expect(lines.filter((line) => (line["event"] as unknown) === effect)).toHaveLength(1);
});

describe("what left the business's number", () => {
  test("is an echo when this or another worker sent it, and a person otherwise", async () => {
    it = await rig();
    await it.asks(CUSTOMER, bubble(CUSTOMER, "Olá, *tudo* bem?"));
    await it.worker.drain();
    const other = it.again();

    const heard = [
      await it.worker.signals.handle("demo", "engine-b", own("Olá, tudo bem?", "A")),
      await other.signals.handle("demo", "engine-b", own("Olá, *tudo* bem?", "B")),
      await other.signals.handle("demo", "engine-b", own("Aqui é a Ana", "C")),
      await other.signals.handle("demo", "engine-b", own("Aqui é a Ana", "C")),
    ];
    await it.worker.drain();

    expect(heard).toEqual(["echo", "echo", "human", "duplicate"]);
    const view = await it.store.views.session("demo", await it.contact(CUSTOMER));
    expect(view?.session).toMatchObject({ handoff: { reason: "typed" } });
  });

  test("is a person when the same words come long after ours", async () => {
    it = await rig();
    await it.asks(CUSTOMER, bubble(CUSTOMER, "Pode ser"));
    await it.worker.drain();
    it.clock.moveTo(it.clock.now() + 61_000);

    expect(await it.worker.signals.handle("demo", "engine-b", own("Pode ser", "D"))).toBe("human");
  });
});

test("the last share of the plan is kept for the results of invoices", async () => {
  it = await rig();
  await it.stage.http("PUT", "/sandbox/billing", { enforce: false, quota: 4, balance: 100 });
  await it.asks(
    CUSTOMER,
    bubble(CUSTOMER, "um"),
    bubble(CUSTOMER, "dois"),
    bubble(CUSTOMER, "três"),
  );
  await it.worker.drain();
  await it.asks(CUSTOMER, bubble(CUSTOMER, "quatro"), bubble(CUSTOMER, "cinco"));
  await it.worker.drain();

  expect(await it.received(CUSTOMER)).not.toContain("cinco");
  expect(await held()).toEqual([]);

  // It waits; once nobody heard the counter for six hours one send goes and hears that there is more.
  await it.stage.http("PUT", "/sandbox/billing", { enforce: false, quota: 1_000, balance: 100 });
  it.clock.moveTo(it.clock.now() + 61_000);
  await it.worker.drain();
  expect((await it.received(CUSTOMER)).join()).not.toContain("cinco");
  it.clock.moveTo(it.clock.now() + 6 * 3_600_000);
  await it.worker.drain();

  expect((await it.received(CUSTOMER)).at(-1)).toMatch(/\n\ncinco$/);
});

function own(text: string, messageId: string) {
  const from = { address: CUSTOMER, phone: CUSTOMER };
  return { kind: "own" as const, id: `own:${messageId}`, at: 1, from, messageId, api: false, text };
}

function connection(state: "open" | "close") {
  return { kind: "connection" as const, id: `connection:${state}`, at: 1, state };
}

/** A port that refuses connections until it is opened; then it answers every call as done. */
async function closedDoor() {
  const port = await freePort();
  const paths: string[] = [];
  return {
    port,
    open: async () => {
      const server: Server = createServer((request, response) => {
        paths.push(request.url ?? "");
        request.resume();
        response.setHeader("content-type", "application/json");
        const data = request.url?.endsWith("/jobs") ? { data: [] } : undefined;
        const done = { error: false, response: { key: { id: "X1" }, status: "PENDING" } };
        response.end(JSON.stringify(data ?? done));
      });
      await new Promise<void>((ready) => server.listen(port, "127.0.0.1", ready));
      const close = () =>
        new Promise<void>((closed) => {
          server.closeAllConnections();
          server.close(() => closed());
        });
      return { paths, close };
    },
  };
}
