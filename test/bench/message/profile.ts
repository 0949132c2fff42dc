/** Where a process's time went: self time by function, from V8's sampling profiler. */

export interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
    };
    readonly children?: readonly number[];
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

/** What a message's time goes into: the first of these that a place belongs to. */
const PARTS: readonly (readonly [what: string, places: RegExp])[] = [
  ["sealing and keyed names: AES-256-GCM, HMAC", /^src\/store\/(?:seal|names|contact-keys)\.ts/],
  ["Redis client", /^(?:ioredis|redis-parser)\/|^src\/store\/redis\/(?:script-calls|client)\.ts/],
  ["Redis adapter: arguments, replies, remembered keys and sessions", /^src\/store\//],
  ["statechart: XState", /^xstate\//],
  ["turn: session, understanding, flow, words", /^src\/(?:engine|flow|understanding|brazil)\//],
  ["worker: accounts, roles, leases, echoes, budget, events", /^src\/(?:worker|app)\//],
  ["gateway client: schema, exact bytes, envelope, charges", /^src\/gateway\//],
  ["channel: body to event, message to call", /^src\/channels\//],
  ["webhook route, ingest, metrics", /^src\/server\/|^prom-client\//],
  ["HTTP client: undici", /^undici\//],
  ["HTTP server: fastify", /^(?:fastify|find-my-way|avvio|@fastify)\//],
  ["schemas: zod, walks over data", /^zod\/|^src\/base\//],
  ["the contestant's own form and wiring", /^test\//],
];
const COLLECTOR = "garbage collection";
const PLATFORM = "Node: sockets, HTTP, timers, promises";
/** What stands around all work and does none of it: a callback's own time is not theirs. */
const CARRIERS = /^test\/bench\/message\/prosa\.ts/;

/** The busy time by part: each sample belongs to the innermost part that its stack goes through. */
export function parts(profile: Profile): Row[] {
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const known = new Map<number, string>();
  const partOf = (id: number): string => {
    const found = known.get(id);
    if (found !== undefined) return found;
    const frame = byId.get(id)?.callFrame;
    const place = placeOf(frame?.url ?? "");
    const own = CARRIERS.test(place) ? undefined : PARTS.find(([, places]) => places.test(place));
    const parent = parents.get(id);
    const part =
      frame?.functionName === "(garbage collector)"
        ? COLLECTOR
        : (own?.[0] ?? (parent === undefined ? PLATFORM : partOf(parent)));
    known.set(id, part);
    return part;
  };
  const times = new Map<string, number>();
  let busy = 0;
  profile.samples.forEach((id, index) => {
    const name = byId.get(id)?.callFrame.functionName ?? "";
    const time = profile.timeDeltas[index] ?? 0;
    if (NOT_WORK.has(name) || time < 0) return;
    busy += time;
    add(times, partOf(id), time);
  });
  return [...times]
    .map(([what, time]) => ({ what, share: time / busy }))
    .sort((a, b) => b.share - a.share);
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
