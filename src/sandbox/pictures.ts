/** Pictures that the sandbox serves by address: those of profiles and groups. */
import type { Ids } from "./ids.ts";

/** Pictures kept at once; the oldest leave first. */
const PICTURE_LIMIT = 200;

/** Bytes of one picture, as the messenger takes them. */
export const PICTURE_BYTES = 5 * 1_024 * 1_024;

export interface Picture {
  readonly base64: string;
  readonly mimetype: string;
}

export class Pictures {
  readonly #ids: Ids;
  readonly #byId = new Map<string, Picture>();

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  /** Keeps a picture and gives its path. */
  add(picture: Picture): string {
    const id = this.#ids.hex("picture", 24).toLowerCase();
    this.#byId.set(id, picture);
    if (this.#byId.size > PICTURE_LIMIT) this.#byId.delete(this.#byId.keys().next().value ?? "");
    return `/sandbox/pictures/${id}`;
  }

  find(id: string): Picture | undefined {
    return this.#byId.get(id);
  }
}
