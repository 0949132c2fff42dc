/**
 * The thread in which a bot's own `run` works: it has the effect's file, the settings it may ask for, and nothing else of the
 * process. What it prints is dropped: it may hold anybody's data, and any amount of it.
 */
import { parentPort, workerData } from "node:worker_threads";

for (const name of Object.keys(console)) {
  const method = /** @type {keyof Console} */ (name);
  if (typeof console[method] === "function") Object.assign(console, { [name]: () => undefined });
}
process.stdout.write = () => true;
process.stderr.write = () => true;

const { default: effect } = await import(workerData.url);

/** @param {string} name */
function secret(name) {
  const value = workerData.secrets[name];
  if (value === undefined) throw new Error(`PROSA_SECRET_${name} is not set.`);
  return value;
}

/** Without the message of what was thrown: it may hold anybody's data. @param {unknown} error */
function whyOf(error) {
  const issues = /** @type {{ issues?: { path: PropertyKey[], code: string }[] }} */ (error)
    ?.issues;
  if (Array.isArray(issues))
    return `its output does not fit (${issues.map(({ path, code }) => `${path.join(".") || "all of it"}: ${code}`).join(", ")})`;
  return `it threw ${error instanceof Error ? error.name : typeof error}`;
}

parentPort?.on("message", async ({ call, input, ...work }) => {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), effect.timeoutMs);
  try {
    const out = await effect.run(input, {
      ...{ ...work, secret, signal: controller.signal },
      reject: (/** @type {string} */ code, /** @type {string} */ text) => ({
        "~rejected": { code: String(code), text: String(text) },
      }),
    });
    const rejected = out?.["~rejected"];
    // As text: what cannot be cloned is refused like what does not fit.
    const answer = rejected ? { rejected } : { output: JSON.stringify(effect.output.parse(out)) };
    parentPort?.postMessage({ call, ...answer });
  } catch (error) {
    parentPort?.postMessage({ call, failed: whyOf(error) });
  } finally {
    clearTimeout(timer);
  }
});
parentPort?.postMessage({ ready: true });
