/** Asks a deployment step by step and writes down how each row answered. Nothing of an answer but names is kept. */
import type { Json } from "../../src/base/index.ts";
import { createGateway, parseBody, type CallOutcome } from "../../src/gateway/index.ts";
import { learn, plan, type Known, type Step } from "./live-plan.ts";
import { shapeOf, type Shape } from "./live-shape.ts";

export interface Deployment {
  readonly url: string;
  readonly token: string;
  readonly device?: string;
  readonly routeWords?: Readonly<Record<string, string>>;
  /** A number to look up; the first contact on record when absent. */
  readonly number?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface Row extends Partial<Shape> {
  readonly id: string;
  readonly mode: Step["mode"];
  readonly outcome: CallOutcome["kind"] | "left out";
  readonly status?: number;
  readonly ms?: number;
  /** Why it was left out, or what the client made of an answer that was no success. */
  readonly note?: string;
}

export async function examine(
  target: Deployment,
  told: (row: Row) => void,
): Promise<readonly Row[]> {
  const { url, token, device, routeWords, number, timeoutMs } = target;
  const gateway = createGateway({
    baseUrl: url,
    token,
    ...(device === undefined ? {} : { deviceToken: device }),
    ...(routeWords ? { routeWords } : {}),
    ...(timeoutMs === undefined ? {} : { timeoutMs, fiscalTimeoutMs: timeoutMs }),
  });
  const known: Known = number === undefined ? {} : { number };
  const rows: Row[] = [];
  try {
    for (const step of plan()) {
      if (target.signal?.aborted) break;
      const row = await ask(gateway, step, known, target);
      rows.push(row);
      told(row);
    }
  } finally {
    await gateway.close();
  }
  return rows;
}

async function ask(
  gateway: ReturnType<typeof createGateway>,
  step: Step,
  known: Known,
  { device, signal }: Deployment,
): Promise<Row> {
  const { route, mode } = step;
  const head = { id: route.id, mode };
  const made = step.make(known);
  if (typeof made === "string") return { ...head, outcome: "left out", note: made };
  if (route.auth === "bearer+device" && device === undefined)
    return { ...head, outcome: "left out", note: "no --device" };
  let envelope: Json | undefined;
  const outcome = await gateway.call(route.id, made.body, {
    ...(made.query ? { query: made.query } : {}),
    ...(signal ? { signal } : {}),
    onAnswer: (answer) => (envelope = parseBody(answer)),
  });
  const payload = outcome.kind === "ok" ? outcome.raw : undefined;
  if (outcome.kind === "ok") learn(known, step, outcome.raw, outcome.homolog === true);
  const heard = outcome.kind === "ok" && outcome.homolog === true;
  const note =
    mode === "homolog" && outcome.kind === "ok" && !heard
      ? "not answered as a test"
      : noteOf(outcome);
  // A real call may have been made in place of a test: no other follows.
  if (mode === "homolog" && !heard) known.testMode = false;
  return {
    ...head,
    outcome: outcome.kind,
    ...("status" in outcome && outcome.status !== undefined ? { status: outcome.status } : {}),
    ms: outcome.ms,
    ...shapeOf(route, envelope, payload),
    ...(note === undefined ? {} : { note }),
  };
}

/** The client's own words: reasons, codes, and texts with credentials, documents and phones masked. */
function noteOf(outcome: CallOutcome): string | undefined {
  if (outcome.kind === "ok") return undefined;
  if (outcome.kind === "not_sent" || outcome.kind === "unknown") return outcome.reason;
  return [outcome.code, outcome.message].filter(Boolean).join(": ").slice(0, 120) || undefined;
}
