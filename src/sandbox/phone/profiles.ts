/** What a business shows of itself, per device: name, line below it, picture, and who may see what. */

export interface Privacy {
  readonly readreceipts: string;
  readonly profile: string;
  readonly status: string;
  readonly online: string;
  readonly last: string;
  readonly groupadd: string;
}

export interface Profile {
  name: string;
  status: string;
  /** Address of the picture, or null. */
  picture: string | null;
  privacy: Privacy;
}

/** What a phone shows that nobody has changed. */
const PRIVACY_AS_NEW: Privacy = {
  readreceipts: "all",
  profile: "all",
  status: "all",
  online: "all",
  last: "all",
  groupadd: "all",
};

export class Profiles {
  readonly #byDevice = new Map<string, Profile>();

  /** A device's profile: the phone's own, so it outlives the instance. */
  of(device: string): Profile {
    const known = this.#byDevice.get(device);
    if (known) return known;
    const made: Profile = { name: "Loja", status: "", picture: null, privacy: PRIVACY_AS_NEW };
    this.#byDevice.set(device, made);
    return made;
  }
}
