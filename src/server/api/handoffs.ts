/**
 * Conversations that a person has taken over or should. What people do to a conversation is mail like any other: durable, and in
 * order with what the contact writes.
 */
import { z } from "zod";
import type { Json, JsonObject } from "../../base/index.ts";
import type { Mail } from "../../engine/index.ts";
import type { ServerDeps } from "../deps.ts";
import { NOT_FOUND, type Problem, refuse } from "../problem.ts";
import { AccountId, type ApiRoute, ContactPath, reveal, route } from "./route.ts";
import { liveOf, shown, zonesOf } from "../session-live.ts";

/** Conversations looked at for one list; beyond it the list is cut and says so. */
const SCAN_LIMIT = 5_000;
const PAGE = 200;

async function handedOver(deps: ServerDeps, account: string | undefined, revealed: boolean) {
  const items: JsonObject[] = [];
  const zone = await zonesOf(deps);
  let after: string | undefined;
  let scanned = 0;
  do {
    const page = await deps.store.views.sessions({ limit: PAGE, account, after });
    for (const view of page.items) {
      const live = liveOf(view, deps, zone(view.account));
      if (!live.handoff) continue;
      const { since, reason } = live.handoff;
      items.push({ ...shown(live, deps, revealed), since, reason });
    }
    scanned += page.items.length;
    after = page.next;
  } while (after && scanned < SCAN_LIMIT);
  items.sort((a, b) => Number(a["since"]) - Number(b["since"]));
  return { items, cut: after === undefined ? undefined : true };
}

export const handoffRoutes: readonly ApiRoute[] = [
  route({
    method: "GET",
    path: "/handoffs",
    summary: "Conversations with a person, longest waiting first",
    query: z.object({ account: AccountId.optional(), reveal }),
    deed: "handoffs.reveal",
    handle: async ({ query }, { deps }) => handedOver(deps, query.account, query.reveal),
  }),
  route({
    method: "POST",
    path: "/handoffs/:account/:contact/claim",
    summary: "Takes a conversation over: the bot is silent",
    params: ContactPath,
    deed: "handoffs.claim",
    handle: async ({ params, actor }, { deps }) =>
      mailFromOperator(deps, params, { action: "take", actor }),
  }),
  route({
    method: "POST",
    path: "/handoffs/:account/:contact/reply",
    summary: "Says something as a person",
    params: ContactPath,
    body: z.object({ text: z.string().trim().min(1).max(4_000) }),
    deed: "handoffs.reply",
    handle: async ({ params, body, actor }, { deps }) =>
      mailFromOperator(deps, params, { action: "say", actor, text: body.text }),
  }),
  route({
    method: "POST",
    path: "/handoffs/:account/:contact/return",
    summary: "Gives the conversation back to the bot",
    params: ContactPath,
    deed: "handoffs.return",
    handle: async ({ params, actor }, { deps }) =>
      mailFromOperator(deps, params, { action: "return", actor }),
  }),
];

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
