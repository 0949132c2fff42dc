/**
 * The contract as an OpenAPI 3.1 document: every address once, every variant under its name, queue forms, credentials,
 * refusals. What OpenAPI has no word for stands in `x-` fields: route id, class, price, marks, source, and for a body
 * that the interface does not show (†) where its shape comes from.
 */
import type { Json, JsonObject } from "../base/index.ts";
import {
  contract,
  pathOf,
  queuePaths,
  routes,
  type AnyRoute,
  type RouteWords,
} from "./contract/table.ts";
import type { Variant } from "./contract/route.ts";
import { components, jsonContent, jsonSchema, ref } from "./openapi-parts.ts";

interface OpenApiOptions {
  /** Address the paths are below, as a reader reaches it. Default `/api/v2`. */
  readonly server?: string;
  readonly words?: RouteWords;
}

/** The document, as plain JSON; the same contract and options give the same document. */
export function openApi(options: OpenApiOptions = {}): JsonObject {
  const { server = "/api/v2", words = {} } = options;
  const paths: Record<string, Record<string, Json>> = {};
  const add = (path: string, route: AnyRoute, operation: JsonObject) => {
    (paths[path] ??= {})[route.method.toLowerCase()] = operation;
  };
  for (const route of routes)
    if (route.area !== "invoicing") add(pathOf(route, words), route, operationOf(route, false));
  for (const { path, route } of queuePaths(words))
    if (route.queue !== "only") add(path, route, operationOf(route, true));
  const operations = routes.filter((route) => route.area === "invoicing");
  const [first] = operations;
  if (first) add(pathOf(first, words), first, invoicing(operations));
  return {
    openapi: "3.1.0",
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    info: {
      title: "Fiscal invoicing and messaging gateway",
      version: "v2",
      description:
        "Generated from the contract. † in a description: the interface does not show this body; `x-provenance` says where its shape comes from.",
    },
    servers: [{ url: server }],
    tags: Object.keys(contract).map((name) => ({ name })),
    paths,
    components: { ...components, schemas: { ...(components["schemas"] as object), ...bodies() } },
  };
}

function nameOf(route: AnyRoute, variant: string): string {
  return `${route.id}.${variant}`;
}

/** Every variant's body as a named schema. */
function bodies(): Record<string, Json> {
  const schemas: Record<string, Json> = {};
  for (const route of routes)
    for (const [name, variant] of Object.entries(route.variants))
      schemas[nameOf(route, name)] = bodySchema(route, variant);
  return schemas;
}

function bodySchema(route: AnyRoute, { body, dagger, provenance }: Variant): JsonObject {
  const schema = jsonSchema(body, "input");
  return {
    ...schema,
    // The client writes `tipo` and callers may leave it out; on the wire it is what selects the operation.
    ...(route.tipo === null ? {} : selected(schema, route.tipo)),
    ...(dagger
      ? {
          "x-dagger": true,
          "x-provenance": { kind: provenance?.kind ?? null, note: provenance?.note ?? null },
        }
      : {}),
  };
}

function selected(schema: JsonObject, tipo: string): JsonObject {
  const required = (schema["required"] ?? []) as readonly string[];
  const properties = { ...(schema["properties"] as JsonObject), tipo: { const: tipo } };
  return { properties, required: ["tipo", ...required] };
}

function operationOf(route: AnyRoute, suffixed: boolean): JsonObject {
  const queued = suffixed || route.queue === "only";
  const parameters = parametersOf(route);
  const body = bodyOf(route);
  return {
    operationId: suffixed ? `${route.id}.queue` : route.id,
    tags: [route.id.split(".")[0] ?? ""],
    summary: suffixed ? `${route.id}, through the queue` : route.id,
    description: describe(route),
    security: security(route),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: responsesOf(route, queued, suffixed && route.queue === "refused"),
    ...marks(route),
  };
}

/** The seven operations behind one address; `tipo` says which. */
function invoicing(operations: readonly AnyRoute[]): JsonObject {
  const [first] = operations as [AnyRoute];
  const names = operations.map((route) => nameOf(route, "default"));
  return {
    operationId: "invoicing",
    tags: ["invoicing"],
    summary: "Issuers, invoices and certificates; the body field tipo selects the operation",
    security: security(first),
    requestBody: {
      required: true,
      content: jsonContent(
        {
          oneOf: names.map((name) => ref("schemas", name)),
          discriminator: {
            propertyName: "tipo",
            mapping: Object.fromEntries(
              operations.map((route, index) => [
                route.tipo ?? "",
                `#/components/schemas/${names[index] ?? ""}`,
              ]),
            ),
          },
        },
        {
          examples: Object.fromEntries(
            operations.map((route) => [
              route.id,
              { value: { tipo: route.tipo, ...(route.example.body as object) } },
            ]),
          ),
        },
      ),
    },
    responses: {
      "200": {
        description: "The outcome; `data` is what the operation answers.",
        content: jsonContent(
          {
            oneOf: [
              {
                allOf: [
                  ref("schemas", "CreditEnvelope"),
                  { properties: { data: { anyOf: operations.map(payloadOf) } } },
                ],
              },
              ref("schemas", "Failure"),
            ],
          },
          {
            examples: Object.fromEntries(
              operations.map((route) => [route.id, { value: route.example.response }]),
            ),
          },
        ),
      },
      ...refusals(first),
    },
    "x-operations": Object.fromEntries(operations.map((route) => [route.id, marks(route)])),
  };
}

