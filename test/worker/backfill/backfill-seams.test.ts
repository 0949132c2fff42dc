/** Where two things meet while messages are pulled back: a line that opens unheard, a person who is erased, an old gap. */
import { afterEach, expect, test } from "vitest";
import { bot, heardOf, HEARING, pass, writes } from "../bot.ts";
import { CUSTOMER, rig, type Rig } from "../rig.ts";

let it: Rig;
afterEach(() => it.close());

const line = (state: "open" | "close" | "connecting") =>
  ({ kind: "connection", id: `c-${state}`, at: it.clock.now(), state }) as const;

test("a line that opened while nobody listened holds nothing back once the phone is known to be there", async () => {
  it = await rig({ account: HEARING });
  const first = bot(it);
  await first.up();
  await first.worker.signals.handle("demo", "engine-b", line("close"));
  await first.down();
  await writes(it, CUSTOMER, "no escuro");
  await pass(it, 1);

  const second = bot(it);
  await second.up();
  expect(await heardOf(it, CUSTOMER)).toEqual([]);
  // As the probe of the phone's state does when it finds the phone connected.
  await second.worker.scopes.resume("plan:demo");
  await pass(it, 1);
  await second.worker.drain();

  expect(await heardOf(it, CUSTOMER)).toEqual(["no escuro"]);
  await second.down();
});

test("a line that was away for weeks brings nothing back that is older than what the store remembers", async () => {
  it = await rig({ account: HEARING });
  const first = bot(it);
  await first.up();
  await first.worker.signals.handle("demo", "engine-b", line("close"));
  await writes(it, CUSTOMER, "há semanas");
  await pass(it, 24 * 20);
  await writes(it, CUSTOMER, "agora");
  await first.worker.signals.handle("demo", "engine-b", line("open"));
  await first.worker.drain();

  expect(await heardOf(it, CUSTOMER)).toEqual(["agora"]);
  await first.down();
});

test("an older gap that is still open stays the beginning, a week of it at most", async () => {
  it = await rig({ account: HEARING });
  const { gaps } = it.worker;
  const day = 86_400_000;
  const now = it.clock.now();
  await gaps.add("demo", now - 2 * day, now - day);
  expect(await gaps.add("demo", now - 10, now)).toMatchObject({ from: now - 2 * day });
  expect(await gaps.add("demo", now - 30 * day, now)).toMatchObject({ from: now - 7 * day });
});
