/**
 * A certificate and its password between the moment they were checked and their one upload: a sealed document of their own, so
 * that neither stands in a session, a journal or an effect. Taken away when the upload ends, and after a day whatever happened.
 */
import { hash } from "node:crypto";
import { z } from "zod";
import { documentsOf, keyOfSecret, type Store } from "../../../plugin.ts";

const COLLECTION = "certificates";
/** As long as an upload is tried, virtual ms. */
export const TICKET_MS = 24 * 3_600_000;

export const Ticket = z.object({
  account: z.string(),
  contact: z.string(),
  /** The gateway's id of the issuer. */
  issuer: z.string(),
  /** The file in Base64. */
  certificado: z.string(),
  senha: z.string(),
  holder: z.string(),
  /** Last day, `YYYY-MM-DD`. */
  until: z.string(),
  at: z.number(),
});
export type Ticket = z.output<typeof Ticket>;

/**
 * As it is stored: found by the digest of its ticket and sealed with a key that follows from the ticket, which stands in the
 * conversation alone. So with the conversation's own key goes what it brought, in every copy of the store, whatever becomes of the
 * keys of collections.
 */
const Stored = z.object({
  account: z.string(),
  contact: z.string(),
  at: z.number(),
  sealed: z.string(),
});
const PLACE = "certificate";

export class Tickets {
  readonly #store: Pick<Store, "documents">;

  constructor(store: Pick<Store, "documents">) {
    this.#store = store;
  }

  /** `ticket` is drawn by the caller; the same one written again stays as it was. */
  async keep(ticket: string, what: Ticket): Promise<void> {
    const { account, contact, at } = what;
    const sealed = keyOfSecret(PLACE, ticket).seal(PLACE, what);
    await this.#store.documents.put(COLLECTION, idOf(ticket), { account, contact, at, sealed }, 0);
  }

  async get(ticket: string): Promise<Ticket | null> {
    const found = await this.#store.documents.get(COLLECTION, idOf(ticket));
    const stored = Stored.safeParse(found?.value).data;
    return stored ? Ticket.parse(keyOfSecret(PLACE, ticket).open(PLACE, stored.sealed)) : null;
  }

  async drop(ticket: string): Promise<void> {
    await this.#store.documents.remove(COLLECTION, idOf(ticket));
  }

  /** Takes away what one person brought. */
  async dropOf(account: string, contact: string): Promise<void> {
    for await (const { id, value } of documentsOf(this.#store, COLLECTION))
      if (value["account"] === account && value["contact"] === contact)
        await this.#store.documents.remove(COLLECTION, id);
  }

  /** Takes away what nobody uploaded in time. */
  async sweep(now: number): Promise<void> {
    for await (const { id, value } of documentsOf(this.#store, COLLECTION))
      if (typeof value["at"] !== "number" || now - value["at"] > TICKET_MS)
        await this.#store.documents.remove(COLLECTION, id);
  }
}

function idOf(ticket: string): string {
  return hash("sha256", `certificate-ticket\0${ticket}`, "hex");
}
