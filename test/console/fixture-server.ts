/**
 * A stand-in for the bot's admin listener, for looking at the console alone: canned answers of the operator API, an event
 * stream, and a contact that can be written to. Says what the API says; decides nothing.
 */
import type { ServerResponse } from "node:http";
import Fastify, { type FastifyInstance } from "fastify";
import {
  type Layouter,
  type PanelCode,
  consoleAssets,
  createLayouter,
  panelCode,
  registerConsole,
} from "../../src/console/index.ts";
import type { JournalRecord } from "../../src/engine/index.ts";
import { plugins } from "../support/plugins.ts";
import { MENU, REQUEST_INVOICE } from "./charts.ts";

/** When the talk began: its six turns are over just before now. */
const MORNING = Date.now() - 300_000;

const ANA = { contact: "c-ana", number: "5511988880001", name: "Ana Souza" };
const CHARTS = new Map([MENU, REQUEST_INVOICE].map((chart) => [chart.flow, chart]));

interface Line {
  readonly said: string;
  readonly heard: string;
  readonly flow: string;
  readonly from?: string;
  readonly to: string;
}

const TALK: readonly Line[] = [
  {
    said: "oi",
    heard:
      "Oi, Ana! Aqui é da *Clínica Boa Vista*. O que você precisa?\n1. Pedir nota fiscal\n2. Segunda via\n3. Falar com uma pessoa",
    flow: "menu",
    to: "want",
  },
  {
    said: "1",
    heard:
      "Vou pedir a nota pra você. De qual serviço?\n1. Consulta\n2. Exame de imagem\n3. Fisioterapia",
    flow: "request-invoice",
    from: "start",
    to: "service",
  },
  {
    said: "Consulta",
    heard: "Qual o CPF ou CNPJ de quem vai receber a nota?",
    flow: "request-invoice",
    from: "service",
    to: "document",
  },
  {
    said: "529.982.247-24",
    heard: "Esse CPF não confere: um dígito está trocado. Pode mandar de novo?",
    flow: "request-invoice",
    from: "document",
    to: "document",
  },
  {
    said: "529.982.247-25",
    heard: "Qual o nome completo?",
    flow: "request-invoice",
    from: "document",
    to: "name",
  },
  {
    said: "Ana Souza, foram 350 reais",
    heard: "Anotei: *R$ 350,00*. O que escrevo na descrição?",
    flow: "request-invoice",
    from: "name",
    to: "description",
  },
];

function record(line: Line, rev: number): JournalRecord {
  const at = MORNING + rev * 42_000;
  return {
    rev,
    at,
    event: `WEB${rev}:message`,
    mail: {
      kind: "inbound",
      channel: "engine-b",
      acceptedAt: at - 4,
      event: {
        kind: "message",
        id: `WEB${rev}:message`,
        at,
        from: { address: `${ANA.number}@s.whatsapp.net`, phone: ANA.number, name: ANA.name },
        messageId: `WEB${rev}`,
        content: { type: "text", text: line.said },
      },
    },
    moves: [
      {
        frame: line.flow === "menu" ? "f1" : "f2",
        flow: line.flow,
        ...(line.from === undefined ? {} : { from: line.from }),
        to: line.to,
        event: rev === 4 ? "BAD" : "ANSWER",
        handled: true,
        trace: [],
      },
    ],
    said: line.heard,
    effects: [],
    timers: [],
  };
}

function session(step: string) {
  return {
    contact: ANA.contact,
    account: "demo",
    name: ANA.name,
    address: `${ANA.number}@s.whatsapp.net`,
    role: "customer",
    frames: [
      { id: "f1", flow: "menu", title: "Menu", step: "request", summary: [], timers: [] },
      {
        id: "f2",
        flow: "request-invoice",
        title: "Pedir nota",
        step,
        hash: REQUEST_INVOICE.hash,
        summary: [
          { slot: "service", label: "Serviço", echo: "Consulta" },
          { slot: "document", label: "CPF ou CNPJ", echo: "CPF •••.982.247-••" },
          { slot: "name", label: "Nome", echo: "Ana Souza" },
          { slot: "value", label: "Valor", echo: "R$ 350,00" },
        ],
        timers: [
          { name: "quiet.nudge", due: Date.now() + 862_000 },
          { name: "quiet.expire", due: Date.now() + 86_000_000 },
        ],
      },
    ],
    requests: [],
    queued: 0,
  };
}

