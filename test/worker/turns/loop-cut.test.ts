import { expect, test } from "vitest";
import { loadFlows } from "../../../src/app/loading/flow-files.ts";
import { CUSTOMER, OPERATOR, rig } from "../rig.ts";

test("two bots that are cut are one alarm and one word on the phone, however much follows", async () => {
  const { library } = await loadFlows();
  const it = await rig({ library, account: { policy: { perMinute: 5 } } });
  try {
    for (let index = 0; index < 12; index++) {
      await it.says(CUSTOMER, `protocolo ${index}`);
      await it.worker.drain();
    }
    const alarms = it.events.filter((event) => event.type === "alarm");
    expect(alarms).toMatchObject([
      { code: "loop.cut", account: "demo", subject: await it.contact(CUSTOMER) },
    ]);
    const lines = await it.journal(CUSTOMER);
    expect(lines.filter((line) => "cut" in line)).toHaveLength(1);
    const told = (await it.received(OPERATOR)).filter((text) => text.includes("Parei de"));
    expect(told).toHaveLength(1);
    // An hour later it goes on: that is another time.
    it.clock.moveTo(it.clock.now() + 3_700_000);
    for (let index = 0; index < 12; index++) await it.says(CUSTOMER, `outro ${index}`);
    await it.worker.drain();
    expect((await it.journal(CUSTOMER)).filter((line) => "cut" in line)).toHaveLength(2);
  } finally {
    await it.close();
  }
});
