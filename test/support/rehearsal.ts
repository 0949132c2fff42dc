/**
 * A scene in which every example of the contract can be played against a sandbox: the group, the messages and the files
 * that the examples name exist. Uses controls only, so nothing is charged.
 */
import { request } from "undici";
import type { AnyRoute } from "../../src/gateway/index.ts";

/** The group of the examples; the business made it. */
export const GROUP = "120363000000000001@g.us";

/** Whom the examples write to. */
const PERSON = "5511900000002";

/** Makes the scene anew: what was there before is gone. `origin` is the sandbox's, `http://127.0.0.1:3001`. */
export async function rehearse(origin: string): Promise<void> {
  const inbound = { from: PERSON };
  const steps: readonly (readonly [string, object])[] = [
    ["reset", {}],
    ["group", { do: "make", jid: GROUP, subject: "Clientes", members: ["5511900000003"] }],
    ["inbound", { ...inbound, id: "3A1F0C9D2B7E4A5566F1", text: "oi" }],
    ["inbound", { ...inbound, id: "3A1F0C9D2B7E4A5566F4", image: {} }],
    ["inbound", { ...inbound, id: "3EB0A1B2C3D4E5F60718", human: { text: "Olá!" } }],
  ];
  for (const [name, body] of steps) {
    const answer = await request(`${origin}/sandbox/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`sandbox/${name}: ${answer.statusCode} ${text}`);
  }
}

/** An example with its addresses on this sandbox, which serves files to send; it speaks with this machine only. */
export function playable<T>(example: T, origin: string): T {
  const text = JSON.stringify(example) ?? "null";
  return JSON.parse(
    text.replaceAll(/https:\/\/[a-z]+\.example\.org\//g, `${origin}/sandbox/files/`),
  ) as T;
}

/** Query parameters that a route needs to be played. */
export function queryOf(route: Pick<AnyRoute, "id" | "group">): Readonly<Record<string, string>> {
  if (route.group) return { groupJid: GROUP };
  return route.id === "group.fetchAllGroups" ? { getParticipants: "true" } : {};
}
