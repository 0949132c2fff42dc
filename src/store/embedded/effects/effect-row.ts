/** One effect as the table has it. */
import type { Begun, ContactId } from "../../port/port.ts";
import type { SqlFile } from "../file/sql-file.ts";

export interface EffectRow {
  readonly id: string;
  readonly contact: ContactId;
  readonly account: string;
  readonly class: string;
  readonly scope: string;
  readonly ordered: number;
  readonly place: number;
  readonly state: "p" | "i" | "h" | "q";
  readonly attempt: number;
  /** Decisions so far. */
  readonly rev: number;
  /** 1: held in its place; no later message leaves. */
  readonly in_place: number;
  readonly not_before: number;
  readonly created: number;
  readonly token: string | null;
  readonly turn: string | null;
  readonly reason: string | null;
  readonly job: string | null;
  readonly sealed: string;
}

export function effectRow(file: SqlFile, id: string): EffectRow | undefined {
  return file.get<EffectRow>("SELECT * FROM effect WHERE id = ?", id);
}

/** Whether both are of one contact in one account. */
export function sameOwner(
  row: Pick<EffectRow, "account" | "contact">,
  other: Pick<Begun, "account" | "contact">,
): boolean {
  return row.account === other.account && row.contact === other.contact;
}
