import type { Mail } from "../../engine/index.ts";
import type { LocalWork } from "./local.ts";

/** Tells everybody of the business but who asked. Each mail has an event of its own effect: it counts once. */
export async function tellStaff(
  { desk, account, begun }: LocalWork,
  key: string,
  vars: Readonly<Record<string, string>>,
): Promise<void> {
  const mail: Mail = { kind: "notice", key, vars, fiscal: true };
  for (const { alias } of account.operators) {
    const contact = await desk.store.identify(account.id, [alias]);
    if (contact === begun.contact) continue;
    await desk.store.accept([
      { account: account.id, contact, event: `${begun.id}:${contact.slice(0, 8)}`, mail },
    ]);
  }
  desk.wake("turns");
}
