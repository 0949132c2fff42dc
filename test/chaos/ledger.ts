/** The third oracle's second half, the gateway's own book: what was called how often, and after which answer. */
import { type Body, textIn } from "../support/prosa.ts";
import { saying } from "./book.ts";
import { rowSaid } from "./grounds.ts";
import type { Evidence, Expected } from "./oracles.ts";

/** One call and the three repeats that are granted; costly and fiscal calls have one. */
export const CAP = 4;
/** What nobody may ask for twice: the contract's fiscal and costly routes, named here so that a change there does not blind us. */
export const ONCE: ReadonlySet<string> = new Set([
  ...["invoicing.nfseEnvio", "invoicing.cancelamento", "invoicing.emitentesCadastro"],
  ...["instance.create", "group.create", "group.sendInvite", "call.offer"],
]);
const PULL = /^chat\.findMessages /;
/** Answers that pause a scope; what they refused may leave again after it was resumed. */
const PAUSES = [401, 402, 403];
/** Pauses it, too, for a time: what was turned away is let go with its tries anew. */
const LIMITED = 429;
/** What the sandbox says with its 429. */
const RETRY_AFTER_MS = 1_000;
/** The recorder's answers: no two of them say the same to the same phone. */
const NUMBERED = /"#\d+"/;
/**
 * Calls that cost nothing, by what they are asked about: after 401 and 403 a machine may ask by them whether all is well again.
 * After 402 it may not.
 */
const PROBES = {
  ...{ plan: "jobs.list", jobs: "jobs.list" },
  credits: "invoicing.emitentesLista",
} as const;
/** Engines with a number of their own, which somebody may pause alone. */
const CHANNELS = { engineA: "engine-a", engineC: "engine-c", sms: "sms" } as const;

/** What somebody let go on, and when: the gateway's time, ISO. */
export interface Resumed {
  readonly at: string;
  /** `plan:<account>`, also with a channel; `credits:<account>`, `jobs:<account>`. */
  readonly scope: string;
}

/** What a pause of this scope holds back, of calls that are all one account's. */
const covers = ({ scope }: Resumed, route: string): boolean => {
  const [kind, , channel] = scope.split(":");
  const [controller = ""] = route.split(".");
  const own = (CHANNELS as Readonly<Record<string, string>>)[controller];
  return kind === kindOf(route) && (channel === undefined || channel === own);
};

function kindOf(route: string): keyof typeof PROBES {
  if (/^(?:invoice|invoicing|issuer)[.]/.test(route)) return "credits";
  return route.startsWith("jobs.") ? "jobs" : "plan";
}

