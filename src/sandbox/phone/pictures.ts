/** Pictures that the sandbox serves by address: those of profiles and groups. */
import type { Ids } from "../world/ids.ts";

/** Characters of Base64 kept over all pictures, 24 MiB of files; the oldest leave first. */
const PICTURE_BUDGET = 32 * 1_024 * 1_024;

/** Bytes of one picture, as the messenger takes them. */
export const PICTURE_BYTES = 5 * 1_024 * 1_024;

export interface Picture {
  readonly base64: string;
  readonly mimetype: string;
}

export class Pictures {
  readonly #ids: Ids;
  readonly #byId = new Map<string, Picture>();
  #size = 0;

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  /** Keeps a picture and gives its path. */
  add(picture: Picture): string {
    const id = this.#ids.hex("picture", 24).toLowerCase();
    this.#byId.set(id, picture);
    this.#size += picture.base64.length;
    for (const [oldest, kept] of this.#byId) {
      if (this.#size <= PICTURE_BUDGET) break;
      this.#byId.delete(oldest);
      this.#size -= kept.base64.length;
    }
    return `/sandbox/pictures/${id}`;
  }

  find(id: string): Picture | undefined {
    return this.#byId.get(id);
  }
}
