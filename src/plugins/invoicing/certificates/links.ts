/**
 * One-time pages: an address that somebody got in a chat, good for ten minutes, five tries and one file. The store knows the
 * digest of its code alone, so any process can serve it and no copy of the store opens it.
 */
import { hash } from "node:crypto";
import { z } from "zod";
import { changeDocument, documentsOf, keyOfSecret, type Store } from "../../../plugin.ts";

const COLLECTION = "upload-links";
export const LINK_MS = 10 * 60_000;
/** Files and passwords that are tried by one link. */
export const TRIES = 5;
/** Kept so long after its end, so that it can be told that it is over. Virtual ms. */
const KEPT_MS = 24 * 3_600_000;
const PLACE = "upload-link";
const CODE = /^[A-Za-z0-9_-]{43}$/;

export const Link = z.object({
  account: z.string(),
  contact: z.string(),
  issuer: z.string(),
  locale: z.enum(["pt-BR", "en"]),
  /** Virtual time, ms. */
  until: z.number(),
  tries: z.number().int(),
  /** Tries that ended without a file that serves: what is only being looked at may serve still. */
  failed: z.number().int(),
  /** Ticket of the file it brought; in the store sealed with a key that follows from the page's code. */
  ticket: z.string().optional(),
  /** Last day of that certificate. */
  valid: z.string().optional(),
});
export type Link = z.output<typeof Link>;

/** What its code opens. `id` names it where the code must not stand. */
export interface Found {
  readonly id: string;
  readonly link: Link;
}

export class Links {
  readonly #store: Pick<Store, "documents">;

  constructor(store: Pick<Store, "documents">) {
    this.#store = store;
  }

  async open(code: string, link: Link): Promise<string> {
    const id = idOf(code);
    await this.#store.documents.put(COLLECTION, id, link, 0);
    return id;
  }

  /** Null for a code nobody was given. One that is over or used is found still. */
  async find(code: string): Promise<Found | null> {
    if (!CODE.test(code)) return null;
    const found = await this.#store.documents.get(COLLECTION, idOf(code));
    const link = Link.safeParse(found?.value).data;
    if (!link?.ticket) return link ? { id: idOf(code), link } : null;
    return {
      id: idOf(code),
      link: { ...link, ticket: keyOfSecret(PLACE, code).openText(PLACE, link.ticket) },
    };
  }

  /** Counts a try, before the file is looked at. Null when there is none left. */
  async spend(id: string, now: number): Promise<Link | null> {
    let spent = false;
    const after = await changeDocument(this.#store, COLLECTION, id, (value) => {
      const link = Link.safeParse(value).data;
      spent = link !== undefined && isOpen(link, now);
      return link && spent ? { ...link, tries: link.tries + 1 } : null;
    });
    return spent ? Link.parse(after) : null;
  }

  /** What was counted was not the person's fault. */
  async giveBack(id: string): Promise<void> {
    await changeDocument(this.#store, COLLECTION, id, (value) => {
      const link = Link.safeParse(value).data;
      return link && link.tries > 0 ? { ...link, tries: link.tries - 1 } : null;
    });
  }

  /** A try that was counted came to nothing. */
  async fail(id: string): Promise<void> {
    await changeDocument(this.#store, COLLECTION, id, (value) => {
      const link = Link.safeParse(value).data;
      return link ? { ...link, failed: link.failed + 1 } : null;
    });
  }

  /** The one file it may bring. False when another was quicker. */
  async use(code: string, { ticket, valid }: { readonly ticket: string; readonly valid: string }) {
    const sealed = keyOfSecret(PLACE, code).sealText(PLACE, ticket);
    const after = await changeDocument(this.#store, COLLECTION, idOf(code), (value) => {
      const link = Link.safeParse(value).data;
      return link && link.ticket === undefined ? { ...link, ticket: sealed, valid } : null;
    });
    return Link.safeParse(after).data?.ticket === sealed;
  }

  /** A newer page is given: what the ones before it would bring, nobody waits for any more. */
  async closeOf(account: string, contact: string, now: number): Promise<void> {
    for await (const { id, value } of documentsOf(this.#store, COLLECTION)) {
      if (value["account"] !== account || value["contact"] !== contact) continue;
      await changeDocument(this.#store, COLLECTION, id, (current) => {
        const link = Link.safeParse(current).data;
        return link && isOpen(link, now) ? { ...link, until: now } : null;
      });
    }
  }

  /** Pages that one person was given: nobody opens them any more. */
  async dropOf(account: string, contact: string): Promise<void> {
    for await (const { id, value } of documentsOf(this.#store, COLLECTION))
      if (value["account"] === account && value["contact"] === contact)
        await this.#store.documents.remove(COLLECTION, id);
  }

  async sweep(now: number): Promise<void> {
    for await (const { id, value } of documentsOf(this.#store, COLLECTION))
      if (typeof value["until"] !== "number" || now - value["until"] > KEPT_MS)
        await this.#store.documents.remove(COLLECTION, id);
  }
}

export function isOpen(link: Link, now: number): boolean {
  return link.ticket === undefined && now < link.until && link.tries < TRIES;
}

/** Whether every try came to nothing: no file comes by it any more. */
export function isSpent(link: Link): boolean {
  return link.ticket === undefined && link.failed >= TRIES;
}

function idOf(code: string): string {
  return hash("sha256", `upload-link\0${code}`, "hex");
}
