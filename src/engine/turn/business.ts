/**
 * What the readers of plugins add to the runtime's understanding: nouns, commands and forms. It is built once for each
 * list of readers.
 */
import type { Business } from "../../understanding/index.ts";
import type { Reader } from "./reader.ts";

const made = new WeakMap<readonly Reader[], Business>();

export function businessOf(readers: readonly Reader[]): Business {
  const known = made.get(readers);
  if (known) return known;
  const words = readers.flatMap(({ words: of }) => (of ? Object.values(of) : []));
  const spokenIn = (locale: "pt-BR" | "en") =>
    readers.flatMap(({ words: of }) => [
      ...(of?.[locale].things ?? []),
      ...(of?.[locale].beside ?? []),
    ]);
  const describing = readers.filter(({ describes }) => describes !== undefined);
  const business: Business = {
    things: words.flatMap(({ things }) => things),
    beside: words.flatMap(({ beside = [] }) => beside),
    people: words.flatMap(({ people = [] }) => people),
    spoken: { "pt-BR": spokenIn("pt-BR"), en: spokenIn("en") },
    months: words.flatMap(({ months = [] }) => months),
    commands: readers.flatMap(({ commands = {} }) =>
      Object.entries(commands).map(([name, one]) => ({ name, ...one })),
    ),
    forms: new Map(readers.flatMap(({ forms }) => [...(forms ?? [])])),
    ...(describing.length > 0
      ? { describes: (text: string) => describing.some((reader) => reader.describes?.(text)) }
      : {}),
  };
  made.set(readers, business);
  return business;
}
