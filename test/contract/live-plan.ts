/**
 * What is asked of a real deployment, and in what order: the routes that only read and cost nothing above the plan, then
 * the invoicing operations in test mode. Some reads need a name that an earlier answer holds; without it they are left out.
 */
import type { Json } from "../../src/base/index.ts";
import { routes, type AnyRoute } from "../../src/gateway/index.ts";

/** What earlier answers told. Kept in memory for the run, never printed. */
export interface Known {
  number?: string;
  groupJid?: string;
  mediaId?: string;
  jobId?: string;
  isOpen?: boolean;
  /** The deployment said that it heard the flag `homolog`. */
  testMode?: boolean;
}

export interface Step {
  readonly route: AnyRoute;
  readonly mode: "read" | "homolog";
  /** Body and query of the call, or the reason why it is not made. */
  readonly make: (known: Known) => { body: unknown; query?: Record<string, unknown> } | string;
}

/** Reads that need something, and what they make of it. The others go with their example. */
const NEEDS: Readonly<Record<string, (known: Known) => ReturnType<Step["make"]>>> = {
  // Connecting a phone that is not open begins a pairing: that is more than reading.
  "instance.connect": ({ isOpen }) =>
    isOpen === true ? { body: {} } : "the instance is not open; connecting would begin a pairing",
  "chat.findChats": () => ({ body: { page: 1, offset: 5 } }),
  "chat.findContacts": () => ({ body: { where: {}, page: 1, offset: 5 } }),
  "chat.findMessages": () => ({ body: { page: 1, offset: 5 } }),
  "chat.messengerNumbers": ({ number }) =>
    number === undefined ? "no number is known; give --number" : { body: { numbers: [number] } },
  "chat.fetchProfile": withNumber,
  "chat.fetchProfilePictureUrl": withNumber,
  "chat.getBase64FromMediaMessage": ({ mediaId }) =>
    mediaId === undefined
      ? "no media message is on record"
      : { body: { message: { key: { id: mediaId } }, convertToMp4: false } },
  "group.fetchAllGroups": () => ({ body: {}, query: { getParticipants: false } }),
  "jobs.find": ({ jobId }) =>
    jobId === undefined ? "the caller has no job" : { body: { id: [jobId] } },
  "invoicing.emitentesLista": () => ({ body: {} }),
};

function withNumber({ number }: Known): ReturnType<Step["make"]> {
  return number === undefined ? "no number is known; give --number" : { body: { number } };
}

function read(route: AnyRoute): Step {
  const own = NEEDS[route.id];
  if (own) return { route, mode: "read", make: own };
  if (!route.group) return { route, mode: "read", make: () => ({ body: route.example.body }) };
  return {
    route,
    mode: "read",
    make: ({ groupJid }) =>
      groupJid === undefined ? "the instance is in no group" : { body: {}, query: { groupJid } },
  };
}

/** The first is free and changes nothing: only if it is answered as a test are the others made. */
function homolog(route: AnyRoute): Step {
  const make: Step["make"] = ({ testMode }) =>
    isProbe(route) || testMode === true
      ? { body: { ...(route.example.body as object), homolog: true } }
      : "the deployment did not say that it heard homolog, and without it this is a real call";
  return { route, mode: "homolog", make };
}

/** A read without a price: what it does for real does no harm. */
function isProbe(route: AnyRoute): boolean {
  return route.class === "read" && route.price === 0;
}

/** Queries that have a price are not asked for real; a null price is the base price of a query. */
function isFree(route: AnyRoute): boolean {
  return route.billing !== "credits" || route.price === 0;
}

/** What tells something to later steps goes first. */
const FIRST = [
  "instance.connectionState",
  "chat.findContacts",
  "chat.findMessages",
  "group.fetchAllGroups",
  "jobs.list",
];

export function plan(): readonly Step[] {
  const place = (route: AnyRoute) => {
    const at = FIRST.indexOf(route.id);
    return at < 0 ? FIRST.length : at;
  };
  const reads = routes
    .filter((route) => route.class === "read" && route.area !== "channels" && isFree(route))
    .sort((a, b) => place(a) - place(b));
  const tests = routes
    .filter((route) => route.area === "invoicing" && route.homolog)
    .sort((a, b) => Number(isProbe(b)) - Number(isProbe(a)));
  return [...reads.map(read), ...tests.map(homolog)];
}

/** The most that a run takes. */
export function costOf(steps: readonly Step[]) {
  const planCalls = steps.filter(({ route }) => route.billing === "plan").length;
  const credits = steps.filter(({ route, mode }) => route.billing === "credits" && mode === "read");
  return {
    calls: steps.length,
    planCalls,
    creditCalls: credits.length,
    creditBrl: credits.reduce((sum, { route }) => sum + (route.price ?? 0), 0),
    homologCalls: steps.filter(({ mode }) => mode === "homolog").length,
  };
}

/** Takes from an answer what later steps need. */
export function learn(
  known: Known,
  { route, mode }: Step,
  payload: Json,
  heardTest: boolean,
): void {
  const rows = rowsIn(payload);
  const first = rows[0];
  if (route.id === "instance.connectionState")
    known.isOpen = JSON.stringify(payload).includes('"open"');
  if (route.id === "chat.findContacts")
    keep(known, "number", rows.flatMap((row) => phoneIn(row["remoteJid"])).at(0));
  if (route.id === "chat.findMessages") keep(known, "mediaId", mediaIn(payload));
  if (route.id === "group.fetchAllGroups") keep(known, "groupJid", first?.["id"]);
  if (route.id === "jobs.list") keep(known, "jobId", first?.["job_id"]);
  if (mode === "homolog" && isProbe(route)) known.testMode = heardTest;
}

function keep(known: Known, name: "number" | "mediaId" | "groupJid" | "jobId", value: unknown) {
  if (typeof value === "string" && value !== "") known[name] ??= value;
}

type Row = Readonly<Record<string, unknown>>;
const isRow = (value: unknown): value is Row => typeof value === "object" && value !== null;

function rowsIn(payload: unknown): readonly Row[] {
  if (Array.isArray(payload)) return payload.filter(isRow);
  const list = isRow(payload) ? Object.values(payload).find((entry) => Array.isArray(entry)) : [];
  return Array.isArray(list) ? list.filter(isRow) : [];
}

function phoneIn(jid: unknown): string[] {
  const digits = typeof jid === "string" ? /^(\d{8,15})@s\./.exec(jid)?.[1] : undefined;
  return digits === undefined ? [] : [digits];
}

function mediaIn(payload: unknown): string | undefined {
  const messages = isRow(payload) ? payload["messages"] : undefined;
  const found = rowsIn(isRow(messages) ? messages : payload).find((row) =>
    /^(?:image|audio|video|document|sticker)Message$/.test(String(row["messageType"])),
  );
  const key = found?.["key"];
  return isRow(key) && typeof key["id"] === "string" ? key["id"] : undefined;
}
