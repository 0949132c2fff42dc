/** Businesses: list, show, add, change, remove, new tokens. Tokens and secrets go in and never come back. */
import { z } from "zod";
import type { JsonObject } from "../../base/index.ts";
import type { Account, AccountModel } from "../../engine/index.ts";
import { isProblem, NOT_FOUND, refuse, type Problem } from "../problem.ts";
import type { ServerDeps } from "../deps.ts";
import { AccountId, AccountPath, type ApiContext, type ApiRoute, route } from "./route.ts";
import { channels } from "../../channels/index.ts";

/** Any object: the whole account is checked after the change is merged into it. */
const Change = z.record(z.string(), z.json());

/** An account, and whether it is one that was removed. */
const Added = Change.and(
  z.object({
    restore: z
      .boolean()
      .optional()
      .describe("true: the business that was removed under this id, put back with its past"),
  }),
);

function view(account: Account, deps: ServerDeps, rev: number): JsonObject {
  const { model } = deps.accounts;
  return {
    account: publicAccount(account, model),
    webhooks: webhooksOf(account, model, deps.publicUrl),
    rev,
  };
}

/** Puts a removed account back, with what is kept of it. The audit has a row of its own for this, with its id. */
async function putBack(
  { deps, audit }: ApiContext,
  actor: string,
  account: JsonObject,
): Promise<JsonObject | Problem> {
  const id = AccountId.safeParse(account["id"]).data;
  if (id === undefined || !(await deps.accounts.wasRemoved(id)))
    return refuse(
      "NOT_REMOVED",
      "No account of this id was removed. Check the id; for a new business leave restore out.",
    );
  const close = await audit.begin({ actor, action: "accounts.restore", target: id });
  try {
    const merged = changed({}, account, deps.newToken);
    const answer = await store(deps, merged, 0, { change: account, restore: true });
    await close(isProblem(answer) ? "refused" : "done");
    return answer;
  } catch (error) {
    await close("failed");
    throw error;
  }
}

interface Storing {
  /** The change as a person wrote it; absent for one of ours. */
  readonly change?: JsonObject;
  readonly restore?: boolean;
}

/** Checks and stores. `expect` 0 = must be new. */
async function store(
  deps: ServerDeps,
  merged: JsonObject,
  expect: number,
  { change, restore = false }: Storing = {},
): Promise<JsonObject | Problem> {
  const { model } = deps.accounts;
  const parsed = model.schema.safeParse(merged);
  if (!parsed.success) {
    const where = parsed.error.issues.slice(0, 5).map((issue) => issue.path.join(".") || "(whole)");
    return refuse("INVALID", `The account does not fit its schema: ${where.join(", ")}.`, 400);
  }
  const refusal = change && model.refusal(parsed.data, change);
  if (refusal !== undefined) return refuse("INVALID", refusal, 400);
  const put = await deps.accounts.put(parsed.data, expect, { restore });
  if (put.ok) return view(parsed.data, deps, put.rev);
  if (put.reason === "removed")
    return refuse(
      "ACCOUNT_REMOVED",
      "An account of this id was removed, and its conversations and what plugins keep of them stand under it. Choose another id; if it is the same business, put it back with restore: true (prosa accounts add --restore).",
    );
  return put.reason === "token-taken"
    ? refuse("TOKEN_TAKEN", "Another account has this webhook token.")
    : refuse("CONFLICT", "The account was changed meanwhile, or exists already; read it again.");
}

