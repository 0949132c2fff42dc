/** Where a process's time went: self time by function, from V8's sampling profiler. */

export interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
    };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Waiting, and the profiler's own messages. */
const NOT_WORK = new Set(["(idle)", "dispatch"]);

export interface Row {
  readonly what: string;
  /** Share of busy time, 0 to 1. */
  readonly share: number;
}

/** The functions with most self time, and the same by the package or room they belong to. Idle time is left out. */
export function hottest(profile: Profile, count: number): { functions: Row[]; rooms: Row[] } {
  const byId = new Map(profile.nodes.map((node) => [node.id, node.callFrame]));
  const functions = new Map<string, number>();
  const rooms = new Map<string, number>();
  let busy = 0;
  profile.samples.forEach((id, index) => {
    const frame = byId.get(id);
    const time = profile.timeDeltas[index] ?? 0;
    if (!frame || NOT_WORK.has(frame.functionName) || time < 0) return;
    busy += time;
    const place = placeOf(frame.url);
    const name = frame.functionName === "" ? "(anonymous)" : frame.functionName;
    const own = name.startsWith("(") && frame.url === "";
    const line = frame.lineNumber >= 0 && frame.url !== "" ? `:${frame.lineNumber + 1}` : "";
    add(functions, own ? name : `${name} ${place}${line}`, time);
    add(rooms, own ? name : roomOf(place), time);
  });
  const rows = (of: Map<string, number>): Row[] =>
    [...of]
      .map(([what, time]) => ({ what, share: time / busy }))
      .sort((a, b) => b.share - a.share)
      .slice(0, count);
  return { functions: rows(functions), rooms: rows(rooms) };
}

function add(to: Map<string, number>, key: string, time: number): void {
  to.set(key, (to.get(key) ?? 0) + time);
}

function placeOf(url: string): string {
  const modules = url.lastIndexOf("node_modules/");
  if (modules >= 0) return url.slice(modules + "node_modules/".length);
  const source = /\/((?:src|test|flows)\/.*)$/.exec(url);
  return source?.[1] ?? (url === "" ? "native" : url);
}

function roomOf(place: string): string {
  if (place.startsWith("src/")) return place.split("/").slice(0, 2).join("/");
  if (place.startsWith("node:")) return place.split("/")[0] ?? place;
  return place.startsWith("@")
    ? place.split("/").slice(0, 2).join("/")
    : (place.split("/")[0] ?? "");
}
