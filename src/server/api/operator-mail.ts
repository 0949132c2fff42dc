/** What people do to a conversation is mail like any other: durable, and in order with what the contact writes. */
import type { Json } from "../../base/index.ts";
import type { Mail } from "../../engine/index.ts";
import type { ServerDeps } from "../deps.ts";
import { NOT_FOUND, refuse, type Problem } from "../problem.ts";

type Deed = Omit<Extract<Mail, { kind: "operator" }>, "kind">;

export async function mailFromOperator(
  deps: ServerDeps,
  at: { readonly account: string; readonly contact: string },
  deed: Deed,
): Promise<{ ok: true } | Problem> {
  return mailTo(deps, at, `op:${deps.newId()}`, { kind: "operator", ...deed });
}

/** Mail for one conversation; the same event id counts once. */
export async function mailTo(
  deps: ServerDeps,
  at: { readonly account: string; readonly contact: string },
  event: string,
  letter: Mail,
): Promise<{ ok: true } | Problem> {
  if (!(await deps.store.views.session(at.account, at.contact))) return NOT_FOUND;
  const mail = letter as unknown as Json;
  const [answer] = await deps.store.mail.accept([{ ...at, event, mail }]);
  return answer === "dead"
    ? refuse("MAILBOX_FULL", "This conversation's mailbox is full; see dead letters.")
    : { ok: true };
}