function security(route: AnyRoute): Json {
  return [route.auth === "bearer" ? { bearer: [] } : { bearer: [], device: [] }];
}

function describe(route: AnyRoute): string {
  const notes = [
    `Class ${route.class}.`,
    ...(route.beta ? ["Beta."] : []),
    ...(route.volatile ? ["May change without notice."] : []),
    ...(route.dagger ? ["† Some body form is not shown by the interface."] : []),
  ];
  return notes.join(" ");
}

function marks(route: AnyRoute): JsonObject {
  return {
    "x-route-id": route.id,
    "x-class": route.class,
    "x-billing": route.billing,
    "x-price-brl": route.price,
    "x-queue": route.queue,
    "x-dagger": route.dagger,
    "x-beta": route.beta,
    "x-volatile": route.volatile,
    "x-version": route.version,
    "x-source": route.source,
  };
}

/** Query parameters, and for a GET with a filter the filter's fields in brackets (`where[key][id]`). */
function parametersOf(route: AnyRoute): Json[] {
  const found: Json[] = [];
  if (route.group) found.push(ref("parameters", "groupJid"));
  else if (route.query) found.push(...fieldsOf(jsonSchema(route.query, "input"), ""));
  if (route.method === "GET")
    for (const variant of Object.values(route.variants))
      found.push(...fieldsOf(jsonSchema(variant.body, "input"), ""));
  return found;
}

function fieldsOf(schema: JsonObject, prefix: string): Json[] {
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, JsonObject>>;
  const required = (schema["required"] ?? []) as readonly string[];
  return Object.entries(properties).flatMap(([key, field]) => {
    const name = prefix === "" ? key : `${prefix}[${key}]`;
    if (field["type"] === "object") return fieldsOf(field, name);
    return [
      { name, in: "query", required: prefix === "" && required.includes(key), schema: field },
    ];
  });
}

function bodyOf(route: AnyRoute): JsonObject | undefined {
  if (route.method === "GET" || (route.bodiless && route.method === "DELETE")) return undefined;
  const names = Object.keys(route.variants);
  const refs = names.map((name) => ref("schemas", nameOf(route, name)));
  // A body may fit two forms (any file by its Base64), so they are alternatives, not exclusive ones.
  return {
    required: !route.bodiless,
    content: jsonContent(refs.length === 1 ? (refs[0] as Json) : { anyOf: refs }, {
      examples: Object.fromEntries(
        names.map((name) => [name, { value: route.variants[name]?.example as Json }]),
      ),
    }),
  };
}

function payloadOf(route: AnyRoute): JsonObject {
  return jsonSchema(route.response, "output");
}

function responsesOf(route: AnyRoute, queued: boolean, refused: boolean): JsonObject {
  if (refused) return { "400": ref("responses", "QueueNotAvailable"), ...refusals(route, "400") };
  const payload = payloadOf(route);
  const bare = queued || route.envelope === "optional";
  const success = queued
    ? ref("schemas", "Enqueued")
    : bare
      ? payload
      : {
          allOf: [
            ref("schemas", "PlanEnvelope"),
            { properties: { response: payload }, required: ["response"] },
          ],
        };
  // The example of a suffixed form is the one of an enqueue call, which only that route itself has.
  const example =
    queued && route.queue !== "only"
      ? contract.message.sendTextQueue.example.response
      : route.example.response;
  return {
    "200": {
      description: queued ? "Entered the queue; charged now." : "The outcome.",
      content: jsonContent({ anyOf: [success, ref("schemas", "Failure")] }, { example }),
    },
    ...refusals(route),
  };
}

function refusals(route: AnyRoute, without?: string): JsonObject {
  const all: Record<string, Json> = {
    "400": ref("responses", "BadRequest"),
    "401": ref("responses", "Unauthorized"),
    ...(route.billing === "none" ? {} : { "402": ref("responses", "NoBalance") }),
    "403": ref("responses", "Forbidden"),
    "422": ref("responses", "Invalid"),
    "429": ref("responses", "TooMany"),
  };
  if (without !== undefined) delete all[without];
  return all;
}
