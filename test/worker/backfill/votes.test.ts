/** Votes in polls that were given while nobody listened: counted where the engine can open them, else asked for in words. */
import { afterEach, expect, test } from "vitest";
import type { CallOutcome } from "../../../src/gateway/index.ts";
import { channels } from "../../../src/channels/index.ts";
import { answering, bot, HEARING, pass, writes } from "../bot.ts";
import { CUSTOMER, rig, type Rig } from "../rig.ts";

let it: Rig;
afterEach(() => it.close());

const POLL = "3EB0A1B2C3D4E5F6071A";
const said = async () =>
  (await it.journal(CUSTOMER)).flatMap((line) => {
    const event = (line["mail"] as { event?: { kind?: string; content?: object } } | undefined)
      ?.event;
    return event?.kind === "message" ? [event.content] : [];
  });

test("a vote that the engine opened is an answer, once, however often it is told", async () => {
  it = await rig({ account: HEARING });
  const first = bot(it);
  await first.up();
  await first.down();
  await writes(it, CUSTOMER, { poll_vote: { poll: POLL, options: ["Terça"] } });
  await pass(it, 1);
  const second = bot(it);
  await second.up();
  await second.hear();

  expect(await said()).toEqual([
    { type: "choice", via: "poll", picks: [{ label: "Terça" }], of: POLL },
  ]);
  await second.down();
});

test("of a vote that stayed closed it is known that there was one, and it is asked for in words", async () => {
  it = await rig({ account: HEARING });
  const first = bot(it);
  await first.up();
  await first.down();
  await pass(it, 1);
  // As such a row stands on record: nothing beside the message tells what was chosen.
  const row = {
    key: { id: "3A1F", remoteJid: `${CUSTOMER}@s.whatsapp.net`, fromMe: false },
    message: {
      pollUpdateMessage: {
        pollCreationMessageKey: { id: POLL, fromMe: true },
        vote: { encPayload: "c2Vj", encIv: "aXY=" },
      },
    },
    ...{ messageType: "pollUpdateMessage", pushName: "Marina" },
    messageTimestamp: Math.floor(it.clock.now() / 1_000) - 60,
  };
  const data = { messages: { records: [row], pages: 1 } };
  const rows = { kind: "ok", data, ms: 1, status: 200 } as unknown as CallOutcome;
  const gateway = answering(it, (route) => (route === "chat.findMessages" ? rows : undefined));
  const second = bot(it, { gatewayFor: () => gateway });
  await second.up();

  expect(await said()).toEqual([{ type: "other", what: "poll-vote" }]);
  expect(await it.received(CUSTOMER)).toHaveLength(1);

  // Told again with what was chosen, it is the answer after all.
  const { pollUpdateMessage: told } = row.message;
  const vote = { ...told.vote, selectedOptions: ["Terça"] };
  const opened = { ...row, message: { pollUpdateMessage: { ...told, vote } } };
  const [before, after] = [row, opened].map((one) =>
    channels["engine-b"].parse({ headers: {}, body: { data: one }, receivedAt: 0 }),
  );
  const ids = [before, after].map((read) => (read?.ok ? read.events[0]?.id : undefined));
  expect(new Set(ids).size).toBe(2);
  await second.down();
});
