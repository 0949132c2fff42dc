/** How people and groups show themselves to a device: name and picture, and whether they are on the messenger. */
import { DEVICES } from "../http/callers.ts";
import type { Profile } from "../phone/profiles.ts";
import type { World } from "./world.ts";

/** The profile behind a phone that is paired with a device; other people's are known by what they wrote. */
export function profileOf(world: World, person: string): Profile | undefined {
  const device = Object.entries(DEVICES).find(([, { own }]) => own === person)?.[0];
  return device === undefined ? undefined : world.profiles.of(device);
}

/** A group's subject, a business's profile name, or the name somebody wrote under; null when unknown. */
export function nameOf(world: World, device: string, person: string): string | null {
  if (person.endsWith("@g.us")) return world.groups.find(person)?.subject ?? null;
  const met = world.messages.chats.contact(device, person)?.name;
  return met ?? profileOf(world, person)?.name ?? null;
}

/** Address of the picture that others see, or null. */
export function pictureOf(world: World, person: string): string | null {
  if (person.endsWith("@g.us")) return world.groups.find(person)?.picture ?? null;
  const profile = profileOf(world, person);
  return profile && profile.privacy.profile !== "none" ? profile.picture : null;
}
