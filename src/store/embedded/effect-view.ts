/** Effects of the embedded store as people and checks see them. */
import { cursorOf, readCursor } from "../cursor.ts";
import { places } from "../associated-data.ts";
import type { EffectState, EffectView, Page, Store } from "../port/port.ts";
import { UNREADABLE } from "../sealing/unreadable.ts";
import type { Base } from "./file/base.ts";
import type { EffectRow } from "./effect-row.ts";

const STATES = { p: "pending", i: "inflight", h: "held", q: "enqueued" } as const;
const LETTERS = { pending: "p", inflight: "i", held: "h", enqueued: "q" } as const;

export class EffectViews {
  readonly #base: Base;

  constructor(base: Base) {
    this.#base = base;
  }

  view(options: Parameters<Store["effects"]>[0]): EffectView[] {
    const { account, contact, state } = options;
    const filters: [string, string | undefined][] = [
      ["account = ?", account],
      ["contact = ?", contact],
      ["state = ?", state && LETTERS[state]],
    ];
    const used = filters.filter((filter): filter is [string, string] => filter[1] !== undefined);
    const where = used.length > 0 ? `WHERE ${used.map(([sql]) => sql).join(" AND ")}` : "";
    return this.#base.file
      .all<EffectRow>(
        `SELECT * FROM effect ${where} ORDER BY created, place LIMIT ?`,
        ...[...used.map(([, value]) => value), options.limit],
      )
      .map((row) => this.#viewOf(row));
  }

  held(options: Parameters<Store["held"]>[0]): Page<EffectView> {
    const after = readCursor(options.after);
    const rows = this.#base.file.all<EffectRow>(
      `SELECT * FROM effect WHERE state = ?4 AND (?1 IS NULL OR created > ?1 OR (created = ?1 AND id > ?2))
       ORDER BY created, id LIMIT ?3`,
      ...[after?.score ?? null, after?.member ?? "", options.limit + 1],
      LETTERS[options.state ?? "held"],
    );
    const shown = rows.slice(0, options.limit);
    const last = shown.at(-1);
    const more = rows.length > options.limit && last;
    return {
      items: shown.map((row) => this.#viewOf(row)),
      ...(more ? { next: cursorOf(last.created, last.id) } : {}),
    };
  }

  one({ account, contact, id }: Parameters<Store["effect"]>[0]): EffectView | null {
    const row = this.#base.file.get<EffectRow>(
      "SELECT * FROM effect WHERE id = ? AND contact = ? AND account = ?",
      ...[id, contact, account],
    );
    return row ? this.#viewOf(row) : null;
  }

  /** By the number of its row, which never changes, while its place changes when it is resent. */
  of(options: Parameters<Store["effectsOf"]>[0]): Page<EffectView> {
    const { account, contact, states = [], tried, after = "", limit } = options;
    const letters = states.map((state) => LETTERS[state]);
    const rows = this.#base.file.all<EffectRow & { readonly n: number }>(
      `SELECT rowid AS n, * FROM effect INDEXED BY effect_contact
       WHERE contact = ? AND account = ? AND rowid < ? AND attempt >= ?
       ${letters.length > 0 ? `AND state IN (${letters.map(() => "?").join(", ")})` : ""}
       ORDER BY rowid DESC LIMIT ?`,
      ...[contact, account, /^\d{1,15}$/.test(after) ? Number(after) : Number.MAX_SAFE_INTEGER],
      ...[tried === true ? 1 : 0, ...letters, limit + 1],
    );
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      items: shown.map((row) => this.#viewOf(row)),
      ...(rows.length > limit && last ? { next: String(last.n) } : {}),
    };
  }

  count(state: EffectState): number {
    const { file } = this.#base;
    return (
      file.get<{ n: number }>("SELECT COUNT(*) AS n FROM effect WHERE state = ?", LETTERS[state])
        ?.n ?? 0
    );
  }

  #viewOf(row: EffectRow): EffectView {
    const { id, account, contact, scope, attempt, rev } = row;
    return {
      ...{ id, account, contact, scope, attempt, rev },
      class: row.class,
      state: STATES[row.state],
      notBefore: row.not_before,
      createdAt: row.created,
      ...(row.job === null ? {} : { job: row.job }),
      ...(row.in_place === 1 ? { inPlace: true as const } : {}),
      ...this.#opened(row),
    };
  }

  /** An effect that cannot be opened is shown without its content. */
  #opened({
    id,
    account,
    contact,
    sealed,
    reason,
  }: EffectRow): Pick<EffectView, "payload" | "reason"> {
    try {
      const { key } = this.#base.open(account, contact);
      const payload = key.open(places.effect(id), sealed);
      if (reason === null) return { payload };
      return {
        payload,
        reason: reason === UNREADABLE ? reason : key.openText(places.why(id), reason),
      };
    } catch {
      return { payload: {}, reason: UNREADABLE };
    }
  }
}
