/** The business's own profile, other people's, who may see what, and how people and groups show themselves to a device. */
import type { JsonObject } from "../../base/index.ts";
import { isOnMessenger, jidOfPerson } from "../http/address.ts";
import { textAt } from "../http/bounded.ts";
import { fetchMedia } from "../messages/media-source.ts";
import { done, type Outcome, engineError, onOpenPhone } from "../http/outcome.ts";
import { PICTURE_BYTES, type Privacy, type Profile } from "./profiles.ts";
import type { World } from "../world/world.ts";
import { DEVICES } from "../http/callers.ts";

/** Characters of a name, and of the line below it as the messenger bounds it. */
const NAME_LIMIT = 100;
const STATUS_LIMIT = 139;

const CHANGED = done({ update: "success" });

export const updateProfileName = onOpenPhone(({ world, device, call }) => {
  const name = textAt(call.body, "name") ?? "";
  if (name.length > NAME_LIMIT) return tooLong("name", NAME_LIMIT);
  world.profiles.of(device).name = name;
  return CHANGED;
});

export const updateProfileStatus = onOpenPhone(({ world, device, call }) => {
  const status = textAt(call.body, "status") ?? "";
  if (status.length > STATUS_LIMIT) return tooLong("status", STATUS_LIMIT);
  world.profiles.of(device).status = status;
  return CHANGED;
});

export const updateProfilePicture = onOpenPhone(async ({ world, device, call }) => {
  const taken = await takePicture(world, textAt(call.body, "picture") ?? "");
  if (!taken.ok) return taken.refusal;
  world.profiles.of(device).picture = taken.address;
  return CHANGED;
});

export const removeProfilePicture = onOpenPhone(({ world, device }) => {
  world.profiles.of(device).picture = null;
  return CHANGED;
});

/** Fetches a picture from this machine and gives the address under which the sandbox serves it. */
export async function takePicture(
  world: World,
  url: string,
): Promise<
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly refusal: Outcome }
> {
  const read = await fetchMedia(url);
  const refuse = (reason: string) => ({ ok: false, refusal: engineError(400, reason) }) as const;
  if (!read.ok) return refuse(read.reason);
  const { mimetype = "", base64 } = read;
  if (!/^image\/[a-z0-9.+-]+/i.test(mimetype)) return refuse("A URL não responde uma imagem.");
  if (read.bytes > PICTURE_BYTES)
    return refuse(`A imagem passa de ${PICTURE_BYTES / 1_048_576} MiB.`);
  return { ok: true, address: `${world.origin}${world.pictures.add({ base64, mimetype })}` };
}

export const fetchProfilePictureUrl = onOpenPhone(({ world, call }) => {
  const person = world.book.personOf(textAt(call.body, "number") ?? "");
  return done({ wuid: jidOfPerson(person), profilePictureUrl: pictureOf(world, person) });
});

export const fetchProfile = onOpenPhone(({ world, device, call }) => {
  const person = world.book.personOf(textAt(call.body, "number") ?? "");
  const profile = profileOf(world, person);
  const visible = profile && profile.privacy.status !== "none" ? profile.status : "";
  return done({
    wuid: jidOfPerson(person),
    name: nameOf(world, device, person),
    numberExists: person.includes("@") || isOnMessenger(person),
    picture: pictureOf(world, person),
    status: { status: visible, setAt: null },
    isBusiness: profile !== undefined,
    email: null,
    description: null,
    website: [],
  });
});

export const fetchPrivacySettings = onOpenPhone(({ world, device }) =>
  done({ ...world.profiles.of(device).privacy }),
);

export const updatePrivacySettings = onOpenPhone(({ world, device, call }) => {
  const profile = world.profiles.of(device);
  const said = (key: keyof Privacy) => textAt(call.body, key) ?? profile.privacy[key];
  profile.privacy = {
    readreceipts: said("readreceipts"),
    profile: said("profile"),
    status: said("status"),
    online: said("online"),
    last: said("last"),
    groupadd: said("groupadd"),
  };
  const data: JsonObject = { ...profile.privacy };
  return done({ update: "success", data });
});

function tooLong(field: string, limit: number): Outcome {
  return engineError(400, `${field} takes at most ${limit} characters`);
}

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
