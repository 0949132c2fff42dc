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

/**
 * The fields of the schema that do not fit; what stands in them, and keys that the answer made, may be anybody's data.
 *
 * @param {{ error: { issues: { path: PropertyKey[], code: string }[] } }} output
 */
function fieldsOf({ error }) {
  return error.issues
    .map(({ path, code }) => `${String(path[0] ?? "all of it")} (${code})`)
    .join(", ");
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
    const output = rejected ? undefined : effect.output.safeParse(out);
    // As text: what cannot be cloned is refused like what does not fit.
    if (rejected) parentPort?.postMessage({ call, rejected });
    else if (output.success) parentPort?.postMessage({ call, output: JSON.stringify(output.data) });
    else parentPort?.postMessage({ call, failed: `its output does not fit: ${fieldsOf(output)}` });
  } catch (error) {
    // Neither its message nor its fields: they may hold anybody's data.
    const name = error instanceof TypeError ? "a TypeError" : "an error";
    parentPort?.postMessage({ call, failed: `it threw ${name}` });
  } finally {
    clearTimeout(timer);
  }
});
parentPort?.postMessage({ ready: true });
