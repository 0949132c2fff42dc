/** What a row of the interface lacks in this repository. Each answer names the thing and the place to add it. */
import { z } from "zod";
import {
  CallClass,
  contract,
  findRoute,
  openApi,
  pathOf,
  type AnyRoute,
} from "../../src/gateway/index.ts";
import { behaviourOf } from "../../src/sandbox/http/behaviours.ts";
import { effects } from "../support/plugins.ts";
import { gatewayTable } from "../docs/gateway-table.ts";
import { queryOf } from "../support/rehearsal.ts";
import { createGateway } from "../../src/gateway/index.ts";
import { TRIPS } from "./trips.ts";

export interface InterfaceRow {
  readonly id: string;
  readonly section: string;
  readonly method: string;
  readonly path: string;
  readonly tipo?: string | null;
  /** Fields the interface shows; null where it does not show the body (†). */
  readonly body: readonly string[] | null;
  readonly query?: readonly string[];
  readonly marks: readonly string[];
  readonly variants: readonly string[];
  /** Fields of the forms that are not shown, and the kind of source they come from. */
  readonly assumed?: Readonly<Record<string, { fields: readonly string[]; from: string }>>;
  /** Fields we take besides; `?page` is one of the query. */
  readonly beyond?: readonly string[];
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

export function schemaOf(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema;
}

/** Names of the fields of an object, one level or all: `servico.itens[].codigo`. */
export function pathsOf(schema: Schema, prefix = ""): string[] {
  const properties = Object.entries(schema.properties ?? {});
  return properties.flatMap(([key, field]) => {
    const path = `${prefix}${key}`;
    if (field.properties) return pathsOf(field, `${path}.`);
    return field.items?.properties ? pathsOf(field.items, `${path}[].`) : [path];
  });
}

/** Every address, example and schema is read from here, so it is made once. */
const document = openApi() as { paths: Record<string, Record<string, unknown>> };
const table = gatewayTable();
const client = createGateway({ baseUrl: "http://127.0.0.1:9", token: "t", deviceToken: "d" });

/** Sentences, one for each thing that is missing; none when nothing is. */
export function missingOf(row: InterfaceRow): string[] {
  const route = findRoute(row.id);
  if (!route) return [`the contract has no entry ${row.id}`];
  return [
    ...addressOf(row, route),
    ...bodiesOf(row, route),
    ...marksOf(row, route),
    ...reachOf(route),
    ...testsOf(row),
  ];
}

function addressOf(row: InterfaceRow, route: AnyRoute): string[] {
  const { method, path } = row;
  const at = pathOf(route);
  return [
    ...(route.method === method && at === path
      ? []
      : [`${route.method} ${at} is not ${method} ${path}`]),
    ...(row.tipo === undefined || row.tipo === null || route.tipo === row.tipo
      ? []
      : [`tipo is ${String(route.tipo)}, not ${row.tipo}`]),
    ...(document.paths[path]?.[method.toLowerCase()] ? [] : [`OpenAPI has no ${method} ${path}`]),
    ...(table.includes(`| \`${row.id}\` |`) ? [] : [`the table of routes has no ${row.id}`]),
    ...(route.source.startsWith(row.section) ? [] : [`its source says ${route.source}`]),
  ];
}

function bodiesOf(row: InterfaceRow, route: AnyRoute): string[] {
  const names = Object.keys(route.variants);
  const wrong: string[] = [];
  if (names.join() !== row.variants.join()) wrong.push(`its variants are ${names.join(", ")}`);
  const shown = new Set<string>();
  for (const [name, { body, dagger, provenance }] of Object.entries(route.variants)) {
    const fields = Object.keys(schemaOf(body).properties ?? {});
    const told = row.assumed?.[name];
    if (dagger !== (told !== undefined)) wrong.push(`${name} is ${dagger ? "" : "not "}marked †`);
    if (told === undefined) for (const field of fields) shown.add(field);
    else {
      wrong.push(...differ(`${name} takes`, fields, told.fields));
      if (provenance?.kind !== told.from)
        wrong.push(`${name} comes from ${provenance?.kind ?? "nowhere"}`);
    }
  }
  if (row.body !== null) {
    const beyond = (row.beyond ?? []).filter((field) => !field.startsWith("?"));
    wrong.push(...differ("it takes", [...shown], [...row.body, ...beyond]));
  }
  const query = Object.keys(route.query?.shape ?? {});
  const beyond = (row.beyond ?? []).filter((field) => field.startsWith("?"));
  const wanted = [...(row.query ?? []), ...beyond.map((field) => field.slice(1))];
  return [...wrong, ...differ("its query takes", query, wanted)];
}

function differ(what: string, has: readonly string[], wanted: readonly string[]): string[] {
  const more = has.filter((name) => !wanted.includes(name));
  const less = wanted.filter((name) => !has.includes(name));
  return [
    ...(more.length > 0 ? [`${what} ${more.join(", ")} besides`] : []),
    ...(less.length > 0 ? [`${what} no ${less.join(", ")}`] : []),
  ];
}

function marksOf(row: InterfaceRow, route: AnyRoute): string[] {
  const has = (["group", "dagger", "beta", "volatile"] as const).filter((mark) => route[mark]);
  return differ("it is marked", has, row.marks);
}

function reachOf(route: AnyRoute): string[] {
  const [controller = "", key = ""] = route.id.split(".");
  const methods = (client as unknown as Record<string, Record<string, unknown>>)[controller];
  const effect = effects.calls.get(route.id);
  const input = { ...(route.example.body as object), ...typed(route) };
  return [
    ...(typeof methods?.[key] === "function" ? [] : ["the client has no method for it"]),
    ...(CallClass.safeParse(route.class).success ? [] : ["it has no class"]),
    ...(typeof behaviourOf(route) === "function" ? [] : ["the sandbox has no behaviour for it"]),
    ...(Boolean(effect) === (route.class !== "fiscal")
      ? []
      : [effect ? "flows could submit it twice" : "flows cannot call it"]),
    ...(effect && effect.class !== route.class ? ["its effect has another class"] : []),
    ...(effect && !effect.prepare(input) ? ["its effect refuses the example"] : []),
  ];
}

function typed(route: AnyRoute): object {
  return route.id === "group.fetchAllGroups" ? { getParticipants: true } : queryOf(route);
}

function testsOf(row: InterfaceRow): string[] {
  const trips = (TRIPS as Readonly<Record<string, object>>)[row.id];
  if (!trips) return ["no round trip is played for it"];
  return differ("round trips are played for", Object.keys(trips), row.variants);
}

/** What of the contract is no row, and not declared as an extra either. */
export function undeclared(known: ReadonlySet<string>): string[] {
  return Object.entries(contract).flatMap(([controller, routes]) =>
    Object.keys(routes)
      .map((key) => `${controller}.${key}`)
      .filter((id) => !known.has(id)),
  );
}
