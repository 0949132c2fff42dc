/**
 * What one deployment of the gateway does differently where the interface leaves a shape open. Plain JSON, so that an
 * account can carry it; everything has a default.
 */
import { z } from "zod";
import type { Json, JsonObject } from "../base/index.ts";
import { Place } from "./contract/route.ts";
import type { AnyRoute } from "./contract/table.ts";

export const GatewayProfile = z.strictObject({
  /** Selector of the cancellation operation; `nfse-cancelamento` when absent. */
  cancelTipo: z.string().min(1).max(100).optional(),
  /** Field of a taker that holds a company's document; `cnpj` when absent. */
  takerCnpj: z.string().min(1).max(100).optional(),
  /** Field of `label.handleLabel` that names a new label; `name` when absent. */
  labelName: z.string().min(1).max(100).optional(),
  /** Generation of the messaging bodies: flat fields (`v2`, default) or one object per kind (`v1`). */
  bodies: z.enum(["v1", "v2"]).optional(),
  /** Spelling of the settings of an instance: `snake` as the interface shows them (default), or `camel`. */
  settings: z.enum(["snake", "camel"]).optional(),
  /**
   * Where the filter of a GET goes: the query by default (`where[key][id]=…&page=2`), since fronts and proxies may drop
   * the body of a GET; `body` for a deployment that reads it only there.
   */
  filters: z.enum(["body", "query"]).optional(),
  /** Where payloads sit, by route id or by area (`messaging`, `invoicing`, …). */
  payload: z.record(z.string(), z.array(Place).min(1)).optional(),
});
export type GatewayProfile = z.output<typeof GatewayProfile>;

/** Where to look for the payload of a route. */
export function payloadPlaces(route: AnyRoute, profile: GatewayProfile): readonly Place[] {
  return profile.payload?.[route.id] ?? profile.payload?.[route.area] ?? route.payload;
}

/** A validated body as this deployment takes it. Always the same for the same arguments. */
export function shapeBody(route: AnyRoute, body: JsonObject, profile: GatewayProfile): JsonObject {
  if (route.tipo !== null) {
    const tipo =
      route.id === "invoicing.cancelamento" ? (profile.cancelTipo ?? route.tipo) : route.tipo;
    return renameTaker({ ...body, tipo }, profile.takerCnpj ?? "cnpj");
  }
  if (route.id === "settings.set") return profile.settings === "camel" ? camelNames(body) : body;
  if (route.id === "label.handleLabel") return renameLabel(body, profile.labelName ?? "name");
  return profile.bodies === "v1" ? nested(route, body) : body;
}

function camelNames(body: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}

function renameTaker(body: JsonObject, name: string): JsonObject {
  const dados = body["dados"];
  if (name === "cnpj" || !isObject(dados) || !isObject(dados["tomador"])) return body;
  const { cnpj, ...taker } = dados["tomador"];
  if (cnpj === undefined) return body;
  return { ...body, dados: { ...dados, tomador: { ...taker, [name]: cnpj } } };
}

function renameLabel({ name, ...body }: JsonObject, field: string): JsonObject {
  return name === undefined ? body : { ...body, [field]: name };
}

/** Per route: the object that wraps the message, and from old to new names of what goes into it. */
const WRAPPED: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  "message.sendText": ["textMessage", ["text"]],
  "message.sendTextQueue": ["textMessage", ["text"]],
  "message.sendPoll": ["pollMessage", ["name", "selectableCount", "values"]],
  "message.sendMedia": ["mediaMessage", ["mediatype", "mimetype", "caption", "media", "fileName"]],
  "message.sendMessengerAudio": ["audioMessage", ["audio"]],
  "message.sendLocation": ["locationMessage", ["name", "address", "latitude", "longitude"]],
  "message.sendReaction": ["reactionMessage", ["key", "reaction"]],
  "message.sendStatus": [
    "statusMessage",
    ["type", "content", "caption", "backgroundColor", "font", "allContacts", "statusJidList"],
  ],
};
/** Per route: one field under another name. */
const RENAMED: Readonly<Record<string, (body: JsonObject) => JsonObject>> = {
  "message.sendSticker": ({ sticker, ...body }) => ({
    ...body,
    stickerMessage: { image: sticker },
  }),
  "message.sendContact": ({ contact, ...body }) => ({ ...body, contactMessage: contact }),
  "chat.updatePrivacySettings": (body) => ({ privacySettings: body }),
};

/** The older generation: the message in an object of its own, quoting and mentions among the options. */
function nested(route: AnyRoute, body: JsonObject): JsonObject {
  const { quoted, mentionsEveryOne, mentioned, delay, encoding, options, ...flat } = body;
  const extra = present({
    delay,
    encoding,
    quoted,
    mentions: present({ everyOne: mentionsEveryOne, mentioned }),
  });
  const head = extra
    ? { options: { ...(isObject(options) ? options : {}), ...extra } }
    : present({ options });
  const rename = RENAMED[route.id];
  if (rename) return { ...rename(flat), ...head };
  const wrap = WRAPPED[route.id];
  if (!wrap) return body;
  const [name, fields] = wrap;
  const outer: Record<string, Json | undefined> = {};
  const inner: Record<string, Json | undefined> = {};
  for (const [key, value] of Object.entries(flat))
    (fields.includes(key) ? inner : outer)[key] = value;
  return { ...outer, [name]: inner, ...head };
}

/** The object without its absent fields, or undefined when nothing is left. */
function present(fields: JsonObject): JsonObject | undefined {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined);
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
