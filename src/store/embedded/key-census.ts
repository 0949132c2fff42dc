/** Counts and re-wraps the data keys of the embedded store: contacts, collections, the index key. */
import type { KeyCensus } from "../port/port.ts";
import { KeyTally } from "../key-tally.ts";
import type { Base } from "./file/base.ts";

/** Keys in one transaction: a few milliseconds. */
const STEP = 500;

interface Row {
  readonly id: string;
  readonly wrapped: string;
}

/** A table of wrapped keys: how a page is read, how a row is changed, and the owner to which a wrapping is bound. */
interface Table {
  readonly page: string;
  readonly write: string;
  readonly owner: (id: string) => string;
}

const TABLES: readonly Table[] = [
  {
    page: "SELECT id, dkey AS wrapped FROM contact WHERE id > ? ORDER BY id LIMIT ?",
    write: "UPDATE contact SET dkey = ? WHERE id = ?",
    owner: (id) => id,
  },
  {
    page: "SELECT name AS id, dkey AS wrapped FROM collection WHERE name > ? ORDER BY name LIMIT ?",
    write: "UPDATE collection SET dkey = ? WHERE name = ?",
    owner: (id) => `collection ${id}`,
  },
  {
    page: "SELECT name AS id, value AS wrapped FROM meta WHERE name = 'index' AND name > ? LIMIT ?",
    write: "UPDATE meta SET value = ? WHERE name = ?",
    owner: (id) => id,
  },
];

export async function takeCensus(base: Base, rewrap: boolean): Promise<KeyCensus> {
  const tally = new KeyTally(base.ring);
  for (const rows of TABLES) {
    let after: string | undefined = "";
    while (after !== undefined) {
      const from: string = after;
      // Read and written in one transaction; counted once it is on disk.
      const page: readonly { wrapped: string; anew: boolean; id: string }[] =
        await base.file.commit(() =>
          base.file.all<Row>(rows.page, from, STEP).map(({ id, wrapped }) => {
            const anew = rewrap ? tally.anew(rows.owner(id), wrapped) : undefined;
            if (anew === undefined) return { id, wrapped, anew: false };
            base.file.run(rows.write, anew, id);
            return { id, wrapped: anew, anew: true };
          }),
        );
      for (const { id, wrapped, anew } of page) tally.add(rows.owner(id), wrapped, anew);
      after = page.length < STEP ? undefined : page.at(-1)?.id;
    }
  }
  const census = tally.result();
  // The old wrapping must not stay in the log.
  if (census.rewrapped > 0) base.file.flushLog();
  return census;
}
