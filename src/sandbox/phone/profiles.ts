/** What a business shows of itself, per device: name, line below it, picture, who may see what; and the pictures served. */
import { Files, type StoredFile } from "../http/bounded.ts";
import type { Ids } from "../world/ids.ts";

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

/** Characters of Base64 kept over all pictures, 24 MiB of files; the oldest leave first. */
const PICTURE_BUDGET = 32 * 1_024 * 1_024;

/** Bytes of one picture, as the messenger takes them. */
export const PICTURE_BYTES = 5 * 1_024 * 1_024;

export class Pictures {
  readonly #ids: Ids;
  readonly #files = new Files(PICTURE_BUDGET);

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  /** Keeps a picture and gives its path. */
  add(picture: StoredFile): string {
    const id = this.#ids.hex("picture", 24).toLowerCase();
    this.#files.add(id, picture);
    return `/sandbox/pictures/${id}`;
  }

  find(id: string): StoredFile | undefined {
    return this.#files.find(id);
  }
}
