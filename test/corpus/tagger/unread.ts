/**
 * How well sentences are read that nobody has read: of every stranger's texts what the rules made of them at first sight, with
 * a second opinion that learnt from everybody else. And why the others are wrong, by cause.
 *
 *     npx tsx test/corpus/tagger/unread.ts                     figures and causes
 *     npx tsx test/corpus/tagger/unread.ts "name missed"       and the texts of a cause
 *     npx tsx test/corpus/tagger/unread.ts --nets FILE         with the nets that train.ts kept
 *
 * The third and the fourth hand's texts are not among them.
 */
import { parseArgs } from "node:util";
import { canonicalJson } from "../../../src/base/index.ts";
import type { Forests } from "../../../src/plugins/invoicing/sentence/learned/learnt.ts";
import { readNet } from "../../../src/plugins/invoicing/sentence/learned/model/net.ts";
import { writeNet } from "./writing.ts";
import { decided } from "../../../src/plugins/invoicing/sentence/learned/opinion.ts";
import { type Answer, formsOf, type Labelled, told, verdict } from "../labels.ts";
import { forestsOf, groupsOf, type Met, met, type Seen, seen } from "./hands.ts";
import { learnable } from "./learnable.ts";
import { netsOf } from "./nets.ts";

const {
  values: { nets: file },
  positionals: [wanted],
} = parseArgs({ options: { nets: { type: "string" } }, allowPositionals: true });
const groups = groupsOf(learnable());
const nets = await netsOf(
  groups.map(({ others }) => others),
  file,
);
const all = seen(
  met(
    groups,
    nets.map((net) => readNet(writeNet(net))),
  ),
);
const causes = new Map<string, string[]>();
const sums = { texts: 0, rules: 0, right: 0, wrong: 0 };

const trees = groups.map((_, group) => forestsOf(all.filter((one) => one.group !== group)));
for (const hand of new Set(all.map(({ sight }) => sight.hand))) {
  const own = all.filter(({ sight }) => sight.hand === hand);
  const answers = own.map((one) => ({ ...one, got: answered(one, trees) }));
  const count = (is: string, of = answers): number =>
    of.filter(({ row, got }) => verdict(row, got) === is).length;
  const [right, wrong] = [count("right"), count("wrongly accepted")];
  const rules = own.filter(({ row, sight }) => verdict(row, plainly(sight)) === "right").length;
  sums.texts += own.length;
  sums.rules += rules;
  sums.right += right;
  sums.wrong += wrong;
  process.stdout.write(
    `${hand}: ${own.length} texts, ${rules} by rules alone, ${right} right, ${wrong} wrongly accepted\n`,
  );
  for (const { row, sight, got } of answers)
    for (const cause of verdict(row, got) === "right" ? [] : causesOf(row, sight.refused, got))
      causes.set(cause, [...(causes.get(cause) ?? []), told(row, got)]);
}
const { texts, rules, right, wrong } = sums;
process.stdout.write(
  `all: ${texts} texts, ${rules} by rules alone, ${right} right (${((100 * right) / texts).toFixed(1)} %), ${wrong} wrongly accepted\n`,
);
for (const [cause, errors] of [...causes].sort(([, one], [, other]) => other.length - one.length)) {
  process.stdout.write(`${String(errors.length).padStart(4)} ${cause}\n`);
  if (wanted !== undefined && cause.startsWith(wanted))
    process.stdout.write(`${errors.join("\n")}\n`);
}

function answered(
  { sight, sentence, weighed, of, group }: Seen,
  trees: readonly Forests[],
): Answer {
  const forests = trees[group];
  if (forests === undefined) throw new Error(`There are no trees of group ${group}.`);
  const agreed = decided(sight.found, weighed, { ...sentence, of, forests });
  return agreed === null || Object.keys(agreed).length === 0
    ? { ok: false, reason: "absent" }
    : { ok: true, value: agreed };
}

function plainly({ refused, found }: Met["sight"]): Answer {
  return refused ? { ok: false, reason: "absent" } : { ok: true, value: found };
}

/** One for each slot that is wrong or missing. */
function causesOf({ expect }: Labelled, refused: boolean, got: Answer): string[] {
  const read = (got.value ?? {}) as Readonly<Record<string, unknown>>;
  if (!expect.ok) return [`talk is read${read["value"] === undefined ? "" : ", with an amount"}`];
  if (!got.ok) return [`a request is refused${refused ? ", as by the rules" : ""}`];
  const must = expect.value as Readonly<Record<string, unknown>>;
  return [...new Set([...Object.keys(must), ...Object.keys(read)])].flatMap((slot) => {
    const forms = formsOf(expect, slot);
    const [label] = forms;
    if (read[slot] === undefined) return [`${slot} missed`];
    if (label === undefined) return [`${slot} should not be read`];
    if (forms.some((form) => canonicalJson(read[slot]) === canonicalJson(form))) return [];
    return [`${slot} ${howOff(read[slot], label)}${slot in must ? "" : ", may be left out"}`];
  });
}

function howOff(read: unknown, label: unknown): string {
  const [one, other] = [String(read).toLowerCase(), String(label).toLowerCase()];
  if (other.includes(one)) return "too short";
  return one.includes(other) ? "too long" : "another";
}
