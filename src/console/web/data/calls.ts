/** Calls of the gateway: what the bot measured, joined with what the sandbox received. Pure. */
import type { CallRow } from "../../panels.ts";
import { timeOf } from "../chat/chat.ts";
import type { CallEvent, SandboxRequest } from "./model.ts";

/**
 * Newest first. The n-th last call of a route is the n-th last request of that route: both sides keep order, and either
 * may have forgotten older ones.
 */
export function callRows(
  calls: readonly CallEvent[],
  requests: readonly SandboxRequest[],
): CallRow[] {
  const open = new Map<string, SandboxRequest[]>();
  for (const request of requests) {
    const route = request.route ?? request.path;
    open.set(route, [...(open.get(route) ?? []), request]);
  }
  const rows = [...calls].reverse().map((call): CallRow => {
    const request = open.get(call.route)?.pop();
    return {
      key: `call-${call.seq}`,
      at: call.at,
      route: call.route,
      method: call.method,
      path: call.path,
      outcome: call.outcome,
      ms: call.ms,
      ...(call.status === undefined ? {} : { status: call.status }),
      ...(call.attempt === undefined ? {} : { attempt: call.attempt }),
      ...(call.contact === undefined ? {} : { contact: call.contact }),
      ...(request === undefined ? {} : { body: request.body }),
    };
  });
  const others = [...open.values()].flat().map((request, at): CallRow => ({
    key: `request-${timeOf(request.at)}-${at}`,
    at: timeOf(request.at),
    route: request.route ?? request.path,
    method: request.method,
    path: request.path,
    ...(request.status === null ? {} : { status: request.status }),
    body: request.body,
  }));
  return [...rows, ...others].sort((a, b) => b.at - a.at);
}

/** Whether a row is worth a warning colour and word. */
export function wentWell(row: CallRow): boolean {
  if (row.status !== undefined && row.status >= 400) return false;
  return row.outcome === undefined ? row.status !== undefined : /^(ok|done|sent)/.test(row.outcome);
}
