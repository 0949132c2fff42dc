/** The embedded store: the common contract, and what is its own. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openStore } from "../../src/store/index.ts";
import type { Harness } from "./contract.ts";
import { effectsContract } from "./effects-contract.ts";
import { eraseContract } from "./erase-contract.ts";
import { fairContract } from "./fair-contract.ts";
import { inPlaceContract } from "./in-place-contract.ts";
import { mailboxContract } from "./mailbox-contract.ts";
import { outboxContract } from "./outbox-contract.ts";
import { recordsContract } from "./records-contract.ts";
import { replyContract } from "./reply-contract.ts";
import { takeContract } from "./take-contract.ts";

const KEYS = `k1:${Buffer.alloc(32, 7).toString("base64")}`;

const harness: Harness = {
  name: "the embedded store",
  async open(limits = {}) {
    const folder = mkdtempSync(path.join(tmpdir(), "prosa-embedded-"));
    const store = await openStore({ dataDir: folder, keys: KEYS, limits });
    const bytes = () =>
      Buffer.concat(readdirSync(folder).map((name) => readFileSync(path.join(folder, name))));
    return {
      store,
      second: store,
      bytes: async () => bytes(),
      // Every contact row holds its key in the clear form `kid:id:sealed`; there is one contact in that test.
      dataKey: async (contact) =>
        new RegExp(`${contact}acme(k1:[\\w-]{8}:[\\w-]{80})`).exec(
          bytes().toString("latin1"),
        )?.[1] ?? "",
      liveBytesInclude: async (text) => bytes().includes(text),
      async close() {
        await store.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};

mailboxContract(harness);
takeContract(harness);
outboxContract(harness);
effectsContract(harness);
fairContract(harness);
inPlaceContract(harness);
recordsContract(harness);
replyContract(harness);
eraseContract(harness);
