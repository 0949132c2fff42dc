/** All effects of one contact, page by page. A queue that was held back for days is as long as people wrote meanwhile. */
import type { EffectView, Store } from "../../store/port/port.ts";

/** Effects of one page. */
const PAGE = 200;

type Some = Omit<Parameters<Store["views"]["effectsOf"]>[0], "after" | "limit">;

/** The latest first, each once. What is asked for meanwhile may be missing. */
export async function* everyEffect(
  store: Pick<Store, "views">,
  some: Some,
): AsyncGenerator<EffectView> {
  const seen = new Set<string>();
  let after: string | undefined;
  do {
    const page = await store.views.effectsOf({ ...some, ...(after ? { after } : {}), limit: PAGE });
    for (const effect of page.items) {
      if (seen.has(effect.id)) continue;
      seen.add(effect.id);
      yield effect;
    }
    after = page.next;
  } while (after !== undefined);
}
