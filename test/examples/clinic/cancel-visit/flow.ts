import { flow, slot, z } from "prosa";

/** Gives a booked time back. */
export default flow(
  "cancel-visit",
  {
    version: 1,
    title: "Cancel",
    audience: "anyone",
    slots: z.object({ code: slot.text({ max: 20 }) }),
  },
  (f) => [
    f.ask("code"),
    f.confirm("sure", { show: ["code"], no: [f.say("kept"), f.end("done", { id: "stays" })] }),
    f.call("clinic.cancel", {
      id: "giving",
      done: (r) => [f.say("cancelled", { with: { when: r.when } })],
      rejected: [f.say("unknown")],
      failed: [f.say("not-now"), f.handoff("cancel-visit")],
    }),
    f.end(),
  ],
);
