/** A reply to the message that showed a request, as it comes over the wire. */
import { afterEach, expect, test, vi } from "vitest";
import { loadFlows } from "../../src/app/loading/flow-files.ts";
import { restoreSession } from "../../src/engine/index.ts";
import { bot, type Bot, HEARING, writes } from "./bot.ts";
import { CUSTOMER, OPERATOR, OTHER, rig, type Rig } from "./rig.ts";

const { library } = await loadFlows();
vi.setConfig({ testTimeout: 30_000 });

let it: Rig;
let liveness: Bot;
afterEach(async () => {
  await liveness.down();
  await it.close();
});

async function set(account: object): Promise<void> {
  it = await rig({ library, account: { ...HEARING, ...account } });
  liveness = bot(it);
  await liveness.up();
}

const NOTE = "nota de 150 pra Maria Souza cpf 529.982.247-25, corte de cabelo, hoje";
const OTHERS = "nota de 90 pra Ana Lima cpf 111.444.777-35, corte de cabelo, hoje";

/** Both customers ask. */
async function asked(): Promise<void> {
  // To somebody who did not write lately, bubbles leave further apart.
  await it.says(OPERATOR, "oi");
  await liveness.worker.drain();
  for (const [phone, text] of [
    [CUSTOMER, NOTE],
    [OTHER, OTHERS],
  ] as const)
    for (const words of [text, "EMITIR"]) {
      await it.says(phone, words);
      await liveness.worker.drain();
      it.clock.moveTo(it.clock.now() + 2_000);
      await liveness.worker.drain();
    }
}

/** The operator's bubbles with the two requests, once it is known which showed which. */
async function bubbles(): Promise<{ readonly older: string; readonly newer: string }> {
  await vi.waitFor(async () => {
    await liveness.hear();
    expect(await remembered()).toHaveLength(2);
  });
  const { body } = await it.stage.http("GET", `/sandbox/messages?number=${OPERATOR}`);
  const shown = (body as unknown as { id: string; text: string }[]).filter(({ text }) =>
    text.startsWith("Pedido *"),
  );
  return { older: shown[0]?.id ?? "", newer: shown[1]?.id ?? "" };
}

async function remembered(): Promise<readonly string[]> {
  const view = await it.store.views.session("demo", await it.contact(OPERATOR));
  const session = restoreSession(view?.session ?? {});
  return typeof session === "string" ? [] : (session.shown ?? []);
}

/** Whom the notes are for that were issued. */
async function issued(): Promise<(string | undefined)[]> {
  const notes = await it.list("invoices");
  return notes.map((note) => /Maria Souza|Ana Lima/.exec(JSON.stringify(note))?.[0]);
}

test("decides the older of two requests", async () => {
  await set({});
  await asked();
  const { older } = await bubbles();

  await writes(it, OPERATOR, { text: "aprovar", quoted: older });
  await vi.waitFor(async () => {
    await liveness.hear();
    expect(await issued()).toEqual(["Maria Souza"]);
  });
});

test("is known also where the gateway's queue sends, by its echo", async () => {
  await set({ sendMode: "queue" });
  await asked();
  const { newer } = await bubbles();

  await writes(it, OPERATOR, { text: "pode emitir", quoted: newer });
  await vi.waitFor(async () => {
    await liveness.hear();
    expect(await issued()).toEqual(["Ana Lima"]);
  });
});

test("is known where the job told first that it left", async () => {
  await set({ sendMode: "queue" });
  await asked();
  // The echoes are still on their way.
  await vi.waitFor(async () => {
    await liveness.worker.jobs.runOnce();
    await liveness.worker.drain();
    expect(await it.store.views.effects({ account: "demo", limit: 5 })).toEqual([]);
  });
  expect(await remembered()).toEqual([]);
  const { older } = await bubbles();

  await writes(it, OPERATOR, { text: "aprovar", quoted: older });
  await vi.waitFor(async () => {
    await liveness.hear();
    expect(await issued()).toEqual(["Maria Souza"]);
  });
});
