/** What the operations of the OpenAPI document share: credentials, envelopes, refusals, and JSON Schema from zod. */
import { z } from "zod";
import type { Json, JsonObject } from "../base/index.ts";
import { Enqueued } from "./contract/shapes.ts";

/** A body or a payload as JSON Schema 2020-12. `input`: what a caller may send; `output`: what is read of an answer. */
export function jsonSchema(schema: z.ZodType, io: "input" | "output"): JsonObject {
  return tidy(z.toJSONSchema(schema, { io, unrepresentable: "any" }) as JsonObject) as JsonObject;
}

/** Keywords that say nothing here: the dialect, and the bounds of every safe integer. */
function tidy(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(tidy);
  if (typeof value !== "object" || value === null) return value;
  const kept: Record<string, Json> = {};
  for (const [key, entry] of Object.entries(value)) {
    if (entry === undefined || key === "$schema" || key === "$defs") continue;
    if ((key === "maximum" || key === "minimum") && Math.abs(entry as number) >= 2 ** 53 - 1)
      continue;
    // The one recursive schema of the contract is "any JSON", which JSON Schema writes as {}.
    if (key === "$ref") return {};
    kept[key] = tidy(entry);
  }
  return kept;
}

export function ref(section: "schemas" | "responses" | "parameters", name: string): JsonObject {
  return { $ref: `#/components/${section}/${name}` };
}

export function jsonContent(schema: Json, extra: JsonObject = {}): JsonObject {
  return { "application/json": { schema, ...extra } };
}

const text = { type: "string" };
const money = {
  type: "string",
  description: "BRL; the decimal separator is a comma or a dot, with two or three decimals.",
  examples: ["250,700", "0.50"],
};
const extraCharges = {
  type: "object",
  description: "Services charged on top of the price.",
  properties: { total: money },
};

function refusal(description: string, schema = "Refusal"): JsonObject {
  return { description, content: jsonContent(ref("schemas", schema)) };
}

export const components: JsonObject = {
  securitySchemes: {
    bearer: { type: "http", scheme: "bearer" },
    device: { type: "apiKey", in: "header", name: "DeviceToken" },
  },
  parameters: {
    groupJid: {
      name: "groupJid",
      in: "query",
      required: true,
      description: "Group identifier.",
      schema: { type: "string", minLength: 1, maxLength: 100 },
      example: "120363000000000001@g.us",
    },
  },
  schemas: {
    PlanEnvelope: {
      type: "object",
      description:
        "Success is `error` equal to false. The engine's own answer stands in `response`.",
      required: ["error"],
      properties: {
        error: { const: false },
        message: text,
        api_limit: { type: "integer", description: "Calls of the plan's month." },
        api_limit_for: text,
        api_limit_used: { type: "integer" },
        extra_charges: extraCharges,
      },
    },
    CreditEnvelope: {
      type: "object",
      description: "Success is `error` equal to false. The payload stands in `data`.",
      required: ["error"],
      properties: {
        error: { const: false },
        message: text,
        balance: money,
        tax: money,
        valor_consulta: money,
        extra_charges: extraCharges,
        api_limit_for: text,
        homolog: { type: ["boolean", "string"] },
      },
    },
    Failure: {
      type: "object",
      description: "A business failure: status 200 and `error` true.",
      required: ["error"],
      properties: { error: { const: true }, message: text, code: text },
    },
    Refusal: {
      type: "object",
      properties: { error: { type: "boolean" }, message: text, code: text },
    },
    Invalid: {
      type: "object",
      properties: {
        message: text,
        errors: { type: "object", additionalProperties: { type: "array", items: text } },
      },
    },
    Enqueued: {
      ...jsonSchema(Enqueued, "output"),
      description: "The request entered the queue. Its result comes as device events or by /jobs.",
    },
  },
  responses: {
    BadRequest: refusal("The body is no JSON object, or the engine refuses the call."),
    Unauthorized: refusal("A credential is missing or unknown."),
    NoBalance: refusal("No balance or quota: a top-up is needed, repeating does not help."),
    Forbidden: refusal("The registration does not allow this API."),
    Invalid: refusal("The body or the query breaks its schema.", "Invalid"),
    TooMany: {
      ...refusal("Too many requests."),
      headers: { "Retry-After": { description: "Seconds, or an HTTP date.", schema: text } },
    },
    QueueNotAvailable: {
      ...refusal("`code` is `queue_not_available`: use the synchronous route."),
    },
  },
};
