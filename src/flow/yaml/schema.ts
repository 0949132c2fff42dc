/** The JSON Schema of `flow.yaml`, for editors, made from the reader's own tables. */
import type { JsonObject } from "../../base/index.ts";
import { ROLES } from "../../engine/index.ts";
import { FLOW_ID, SLOT_NAME } from "../ast/ast.ts";
import { METHODS } from "../machine/steps.ts";
import type { Method } from "../steps/step-kind.ts";
import { FLOW_FIELDS } from "./flow-fields.ts";
import { PATH } from "./reader.ts";
import type { Fields, Shape } from "./shape.ts";

const SURROUNDING = "^(account|contact|input)\\..+$";
const DURATION = `^\\d{1,9}(\\.\\d{1,3})?(s|m|h|d|bh|bd)$|${SURROUNDING}`;

/** The schema as plain data; `kinds` are offered as slot kinds, and the runtime's roles; others are taken too. */
export function flowSchema(kinds: readonly string[]): JsonObject {
  const flow = fieldsSchema(FLOW_FIELDS);
  const properties = flow["properties"] as Record<string, JsonObject>;
  const words = { type: "string", minLength: 1 };
  const role = { ...properties["role"], anyOf: [{ enum: [...ROLES] }, words] };
  const { slots: given } = properties;
  const slotForms = (given?.["additionalProperties"] as { anyOf?: JsonObject[] } | undefined)
    ?.anyOf;
  const kind = { anyOf: [{ enum: [...kinds] }, words] };
  const long = slotForms?.[1] as { properties?: JsonObject } | undefined;
  const slots = {
    ...given,
    propertyNames: { pattern: SLOT_NAME.source },
    additionalProperties: {
      anyOf: [kind, { ...long, properties: { ...long?.properties, kind } }],
    },
  };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "A conversation of Prosa",
    ...flow,
    properties: {
      ...properties,
      flow: { ...properties["flow"], pattern: FLOW_ID.source },
      role,
      slots,
    },
    $defs: {
      steps: { type: "array", items: { $ref: "#/$defs/step" } },
      step: { anyOf: Object.keys(METHODS).map((name) => ({ $ref: `#/$defs/${name}` })) },
      ...Object.fromEntries(
        Object.entries(METHODS).map(([name, method]) => [name, stepSchema(name, method)]),
      ),
      value: {
        description:
          "An expression: a reference, a number, true, false, or a text quoted twice; or a list or a map of these.",
      },
    },
  };
}

function stepSchema(name: string, { main, fields }: Method): JsonObject {
  const own = schemaOf(main.shape);
  const rest = fieldsSchema(fields);
  const properties = rest["properties"] as JsonObject;
  const mine = main.needed ? own : { anyOf: [own, { type: "null" }] };
  return {
    description: main.doc,
    type: "object",
    properties: { [name]: { description: main.doc, ...mine }, ...properties },
    required: [name, ...((rest["required"] as string[] | undefined) ?? [])],
    additionalProperties: false,
  };
}

function fieldsSchema(fields: Fields, rest?: Shape): JsonObject {
  const required = Object.entries(fields).flatMap(([name, { needed }]) => (needed ? [name] : []));
  return {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, { shape, doc }]) => [
        name,
        { description: doc, ...schemaOf(shape) },
      ]),
    ),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: rest ? schemaOf(rest) : false,
  };
}

function schemaOf(shape: Shape): JsonObject {
  switch (shape.is) {
    case "text":
      return { type: "string", minLength: 1 };
    case "one":
      return { enum: [...shape.of] };
    case "whole":
      return { type: "integer", minimum: shape.min };
    case "amount":
      return {
        anyOf: [
          { type: "integer", minimum: shape.min },
          { type: "string", pattern: SURROUNDING },
        ],
      };
    case "yes":
      return { const: true };
    case "duration":
      return { type: "string", pattern: DURATION };
    case "path":
      return { type: "string", pattern: PATH.source };
    case "expression":
      return shape.deep
        ? { $ref: "#/$defs/value" }
        : { anyOf: [{ type: "string" }, { type: "boolean" }] };
    case "data":
      return {};
    case "steps":
      return { $ref: "#/$defs/steps" };
    case "list":
      return { type: "array", items: schemaOf(shape.of) };
    case "names":
      return { type: "object", additionalProperties: schemaOf(shape.of) };
    case "fields":
      return fieldsSchema(shape.of, shape.rest);
    case "either":
      return { anyOf: shape.of.map(schemaOf) };
  }
}
