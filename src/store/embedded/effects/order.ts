/**
 * The order in which a contact's messages leave: as they were asked for. A place is given once and never changes, so a
 * resent message keeps its place. Each function runs inside a transaction.
 */
import type { ContactId } from "../../port/port.ts";
import type { Base } from "../file/base.ts";
import type { EffectRow } from "../file/schema.ts";
import type { DueQueues } from "./due-queues.ts";

/** Effects that hold a place in the order: those still to leave, and those held in their place. */
const STANDS = "ordered = 1 AND (state IN ('p', 'i') OR in_place = 1)";

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
       WHERE contact = ? AND ${STANDS} ORDER BY place`,
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
       (SELECT id FROM effect WHERE contact = ?2 AND state <> 'i' AND ${STANDS} ORDER BY place LIMIT 1)`,
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
