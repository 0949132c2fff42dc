/** One gateway client per account's credentials, over shared connections. */
import type { Account, AccountModel } from "../../engine/index.ts";
import {
  createDispatcher,
  createGateway,
  type Gateway,
  GatewayProfile,
} from "../../gateway/index.ts";
import { within } from "./closing.ts";
import type { Settings } from "../settings.ts";

/** For connections to say goodbye, ms. */
const LAST_MS = 200;

export interface Gateways {
  of(account: Account): Gateway;
  /** Ends calls that are still on their way. */
  close(): Promise<void>;
}

/** `url` is the gateway in force: the settings' own or the sandbox's. Accounts may have another, and tokens of their own. */
export function createGateways(
  settings: Settings,
  url: string,
  model: Pick<AccountModel, "profile">,
): Gateways {
  const dispatcher = createDispatcher();
  const clients = new Map<string, { readonly made: string; readonly gateway: Gateway }>();
  return {
    of(account) {
      const own = account.gateway;
      const profile = profileOf(account, model);
      const made = JSON.stringify([own, profile]);
      const known = clients.get(account.id);
      if (known?.made === made) return known.gateway;
      const deviceToken = own.deviceToken ?? settings.gateway.deviceToken;
      const gateway = createGateway({
        baseUrl: own.url ?? url,
        token: own.token ?? settings.gateway.token ?? "",
        ...(deviceToken === undefined ? {} : { deviceToken }),
        routeWords: settings.gateway.routeWords,
        timeoutMs: settings.gateway.timeoutMs,
        fiscalTimeoutMs: settings.gateway.fiscalTimeoutMs,
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
