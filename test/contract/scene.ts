/** A sandbox on a free port with the group, the messages and the files that the contract's examples name, and clients. */
import { createGateway, type Gateway, type RouteId } from "../../src/gateway/index.ts";
import { GROUP, playable, rehearse } from "../support/rehearsal.ts";
import { rowsOf, stage, type Body, type Stage } from "../sandbox/stage.ts";

export { GROUP };
export const PERSON = "5511900000002";
export const MEMBER = "5511900000003";

export interface Scene {
  readonly stage: Stage;
  readonly origin: string;
  readonly gateway: Gateway;
  /** Everything as before the first call. */
  readonly again: () => Promise<void>;
  /** Rows of a list under `/sandbox`. */
  readonly rows: (list: string) => Promise<readonly Body[]>;
  /** The newest message that somebody received. */
  readonly last: (number?: string) => Promise<Body>;
  /** The payload of a call that has to go well. */
  readonly ask: (
    id: RouteId,
    body?: unknown,
    query?: Readonly<Record<string, unknown>>,
  ) => Promise<Body>;
  /** An example with its addresses on this sandbox. */
  readonly here: <T>(example: T) => T;
  readonly close: () => Promise<void>;
}

export async function openScene(): Promise<Scene> {
  const opened = await stage();
  const origin = opened.sandbox.url();
  const gateway = createGateway({
    baseUrl: `${origin}/api/v2`,
    token: "sandbox-token",
    deviceToken: "sandbox-device",
  });
  const rows: Scene["rows"] = async (list) =>
    rowsOf((await opened.http("GET", `/sandbox/${list}`)).body);
  return {
    stage: opened,
    origin,
    gateway,
    again: () => rehearse(origin),
    rows,
    last: async (number = PERSON) => {
      const row = (await rows(`messages?number=${number}`)).at(-1);
      if (!row) throw new Error(`${number} received nothing`);
      return row;
    },
    ask: async (id, body, query) => {
      const outcome = await gateway.call(id, body, query ? { query } : {});
      if (outcome.kind !== "ok") throw new Error(`${id}: ${JSON.stringify(outcome)}`);
      return outcome.raw as unknown as Body;
    },
    here: (example) => playable(example, origin),
    close: async () => {
      await gateway.close();
      await opened.close();
    },
  };
}
