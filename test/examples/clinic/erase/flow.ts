import { flow, slot, z } from "prosa";

/** Erases what is kept of the person who asks, after a clear yes. */
export default flow(
  "erase",
  {
    version: 1,
    title: "Erase my data",
    audience: "anyone",
    role: "erase",
    slots: z.object({ sure: slot.choice(["erase", "keep"], { whole: ["erase"] }) }),
  },
  (f, $) => [
    f.when($.contact.role.is("operator"), [f.say("of-operator"), f.end()]),
    f.say("what-goes"),
    f.choose("sure", {
      erase: [
        f.call("privacy.ready", { id: "ready", rejected: [f.say("busy"), f.end()] }),
        f.say("erasing"),
        f.call("privacy.erase", {
          id: "erasure",
          rejected: [f.say("busy", { id: "busy-since" }), f.end()],
          failed: [f.say("not-now"), f.handoff("privacy")],
        }),
      ],
      keep: [f.say("kept")],
    }),
  ],
);