const OPERATOR = {
  contact: "c-op",
  account: "demo",
  name: "Operador",
  address: "5511900000001@s.whatsapp.net",
  role: "operator",
  frames: [],
  requests: [{ id: "r1", flow: "approve-invoice", code: "K7", from: "Bruno Lima" }],
};

const INVOICES = [
  {
    id: "i1",
    chave: "35261111222333000181990010000000011123456785",
    numero: "1",
    status: "autorizada",
    at: new Date(MORNING - 7_200_000).toISOString(),
    dados: {
      tomador: { cpf: "39053344705", razao_social: "Bruno Lima" },
      servico: { valor_servicos: 1250.5, discriminacao: "Consulta" },
    },
  },
  {
    id: "i2",
    chave: "",
    numero: "",
    status: "processando",
    at: new Date(MORNING - 60_000).toISOString(),
    dados: {
      tomador: { cnpj: "11444777000161", razao_social: "Padaria Estrela Ltda" },
      servico: { valor_servicos: 89.9, discriminacao: "Exame de imagem" },
    },
  },
];

/** As the API masks them. */
const LETTERS = [
  ["c-ana.1", "the flow is broken", 7_200_000, "inbound"],
  ["c-ana.2", "mailbox_full", 600_000, "inbound"],
  ["c-op.3", "too_large", 60_000, "result"],
].map(([id, reason, age, kind]) => ({
  ...{
    id: String(id),
    account: "demo",
    contact: String(id).split(".")[0],
    event: `WEB${String(id)}`,
  },
  ...{ reason: String(reason), at: Date.now() - Number(age) },
  mail: { kind, from: { phone: "*********0001" }, text: "meu CPF é ***.982.247-**" },
}));

/** As the API tells them: a lost note with its effect, a message the gateway turned away, a charged call without an answer. */
const HOURS = Date.now() - 7_200_000;
const held = (id: string, more: object) => ({
  ...{ id, account: "demo", contact: ANA.contact, scope: "plan:demo", state: "held", attempt: 1 },
  ...{ rev: 0, notBefore: HOURS, createdAt: HOURS, ...more },
});
const HELD = [
  held("c-ana:3:0", {
    ...{ class: "fiscal", reason: "reset" },
    payload: { type: "call", name: "invoice.issue", input: {} },
  }),
  held("c-ana:4:0", {
    ...{ class: "message", reason: "rate_limited" },
    payload: {
      ...{ type: "send", address: "***********01@s.whatsapp.net" },
      message: { text: "Sua nota está a caminho." },
    },
  }),
  held("c-ana:5:0", {
    ...{ class: "costly", reason: "timeout", rev: 2 },
    payload: { type: "call", name: "group.create", input: { subject: "Clientes" } },
  }),
];
const NOTES = [
  {
    ...{ id: "n1", account: "demo", contact: ANA.contact, effect: "c-ana:3:0", rev: 2 },
    ...{ state: "incerta", cents: 35_000, createdAt: HOURS, sentAt: HOURS },
    taker: { name: "Ana Souza", document: "***.982.247-**" },
  },
];

function requestRow(at: number, route: string, status: number, body: unknown) {
  return {
    at: new Date(at).toISOString(),
    method: "POST",
    path: `/api/v2/${route}`,
    route,
    headers: [],
    status,
    body,
  };
}

class Events {
  readonly #listeners = new Set<ServerResponse>();
  readonly #past: { seq: number; text: string }[] = [];
  #seq = 0;

