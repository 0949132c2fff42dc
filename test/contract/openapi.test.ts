import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { openApi, pathOf, queuePaths, routes, type AnyRoute } from "../../src/gateway/index.ts";
import { entries } from "../../src/sandbox/http/gateway-routes.ts";
import { stage, textOf, type Stage } from "../sandbox/stage.ts";

interface Node {
  readonly [key: string]: Node | undefined;
}
const document = openApi() as unknown as Node;
const paths = (document["paths"] ?? {}) as Record<string, Record<string, Node>>;
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

/** What a pointer of this document names. */
function at(pointer: string): Node | undefined {
  let node: Node | undefined = document;
  for (const part of pointer.slice(2).split("/")) node = node?.[part];
  return node;
}

/** The schema with every reference written out. */
function resolved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolved);
  if (typeof value !== "object" || value === null) return value;
  const node = value as Record<string, unknown>;
  if (typeof node["$ref"] === "string") return resolved(at(node["$ref"]));
  return Object.fromEntries(Object.entries(node).map(([key, entry]) => [key, resolved(entry)]));
}

function obeys(schema: unknown, value: unknown): string | undefined {
  const whole = resolved(schema) as Parameters<typeof z.fromJSONSchema>[0];
  const parsed = z.fromJSONSchema(whole).safeParse(value);
  return parsed.success ? undefined : z.prettifyError(parsed.error);
}

function walk(value: unknown, visit: (node: Record<string, unknown>) => void): void {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) visit(value as Record<string, unknown>);
  for (const entry of Object.values(value)) walk(entry, visit);
}

