/** `{say.hello}` and `{ask.item}`: every string a catalogue's text can become. */
import type { Session } from "../../engine/index.ts";
import type { Catalogue, Catalogues } from "../../flow/index.ts";

type Locale = Session["locale"];
type Text = NonNullable<Catalogue["say"]>[string];

/** Empty for a key that is none. A text that one language lacks is said in the other. */
export function phrasesOf(
  catalogues: Catalogues | undefined,
  locale: Locale,
  key: string,
): readonly string[] {
  const own = phrasesIn(catalogues?.[locale], key);
  return own.length > 0 ? own : phrasesIn(catalogues?.[locale === "en" ? "pt-BR" : "en"], key);
}

function phrasesIn(catalogue: Catalogue | undefined, key: string): readonly string[] {
  const [group = "", name = ""] = key.split(/\.(.*)/);
  if (group === "say") return forms(catalogue?.say?.[name]);
  if (group !== "ask") return [];
  const asked = catalogue?.ask?.[name];
  return forms(typeof asked === "object" ? asked.text : asked);
}

function forms(text: Text | undefined): readonly string[] {
  if (text === undefined) return [];
  if (typeof text === "string") return [text];
  if (Array.isArray(text)) return text;
  return Object.entries(text).flatMap(([name, form]) => (name === "by" ? [] : [String(form)]));
}
