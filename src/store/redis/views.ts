/** What people and checks look at on Redis: sessions, journal, effects, backlog. */
import type { Json } from "../../base/index.ts";
import { compare, cursorOf, pageOf, readCursor } from "../page.ts";
import { MERGES } from "../limits.ts";
import { associatedData } from "../names.ts";
import { openLine } from "../sealing/journal.ts";
import type {
  Backlog,
  ContactId,
  EffectView,
  Page,
  SessionView,
  StoreViews,
} from "../port/port.ts";
import { contentOf, LETTERS, readableOnly, stateOf } from "../sealing/unreadable.ts";
import type { RedisContext } from "./connection/redis-context.ts";
import { type Reply, list, number, text } from "./connection/script-calls.ts";

export class Views implements StoreViews {
  readonly #context: RedisContext;

  constructor(context: RedisContext) {
    this.#context = context;
  }

  async session(account: string, contact: ContactId): Promise<SessionView | null> {
    let current = contact;
    for (let hops = 0; hops < MERGES; hops++) {
      const row = list(await this.#context.run("session", current, account));
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
    const pages = await this.#context.everywhere(
      "sessions",
      options.account ?? "",
      after?.score ?? "",
      after?.member ?? "",
      options.limit + 1,
    );
    const rows = pages
      .flatMap((page) => list(page).map(list))
      .map((row) => ({ updatedAt: number(row[3]), contact: text(row[0]), row }))
      .sort((a, b) => b.updatedAt - a.updatedAt || compare(b.contact, a.contact));
    const page = pageOf(rows, options.limit, (last) => cursorOf(last.updatedAt, last.contact));
    const items = page.items.flatMap(({ row }) => readableOnly(() => this.#sessionOf(row)));
    return { ...page, items };
  }

  async journal(account: string, contact: ContactId, limit: number): Promise<readonly Json[]> {
    const [wrapped, ...records] = list(
      await this.#context.run("journal", contact, account, this.#context.limits.journal),
    );
    if (wrapped === undefined) return [];
    const key = this.#context.keys.of(contact, text(wrapped));
    return records
      .map((record) => /^(\d+)\|(.*)$/s.exec(text(record)))
      .sort((a, b) => Number(b?.[1]) - Number(a?.[1]))
      .slice(0, limit)
      .flatMap((record) => readableOnly(() => openLine(key, contact, record?.[2] ?? "")));
  }

  async effects(options: Parameters<StoreViews["effects"]>[0]): Promise<readonly EffectView[]> {
    const context = this.#context;
    const { contact, limit } = options;
    const state = options.state ? LETTERS[options.state] : "";
    const values = [options.account ?? "", contact ?? "", state, limit];
    const replies =
      contact === undefined
        ? await context.everywhere("effects", ...values)
        : [await context.at("effects", context.partitionOf(contact), ...values)];
    return replies
      .flatMap((reply) => list(reply).map((row) => this.#view(row)))
      .sort((a, b) => a.createdAt - b.createdAt)
      .slice(0, limit);
  }

  async held(options: Parameters<StoreViews["held"]>[0]): Promise<Page<EffectView>> {
    const after = readCursor(options.after);
    const state = LETTERS[options.state ?? "held"];
    const values = [after?.score ?? "", after?.member ?? "", options.limit + 1, state];
    const rows = (await this.#context.everywhere("held", ...values))
      .flatMap((page) => list(page).map((row) => list(row)))
      .map(([at, ...row]) => ({ at: number(at), id: text(row[0]), row }))
      .sort((a, b) => a.at - b.at || compare(a.id, b.id));
    const page = pageOf(rows, options.limit, ({ at, id }) => cursorOf(at, id));
    return { ...page, items: page.items.map(({ row }) => this.#view(row)) };
  }

  async effect({
    account,
    contact,
    id,
  }: Parameters<StoreViews["effect"]>[0]): Promise<EffectView | null> {
    const row = await this.#context.run("effect", contact, account, id);
    return list(row).length === 0 ? null : this.#view(row);
  }

  /** Where in the contact's list the script stopped: 0 when nothing is left. */
  async effectsOf(options: Parameters<StoreViews["effectsOf"]>[0]): Promise<Page<EffectView>> {
    const { account, contact, states = [], tried, after = "", limit } = options;
    const letters = states.map((state) => LETTERS[state]).join("");
    const from = /^\d{1,15}$/.test(after) ? after : "";
    const values = [account, from, letters, tried === true ? 1 : "", limit];
    const [stopped, ...rows] = list(await this.#context.run("effects-of", contact, ...values));
    const at = number(stopped);
    return { items: rows.map((row) => this.#view(row)), next: at > 0 ? String(at) : undefined };
  }

  async backlog(): Promise<Backlog> {
    const all = (await this.#context.everywhere("backlog")).map((reply) => list(reply).map(number));
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
        accepted: sum(8),
        duplicate: sum(9),
        applied: sum(10),
        dead: sum(11),
        queued: sum(12),
      },
    };
  }

  #sessionOf(row: readonly Reply[]): SessionView {
    const [contact, account] = [text(row[0]), text(row[1])];
    const [rev, updatedAt, queued] = [number(row[2]), number(row[3]), number(row[6])];
    const key = this.#context.keys.of(contact, text(row[4]));
    const session = key.open(associatedData.session(contact, rev), text(row[5]));
    return { account, contact, rev, session, queued, updatedAt };
  }

  #view(reply: Reply): EffectView {
    const row = list(reply);
    const [id, contact] = [text(row[0]), text(row[2])];
    const [sealed, reason, job] = [text(row[9]), text(row[10]), text(row[11])];
    return {
      id,
      account: text(row[1]),
      contact,
      class: text(row[3]),
      scope: text(row[4]),
      state: stateOf(text(row[5])),
      attempt: number(row[6]),
      notBefore: number(row[7]),
      createdAt: number(row[8]),
      rev: number(row[12]),
      ...(job === "" ? {} : { job }),
      ...(text(row[13]) === "" ? {} : { inPlace: true as const }),
      ...contentOf({ id, contact }, () => this.#context.keys.of(contact, text(row[14])), {
        sealed,
        reason,
      }),
    };
  }
}
