/** What rests until a person decides: effects that are held, and notes without an end, as the operator API tells them. */
import { signal } from "@preact/signals";
import { attempt, notify } from "./actions.ts";
import { get, post } from "./http.ts";
import type { Decided, HeldEffect, OpenNote, Waiting } from "./sends-model.ts";
import { t } from "./texts/index.ts";

/** Held effects asked for at once. */
const ASKED = 200;

export const waiting = signal<Waiting>({ effects: [], notes: [], more: false });

export async function loadSends(): Promise<void> {
  try {
    const [held, open] = await Promise.all([
      get<{ items: readonly HeldEffect[] }>(`/outbox?state=held&limit=${ASKED}`),
      get<{ items: readonly OpenNote[] }>("/invoices?open=1"),
    ]);
    waiting.value = { effects: held.items, notes: open.items, more: held.items.length >= ASKED };
  } catch {
    // The next poll asks again; the stream says when the server is away.
  }
}

/** Loads anew also after a refusal: somebody else may have decided. */
export async function decide({ path, body }: Decided): Promise<boolean> {
  const done = await attempt(async () => {
    await post(path, body);
    notify(t("sends.decided"));
  });
  await loadSends();
  return done;
}
