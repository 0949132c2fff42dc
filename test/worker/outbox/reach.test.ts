/**
 * Every route of the contract, in every form of its body, called by a flow of one step: through the engine, the store, the
 * outbox and the real client, over HTTP, to the sandbox and back into the flow's words. People write by SMS here, so that
 * they can still be answered when a call has closed the phone.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/index.ts";
import { effectInfos } from "../../../src/app/authoring/effect-infos.ts";
import { createLibrary, type Ast, type FlowSource } from "../../../src/flow/index.ts";
import { routeOf, flowRoutes, type AnyRoute, type RouteId } from "../../../src/gateway/index.ts";
import type { Body } from "../../sandbox/stage.ts";
import { GROUP, playable, rehearse } from "../../support/rehearsal.ts";
import { rig, textOf, type Rig } from "../rig.ts";
import { effects as shippedEffects } from "../../support/plugins.ts";

interface Case {
  readonly route: AnyRoute;
  readonly variant: string;
  readonly flow: string;
  readonly phrase: string;
  readonly input: JsonObject;
  /** What the sandbox is to see. */
  readonly body: JsonObject;
}

/** They end the phone or begin a new one: last, one by one, in this order. */
const LAST: readonly string[] = [
  "instance.restart",
  "instance.restartPost",
  "instance.logout",
  "instance.delete",
  "instance.create",
];
const GRAVE = ["fiscal", "costly"];
/** In the query of the routes that need something there. */
const QUERIES: { readonly [id: string]: JsonObject } = {
  "group.fetchAllGroups": { getParticipants: true },
  "jobs.list": { page: 1 },
};
/** What the sandbox cannot do for a body that is an example only; all else is done. */
const ENDS: { readonly [id in RouteId]?: RegExp } = {
  "invoicing.nfseConsulta": /^recusado: \S/,
  "invoicing.certificadoUpload": /^recusado: \S/,
};

function casesOf(
  origin: string,
  bodies: { readonly [id in RouteId]?: JsonObject },
): readonly Case[] {
  const forms = flowRoutes.flatMap((route) =>
    Object.entries(route.variants).map(([variant, form]) => ({ route, variant, form })),
  );
  return forms.map(({ route, variant, form }, index) => {
    const body = bodies[route.id] ?? playable(form.example as JsonObject, origin);
    const query = { ...(route.group ? { groupJid: GROUP } : {}), ...QUERIES[route.id] };
    // Letters alone: figures in a sentence may be an amount.
    const word = String(index).replace(/\d/g, (digit) => "abcdefghij"[Number(digit)] ?? "");
    const input = { ...body, ...query };
    return { route, variant, flow: `reach-${index}`, phrase: `rota ${word}`, input, body };
  });
}

function flowOf({ flow, phrase, route, input }: Case): FlowSource {
  const say = (id: string, field?: string) =>
    field === undefined ? { t: "say", id } : { t: "say", id, vars: { why: { ref: field } } };
  const call = {
    ...{ t: "effect", id: "call", effect: route.id },
    input: Object.fromEntries(Object.entries(input).map(([name, val]) => [name, { val }])),
    on: {
      done: [say("done")],
      rejected: [say("rejected", "call.text")],
      failed: [say("failed", "call.reason")],
      held: [say("held", "call.reason")],
    },
  };
  const sure = { t: "confirm", id: "sure", show: [] };
  const ast = {
    ...{ flow, version: 1, title: flow, audience: "anyone", slots: {}, outcomes: [], policy: {} },
    steps: GRAVE.includes(route.class) ? [sure, call] : [call],
  };
  const say_ = {
    done: "feito",
    rejected: "recusado: {{why}}",
    failed: "falhou: {{why}}",
    held: "parado: {{why}}",
  };
  const confirm = GRAVE.includes(route.class) ? { confirm: { sure: "Faço mesmo?" } } : {};
  const texts = { start: [phrase], say: say_, ...confirm };
  return { ast: ast as unknown as Ast, texts: { "pt-BR": { locale: "pt-BR", ...texts } } };
}

let it: Rig;
let cases: readonly Case[];
beforeAll(async () => {
  const queue = await rigWithJob();
  it = queue.it;
  cases = queue.cases;
});
afterAll(() => it.close());

/** `POST /jobs` takes ids of jobs that exist: one is made before the flows are. */
async function rigWithJob(): Promise<{ it: Rig; cases: readonly Case[] }> {
  const holder: { library?: ReturnType<typeof createLibrary> } = {};
  const lazy = {
    get: (flow: string, hash?: string) => holder.library?.get(flow, hash),
    list: () => holder.library?.list() ?? [],
    word: () => "",
  };
  // Every form is called twice with the same fields: here a second note like the first is meant.
  const made = await rig({ library: lazy, account: { policy: { similarHours: 0 } } });
  const origin = made.stage.sandbox.url();
  await rehearse(origin);
  const body = { number: "5511987650009", text: "na fila" };
  const { body: job } = await made.stage.call("message.sendTextQueue", body);
  const issuer = routeOf("invoicing.emitentesCadastro").example.body as JsonObject;
  const all = casesOf(origin, {
    "jobs.find": { id: [textOf(job["id"])] },
    // The example's own is registered already.
    "invoicing.emitentesCadastro": { ...issuer, cnpj: "11444777000161" },
  });
  const flows = all.map(flowOf);
  holder.library = createLibrary({ flows, common: {}, effects: effectInfos(shippedEffects) });
  expect(holder.library.findings).toEqual([]);
  return { it: made, cases: all };
}

