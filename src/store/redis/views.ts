/** What people and checks look at on Redis: sessions, journal, dead letters, backlog. */
import type { Json } from "../../base/index.ts";
import { openMail, tickMail } from "../sealing/contact-keys.ts";
import { compare, cursorOf, readCursor } from "../cursor.ts";
import { MERGES } from "../limits.ts";
import { places } from "../associated-data.ts";
import type { Backlog, ContactId, Dead, Page, SessionView, Store } from "../port/port.ts";
import { letterOf, readableOnly } from "../sealing/unreadable.ts";
import type { Reply } from "./connection/client.ts";
import type { Hub } from "./connection/redis-context.ts";
import { list, number, text } from "./connection/reply.ts";

const CONTACT = /^[0-9a-f]{32}$/;

export class Views {
  readonly #hub: Hub;

  constructor(hub: Hub) {
    this.#hub = hub;
  }

  async session(account: string, contact: ContactId): Promise<SessionView | null> {
    let current = contact;
    for (let hops = 0; hops < MERGES; hops++) {
      const row = list(await this.#hub.run("session", current, account));
      if (row.length === 0) return null;
      if (row.length > 1) return this.#sessionOf([current, account, ...row]);
      current = text(row[0]);
    }
    return null;
  }

  async sessions(options: {
    account?: string;
    after?: string;
    limit: number;
  }): Promise<Page<SessionView>> {
    const after = readCursor(options.after);
    const pages = await this.#hub.everywhere(
      ...(["sessions", options.account ?? "", after?.score ?? "", after?.member ?? ""] as const),
      options.limit + 1,
    );
    const rows = pages
      .flatMap((page) => list(page).map(list))
      .map((row) => ({ updatedAt: number(row[3]), contact: text(row[0]), row }))
      .sort((a, b) => b.updatedAt - a.updatedAt || compare(b.contact, a.contact));
    const shown = rows.slice(0, options.limit);
    const last = shown.at(-1);
    const more = rows.length > options.limit && last;
    const items = shown.flatMap(({ row }) => readableOnly(() => this.#sessionOf(row)));
    return { items, ...(more ? { next: cursorOf(last.updatedAt, last.contact) } : {}) };
  }

  async journal(account: string, contact: ContactId, limit: number): Promise<readonly Json[]> {
    const [wrapped, ...records] = list(await this.#hub.run("journal", contact, account, limit));
    if (wrapped === undefined) return [];
    const key = this.#hub.keys.of(contact, text(wrapped));
    return records.flatMap((record) => {
      const [tag = "", sealed = ""] = text(record).split("|");
      return readableOnly(() => key.open(places.journal(contact, tag), sealed));
    });
  }

  async forgetLines(
    account: string,
    contact: ContactId,
    seen: number,
    keep: number,
  ): Promise<void> {
    await this.#hub.run("forget-lines", contact, account, seen, keep);
  }

  async dead(options: Parameters<Store["dead"]>[0]): Promise<Page<Dead>> {
    if (options.id !== undefined) return { items: await this.#deadLetter(options.id) };
    const after = readCursor(options.after);
    const pages = await this.#hub.everywhere(
      ...(["dead", options.account ?? "", after?.score ?? "", after?.member ?? ""] as const),
      options.limit + 1,
    );
    const rows = pages
      .flatMap((page) => list(page).map((row) => this.#deadOf(list(row))))
      .sort((a, b) => a.at - b.at || compare(a.id, b.id));
    const items = rows.slice(0, options.limit);
    const last = items.at(-1);
    const more = rows.length > options.limit && last;
    return { items, ...(more ? { next: cursorOf(last.at, last.id) } : {}) };
  }

  async #deadLetter(id: string): Promise<Dead[]> {
    const [contact = "", hash = ""] = id.split(".");
    if (!CONTACT.test(contact)) return [];
    const prefix = this.#hub.prefix(this.#hub.partitionOf(contact));
    const { work } = this.#hub;
    const [facts, letter] = await Promise.all([
      work.ask((client) => client.hmget(`${prefix}s:${contact}`, "a", "k")),
      work.ask((client) => client.hget(`${prefix}d:${contact}`, hash)),
    ]);
    const [account = null, wrapped = null] = facts;
    if (account === null || wrapped === null || letter === null) return [];
    return [this.#deadOf([contact, hash, account, wrapped, letter])];
  }

  async bury(id: string, action: "release" | "drop"): Promise<boolean> {
    const [contact = "", event = ""] = id.split(".");
    if (!CONTACT.test(contact)) return false;
    const { dedupeMs } = this.#hub.limits;
    const done = (await this.#hub.run("bury", contact, event, action, dedupeMs)) === 1;
    if (done && action === "release") this.#hub.tell("turns", contact);
    return done;
  }

  async backlog(): Promise<Backlog> {
    const all = (await this.#hub.everywhere("backlog")).map((reply) => list(reply).map(number));
    const sum = (index: number) => all.reduce((total, row) => total + (row[index] ?? 0), 0);
    const ages = all.map(([now = 0, , oldest = 0]) => (oldest === 0 ? 0 : now - oldest));
    return {
      ready: sum(1),
      claimed: sum(13) - sum(1),
      oldestMs: Math.max(0, ...ages),
      pendingEffects: sum(3) - sum(4) - sum(5) - sum(6),
      heldEffects: sum(5),
      dead: sum(7),
      counters: {
        ...{ accepted: sum(8), duplicate: sum(9), applied: sum(10), dead: sum(11) },
        queued: sum(12),
      },
    };
  }

  #sessionOf(row: readonly Reply[]): SessionView {
    const [contact, account] = [text(row[0]), text(row[1])];
    const [rev, updatedAt, queued] = [number(row[2]), number(row[3]), number(row[6])];
    const key = this.#hub.keys.of(contact, text(row[4]));
    const session = key.open(places.session(contact, rev), text(row[5]));
    return { account, contact, rev, session, queued, updatedAt };
  }

  #deadOf(row: readonly Reply[]): Dead {
    const [contact, hash, account] = [text(row[0]), text(row[1]), text(row[2])];
    const [at = "", why = "", sealed = ""] = text(row[4]).split("|");
    const wrapped = text(row[3]);
    const key = () => this.#hub.keys.of(contact, wrapped);
    const isTick = /^tick\d+$/.test(hash) && /^\d+$/.test(sealed);
    const opened = letterOf({
      mail: () => (isTick ? tickMail(Number(sealed)) : openMail(key(), contact, hash, sealed)),
      reason: () => (why === "mailbox_full" ? why : key().openText(places.reason(contact), why)),
    });
    return { id: `${contact}.${hash}`, account, contact, ...opened, at: Number(at) };
  }
}
