/** Names of the scopes that pause together: what one outage holds back. */
import type { ChannelName } from "../../../engine/index.ts";

/**
 * The plan's scope, or that of one channel with a number of its own: its phone may be away while the others work. A pause
 * of the plan covers its channels, too, unless its reason is the phone.
 */
export function planScope(account: string, channel: ChannelName = "engine-b"): string {
  return channel === "engine-b" ? `plan:${account}` : `plan:${account}:${channel}`;
}

/** `plan:<account>` of a channel's scope; undefined for every other scope. */
export function planOf(scope: string): string | undefined {
  const [kind, account, channel] = scope.split(":");
  return kind === "plan" && channel !== undefined ? `plan:${account ?? ""}` : undefined;
}
export const creditsScope = (account: string): string => `credits:${account}`;
/** Work of the runtime itself: one scope for each sort, shared by all accounts. */
export const localScope = (name: string): string => `local:${name}`;
/** An effect of the bot's own, for each account: a service that is down holds back no other effect. */
export const ownScope = (account: string, name: string): string => `own:${account}:${name}`;
export const jobsScope = (account: string): string => `jobs:${account}`;
