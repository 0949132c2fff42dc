/** Compares an older version of a flow with a newer one, place by place. */
import type { ProgramContext } from "../../engine/index.ts";
import type { FlowProgram } from "../machine/program.ts";
import { placesOf } from "./resting-places.ts";
import { isHarm, verdict, type Verdict, type VerdictWord } from "./verdict.ts";

/** How many conversations rest at a step of the older version, as the store tells. */
export type Occupied = ReadonlyMap<string, number>;

export interface AgainstRow extends Verdict {
  readonly at: string;
  /** Different facts it can rest there with. */
  readonly snapshots: number;
  /** Conversations that wait there now; absent when they were not counted. */
  readonly people?: number;
}

export interface Against {
  readonly flow: string;
  readonly from: { readonly version: number; readonly hash: string };
  readonly to: { readonly version: number; readonly hash: string };
  readonly rows: readonly AgainstRow[];
  readonly snapshots: number;
  /** False when the older version has more places than are walked. */
  readonly whole: boolean;
}

/** From the worst to the best. */
const ORDER: readonly VerdictWord[] = [
  "stranded",
  "loses",
  "asks again",
  "new question",
  "goes on",
  "pinned",
  "stays",
];

/**
 * Restores every reachable resting state of `older` under `newer`. With `occupied`, only steps where somebody rests are
 * told; a step that the walk did not reach is told as `stranded`, for nobody has looked at it.
 */
export function against(
  older: FlowProgram,
  newer: FlowProgram,
  context: ProgramContext,
  occupied?: Occupied,
): Against {
  const { places, whole } = placesOf(older, context);
  const rows = new Map<string, AgainstRow>();
  let snapshots = 0;
  for (const { at, state } of places) {
    if (occupied && !occupied.has(at)) continue;
    snapshots++;
    const found = verdict(older, newer, state, context);
    const key = JSON.stringify([at, found]);
    const people = occupied?.get(at);
    rows.set(key, {
      at,
      ...found,
      snapshots: (rows.get(key)?.snapshots ?? 0) + 1,
      ...(people === undefined ? {} : { people }),
    });
  }
  for (const [at, people] of occupied ?? [])
    if (!places.some((place) => place.at === at))
      rows.set(at, {
        at,
        word: "stranded",
        to: "",
        lost: [],
        snapshots: 0,
        people,
        why: "the walk of its version does not reach this step",
      });
  const order = older.model.places.map(({ step }) => step.id);
  const sorted = [...rows.values()].sort(
    (a, b) =>
      order.indexOf(a.at) - order.indexOf(b.at) || ORDER.indexOf(a.word) - ORDER.indexOf(b.word),
  );
  return {
    flow: older.flow,
    from: { version: older.version, hash: older.hash },
    to: { version: newer.version, hash: newer.hash },
    rows: sorted,
    snapshots,
    whole,
  };
}

/** Whether a deploy would harm somebody. */
export function harms(result: Against): boolean {
  return result.rows.some(isHarm);
}
