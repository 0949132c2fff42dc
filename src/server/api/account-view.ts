/**
 * An account as the operator API shows and changes it.
 */
import { channels } from "../../channels/index.ts";
import type { JsonObject } from "../../base/index.ts";
import type { Account, AccountModel } from "../../engine/index.ts";

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
export function changed(before: JsonObject, change: JsonObject, token: () => string): JsonObject {
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
