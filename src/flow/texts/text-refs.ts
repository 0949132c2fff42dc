/** The references that the texts of a catalogue contain. */
import { askText, confirmText, type Catalogue } from "./catalogue.ts";
import { placeholders, type Text } from "./template.ts";

/** Every text of a catalogue with where it stands: `ask.value.again`. */
export function textsOf(catalogue: Catalogue): { readonly key: string; readonly text: Text }[] {
  const list: { key: string; text: Text }[] = [];
  const group = (name: string, texts: { readonly [key: string]: Text } | undefined): void => {
    for (const [key, text] of Object.entries(texts ?? {}))
      list.push({ key: `${name}.${key}`, text });
  };
  group("say", catalogue.say);
  group("rest", catalogue.rest);
  group("repair", catalogue.repair);
  for (const [kind, texts] of Object.entries(catalogue.bad ?? {})) group(`bad.${kind}`, texts);
  for (const [slot, entry] of Object.entries(catalogue.ask ?? {})) {
    const ask = askText(entry);
    for (const part of ["text", "again", "why", "help", "echo", "item"] as const) {
      const text = ask?.[part];
      if (text !== undefined) list.push({ key: `ask.${slot}.${part}`, text });
    }
    group(`ask.${slot}.bad`, ask?.bad);
  }
  for (const [id, entry] of Object.entries(catalogue.confirm ?? {})) {
    const confirm = confirmText(entry);
    for (const part of ["title", "line", "end", "help", "why"] as const) {
      const text = confirm?.[part];
      if (text !== undefined) list.push({ key: `confirm.${id}.${part}`, text });
    }
    group(`confirm.${id}.bad`, confirm?.bad);
  }
  return list;
}

/** Paths read by any text of the catalogue. */
export function textRefs(catalogue: Catalogue): string[] {
  const found = textsOf(catalogue).flatMap(({ text }) => placeholders(text).map(({ ref }) => ref));
  return [...new Set(found)];
}