  tell(event: Readonly<Record<string, unknown>>): void {
    const seq = (this.#seq += 1);
    const text = `id: ${seq}\ndata: ${JSON.stringify({ seq, at: Date.now(), ...event })}\n\n`;
    this.#past.push({ seq, text });
    for (const listener of this.#listeners) listener.write(text);
  }

  add(response: ServerResponse, after: number): void {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.write(": hello\n\n");
    for (const { seq, text } of this.#past) if (seq > after) response.write(text);
    this.#listeners.add(response);
    response.on("close", () => this.#listeners.delete(response));
  }

  close(): void {
    for (const listener of this.#listeners) listener.end();
  }
}

export interface Fixture {
  readonly url: string;
  readonly app: FastifyInstance;
  readonly events: Events;
  /** Bodies of `POST /api/sandbox/inbound`, in order. */
  readonly inbound: readonly Readonly<Record<string, unknown>>[];
  close(): Promise<void>;
}

export interface FixtureOptions {
  readonly cacheDir: string;
  /** A conversation in its middle, or a bot nobody wrote to yet. */
  readonly talk?: boolean;
  readonly sandbox?: boolean;
  readonly port?: number;
  /** Those of the shipped bot where nothing else is said. */
  readonly panels?: readonly PanelCode[];
}

function registerLists(app: FastifyInstance, options: FixtureOptions): void {
  const talk = options.talk ?? true;
  const records = talk ? TALK.map((line, at) => record(line, at + 1)) : [];
  const messages = records.map((one) => ({
    id: `OUT${one.rev}`,
    at: new Date(one.at + 350).toISOString(),
    route: "message.sendText",
    text: one.said ?? "",
    body: {},
  }));
  const requests = records.map((one) =>
    requestRow(one.at + 300, "message.sendText", 200, { number: ANA.number, text: one.said }),
  );
  app.get("/api/meta", () => ({
    name: "Prosa",
    version: "0.1.0",
    startedAt: MORNING,
    store: {
      kind: "embedded",
      durability: "full",
      sentence: "SQLite num arquivo, gravado a cada turno",
    },
    sandbox: options.sandbox === false ? null : { url: "http://127.0.0.1:3001" },
    gateway: { url: "http://127.0.0.1:3001/api/v2" },
    accounts: [{ id: "demo", name: "Clínica Boa Vista" }],
    locale: "pt-BR",
    clock: { now: Date.now(), offsetMs: 0 },
    roles: ["admin"],
  }));
  const told = (one: { readonly address: string }) =>
    options.sandbox === false ? { ...one, address: "*********0001@s.whatsapp.net" } : one;
  app.get("/api/sessions", () => ({
    items: talk ? [session("description"), OPERATOR].map(told) : [],
  }));
  app.get("/api/sessions/:account/:contact/journal", (request) => ({
    items: (request.params as { contact: string }).contact === ANA.contact ? records : [],
  }));
  app.get("/api/flows", () => ({
    items: [...CHARTS.values()].map(({ flow, title, hash }) => ({ flow, title, hash, lint: [] })),
  }));
  registerWaiting(app, talk);
  const dead = talk ? LETTERS.map((letter) => ({ ...letter })) : [];
  app.get("/api/dead", () => ({ items: dead }));
  app.post("/api/dead/:id/:verb", (request) => {
    const { id } = request.params as { id: string };
    const at = dead.findIndex((letter) => letter.id === id);
    if (at >= 0) dead.splice(at, 1);
    return { ok: at >= 0 };
  });
  app.get("/api/sandbox/messages", (request) =>
    (request.query as { number?: string }).number === ANA.number ? messages : [],
  );
  app.get("/api/sandbox/requests", () => requests);
  app.get("/api/sandbox/invoices", () => (talk ? INVOICES : []));
}

/** What waits for a person. A note is decided with the `rev` it has now, as the API does it. */
function registerWaiting(app: FastifyInstance, talk: boolean): void {
  const effects = talk ? HELD.map((one) => ({ ...one })) : [];
  const notes = talk ? NOTES.map((one) => ({ ...one })) : [];
  const refuse = (code: string, message: string) => ({ error: { code, message } });
  app.get("/api/invoices", (request) => ({
    items: (request.query as { open?: string }).open === "1" ? notes : [],
  }));
  app.post("/api/invoices/:account/:id/resolve", (request, reply) => {
    const { id } = request.params as { id: string };
    const { rev } = request.body as { rev?: number };
    const at = notes.findIndex((one) => one.id === id);
    const note = notes[at];
    if (!note) return reply.code(404).send(refuse("NOT_FOUND", "There is nothing here."));
    if (rev === undefined) return reply.code(400).send(refuse("BAD_REQUEST", "body rev"));
    if (rev !== note.rev)
      return reply.code(409).send(refuse("STALE", `It is incerta with rev ${note.rev} now.`));
    notes.splice(at, 1);
    const effect = effects.findIndex((one) => one.id === note.effect);
    if (effect >= 0) effects.splice(effect, 1);
    return { ok: true };
  });
  /** Another person's decision, and an answer that was lost once more. */
  app.post("/test/again/:id", (request) => {
    const note = notes.find(({ id }) => id === (request.params as { id: string }).id);
    if (note) note.rev += 2;
    return { ok: true };
  });
  app.get("/api/outbox", () => ({ items: effects }));
  app.post("/api/outbox/:account/:contact/:id/:verb", (request) => {
    const { id } = request.params as { id: string };
    const at = effects.findIndex((one) => one.id === id);
    if (at >= 0) effects.splice(at, 1);
    return { ok: at >= 0 };
  });
}

function registerControls(
  app: FastifyInstance,
  events: Events,
  inbound: Record<string, unknown>[],
): void {
  const faults: Record<string, unknown>[] = [];
  app.post("/api/sandbox/inbound", (request, reply) => {
    inbound.push(request.body as Record<string, unknown>);
    void reply.code(202);
    return { event_id: "e1", delivered: true, status: 200 };
  });
  app.get("/api/sandbox/faults", () => faults);
  app.post("/api/sandbox/faults", (request) => {
    faults.push({ id: faults.length + 1, ...(request.body as object), hits: 0 });
    return faults[faults.length - 1];
  });
  app.delete("/api/sandbox/faults", () => ({ cleared: faults.splice(0).length }));
  app.put("/api/sandbox/delivery", (request) => request.body);
  app.post("/api/sandbox/clock", () => {
    events.tell({ type: "clock", now: Date.now() + 900_000 });
    return { now: Date.now() + 900_000 };
  });
  app.post("/api/sandbox/reset", () => ({ ok: true }));
}

/** Starts it on a free loopback port. */
export async function startFixture(options: FixtureOptions): Promise<Fixture> {
  const app = Fastify({ forceCloseConnections: true });
  const layouter: Layouter = createLayouter();
  const events = new Events();
  const inbound: Record<string, unknown>[] = [];
  const coded = plugins.flatMap(({ name, panels }) => (panels ? [panelCode(name, panels)] : []));
  const panels = options.panels ?? (await Promise.all(coded));
  registerConsole(app, {
    assets: () => consoleAssets({ cacheDir: options.cacheDir, panels }),
  });
  app.get<{ Params: { flow: string } }>("/api/flows/:flow/layout", async (request, reply) => {
    const chart = CHARTS.get(request.params.flow);
    return chart ? layouter.layout(chart) : reply.code(404).send({ error: { code: "NOT_FOUND" } });
  });
  registerLists(app, options);
  registerControls(app, events, inbound);
  app.get("/api/events", (request, reply) => {
    reply.hijack();
    events.add(reply.raw, Number(request.headers["last-event-id"] ?? 0));
  });
  if (options.talk ?? true) {
    const outcomes = [
      { route: "message.sendText", status: 200, outcome: "done", ms: 38, attempt: 1 },
      { route: "message.sendText", status: 503, outcome: "unknown", ms: 21, attempt: 1 },
      { route: "message.sendText", status: 200, outcome: "done", ms: 44, attempt: 2 },
    ];
    outcomes.forEach((call) =>
      events.tell({
        type: "call",
        account: "demo",
        contact: ANA.contact,
        method: "POST",
        path: "/api/v2/message/sendText",
        ...call,
      }),
    );
  }
  const url = await app.listen({ host: "127.0.0.1", port: options.port ?? 0 });
  return {
    url,
    app,
    events,
    inbound,
    async close() {
      events.close();
      await app.close();
      await layouter.close();
    },
  };
}

/** A turn of Ana's, as the stream tells it. */
export function turnOf(line: Line, rev: number): Readonly<Record<string, unknown>> {
  return {
    type: "turn",
    account: "demo",
    contact: ANA.contact,
    record: { ...record(line, rev), at: Date.now() },
    view: session(line.to),
  };
}
