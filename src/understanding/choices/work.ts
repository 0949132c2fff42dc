/** "Consultoria financeira", "2 horas de aula": words of work and nothing else. Not "muito curta". */
import type { Business } from "../business.ts";
import { plain } from "../plain.ts";
import { isServiceWord } from "./service-words.ts";

export function isWork(text: string, business?: Business): boolean {
  if (business?.describes) return business.describes(text);
  return (
    isServiceWord(
      plain(text)
        .trim()
        .replace(/^\d{1,3} /, ""),
    ) && !text.includes("?")
  );
}
