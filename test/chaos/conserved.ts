/**
 * What became of each webhook that was answered with 200: it was heard once, or stands among the dead letters for a reason.
 * Counters cannot tell: timers and words of our own are accepted, too, so that a third of all could be lost beneath them.
 */
import type { Store } from "../../src/store/index.ts";
import { GREETING, isGrounded, type Letter, lettersIn } from "./grounds.ts";
import type { Recording } from "./recorder-flow.ts";

/** One phone: what was taken of it, in any order, and where that is now. */
export interface Kept {
  readonly phone: string;
  /** Numbers answered with 200. */
  readonly taken: readonly number[];
  readonly heard: readonly number[];
  readonly letters: readonly Letter[];
}

/** Numbers told of one phone. */
const TOLD = 5;
/** Phones looked at beside each other. */
const LOOKED_AT = 100;

/** What is wrong, in sentences, a phone at a time. */
export function unaccounted(all: readonly Kept[]): string[] {
  return all.flatMap(({ phone, taken, heard, letters }) => {
    const wrong: string[] = [];
    const note = (numbers: readonly number[], what: string): void => {
      const more = numbers.length > TOLD ? ` and ${numbers.length - TOLD} more` : "";
      if (numbers.length > 0)
        wrong.push(`${phone}: ${numbers.slice(0, TOLD).join(", ")}${more} ${what}`);
    };
    const heardOnce = new Set(heard);
    const aside = new Set(letters.map(({ number }) => number));
    note(
      taken.filter((number) => !heardOnce.has(number) && !aside.has(number)),
      "taken and nowhere",
    );
    note(
      [...heardOnce].filter((number) => aside.has(number)),
      "heard and put aside",
    );
    if (heardOnce.size < heard.length) {
      const seen = new Set<number>();
      note(
        heard.filter((number) => seen.has(number) || !seen.add(number)),
        "heard again",
      );
    }
    note(
      letters.filter((own) => !isGrounded(own, taken.length)).map(({ number }) => number),
      "put aside for no reason",
    );
    return wrong;
  });
}

/** What is left of each phone. All of them were greeted before: a conversation hears no number in what begins it. */
export async function keptOf(
  store: Store,
  taken: ReadonlyMap<string, readonly number[]>,
): Promise<Kept[]> {
  const letters = await lettersIn(store);
  const kept: Kept[] = [];
  const phones = [...taken];
  for (let from = 0; from < phones.length; from += LOOKED_AT)
    kept.push(
      ...(await Promise.all(
        phones.slice(from, from + LOOKED_AT).map(async ([phone, numbers]) => {
          const contact = await store.contacts.lookup("demo", `phone:${phone}`);
          const view = contact === null ? null : await store.views.session("demo", contact);
          const session = view?.session as { frames?: { state: unknown }[] } | undefined;
          const { heard = [] } = (session?.frames?.[0]?.state ?? {}) as Partial<Recording>;
          const own = letters.filter((one) => one.contact === contact && one.number !== GREETING);
          return { ...{ phone, heard }, taken: numbers, letters: own };
        }),
      )),
    );
  return kept;
}
