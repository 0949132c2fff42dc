/** Client and sandbox over HTTP: every body form of every route arrives as it was sent and has its effect. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  PROVENANCE_KINDS,
  pathOf,
  queuePaths,
  routeOf,
  routes,
  type AnyRoute,
} from "../../src/gateway/index.ts";
import { queryOf } from "../support/rehearsal.ts";
import { textOf, type Body } from "../sandbox/stage.ts";
import { openScene, PERSON, type Scene } from "./scene.ts";
import { TRIPS, type Play } from "./trips.ts";
import rows from "./interface-rows.json" with { type: "json" };

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.close());
beforeEach(() => scene.again());

/** Filters of a GET as they travel: `where[key][id]`. */
function flat(prefix: string, value: unknown): [string, string][] {
  if (typeof value !== "object" || value === null) return [[prefix, String(value)]];
  return Object.entries(value).flatMap(([key, entry]) =>
    flat(prefix === "" ? key : `${prefix}[${key}]`, entry),
  );
}

/** The newest call that reached the sandbox by this route's address. */
async function recorded(path: string): Promise<Body> {
  const found = (await scene.rows("requests")).filter(
    (row) => textOf(row["path"]) === `/api/v2${path}`,
  );
  const last = found.at(-1);
  if (!last) throw new Error(`nothing arrived at ${path}`);
  return last;
}

async function prepare(play: Play | undefined): Promise<Body> {
  return ((await play?.before?.(scene)) ?? {}) as Body;
}

const forms = routes.flatMap((route) =>
  Object.keys(route.variants).map((variant) => [route.id, variant] as const),
);

describe("every body form", () => {
  test.each(forms)("%s %s arrives as it was sent and has its effect", async (id, variant) => {
    const route = routeOf(id);
    const play = TRIPS[id][variant] as Play;
    const prepared = await prepare(play);
    const body = (play.body?.(scene, prepared) ??
      scene.here(route.variants[variant]?.example)) as Body;
    const query = queryOf(route);

    const outcome = await scene.gateway.call(id, body, {
      variant,
      query: typedQuery(route, query),
    });

    if (outcome.kind !== "ok") throw new Error(JSON.stringify(outcome));
    const row = await recorded(pathOf(route));
    expect(row).toMatchObject({ method: route.method, route: id, status: 200 });
    const headers = row["headers"] as unknown as string[];
    expect(headers).toEqual(expect.arrayContaining(["authorization", "content-type"]));
    expect(headers.includes("devicetoken")).toBe(route.auth === "bearer+device");
    expect(row["body"]).toEqual(onTheWire(route, body));
    await play.seen({ scene, body, raw: outcome.raw as unknown as Body, prepared });
  });
});

/** A filter of a GET goes by query; credentials inside a body are not kept by the sandbox. */
function onTheWire(route: AnyRoute, body: Body): unknown {
  if (route.method === "GET" || (route.bodiless && Object.keys(body).length === 0)) return {};
  if (route.id === "invoicing.certificadoUpload")
    return expect.objectContaining({ tipo: route.tipo });
  return route.tipo === null ? body : { ...(body as object), tipo: route.tipo };
}

function typedQuery(route: AnyRoute, query: Readonly<Record<string, string>>) {
  if (route.id === "group.fetchAllGroups") return { getParticipants: true };
  return query;
}

describe("a filter by query", () => {
  test("findMessages finds by every field of its filter, and nothing by a wrong one", async () => {
    const [record] = (await scene.ask("chat.findMessages", {}))["messages"]?.[
      "records"
    ] as unknown as Body[];
    const key = record?.["key"] ?? {};
    const filters = [
      { where: { key: { id: key["id"] } } },
      { where: { key: { remoteJid: key["remoteJid"], fromMe: true } } },
      { where: { messageType: "conversation" }, page: 1, offset: 1 },
    ];
    for (const filter of filters) {
      const found = await scene.ask("chat.findMessages", filter);
      expect(found["messages"]?.["records"]?.["length"], JSON.stringify(filter)).not.toBe(0);
      const names = flat("", filter).map(([name]) => name);
      expect(names.every((name) => /^(where\[|page|offset)/.test(name))).toBe(true);
    }
    const none = await scene.ask("chat.findMessages", { where: { key: { id: "nobody" } } });
    expect(none["messages"]?.["records"]).toEqual([]);
  });
});

describe("every queue form", () => {
  const queues = queuePaths().filter(({ route }) => route.queue === "yes");

  test.each(queues.map(({ path, route }) => [path, route] as const))(
    "%s takes the request, charges at once, and the job is done",
    async (path, route) => {
      const variant = Object.keys(route.variants)[0] as string;
      const play = TRIPS[route.id][variant];
      const prepared = await prepare(play);
      const body = play?.body?.(scene, prepared) ?? scene.here(route.example.body);
      const before = (await scene.rows("ledger")).length;

      const outcome = await scene.gateway.call(route.id, body, {
        queue: true,
        query: typedQuery(route, queryOf(route)),
      });

      expect(outcome).toMatchObject({ kind: "ok", status: 200 });
      expect(await scene.rows("ledger")).toHaveLength(before + 1);
      const row = await recorded(path);
      expect(row).toMatchObject({ method: "POST", route: route.id, status: 200 });
      expect(row["body"]).toEqual(onTheWire(route, body as Body));
      const { id } = (outcome as unknown as { data: { id: string } }).data;
      await scene.stage.http("POST", "/sandbox/clock", { advance: "1m" });
      const job = (await scene.rows("jobs")).find((one) => textOf(one["id"]) === id);
      expect(job).toMatchObject({ status: "done" });
    },
  );

  test("a send through the queue of engine A, B and C reaches the person", async () => {
    for (const id of ["engineA.sendText", "message.sendText", "engineC.sendText"] as const) {
      await scene.gateway.call(id, { number: PERSON, text: `por ${id}` }, { queue: true });
      await scene.stage.http("POST", "/sandbox/clock", { advance: "1m" });
      expect(await scene.last()).toMatchObject({ text: `por ${id}` });
    }
  });

  test("official engines refuse theirs by name and charge nothing", async () => {
    const outcome = await scene.gateway.official.sendText.queue({ number: PERSON, text: "oi" });
    expect(outcome).toMatchObject({ kind: "refused", code: "queue_not_available" });
    expect((await scene.rows("ledger")).length).toBe(0);
  });
});

describe("every body that the interface does not show", () => {
  const daggers = routes.flatMap((route) =>
    Object.entries(route.variants).flatMap(([variant, { provenance }]) =>
      provenance ? [[`${route.id} ${variant}`, route, variant, provenance] as const] : [],
    ),
  );
  /** Transcribed by hand, beside the rows. */
  const told = new Map(
    rows.routes.flatMap((row) =>
      Object.entries((row.assumed ?? {}) as Record<string, { from: string }>).map(
        ([variant, { from }]) => [`${row.id} ${variant}`, from] as const,
      ),
    ),
  );

  test.each(daggers)("%s says where its shape comes from", (title, route, _variant, provenance) => {
    expect(PROVENANCE_KINDS[provenance.kind]).toBeDefined();
    expect(provenance.note.length).toBeGreaterThan(15);
    // The channels' own bodies are no rows of the interface, so nothing is transcribed of them.
    if (route.area !== "channels") expect(provenance.kind).toBe(told.get(title));
  });
});
