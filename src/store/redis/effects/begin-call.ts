/** The values of `begin.lua`, built in one place: it is called to begin effects, and to look at the server alone. */

export interface BeginCall {
  /** No more effects than this; 0 looks only. */
  readonly limit: number;
  readonly leaseMs: number;
  readonly offsetMs: number;
  readonly token: string;
  readonly paused: readonly string[];
  /** Only these classes; absent: all. */
  readonly classes?: readonly string[] | undefined;
  /** See `Guard.values`. */
  readonly guard: readonly (string | number)[];
  /** Only these scopes, and at most this many of each; absent: all. */
  readonly shares?: ReadonlyMap<string, number> | undefined;
}

export function beginValues(call: BeginCall): (string | number)[] {
  const { paused, classes, shares } = call;
  return [
    call.limit,
    call.leaseMs,
    call.offsetMs,
    call.token,
    paused.length,
    ...paused,
    ...(classes ? [classes.length, ...classes] : [-1]),
    ...call.guard,
    ...(shares ? [shares.size, ...[...shares].flat()] : [-1]),
  ];
}
