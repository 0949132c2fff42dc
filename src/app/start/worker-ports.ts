/** What the worker reaches the outside by: accounts, channels, and a gateway client for each account. */
import { channels, subscriptionOf, typingMs } from "../../channels/index.ts";
import type { Account, AccountModel, ChannelName } from "../../engine/index.ts";
import {
  createDispatcher,
  createGateway,
  type Gateway,
  GatewayProfile,
} from "../../gateway/index.ts";
import type { AccountRepository } from "../../store/accounts.ts";
import type { WorkerDeps } from "../../worker/index.ts";
import type { Settings } from "../settings.ts";
import { within } from "./running.ts";

export function workerAccounts(accounts: AccountRepository): WorkerDeps["accounts"] {
  return {
    get: async (id) => (await accounts.get(id))?.account ?? null,
    ids: () => accounts.ids(),
    removed: () => accounts.removed(),
    change: (id, change) => accounts.change(id, change),
    onChange: (listener) => accounts.onChange(listener),
  };
}

/** Each channel with the address at which it reaches this installation. */
export function workerChannels({ publicUrl }: Pick<Settings, "publicUrl">): WorkerDeps["channels"] {
  const webhookUrl = (channel: ChannelName, account: Account) => {
    const token = account.channels.find((one) => one.channel === channel)?.token ?? "";
    return `${publicUrl}/webhooks/${channel}/${token}`;
  };
  return {
    render: (outbound, { channel, address, account }) =>
      channels[channel].render(outbound, address, {
        webhookUrl: webhookUrl(channel, account),
        homolog: account.homolog,
        // A sandbox has nobody who watches somebody typing.
        delayMs: account.pace === null ? undefined : typingMs(outbound),
      }),
    subscription: (account) => {
      const settled = account.channels.find(
        ({ channel, enabled }) => channel === "engine-c" && enabled,
      );
      if (!settled) return null;
      const subscribe = [...subscriptionOf(settled.filter)];
      const body = { webhookUrl: webhookUrl("engine-c", account), subscribe };
      return { route: "engineC.connect", body };
    },
  };
}

/** For connections of gateway clients to say goodbye, ms. */
const LAST_MS = 200;

/**
 * A client for each account's credentials, over shared connections. `url` is the gateway in force: the settings' own or the
 * sandbox's. Accounts may have another, and tokens of their own. `close` ends calls that are still on their way.
 */
export function createGateways(
  settings: Settings,
  url: string,
  model: Pick<AccountModel, "profile">,
): { of(account: Account): Gateway; close(): Promise<void> } {
  const { token, deviceToken, routeWords, timeoutMs, fiscalTimeoutMs } = settings.gateway;
  const dispatcher = createDispatcher();
  const clients = new Map<string, { readonly made: string; readonly gateway: Gateway }>();
  return {
    of(account) {
      const own = account.gateway;
      const profile = profileOf(account, model);
      const made = JSON.stringify([own, profile]);
      const known = clients.get(account.id);
      if (known?.made === made) return known.gateway;
      const gateway = createGateway({
        baseUrl: own.url ?? url,
        token: own.token ?? token ?? "",
        deviceToken: own.deviceToken ?? deviceToken,
        routeWords,
        timeoutMs,
        fiscalTimeoutMs,
        profile,
        dispatcher,
      });
      clients.set(account.id, { made, gateway });
      return gateway;
    },
    async close() {
      // Calls that have not ended by now are left to be judged by their class.
      if (!(await within(dispatcher.close(), LAST_MS))) await dispatcher.destroy();
    },
  };
}

function profileOf(account: Account, model: Pick<AccountModel, "profile">): GatewayProfile {
  const text = account.gateway.profile;
  const parsed = text === undefined ? undefined : GatewayProfile.safeParse(JSON.parse(text));
  return {
    ...(parsed?.success ? parsed.data : {}),
    ...GatewayProfile.parse(model.profile(account)),
  };
}
