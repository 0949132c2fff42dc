/** A Redis started under a locale that does not order names by their bytes gives the same pages. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { openStore } from "../../src/store/index.ts";
import { startRedis } from "../support/redis.ts";
import { beginAll, message, newContact, withEffects } from "./contract.ts";

const LOCALE = "colon.ASCII";
/** As in most languages, and not by bytes: a colon stands before every digit. */
const ORDER = `LC_COLLATE
order_start forward
<U003A>
<U0030>
<U0031>
UNDEFINED
order_end
END LC_COLLATE
`;

test("every page of what was held in one step follows the last one", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "prosa-locale-"));
  writeFileSync(path.join(folder, "order"), ORDER);
  // It warns of what is missing. Where locales cannot be made at all, the server orders by bytes by itself.
  spawnSync("localedef", [
    ...["-c", "-i", path.join(folder, "order"), "-f", "ANSI_X3.4-1968"],
    path.join(folder, LOCALE),
  ]);
  vi.stubEnv("LOCPATH", folder);
  vi.stubEnv("LC_COLLATE", LOCALE);
  vi.stubEnv("LC_ALL", undefined);
  const server = await startRedis({ args: [] });
  vi.unstubAllEnvs();
  const store = await openStore({
    redisUrl: server.url,
    keys: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
  });
  try {
    const contact = await newContact(store);
    const turn = { payload: { turn: "t" } };
    const all = [0, 1, 10, 11, 2, 21, 3].map((rev) => `${contact}:${rev}:0`);
    await withEffects(
      store,
      all.map((id) => message(id, turn)),
      contact,
    );
    const [first] = await beginAll(store);
    if (!first) throw new Error("nothing to send");
    const outcome = { kind: "held", reason: "because" } as const;
    await store.effects.end([{ ...first, outcome, holdTurn: "t" }]);
    const seen: string[] = [];
    let after: string | undefined;
    for (let pages = 0; pages < 20; pages++) {
      const page = await store.views.held({ limit: 1, ...(after === undefined ? {} : { after }) });
      seen.push(...page.items.map(({ id }) => id));
      after = page.next;
      if (after === undefined) break;
    }
    expect([...seen].sort()).toEqual([...all].sort());
  } finally {
    await store.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
