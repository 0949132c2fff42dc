/** Which effects may leave: the queues of due ones, and the order of each contact. */
import { Lru } from "../../lru.ts";
import type { EffectStore, ContactId } from "../../port/port.ts";
import type { Base } from "../file/base.ts";
import type { EffectRow } from "../file/schema.ts";

type Options = Parameters<EffectStore["begin"]>[0];

interface Line {
  readonly class: string;
  readonly scope: string;
  /** When its oldest effect became due, or when the queue last had its turn. */
  readonly since: number;
}

/** Queues whose last turn is remembered; a forgotten one only has its turn sooner. */
const REMEMBERED = 1_000;
const LEAVES = "state = 'p' AND head = 1";

/**
 * Due effects are in one queue for each class and scope, the oldest first. Each queue gets the same room, so that none
 * waits for the end of another. Each function runs inside a transaction.
 */
export class DueQueues {
  readonly #base: Base;
  readonly #taken = new Lru<string, number>(REMEMBERED);
  #latest = 0;

  constructor(base: Base) {
    this.#base = base;
  }

  /** An effect that could leave counts from when it could; any other from its own time. */
  offer(id: string): void {
    this.#base.file.run(
      `UPDATE effect SET head = 1, offered = CASE WHEN not_before > 0 THEN not_before ELSE ? END WHERE id = ?`,
      this.#base.now(),
      id,
    );
  }

  /** The same room for each queue first; then the rest, beginning with the queue whose turn it is. */
  take(options: Options): readonly EffectRow[] {
    const until = this.#base.now() + options.offsetMs;
    const lines = this.#due(options, until);
    const shares = options.shares && new Map(options.shares);
    const taken = new Map<Line, EffectRow[]>(lines.map((line) => [line, []]));
    let { limit } = options;
    const more = (line: Line, most: number): void => {
      const rows = taken.get(line) ?? [];
      const share = shares?.get(line.scope) ?? most;
      const next = this.#oldest(line, until, rows.length, Math.min(most, share));
      rows.push(...next);
      shares?.set(line.scope, share - next.length);
      limit -= next.length;
    };
    for (const [n, line] of lines.entries()) more(line, Math.ceil(limit / (lines.length - n)));
    for (const line of lines) more(line, limit);
    for (const [line, rows] of taken)
      if (rows.length > 0) this.#taken.set(nameOf(line), this.#turn());
    return [...taken.values()].flat();
  }

  /** After those that wait since before, also within one millisecond. */
  #turn(): number {
    this.#latest = Math.max(this.#base.now() - 1, this.#latest + 1 / 1_024);
    return this.#latest;
  }

  #due({ paused, classes, shares }: Options, until: number): readonly Line[] {
    const held = new Set(
      this.#base.file
        .all<{ class: string }>(
          "SELECT substr(scope, 6) AS class FROM pause WHERE scope LIKE 'hold:%'",
        )
        .map((row) => row.class),
    );
    const lines: Line[] = [];
    for (let line = this.#next(until); line; line = this.#next(until, line)) {
      const { class: kind, scope } = line;
      if (paused.includes(scope) || held.has(kind)) continue;
      if (classes && !classes.includes(kind)) continue;
      if (shares && !shares.get(scope)) continue;
      lines.push({ ...line, since: Math.max(line.since, this.#taken.get(nameOf(line)) ?? 0) });
    }
    return lines.sort((one, other) => one.since - other.since);
  }

  /** By the index, one step for each queue, however long it is. */
  #next(until: number, after?: Line): Line | undefined {
    return this.#base.file.get<Line>(
      `SELECT class, scope, offered AS since FROM effect INDEXED BY effect_line
       WHERE ${LEAVES} AND not_before <= ? AND (class, scope) > (?, ?) ORDER BY class, scope, offered LIMIT 1`,
      until,
      after?.class ?? "",
      after?.scope ?? "",
    );
  }

  #oldest(line: Line, until: number, behind: number, most: number): readonly EffectRow[] {
    if (most <= 0) return [];
    return this.#base.file.all<EffectRow>(
      `SELECT * FROM effect INDEXED BY effect_line
       WHERE ${LEAVES} AND not_before <= ? AND class = ? AND scope = ? ORDER BY offered, created LIMIT ? OFFSET ?`,
      until,
      line.class,
      line.scope,
      most,
      behind,
    );
  }
}

function nameOf({ class: kind, scope }: Line): string {
  return `${kind} ${scope}`;
}

/** Effects that hold a place in the order: those still to leave, and those held in their place. */
const IN_ORDER = "ordered = 1 AND (state IN ('p', 'i') OR in_place = 1)";

/**
 * The order in which a contact's messages leave: as they were asked for. A place is given once and never changes, so a
 * resent message keeps its place. Each function runs inside a transaction.
 */
export class Order {
  readonly #base: Base;
  readonly #queues: DueQueues;

  constructor(base: Base, lines: DueQueues) {
    this.#base = base;
    this.#queues = lines;
  }

  /** The last place of this contact that was given; 0 when none is. */
  last(contact: ContactId): number {
    const last = this.#base.file.get<{ place: number | null }>(
      "SELECT MAX(place) AS place FROM effect WHERE contact = ?",
      contact,
    );
    return last?.place ?? 0;
  }

  /**
   * Of a contact's ordered effects only the first may leave, and only when none is on its way and none is held in its
   * place.
   */
  advance(contact: ContactId): void {
    const { file } = this.#base;
    // By the contact's own index; the planner would look through all effects in flight.
    const waiting = file.all<Pick<EffectRow, "id" | "state"> & { readonly head: number }>(
      `SELECT id, state, head FROM effect INDEXED BY effect_contact
       WHERE contact = ? AND ${IN_ORDER} ORDER BY place`,
      contact,
    );
    const busy = waiting.some(({ state }) => state === "i");
    const first = busy ? undefined : waiting[0]?.id;
    for (const { id, state, head } of waiting) {
      const wanted = id === first ? 1 : 0;
      if (state !== "p" || head === wanted) continue;
      if (wanted === 1) this.#queues.offer(id);
      else file.run("UPDATE effect SET head = 0 WHERE id = ?", id);
    }
  }

  mayLeave(row: EffectRow): boolean {
    const { file } = this.#base;
    return (
      row.ordered === 0 ||
      file.get("SELECT 1 FROM effect WHERE id = ? AND head = 1", row.id) !== undefined
    );
  }

  /** The next effect of this contact waits after those of other contacts that wait since before. */
  yield(row: EffectRow, at: number): void {
    this.#base.file.run(
      `UPDATE effect SET not_before = MAX(not_before, ?1) WHERE id <> ?3 AND id =
       (SELECT id FROM effect WHERE contact = ?2 AND state <> 'i' AND ${IN_ORDER} ORDER BY place LIMIT 1)`,
      at,
      row.contact,
      row.id,
    );
  }

  /** Later effects of the same turn. Earlier ones were sent again by a person. */
  behind(row: EffectRow, turn: string): readonly string[] {
    return this.#base.file
      .all<{ id: string }>(
        `SELECT id FROM effect WHERE contact = ? AND ordered = 1 AND state = 'p' AND turn = ? AND place > ?`,
        row.contact,
        this.#base.names.turn(row.contact, turn),
        row.place,
      )
      .map(({ id }) => id);
  }
}
