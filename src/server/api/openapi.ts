/** The OpenAPI 3.1 document, out of the same declarations that make the routes. */
import { z } from "zod";
import type { JsonObject } from "../../base/index.ts";
import type { ApiRoute } from "./route.ts";

type Loose = Record<string, unknown>;

function schemaOf(schema: z.ZodType): Loose {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return rest;
}

function parameters(place: "path" | "query", schema: z.ZodType | undefined): Loose[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema) as {
    properties?: Record<string, Loose>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, inner]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: inner,
  }));
}

const problem = (description: string) => ({
  description,
  content: { "application/json": { schema: { $ref: "#/components/schemas/Problem" } } },
});

function operation(route: ApiRoute): Loose {
  return {
    operationId: `${route.method.toLowerCase()}${route.path.replace(/[/:.]+(\w)/g, (_all, c: string) => c.toUpperCase())}`,
    summary: route.summary,
    tags: [route.path.split("/")[1] ?? "api"],
    parameters: [...parameters("path", route.params), ...parameters("query", route.query)],
    ...(route.body
      ? { requestBody: { content: { "application/json": { schema: schemaOf(route.body) } } } }
      : {}),
    responses: {
      "200": {
        description: "OK",
        content: { [route.answers ?? "application/json"]: { schema: {} } },
      },
      "400": problem("A parameter or the body does not fit"),
      "401": problem("No or a wrong token"),
      "404": problem("There is no such thing"),
      "409": problem("Not possible in this state"),
    },
  };
}

export function openApiDocument(routes: readonly ApiRoute[], version: string): JsonObject {
  const paths: Record<string, Loose> = {};
  for (const route of routes) {
    const path = `/api${route.path.replace(/:(\w+)/g, "{$1}")}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Prosa operator API", version },
    paths,
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      schemas: {
        Problem: {
          type: "object",
          required: ["error"],
          properties: {
            error: {
              type: "object",
              required: ["code", "message"],
              properties: {
                code: { type: "string" },
                message: { type: "string" },
                id: { type: "string" },
                why: {
                  type: "string",
                  description: "this refusal exactly, where its code has several",
                },
              },
            },
          },
        },
      },
    },
    security: [{ bearer: [] }],
  } as unknown as JsonObject;
}
