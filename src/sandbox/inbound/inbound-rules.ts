/** What people can do and what they cannot, by the state of things; and what their doing changes on record. */
import type { InboundContents } from "../messages/content.ts";
import type { Channel } from "../webhooks/delivery-settings.ts";
import { isAdmin } from "../groups/groups.ts";
import { edit, react, takeBack, vote, voteProblem } from "../messages/message-marks.ts";
import type { World } from "../world/world.ts";

/** Something a contact does. */
export interface Deed {
  readonly world: World;
  readonly device: string;
  /** Whom the chat is with: the contact, or the group. */
  readonly person: string;
  /** Who does it, in a group. */
  readonly author?: string;
  readonly content: InboundContents;
}

/** Who writes in a group that nobody made here, and whose members are therefore unknown. */
const STRANGER = "5511900000009";

/** Who of a group writes when nobody is named; undefined outside of groups. */
export function authorIn(world: World, device: string, person: string): string | undefined {
  if (!person.endsWith("@g.us")) return undefined;
  const { own } = world.instances.phoneOf(device);
  const group = world.groups.find(person);
  return [...(group?.members.keys() ?? [])].find((member) => member !== own) ?? STRANGER;
}

/** Why nobody could do this; undefined when they can. */
export function problemOf(deed: Deed): string | undefined {
  return groupProblem(deed) ?? pollProblem(deed);
}

function groupProblem({ world, device, person, author, content }: Deed): string | undefined {
  const group = world.groups.find(person);
  if (!group) return undefined;
  const { own } = world.instances.phoneOf(device);
  if (!group.members.has(own)) return "The business is not in this group.";
  const who = content.human ? own : (author ?? "");
  if (!group.members.has(who)) return "The participant is not in this group.";
  const quiet = content.reaction !== undefined || content.poll_vote !== undefined;
  if (group.announce && !quiet && !isAdmin(group, who))
    return "Only admins may write in this group.";
  return undefined;
}

function pollProblem({ world, device, person, content }: Deed): string | undefined {
  if (!content.poll_vote) return undefined;
  const poll = world.messages.find(device, content.poll_vote.poll);
  // Of a message that is not on record nobody knows the options; engines tell such votes as well.
  if (!poll) return undefined;
  if (!poll.options) return "The message is no poll.";
  if (poll.person !== person) return "The poll is in another chat.";
  return voteProblem(poll, content.poll_vote.options);
}

/**
 * Whether the engine hears of it: a phone that is not open does not, and one told to ignore groups does not hear groups.
 * SMS need no phone.
 */
export function isHeard({ world, device, person }: Deed, channel: Channel): boolean {
  if (channel === "sms") return true;
  return world.instances.of(device)?.state === "open" && !isIgnored(world, device, person);
}

/** Whether the engine does not even keep it. */
export function isIgnored(world: World, device: string, person: string): boolean {
  const instance = world.instances.of(device);
  if (!instance) return true;
  return person.endsWith("@g.us") && instance.settings.groups_ignore;
}

/** Votes, reactions, edits and deletions leave their mark on the message they touch. */
export function leaveMarks({ world, device, person, author, content }: Deed): void {
  const who = author ?? person;
  const find = (id: string) => world.messages.find(device, id);
  if (content.reaction) react(world, device, content.reaction.to, who, content.reaction.emoji);
  if (content.poll_vote) {
    const poll = find(content.poll_vote.poll);
    if (poll?.options) vote(poll, who, content.poll_vote.options);
  }
  const edited = content.edit && find(content.edit.id);
  if (edited && content.edit) edit(edited, content.edit.text);
  const deleted = content.delete && find(content.delete.id);
  if (deleted) takeBack(deleted);
}
