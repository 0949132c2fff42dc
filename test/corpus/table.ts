/** How well the labelled texts are understood, by kind and set, and the bars that this must reach. */
import { KINDS } from "../support/understand.ts";
import {
  type Answer,
  answer,
  type Half,
  type Labelled,
  type LabelledKind,
  labels,
  told,
  verdict,
} from "./labels.ts";

/** Days and times that a question limits have a corpus of their own: `moments/`. */
const LIMITED = ["time", "datetime", "period"] as const;
export const LABELLED_KINDS = [...KINDS, "street", "name"].filter(
  (kind): kind is TabledKind => !LIMITED.some((one) => one === kind),
);
type TabledKind = Exclude<LabelledKind, (typeof LIMITED)[number]>;

/** Share of a kind's texts that must be right, in each half by itself. */
export const BARS: Readonly<Partial<Record<LabelledKind, number>>> = {
  money: 0.98,
  cpf: 0.98,
  cnpj: 0.98,
  document: 0.98,
  yesno: 0.98,
  cep: 0.98,
  date: 0.95,
  month: 0.95,
  invoice: 0.95,
  phone: 0.95,
  email: 0.95,
  uf: 0.95,
  city: 0.95,
  command: 0.95,
  street: 0.9,
  name: 0.9,
};
/** Nothing wrong may ever be taken here: what is read goes into a fiscal document. */
export const NEVER_WRONG: readonly LabelledKind[] = ["money", "cpf", "cnpj", "document", "cep"];

export interface Score {
  readonly kind: LabelledKind;
  readonly half: Half;
  readonly texts: number;
  readonly right: number;
  readonly wronglyAccepted: readonly string[];
  readonly missed: readonly string[];
}

/** A text with what is read of it. */
export interface Answered {
  readonly row: Labelled;
  readonly got: Answer;
}

/** Texts of a set, each read once: of all open sentences that takes a minute. */
export function answered(half: Half, texts = labels(half)): readonly Answered[] {
  return texts.map((row) => ({ row, got: answer(row) }));
}

export function scores(half: Half, texts = answered(half)): readonly Score[] {
  return LABELLED_KINDS.map((kind) =>
    score(
      kind,
      half,
      texts.filter(({ row }) => row.kind === kind),
    ),
  );
}

function score(kind: LabelledKind, half: Half, texts: readonly Answered[]): Score {
  const judged = texts.map(({ row, got }) => ({
    verdict: verdict(row, got),
    error: told(row, got),
  }));
  const errors = (wanted: "missed" | "wrongly accepted") =>
    judged.filter((one) => one.verdict === wanted).map((one) => one.error);
  return {
    kind,
    half,
    texts: texts.length,
    right: judged.filter((one) => one.verdict === "right").length,
    wronglyAccepted: errors("wrongly accepted"),
    missed: errors("missed"),
  };
}

export function below(one: Score): boolean {
  return one.right < (BARS[one.kind] ?? 1) * one.texts;
}

const percent = (one: Score): string => `${((100 * one.right) / one.texts).toFixed(1)} %`;

/** A Markdown table: one row a kind, the sets side by side. */
export function table(...sets: readonly (readonly Score[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const cells = (one: Score): string[] =>
    one.texts === 0
      ? ["–", "", ""]
      : [`${one.right} / ${one.texts}`, percent(one), String(one.wronglyAccepted.length)];
  const [first = []] = sets;
  const rows = first.map((one, at) =>
    line([
      one.kind,
      `${(BARS[one.kind] ?? 1) * 100} %`,
      ...sets.flatMap((scored) => scored[at] ?? []).flatMap(cells),
    ]),
  );
  const sum = (scored: readonly Score[]): string[] => {
    const texts = scored.reduce((total, one) => total + one.texts, 0);
    const right = scored.reduce((total, one) => total + one.right, 0);
    const wrong = scored.reduce((total, one) => total + one.wronglyAccepted.length, 0);
    return [`${right} / ${texts}`, `${((100 * right) / texts).toFixed(1)} %`, String(wrong)];
  };
  const head = [
    "kind",
    "bar",
    ...sets.flatMap((of) => [of[0]?.half ?? "", "", "wrongly accepted"]),
  ];
  return [
    line(head),
    line(head.map(() => "---")),
    ...rows,
    line(["**all**", "", ...sets.flatMap(sum)]),
  ].join("\n");
}
