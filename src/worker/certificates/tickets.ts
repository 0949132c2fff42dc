/**
 * A certificate and its password between the moment they were checked and their one upload: a sealed document of their own, so
 * that neither stands in a session, a journal or an effect. Taken away when the upload ends, and after a day whatever happened.
 */
import { z } from "zod";
import type { Store } from "../../store/port.ts";
import { documentsOf } from "../document.ts";

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

export class Tickets {
  readonly #store: Pick<Store, "get" | "put" | "remove" | "list">;

  constructor(store: Pick<Store, "get" | "put" | "remove" | "list">) {
    this.#store = store;
  }

  /** `id` is drawn by the caller; the same one written again stays as it was. */
  async keep(id: string, ticket: Ticket): Promise<void> {
    await this.#store.put(COLLECTION, id, ticket, 0);
  }

  async get(id: string): Promise<Ticket | null> {
    const found = await this.#store.get(COLLECTION, id);
    return Ticket.safeParse(found?.value).data ?? null;
  }

  async drop(id: string): Promise<void> {
    await this.#store.remove(COLLECTION, id);
  }

  /** Takes away what one person brought. */
  async dropOf(account: string, contact: string): Promise<void> {
    for await (const { id, value } of documentsOf(this.#store, COLLECTION))
      if (value["account"] === account && value["contact"] === contact) await this.drop(id);
  }

  /** Takes away what nobody uploaded in time. */
  async sweep(now: number): Promise<void> {
    for await (const { id, value } of documentsOf(this.#store, COLLECTION))
      if (typeof value["at"] !== "number" || now - value["at"] > TICKET_MS) await this.drop(id);
  }
}
