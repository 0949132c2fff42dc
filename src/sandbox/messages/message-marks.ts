/** What happens to a message after it was sent: reactions, votes, edits, and its being taken back. */
import type { Json } from "../../base/index.ts";
import { jidOf } from "../http/address.ts";
import type { StoredMessage } from "./stored-message.ts";
import type { World } from "../world/world.ts";

/** Puts a person's reaction to a message on record; empty takes it back. `who` is phone digits, or `me`. */
export function react(world: World, device: string, id: string, who: string, emoji: string): void {
  const message = world.messages.find(device, id);
  if (!message) return;
  const reactions = new Map(message.reactions);
  if (emoji === "") reactions.delete(who);
  else reactions.set(who, emoji);
  message.reactions = reactions;
}

/** Puts a voter's whole selection on record; empty takes the vote back. */
export function vote(poll: StoredMessage, voter: string, options: readonly string[]): void {
  const votes = new Map(poll.votes);
  if (options.length === 0) votes.delete(voter);
  else votes.set(voter, options);
  poll.votes = votes;
}

/** Why a selection is none of this poll's; undefined when it is. */
export function voteProblem(poll: StoredMessage, options: readonly string[]): string | undefined {
  const unknown = options.find((option) => poll.options?.includes(option) !== true);
  if (unknown !== undefined) return "The poll has no such option.";
  const { selectable = 0 } = poll;
  if (selectable > 0 && options.length > selectable)
    return `The poll lets a voter pick ${selectable}.`;
  return new Set(options).size === options.length ? undefined : "An option is named twice.";
}

/** All votes of a poll, option by option. */
export function tally(poll: StoredMessage): Json {
  const votes = [...(poll.votes ?? [])];
  return (poll.options ?? []).map((name) => ({
    name,
    voters: votes.flatMap(([voter, picked]) => (picked.includes(name) ? [jidOf(voter)] : [])),
  }));
}

/** Other words for a text. */
export function edit(message: StoredMessage, text: string): void {
  message.record = {
    ...message.record,
    messageType: "conversation",
    message: { conversation: text },
  };
}

/** Takes a message back for everybody; false when that was done before. */
export function takeBack(message: StoredMessage): boolean {
  if (message.deleted === true) return false;
  message.deleted = true;
  message.statuses = [...message.statuses, "DELETED"];
  return true;
}
