/**
 * What an author saves, as edits of shipped flows that a running conversation can tell from each other. Every content is
 * saved once only: what is known from an earlier save costs nothing, and nobody writes the same twice.
 */

/** Whose conversation shows what is live: one rests at the first question of a request, one in the menu. */
export type Witness = "request" | "menu";

export interface Save {
  readonly kind: string;
  /** Below the folder of flows. */
  readonly file: string;
  readonly text: (shipped: string, save: number) => string;
  readonly witness: Witness;
  /** What the witness is asked after this save. */
  readonly asked: (save: number) => RegExp;
  /** What is told instead of "live", where the file does not hold up. */
  readonly why?: RegExp;
}

const REQUEST = "request-invoice/flow.ts";
const WORDS = "request-invoice/texts.pt-BR.yaml";
const MENU = "menu/flow.yaml";

/** The text with one of its parts replaced; a part that is not there any more would measure nothing. */
function changed(text: string, part: string | RegExp, by: string): string {
  const made = text.replace(part, by);
  if (made === text) throw new Error(`nothing to replace: ${String(part)}`);
  return made;
}

const noted = (text: string, save: number): string => `${text}\n// ${save}\n`;
const remarked = (text: string, save: number): string => `${text}\n# ${save}\n`;

/** The sale is asked about before the service. */
function saleFirst(text: string): string {
  const sale = / {4}f\.form\("sale",.*\n/.exec(text)?.[0] ?? "";
  return changed(changed(text, sale, ""), '    f.ask("service"', `${sale}    f.ask("service"`);
}

/** Notes and copy change places in the menu of customers. */
function copyFirst(text: string): string {
  const notes = / *notes: \[\{ subflow: my-notes, id: listing-own.*\n/.exec(text)?.[0] ?? "";
  return changed(
    changed(text, notes, ""),
    / *human: \[\{ subflow: talk-to-human, id: talking/,
    `${notes}$&`,
  );
}

const SERVICE = /[Qq]ual serviço|lista/;
const NOTES_SECOND = /Pedir nota fiscal[^]*Minhas notas[^]*Segunda via/;
const COPY_SECOND = /Pedir nota fiscal[^]*Segunda via[^]*Minhas notas/;

/** One round; what is broken is mended by the save behind it. */
export const SAVES: readonly Save[] = [
  {
    ...{ kind: "words", file: WORDS, witness: "request" },
    text: (text, save) => changed(text, '"Qual serviço?"', `"Qual serviço, ${save}?"`),
    asked: (save) => new RegExp(`Qual serviço, ${save}\\?`),
  },
  {
    ...{ kind: "steps of a flow.ts", file: REQUEST, witness: "request" },
    text: (text, save) => noted(saleFirst(text), save),
    asked: () => /o valor|valor do serviço/,
  },
  {
    ...{ kind: "flow.ts that does not parse", file: REQUEST, witness: "request" },
    text: (text, save) => noted(changed(text, "f.end()]", "f.end("), save),
    asked: () => /o valor|valor do serviço/,
    why: /flow\.ts:\d+/,
  },
  {
    ...{ kind: "the same, mended", file: REQUEST, witness: "request" },
    text: noted,
    asked: () => SERVICE,
  },
  {
    ...{ kind: "flow.ts that lint refuses", file: REQUEST, witness: "request" },
    text: (text, save) => noted(changed(text, 'f.goto("summary")', 'f.goto("sumary")'), save),
    asked: () => SERVICE,
    why: /sumary/,
  },
  {
    ...{ kind: "the same, mended", file: REQUEST, witness: "request" },
    text: (text, save) => noted(saleFirst(text), save),
    asked: () => /o valor|valor do serviço/,
  },
  {
    ...{ kind: "steps of a flow.ts", file: REQUEST, witness: "request" },
    text: noted,
    asked: () => SERVICE,
  },
  {
    ...{ kind: "steps of a flow.yaml", file: MENU, witness: "menu" },
    text: (text, save) => remarked(copyFirst(text), save),
    asked: () => COPY_SECOND,
  },
  {
    ...{ kind: "flow.yaml with a slip", file: MENU, witness: "menu" },
    text: (text, save) => remarked(changed(text, "choose: wish", "choose: whish"), save),
    asked: () => COPY_SECOND,
    why: /whish/,
  },
  {
    ...{ kind: "the same, mended", file: MENU, witness: "menu" },
    text: remarked,
    asked: () => NOTES_SECOND,
  },
];
