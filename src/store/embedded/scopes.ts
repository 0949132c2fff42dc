/** Paused scopes of the embedded store. */
import type { Pause, ScopeStore } from "../port/port.ts";
import { leftBy, pausedBy } from "../pauses.ts";
import type { Base } from "./file/base.ts";

interface PauseRow {
  readonly scope: string;
  readonly reason: string;
  readonly since: number;
  readonly until: number | null;
  readonly limited: number | null;
}

export class Scopes implements ScopeStore {
  readonly #base: Base;

  constructor(base: Base) {
    this.#base = base;
  }

  async pauses(): Promise<ReadonlyMap<string, Pause>> {
    return this.all();
  }

  pause(...asked: Parameters<ScopeStore["pause"]>): Promise<boolean> {
    return this.#base.file.commit(() => this.pauseNow(...asked));
  }

  resume(...asked: Parameters<ScopeStore["resume"]>): Promise<boolean> {
    return this.#base.file.commit(
      () => this.#resume(...asked),
      (was) => {
        if (was) this.#base.wake.tell("outbox");
      },
    );
  }

  all(): ReadonlyMap<string, Pause> {
    const rows = this.#base.file.all<PauseRow>("SELECT * FROM pause ORDER BY since, scope");
    return new Map(rows.map((row) => [row.scope, pauseOf(row)]));
  }

  /** Inside a transaction of the caller. */
  pauseNow(...[scope, reason, how]: Parameters<ScopeStore["pause"]>): boolean {
    const known = this.#paused(scope);
    const { until = null, ...next } = pausedBy(known, reason, how);
    this.#base.file.run(
      `INSERT INTO pause (scope, reason, since, until, limited) VALUES (?1, ?2, ?3, ?4, ?5)
       ON CONFLICT (scope) DO UPDATE SET reason = ?2, until = ?4, limited = ?5`,
      scope,
      next.reason,
      this.#base.now(),
      until,
      next.limitedUntil ?? null,
    );
    return !known;
  }

  #resume(...[scope, only]: Parameters<ScopeStore["resume"]>): boolean {
    const known = this.#paused(scope);
    if (!known) return false;
    if (only && (known.reason !== only.reason || known.until !== only.until)) return false;
    const left = only && leftBy(known, this.#base.now());
    if (left)
      this.#base.file.run(
        "UPDATE pause SET reason = ?, until = ?, limited = NULL WHERE scope = ?",
        left.reason,
        left.until ?? null,
        scope,
      );
    else this.#base.file.run("DELETE FROM pause WHERE scope = ?", scope);
    return !left;
  }

  #paused(scope: string): Pause | undefined {
    const row = this.#base.file.get<PauseRow>("SELECT * FROM pause WHERE scope = ?", scope);
    return row && pauseOf(row);
  }
}

function pauseOf({ reason, since, until, limited }: PauseRow): Pause {
  return {
    reason,
    since,
    ...(until === null ? {} : { until }),
    ...(limited === null ? {} : { limitedUntil: limited }),
  };
}
