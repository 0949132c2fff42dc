/**
 * The same conversations with one, two and four processes that work, on one Redis and on a three-node Cluster: what people
 * read and what is issued must not depend on it. One process more only listens.
 */
import { startCluster } from "../support/cluster.ts";
import { Dice } from "../support/dice.ts";
import { textIn, until } from "../support/prosa.ts";
import { cpfOf, OPERATOR, plain, stepsOf } from "./flagship.ts";
import { lostOn } from "./left.ts";
import type { OverloadOptions } from "./overload.ts";
import { Stage } from "./stage.ts";

/** Customers at the same time. */
const CUSTOMERS = 6;
const PATIENCE_MS = 30_000;
const REQUEST = /Pedido \*([A-Z]\d)\*/g;

export interface Shown {
  /** Per customer what was read, without what differs by nature (numbers, keys, codes). */
  readonly read: readonly (readonly string[])[];
  /** Per customer: notes, and calls of `nfse-envio`. */
  readonly notes: readonly number[];
  readonly calls: readonly number[];
  readonly ms: number;
}

/** All customers ask at once, the operator approves each, everybody hears of the note. */
async function converse(stage: Stage): Promise<Shown> {
  const began = Date.now();
  const customers = Array.from({ length: CUSTOMERS }, (_, index) => ({
    cpf: cpfOf(700 + index),
    phone: stage.phone(`55119878${String(10_000 + index)}`),
  }));
  const operator = stage.phone(OPERATOR);
  await Promise.all(
    customers.map(async ({ cpf, phone }) => {
      for (const [who, say, then] of stepsOf(cpf))
        if (who === "customer") await phone.asks(say, then, PATIENCE_MS);
    }),
  );
  const codes = await until(
    "every request on the operator's phone",
    async () => {
      const heard = (await operator.all()).join("\n");
      const found = new Set([...heard.matchAll(REQUEST)].map(([, code = ""]) => code));
      return found.size === CUSTOMERS ? [...found] : undefined;
    },
    PATIENCE_MS,
  ).catch(async (error: unknown) => {
    const heard = (await operator.all()).join("\n| ");
    throw new Error(`${String(error)}; the operator read:\n| ${heard}\n${stage.log()}`);
  });
  for (const code of codes) await operator.asks(`aprovar ${code}`, /aprovado/, PATIENCE_MS);
  for (const { phone } of customers) await phone.waitFor(/emitida ✅/, PATIENCE_MS);
  const [notes, requests] = [await stage.rows("invoices"), await stage.rows("requests")];
  const calls = requests.filter((row) => textIn(row["route"]) === "invoicing.nfseEnvio");
  const ofTaker = (cpf: string) => (row: unknown) => JSON.stringify(row).includes(cpf);
  return {
    read: await Promise.all(customers.map(async ({ phone }) => (await phone.all()).map(plain))),
    notes: customers.map(({ cpf }) => notes.filter(ofTaker(cpf)).length),
    calls: customers.map(({ cpf }) => calls.filter(ofTaker(cpf)).length),
    ms: Date.now() - began,
  };
}

/** Plays it in every surrounding; says of each whether people read the same and each sale has one note. */
export async function workers({ program, say }: OverloadOptions): Promise<boolean> {
  let well = true;
  let first: Shown | undefined;
  for (const place of ["one Redis", "a Cluster of three"] as const)
    for (const count of [1, 2, 4]) {
      const cluster = place === "one Redis" ? undefined : await startCluster();
      try {
        const stage = await Stage.open({
          ...{ store: "redis", program, dice: new Dice(1) },
          roles: ["ingress", ...Array.from({ length: count }, () => "worker" as const)],
          ...(cluster ? { redisUrl: cluster.url } : {}),
        });
        try {
          const shown = await converse(stage);
          first ??= shown;
          const found = [...differences(first, shown), ...(await lostOn([stage]))];
          well &&= found.length === 0;
          say(
            `${found.length === 0 ? "PASS" : "FAIL"} ${count} at work on ${place}: all read the same, ${CUSTOMERS} sales have one note and one call each, after ${shown.ms} ms`,
          );
          for (const one of found) say(`  ${one}`);
        } finally {
          await stage.close();
        }
      } finally {
        await cluster?.stop();
      }
    }
  return well;
}

function differences(first: Shown, shown: Shown): readonly string[] {
  const wrong: string[] = [];
  for (const [index, read] of shown.read.entries()) {
    const want = first.read[index] ?? [];
    const at = read.findIndex((text, line) => text !== want[line]);
    if (at >= 0) wrong.push(`customer ${index} read “${read[at]}” instead of “${want[at]}”`);
    else if (read.length < want.length) wrong.push(`customer ${index} missed “${want.at(-1)}”`);
  }
  for (const [what, counts] of Object.entries({ notes: shown.notes, calls: shown.calls }))
    if (counts.some((count) => count !== 1)) wrong.push(`${what} per sale: ${counts.join(", ")}`);
  return wrong;
}