describe("the OpenAPI document", () => {
  test("holds every address that the sandbox answers, and none besides", () => {
    const wanted = entries().map(({ method, path }) => `${method} ${path}`);
    const told = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(told.sort()).toEqual(wanted.sort());
  });

  test("names every operation once, resolves every reference and uses every component", () => {
    const ids = operations.map(({ operation }) => textOf(operation["operationId"]));
    expect(new Set(ids).size).toBe(ids.length);
    const used = new Set<string>();
    const broken: string[] = [];
    walk(document, (node) => {
      const mapped =
        node["propertyName"] === "tipo" ? (node["mapping"] as Record<string, string>) : {};
      const pointers = [node["$ref"], ...Object.values(mapped)];
      for (const pointer of pointers) {
        if (typeof pointer !== "string") continue;
        used.add(pointer);
        if (at(pointer) === undefined) broken.push(pointer);
      }
    });
    expect(broken).toEqual([]);
    const unused = ["schemas", "responses", "parameters"].flatMap((section) =>
      Object.keys(document["components"]?.[section] ?? {})
        .map((name) => `#/components/${section}/${name}`)
        .filter((pointer) => !used.has(pointer)),
    );
    // The filter of the one GET that has one stands in its query.
    expect(unused.filter((pointer) => !bodiless.has(pointer.split("/").at(-1) ?? ""))).toEqual([]);
  });

  test("is a document of its version: info, operations with answers, parameters that say where they go", () => {
    expect(textOf(document["openapi"])).toBe("3.1.0");
    expect(textOf(document["info"]?.["version"])).toBe("v2");
    expect(textOf(document["info"]?.["title"])).not.toBe("");
    for (const { path, method, operation } of operations) {
      const title = `${method} ${path}`;
      expect(path, title).toMatch(/^\/[\w/-]+$/);
      expect(Object.keys(operation["responses"] ?? {}).length, title).toBeGreaterThan(3);
      for (const parameter of (operation["parameters"] ?? []) as unknown as unknown[]) {
        const { name, in: place, schema } = resolved(parameter) as Record<string, unknown>;
        expect([typeof name, place, typeof schema], title).toEqual(["string", "query", "object"]);
      }
      const wanted = new Set(["device", "bearer"]);
      for (const requirement of operation["security"] as unknown as object[])
        expect(Object.keys(requirement).every((name) => wanted.has(name))).toBe(true);
    }
    expect(Object.keys(document["components"]?.["securitySchemes"] ?? {})).toEqual([
      "bearer",
      "device",
    ]);
  });

  test("every example of a request and of an answer obeys the schema it stands beside", () => {
    const wrong: string[] = [];
    let checked = 0;
    const check = (title: string, media: Node | undefined) => {
      const one = media?.["example"];
      const many = Object.values(media?.["examples"] ?? {}).map((entry) => entry?.["value"]);
      for (const value of one === undefined ? many : [one, ...many]) {
        checked += 1;
        const problem = obeys(media?.["schema"], value);
        if (problem !== undefined) wrong.push(`${title}: ${problem}`);
      }
    };
    for (const { path, method, operation } of operations) {
      check(`${method} ${path} body`, operation["requestBody"]?.["content"]?.["application/json"]);
      for (const [status, answer] of Object.entries(operation["responses"] ?? {}))
        check(`${method} ${path} ${status}`, answer?.["content"]?.["application/json"]);
    }
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThan(130);
  });

  test("a body that breaks the contract breaks the document too", () => {
    const plain = at("#/components/schemas/message.sendText.plain");
    const number = "5511900000002";
    expect(obeys(plain, { number, text: "oi" })).toBeUndefined();
    expect(obeys(plain, { number })).toBeDefined();
    expect(obeys(plain, { number: "+55", text: "oi" })).toBeDefined();
    expect(obeys(plain, { number, text: "oi", x: 1 })).toBeDefined();
    const issue = at("#/components/schemas/invoicing.nfseEnvio.default");
    expect(obeys(issue, routeNamed("invoicing.nfseEnvio").example.body)).toBeDefined();
    expect(
      obeys(issue, {
        tipo: "nfse-envio",
        ...(routeNamed("invoicing.nfseEnvio").example.body as object),
      }),
    ).toBeUndefined();
  });

  test("tells auth, marks, price and the source of every † body", () => {
    for (const route of routes) {
      const operation = operationFor(route);
      const marks =
        route.area === "invoicing" ? operation?.["x-operations"]?.[route.id] : operation;
      expect(marks, route.id).toMatchObject({
        "x-route-id": route.id,
        "x-class": route.class,
        "x-price-brl": route.price,
        "x-dagger": route.dagger,
        "x-beta": route.beta,
        "x-volatile": route.volatile,
        "x-source": route.source,
      });
      expect(operation?.["security"], route.id).toEqual([
        route.auth === "bearer" ? { bearer: [] } : { bearer: [], device: [] },
      ]);
      for (const [name, variant] of Object.entries(route.variants)) {
        const schema = at(`#/components/schemas/${route.id}.${name}`);
        expect(schema?.["x-provenance"], `${route.id} ${name}`).toEqual(
          variant.provenance
            ? { kind: variant.provenance.kind, note: variant.provenance.note }
            : undefined,
        );
      }
    }
    const grouped = routes.filter((route) => route.group);
    for (const route of grouped)
      expect(operationFor(route)?.["parameters"], route.id).toContainEqual({
        $ref: "#/components/parameters/groupJid",
      });
  });

  test("an enqueue call answers a job; where the queue is refused, only the refusal is promised", () => {
    for (const { path, route } of queuePaths()) {
      const responses = paths[path]?.["post"]?.["responses"] ?? {};
      expect(Object.hasOwn(responses, "200"), path).toBe(route.queue !== "refused");
      if (route.queue === "refused")
        expect(responses["400"]).toEqual({ $ref: "#/components/responses/QueueNotAvailable" });
    }
  });

  test("says a deployment's own words and address", () => {
    const own = openApi({ server: "https://gw.example.org/api/v2", words: { msgengine: "m" } });
    expect(own["servers"]).toEqual([{ url: "https://gw.example.org/api/v2" }]);
    const told = Object.keys(own["paths"] as object);
    expect(told).toContain("/m/message/sendText/queue");
    expect(told.some((path) => path.startsWith("/msgengine"))).toBe(false);
  });
});

describe("the sandbox", () => {
  let sandbox: Stage;
  beforeAll(async () => {
    sandbox = await stage();
  });
  afterAll(() => sandbox.close());

  test("serves the document to anybody, below the address of its routes", async () => {
    const answer = await sandbox.http("GET", "/api/v2/openapi.json");
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(JSON.parse(JSON.stringify(document)));
    const [server] = answer.body["servers"] as unknown as { url: string }[];
    expect(server?.url).toBe("/api/v2");
  });
});

const bodiless = new Set(
  routes
    .filter((route) => route.method === "GET" || (route.bodiless && route.method === "DELETE"))
    .map((route) => `${route.id}.default`),
);

function routeNamed(id: string): AnyRoute {
  const route = routes.find((one) => one.id === id);
  if (!route) throw new Error(`no route ${id}`);
  return route;
}

function operationFor(route: AnyRoute): Node | undefined {
  return paths[pathOf(route)]?.[route.method.toLowerCase()];
}
