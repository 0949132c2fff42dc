/** Runs once per `vitest run`: the tests must never see the developer's own settings, and share their bundles. */
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { program } from "../../src/app/loading/program.js";

export default async function setup(): Promise<() => void> {
  for (const name of Object.keys(process.env))
    if (
      /^(PROSA_|GATEWAY_|SANDBOX_|REDIS_URL|ADMIN_|PUBLIC_URL|ALERT_URL|BOT_URL|PORT$|HOST$)/.test(
        name,
      )
    )
      delete process.env[name];
  const bundles = path.resolve(
    import.meta.dirname,
    `../../node_modules/.cache/prosa-run-${process.pid}`,
  );
  mkdirSync(bundles, { recursive: true });
  process.env["TEST_BUNDLES"] = bundles;
  // Once, and not by each file that starts the command line, all at the same time.
  await program();
  return () => rmSync(bundles, { recursive: true, force: true });
}