let serial = 0;
async function writes(phone: string, text: string): Promise<void> {
  const id = `sms${++serial}`;
  const at = it.clock.now();
  const from = { address: phone, phone };
  const event = { kind: "message", id, at, from, messageId: id, content: { type: "text", text } };
  const mail = { kind: "inbound", channel: "sms", acceptedAt: at, event };
  const contact = await it.contact(phone);
  await it.store.mail.accept([{ account: "demo", contact, event: id, mail }]);
}

const phoneOf = (one: Case, round: number) =>
  `5511${round}${String(10_000_000 + cases.indexOf(one))}`;

/** The flows of these cases from the first word to their last one; each by a person of its own. */
async function run(some: readonly Case[], round: number): Promise<void> {
  await Promise.all(some.map((one) => writes(phoneOf(one, round), one.phrase)));
  await it.worker.drain();
  const grave = some.filter(({ route }) => GRAVE.includes(route.class));
  await Promise.all(grave.map((one) => writes(phoneOf(one, round), "sim")));
  await it.worker.drain();
}

const lastWord = async (one: Case, round: number) =>
  (await it.received(phoneOf(one, round))).at(-1) ?? "";

/** What the call of a case became in its contact's journal: the effect as it was committed. */
async function committed(one: Case, round: number): Promise<Body | undefined> {
  const lines = await it.journal(phoneOf(one, round));
  const effects = lines.flatMap((line) => (line["effects"] ?? []) as unknown as readonly Body[]);
  return effects.find((effect) => textOf(effect["type"]) === "call");
}

const requestsOf = async (id: RouteId) =>
  (await it.list("requests")).filter((row) => (row["route"] as unknown) === id);

test("every form of every route that flows may call is called once, as its class, and its end is told", async () => {
  expect(cases.filter(({ route }) => route.area === "messaging")).toHaveLength(59);
  expect(cases.filter(({ route }) => route.area === "invoicing")).toHaveLength(5);
  const before = new Map<string, number>();
  for (const { id } of flowRoutes) before.set(id, (await requestsOf(id)).length);

  await run(
    cases.filter(({ route }) => !LAST.includes(route.id)),
    1,
  );
  for (const id of LAST)
    await run(
      cases.filter(({ route }) => route.id === id),
      1,
    );

  const wrong: string[] = [];
  for (const one of cases) {
    const name = `${one.route.id} ${one.variant}`;
    const said = await lastWord(one, 1);
    if (!(ENDS[one.route.id] ?? /^feito$/).test(said)) wrong.push(`${name} says "${said}"`);
    const effect = await committed(one, 1);
    if ((effect?.["class"] as unknown) !== one.route.class) wrong.push(`${name} has no class`);
  }
  expect(wrong).toEqual([]);
  for (const route of flowRoutes) {
    const forms = cases.filter((one) => one.route === route);
    const seen = (await requestsOf(route.id)).slice(before.get(route.id));
    // Replies leave by SMS, too.
    if (route.id === "sms.send") continue;
    const bodies = seen.map((row) => row["body"] as unknown as JsonObject);
    expect(bodies, route.id).toHaveLength(forms.length);
    for (const { body } of forms) {
      const wanted: unknown = asSeen(route, body);
      expect(bodies, route.id).toContainEqual(wanted);
    }
  }
});

/** Invoicing writes its operation into the body; the filter of a GET goes by the query, and no empty body is sent. */
function asSeen(route: AnyRoute, body: JsonObject): unknown {
  if (route.method === "GET") return expect.anything();
  // The sandbox keeps no certificate and no password.
  if (route.id === "invoicing.certificadoUpload")
    return expect.objectContaining({ tipo: route.tipo });
  const whole: Record<string, unknown> = { ...body };
  if (route.tipo !== null) whole["tipo"] = route.tipo;
  return expect.objectContaining(whole);
}

test("what must not be done twice rests when its answer is lost, and the flow says so", async () => {
  const kept = cases.filter(
    ({ route }) =>
      GRAVE.includes(route.class) ||
      (route.class === "destructive" && route.repeat === "harmful" && !LAST.includes(route.id)),
  );
  expect(kept).toHaveLength(6);
  for (const { route } of kept)
    await it.fault({ route: route.id, effect: { kind: "reset" }, times: 1 });

  await run(kept, 2);
  it.clock.moveTo(it.clock.now() + 600_000);
  await it.worker.drain();

  for (const one of kept) expect(await lastWord(one, 2), one.route.id).toBe("parado: reset");
  const held = await it.store.views.effects({ state: "held", limit: 100 });
  expect(held).toHaveLength(kept.length);
  expect(new Set(held.map((effect) => effect.class))).toEqual(
    new Set(kept.map(({ route }) => route.class)),
  );
});
