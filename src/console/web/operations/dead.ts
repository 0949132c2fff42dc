/** Dead letters: events that could not be applied. What a person can do about one is a call of the operator API. */
import { signal } from "@preact/signals";
import { attempt, notify } from "../data/actions.ts";
import { get, post } from "../data/http.ts";
import { t } from "../texts/index.ts";

/** People's numbers and documents come masked: nothing here asks to reveal them. */
export interface DeadLetter {
  readonly id: string;
  readonly account: string;
  readonly contact: string;
  readonly event: string;
  readonly reason: string;
  readonly at: number;
  readonly mail: unknown;
}

interface Page {
  readonly items: readonly DeadLetter[];
  readonly next?: string;
}

/** Letters drawn; with more of them the count ends in a plus. */
const SHOWN = 100;
/** Letters asked for at once by an export. */
const EXPORTED = 500;

export const dead = signal<Page>({ items: [] });

export async function loadDead(): Promise<void> {
  try {
    dead.value = await get<Page>(`/dead?limit=${SHOWN}`);
  } catch {
    // The next poll asks again; the stream says when the server is away.
  }
}

const pathOf = (id: string): string => `/dead/${encodeURIComponent(id)}`;

export function releaseLetter(id: string): Promise<boolean> {
  return decide(async () => {
    await post(`${pathOf(id)}/release`);
    notify(t("dead.released"));
  });
}

/** `reason` is kept in the audit. */
export function dropLetter(id: string, reason: string): Promise<boolean> {
  return decide(async () => {
    await post(`${pathOf(id)}/drop`, { reason });
    notify(t("dead.dropped"));
  });
}

/** Also after a refusal: somebody else may have decided. */
async function decide(action: () => Promise<void>): Promise<boolean> {
  const done = await attempt(action);
  await loadDead();
  return done;
}

/** All of them as a file, one JSON object a line, as `prosa dead export` writes it. */
export function exportLetters(): Promise<boolean> {
  return attempt(async () => {
    const lines: string[] = [];
    let after: string | undefined;
    do {
      const more: string = after === undefined ? "" : `&after=${encodeURIComponent(after)}`;
      const page: Page = await get<Page>(`/dead?limit=${EXPORTED}${more}`);
      for (const item of page.items) lines.push(`${JSON.stringify(item)}\n`);
      after = page.next;
    } while (after !== undefined);
    const url = URL.createObjectURL(new Blob(lines, { type: "application/x-ndjson" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = "dead-letters.jsonl";
    link.click();
    URL.revokeObjectURL(url);
  });
}