export const accountRoutes: readonly ApiRoute[] = [
  route({
    method: "GET",
    path: "/accounts",
    summary: "All accounts, without secrets",
    handle: async (_call, { deps }) => ({
      items: (await deps.accounts.list()).map((one) => publicAccount(one, deps.accounts.model)),
    }),
  }),
  route({
    method: "POST",
    path: "/accounts",
    summary:
      "Adds an account; missing webhook tokens are made. The id of a removed one is refused, unless `restore` puts that one back",
    body: Added,
    deed: "accounts.add",
    handle: async ({ body: { restore, ...account }, actor }, context) => {
      const { deps } = context;
      if (restore) return putBack(context, actor, account);
      return store(deps, changed({}, account, deps.newToken), 0, { change: account });
    },
  }),
  route({
    method: "GET",
    path: "/accounts/:id",
    summary: "One account with the webhook URLs to paste into the gateway",
    params: AccountPath,
    handle: async ({ params }, { deps }) => {
      const found = await deps.accounts.get(params.id);
      return found ? view(found.account, deps, found.rev) : NOT_FOUND;
    },
  }),
  route({
    method: "GET",
    path: "/accounts/:id/usage",
    summary: "This month's gateway calls of an account: plan, credits, balance and charges in BRL",
    params: AccountPath,
    handle: async ({ params }, { deps }) =>
      (await deps.accounts.get(params.id)) ? deps.actions.usage(params.id) : NOT_FOUND,
  }),
  route({
    method: "GET",
    path: "/accounts/:id/alarms",
    summary: "Alarms the account's people are told of, by code: how many, since when, when told",
    params: AccountPath,
    handle: async ({ params }, { deps }) =>
      (await deps.accounts.get(params.id)) ? deps.actions.alarms(params.id) : NOT_FOUND,
  }),
  route({
    method: "PUT",
    path: "/accounts/:id",
    summary: "Changes an account: given keys replace, null removes, channels merge by name",
    params: AccountPath,
    body: Change,
    deed: "accounts.set",
    handle: async ({ params, body }, { deps }) => {
      const found = await deps.accounts.get(params.id);
      if (!found) return NOT_FOUND;
      const before = JSON.parse(JSON.stringify(found.account)) as JsonObject;
      const merged = changed(before, { ...body, id: params.id }, deps.newToken);
      return store(deps, merged, found.rev, { change: body });
    },
  }),
  route({
    method: "DELETE",
    path: "/accounts/:id",
    summary:
      "Removes an account; its webhooks answer 404 at once, its id is for no other business from then on",
    params: AccountPath,
    deed: "accounts.remove",
    handle: async ({ params }, { deps }) =>
      (await deps.accounts.remove(params.id)) ? { ok: true } : NOT_FOUND,
  }),
  route({
    method: "POST",
    path: "/accounts/:id/rotate",
    summary: "New webhook tokens; the old ones answer 404",
    params: AccountPath,
    body: z.object({ channel: z.string().max(20).optional() }).default({}),
    deed: "accounts.rotate",
    handle: async ({ params, body }, { deps }) => {
      const found = await deps.accounts.get(params.id);
      if (!found) return NOT_FOUND;
      const { account, rev } = found;
      const renewed = (name: string) => body.channel === undefined || body.channel === name;
      const channels = account.channels.map((one) =>
        renewed(one.channel) ? { ...one, token: deps.newToken() } : one,
      );
      const { model } = deps.accounts;
      const others = [...model.tokens].flatMap(([webhook, field]) =>
        model.text(account, field) && renewed(webhook) ? [[field, deps.newToken()]] : [],
      );
      const changes = { ...(Object.fromEntries(others) as JsonObject), channels };
      const next = JSON.parse(JSON.stringify({ ...account, ...changes })) as JsonObject;
      return store(deps, next, rev);
    },
  }),
];

/** The account without any secret; a secret that is set is shown as set. */
export function publicAccount(account: Account, { secrets }: AccountModel): JsonObject {
  const { gateway, channels: settings, ...rest } = account;
  const shown = {
    ...Object.fromEntries(Object.entries(rest).filter(([name]) => !secrets.has(name))),
    gateway: {
      url: gateway.url,
      profile: gateway.profile,
      hasToken: gateway.token !== undefined,
      hasDeviceToken: gateway.deviceToken !== undefined,
    },
    channels: settings.map(({ channel, enabled, hmac, filter }) => ({
      channel,
      enabled,
      filter,
      hmac: hmac && {
        header: hmac.header,
        algorithm: hmac.algorithm,
        encoding: hmac.encoding,
        prefix: hmac.prefix,
        secrets: hmac.secrets.length,
        timestamp: hmac.timestamp,
      },
    })),
    ...Object.fromEntries([...secrets].map((name) => [has(name), name in rest])),
  };
  return JSON.parse(JSON.stringify(shown)) as JsonObject;
}

/** `parcelToken` as `hasParcelToken`. */
function has(field: string): string {
  return `has${field.charAt(0).toUpperCase()}${field.slice(1)}`;
}

/** URLs to paste into the gateway. They hold the path token on purpose. */
export function webhooksOf(
  account: Account,
  model: AccountModel,
  publicUrl: string,
): readonly { channel: string; hook?: string; url: string }[] {
  const urls: { channel: string; hook?: string; url: string }[] = [];
  for (const { channel, token, enabled } of account.channels) {
    if (!enabled) continue;
    const url = `${publicUrl}/webhooks/${channel}/${token}`;
    const { hooks } = channels[channel];
    if (hooks.length === 0) urls.push({ channel, url });
    for (const hook of hooks) urls.push({ channel, hook, url: `${url}/${hook}` });
  }
  for (const [webhook, field] of model.tokens) {
    const token = model.text(account, field);
    if (token) urls.push({ channel: webhook, url: `${publicUrl}/webhooks/${webhook}/${token}` });
  }
  return urls;
}

type Loose = Record<string, unknown>;

/** JSON merge patch (RFC 7396): given keys replace, null removes, objects merge, lists are replaced whole. */
function merged(target: unknown, patch: unknown): unknown {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return patch;
  const into: Loose =
    typeof target === "object" && target !== null && !Array.isArray(target)
      ? { ...(target as Loose) }
      : {};
  for (const [key, value] of Object.entries(patch)) {
    if (key === "__proto__") continue;
    if (value === null) delete into[key];
    else into[key] = merged(into[key], value);
  }
  return into;
}

/** `before` with a change in it. Channels merge by name, because their tokens never come back to be sent again. */
function changed(before: JsonObject, change: JsonObject, token: () => string): JsonObject {
  const { channels: given, ...rest } = change;
  const next = merged(before, rest) as Loose;
  const known = (Array.isArray(before["channels"]) ? before["channels"] : []) as Loose[];
  if (given === null) next["channels"] = [];
  if (Array.isArray(given)) {
    const named = new Map(known.map((one) => [one["channel"], one]));
    for (const one of given as Loose[])
      named.set(one["channel"], merged(named.get(one["channel"]) ?? {}, one) as Loose);
    next["channels"] = [...named.values()].map((one) => ({ token: token(), ...one }));
  }
  return next as JsonObject;
}
