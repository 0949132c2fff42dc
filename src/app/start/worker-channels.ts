/** Accounts as the worker reads them, and the channels as it sends by them. */
import { channels, subscriptionOf, typingMs } from "../../channels/index.ts";
import type { Account, ChannelName } from "../../engine/index.ts";
import type { AccountRepository } from "../../store/accounts.ts";
import type { WorkerDeps } from "../../worker/index.ts";
import type { Settings } from "../settings.ts";

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
