/** The error for a throw in a flow's own rules, kinds or steps: one sentence that names file and step. */
import { Fault } from "../../base/index.ts";

/** Does the work; what it throws that is no `Fault` of ours becomes a `FLOW_FAILED`. */
export function named<T>(file: string, step: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (Fault.is(error)) throw error;
    const why = error instanceof Error ? error.message : String(error);
    // The machine's words about a walk without end speak of its own settings.
    const endless = /infinite loop/i.test(why);
    const what = endless ? "it goes on from step to step without end" : why;
    const place = `${file}, step "${step}"`;
    throw new Fault("FLOW_FAILED", `${place}: ${what.replace(/\.$/, "")}.`, {
      details: { place },
      cause: error,
    });
  }
}
