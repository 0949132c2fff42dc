/** Runs once per `vitest run`: the tests must never see the developer's own settings. */
export default function setup(): void {
  for (const name of Object.keys(process.env))
    if (
      /^(PROSA_|GATEWAY_|SANDBOX_|REDIS_URL|ADMIN_|PUBLIC_URL|ALERT_URL|BOT_URL|PORT$|HOST$)/.test(
        name,
      )
    )
      delete process.env[name];
}