function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const rows = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${rows.map(([key, one]) => `${key}:${canonical(one)}`).join()}}`;
}

/**
 * What a call asks for, without what is drawn anew for each note: the sale itself; nor where answers are to go, of which each
 * process has a place of its own.
 */
function wishOf(row: Body): string {
  const route = textIn(row["route"]);
  const told = row["body"] as unknown as Record<string, unknown> | null;
  const { webhook_url: _, ...rest } = told ?? {};
  const body = told && rest;
  // However the wish to cancel is worded, it is one note's.
  if (route === "invoicing.cancelamento") return `${route} ${canonical(body?.["chave"] ?? body)}`;
  const dados = (body?.["dados"] ?? null) as Record<string, Record<string, unknown>> | null;
  if (!dados || !ONCE.has(route)) return `${route} ${canonical(body)}`;
  const taker = dados["tomador"];
  const sale = dados["servico"];
  return `${route} ${canonical([taker?.["cpf"] ?? taker?.["cnpj"], sale?.["valor_servicos"], sale?.["codigo"]])}`;
}

/**
 * How often something was tried, at most between two times that it was turned away unread: then its tries begin anew. What may be
 * done once has no tries to begin anew with.
 */
function triesOf(statuses: readonly number[], once: boolean): number {
  const [counts, current] = statuses
    .filter((status) => !PAUSES.includes(status))
    .reduce<[number[], number]>(
      ([all, tries], status) =>
        status !== LIMITED ? [all, tries + 1] : once ? [all, tries] : [[...all, tries], 0],
      [[], 0],
    );
  return Math.max(...counts, current);
}

type Calls = Pick<Evidence, "requests" | "resumed" | "book" | "realTime">;
type Notes = Pick<Evidence, "invoices">;

/** 3b. The gateway's own book: what was called how often, and after which answer. */
export function ledger(
  evidence: Evidence,
  how: Pick<Expected, "undisturbed" | "spoilt"> = {},
): string[] {
  return [...doubled(evidence), ...called(evidence, how), ...echoed(evidence)];
}

/** What of it holds for any conversation: one note for one sale, and nothing asked for again that may be asked for once. */
export function fiscal(evidence: Calls & Notes): string[] {
  return [...doubled(evidence), ...called(evidence, {}, (route) => ONCE.has(route))];
}

function doubled({ invoices }: Notes): string[] {
  const sales = new Map<string, number>();
  for (const row of invoices) {
    const sale = wishOf({ route: "invoicing.nfseEnvio", body: row } as unknown as Body);
    sales.set(sale, (sales.get(sale) ?? 0) + 1);
  }
  return [...sales]
    .filter(([, notes]) => notes > 1)
    .map(([sale, notes]) => `${notes} notes for one sale: ${sale}`);
}

/**
 * 3d. No two messages say the same number: a turn that was made twice says it under another name. Nor #0, which begins a
 * conversation: where the greeting was put aside it had said nothing.
 */
function echoed({ contacts, book }: Evidence): string[] {
  return contacts.flatMap(({ phone, received }) =>
    [...new Set(received)]
      .filter((text) => NUMBERED.test(`"${text}"`))
      .map((text) => ({ text, messages: book?.messages(saying(phone, text)) ?? 0 }))
      .filter(({ messages }) => messages > 1)
      .map(({ text, messages }) => `${phone}: “${text}” was said by ${messages} messages`),
  );
}

function called(
  { requests, resumed = [], book, realTime = Date.parse }: Calls,
  { undisturbed = false, spoilt = false }: Pick<Expected, "undisturbed" | "spoilt">,
  isJudged: (route: string) => boolean = () => true,
): string[] {
  const wrong: string[] = [];
  const probed = (route: string): readonly string[] =>
    requests
      .filter((row) => row["route"] === (PROBES[kindOf(route)] as unknown))
      .filter((row) => Number(row["status"]) === 200)
      .map((row) => textIn(row["at"]));
  const calls = new Map<string, Body[]>();
  // As they came in: the sandbox writes a slow call down when it is answered, behind others that came later.
  const inOrder = requests.toSorted(
    (a, b) => Date.parse(textIn(a["at"])) - Date.parse(textIn(b["at"])),
  );
  for (const row of inOrder) {
    if (row["route"] === null || !isJudged(textIn(row["route"]))) continue;
    const wish = wishOf(row);
    calls.set(wish, [...(calls.get(wish) ?? []), row]);
  }
  for (const [wish, rows] of calls) {
    const status = (row: Body): number => Number(row["status"] ?? 0);
    // Two messages may say the same, each with tries of its own; no two say the same number.
    const [said] = rows.map(rowSaid);
    const messages = NUMBERED.test(wish) ? 1 : Math.max(1, book?.messages(said ?? "") ?? 1);
    const once = ONCE.has(wish.split(" ")[0] ?? "");
    const cap = once ? 1 : CAP * messages;
    if (/send|text/i.test(wish.split(" ")[0] ?? "") || once)
      if (triesOf(rows.map(status), once) > cap)
        wrong.push(`${rows.length} calls, ${cap} allowed: ${wish}`);
    rows.slice(0, -1).forEach((row, at) => {
      const code = status(row);
      const next = rows[at + 1];
      const [from, to] = [textIn(row["at"]), textIn(next?.["at"])];
      const isLost = (): boolean =>
        book?.excuses(rowSaid(row), realTime(from), realTime(to)) === true;
      // A page or half a body stands with 200 in the gateway's book, too.
      const isRepeat = NUMBERED.test(wish) && (undisturbed || (!spoilt && !isLost()));
      if (code === 200 && (once || isRepeat)) wrong.push(`called again after 200: ${wish}`);
      if (code < 400 || code > 499) return;
      const between = (when: string): boolean => when >= from && when <= to;
      const route = textIn(row["route"]);
      const isLetGo = resumed.some((one) => covers(one, route) && between(one.at));
      // A full plan says itself when it may be called again.
      const isOver = Date.parse(to) - Date.parse(from) >= RETRY_AFTER_MS;
      if (code === LIMITED && (isOver || isLetGo)) return;
      const allowed =
        PAUSES.includes(code) && (isLetGo || (code !== 402 && probed(route).some(between)));
      if (allowed) return;
      // A process that starts asks anew what was missed; one that has asked does not.
      if (PULL.test(wish) && book?.died(realTime(from), realTime(to)) === true) return;
      // What is never repeated by a machine is excused by nothing; a message by a refusal that nobody heard.
      if (!once && isLost()) return;
      wrong.push(`called again after ${code}: ${wish}`);
    });
  }
  return wrong;
}
