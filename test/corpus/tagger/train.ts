/**
 * Makes the tagger's weights from the labelled sentences.
 *
 *     npx tsx test/corpus/tagger/train.ts            writes src/plugins/invoicing/sentence/learned/model/weights.ts
 *     npx tsx test/corpus/tagger/train.ts --nets FILE  … and keeps the nets there, which take most of the time, or reads them
 *     npx tsx test/corpus/tagger/train.ts --check    says whether they are those of the texts (exit 1 when not)
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { format, resolveConfig } from "prettier";
import { writeForest, writeNet, writeWeights } from "./writing.ts";
import {
  type NetFile,
  readNet,
} from "../../../src/plugins/invoicing/sentence/learned/model/net.ts";
import { forestsBy, type Learnt } from "../../../src/plugins/invoicing/sentence/learned/learnt.ts";
import { exampleOf } from "./example.ts";
import { fit } from "./fit.ts";
import { forestsOf, groupsOf, judgesOf, met, seen } from "./hands.ts";
import { learnable } from "./learnable.ts";
import { netsOf } from "./nets.ts";

const FILE = path.resolve(
  import.meta.dirname,
  "../../../src/plugins/invoicing/sentence/learned/model/weights.ts",
);

const { values } = parseArgs({
  options: { check: { type: "boolean", default: false }, nets: { type: "string" } },
});
const texts = learnable();
const groups = groupsOf(texts);
const schools = [...groups.map(({ others }) => others), texts.map(exampleOf)];
const nets = (await netsOf(schools, values.nets)).map(writeNet);
const all = met(groups, nets.map(readNet));
const made = await written({
  ...fit(texts.map(exampleOf)),
  ...judgesOf(all),
  net: nets.at(-1),
  forests: forestsOf(seen(all)),
});
if (!values.check) writeFileSync(FILE, made);
else if (readFileSync(FILE, "utf8") !== made) {
  process.stderr.write(`${FILE} is older than the texts: run this without --check.\n`);
  process.exitCode = 1;
}

async function written({
  chain,
  steps,
  asked,
  note,
  day,
  amount,
  name,
  description,
  net,
  forests,
}: Omit<Learnt, "net"> & { readonly net: NetFile | undefined }): Promise<string> {
  const read = {
    note: writeWeights(note),
    day: writeWeights(day),
    amount: writeWeights(amount),
    nameRight: writeWeights(name.right),
    nameWanted: writeWeights(name.wanted),
    descriptionRight: writeWeights(description.right),
    descriptionWanted: writeWeights(description.wanted),
  };
  const trees = forestsBy((kind) => writeForest(forests[kind]));
  const lines = [
    "/** What the tagger learnt from the labelled sentences. Made by test/corpus/tagger/train.ts; nothing here is written by hand. */",
    `export const CHAIN = ${JSON.stringify(writeWeights(chain))};`,
    `export const STEP_WEIGHTS: readonly number[] = ${JSON.stringify(steps)};`,
    `export const NET = ${JSON.stringify(net)};`,
    `export const ASKED = ${JSON.stringify(writeWeights(asked))};`,
    `export const JUDGES = ${JSON.stringify(read)};`,
    `export const FORESTS = ${JSON.stringify(trees)};`,
  ];
  return format(lines.join("\n"), { ...(await resolveConfig(FILE)), parser: "typescript" });
}
