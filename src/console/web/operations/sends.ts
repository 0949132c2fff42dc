/** What rests until a person decides: effects that are held, as the operator API tells them, and rows of plugins. */
import { computed, signal } from "@preact/signals";
import type { Decided, EffectAdvice, HeldEffect } from "../../panels.ts";
import { attempt, notify } from "../data/actions.ts";
import { get, post } from "../data/http.ts";
import { loadAll, type OwnedRow, partsOf, rowsOf, safely } from "../parts.tsx";
import { DECISIONS, decisionsOf } from "../data/model.ts";
import { t } from "../texts/index.ts";

/** Held effects asked for at once. */
const ASKED = 200;

/** As they were told last. `more`: there are more of them. */
const held = signal<{ readonly items: readonly HeldEffect[]; readonly more: boolean }>({
  items: [],
  more: false,
});

interface Waiting {
  readonly rows: readonly OwnedRow[];
  readonly effects: readonly HeldEffect[];
  readonly more: boolean;
}

/** A row of a plugin and the effects it speaks for are one matter: the row is shown. */
export const waiting = computed((): Waiting => {
  const parts = partsOf("waiting");
  const { items, more } = held.value;
  return {
    rows: parts.flatMap(({ plugin, part }) => rowsOf(plugin, part)),
    effects: items.filter(
      (effect) => !parts.some(({ part }) => safely(() => part.covers?.(effect), false)),
    ),
    more,
  };
});

export const waitingCount = computed(
  () => waiting.value.rows.length + waiting.value.effects.length,
);

/** What may be decided of an effect: as the plugin says whose it is, else as its class has it. */
export function adviceOf(effect: HeldEffect): EffectAdvice {
  for (const { part } of partsOf("waiting")) {
    const advice = safely(() => known(part.ofEffect?.(effect)), undefined);
    if (advice) return advice;
  }
  return { decisions: decisionsOf(effect) };
}

/** Without decisions that the API does not take. */
function known(advice: EffectAdvice | undefined): EffectAdvice | undefined {
  return advice && { ...advice, decisions: advice.decisions.filter((one) => DECISIONS.has(one)) };
}

export async function loadSends(): Promise<void> {
  const ofPlugins = loadAll(partsOf("waiting").map(({ part }) => part.load));
  try {
    const { items } = await get<{ items: readonly HeldEffect[] }>(
      `/outbox?state=held&limit=${ASKED}`,
    );
    held.value = { items, more: items.length >= ASKED };
  } catch {
    // The next poll asks again; the stream says when the server is away.
  }
  await ofPlugins;
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
