/**
 * SIGTERM while a note is with the town: the call is not aborted. What is answered within the stop's time is written before
 * the process leaves; what is not is held as uncertain by the next one, and never sent again by a machine.
 */
import { setTimeout as pause } from "node:timers/promises";
import { textIn, until } from "../support/prosa.ts";
import { ask, cpfOf, decide, openStage } from "./flagship.ts";
import { lostOn } from "./left.ts";
import type { Stage } from "./stage.ts";

type Demand = (met: boolean, what: string) => void;

/** What the product promises of a stop, ms. */
const STOP_MS = 10_000;
/** Answered within the stop's time, and not within it; the call's own time-out is above both, ms. */
const ANSWER_MS = { inTime: 4_000, late: 20_000 } as const;
const FISCAL_TIMEOUT_MS = 25_000;
/** A fiscal call whose process left is judged after its time-out and 15 s more. */
const WAIT_MS = 120_000;
/** A note that would be sent again is sent again within this time, ms. */
const SETTLE_MS = 3_000;

export async function stoppedNotes(program: string, demand: Demand): Promise<void> {
  const stage = await openStage(program, "redis", FISCAL_TIMEOUT_MS);
  const [bot] = stage.lives;
  if (!bot) throw new Error("the stage has no bot");
  try {
    for (const [at, kind] of (["inTime", "late"] as const).entries()) {
      const cpf = cpfOf(50 + at);
      await stage.control("POST", "/sandbox/faults", {
        ...{ route: "invoicing.nfseEnvio", times: 1 },
        effect: { kind: "slow", ms: ANSWER_MS[kind] },
      });
      const asked = ask(stage, 50 + at, cpf, /emitida ✅|em processamento/);
      asked.catch(() => undefined);
      // The town has it, and has not answered yet: the gateway writes a call down with its answer.
      const left = async () => (await stage.rows("invoices")).length === at + 1;
      await until("the note on its way", left, WAIT_MS);
      const answered = await callsOf(stage);
      const from = performance.now();
      const code = await bot.end("SIGTERM");
      const ms = Math.round(performance.now() - from);
      demand(
        code === 0 && ms < STOP_MS && answered === at,
        `notes, answered after ${ANSWER_MS[kind]} ms: asked to end in between, the process ends with code ${String(code)} after ${ms} ms`,
      );
      const written = await statesIn(stage);
      if (kind === "inTime")
        demand(
          written === "autorizada",
          `notes: what was answered within the stop is written before the process leaves: ${written}`,
        );
      await bot.start();
      if (kind === "late") {
        const judged = async () => (await statesIn(stage)).includes("incerta");
        await until("the judgement of the note", judged, WAIT_MS).catch(() => undefined);
        const states = await statesIn(stage);
        demand(
          states.includes("incerta"),
          `notes: what was not answered within it is held: ${written} when the process left, ${states} later`,
        );
        await asked;
        await decide(stage, cpf);
      }
      await asked;
    }
    await pause(SETTLE_MS);
    const calls = await callsOf(stage);
    const notes = (await stage.rows("invoices")).length;
    const states = await statesIn(stage);
    demand(
      calls === 2 && notes === 2 && states === "autorizada autorizada",
      `notes: each of the two left once: ${calls} calls, ${notes} notes, ${states}`,
    );
    const lost = await lostOn([stage]);
    demand(lost.length === 0, `notes: ${lost.join("; ") || "nothing is wrong with what is left"}`);
  } finally {
    await stage.close();
  }
}

/** Calls that the gateway answered, or would have. */
async function callsOf(stage: Stage): Promise<number> {
  const rows = await stage.rows("requests");
  return rows.filter((row) => textIn(row["route"]) === "invoicing.nfseEnvio").length;
}

/** The states of all notes as they are written, also while no bot runs. */
async function statesIn(stage: Stage): Promise<string> {
  const store = await stage.store();
  try {
    const { items } = await store.documents.list("invoices", { limit: 10 });
    return items
      .map(({ value }) => textIn(value["state"] as never))
      .sort()
      .join(" ");
  } finally {
    await store.close();
  }
}
