import { flow, slot, z } from "prosa";

/** Erases what is kept of the person who asks, after a clear yes. Issued notes stay, because the law says so. */
export default flow(
  "erase",
  {
    version: 1,
    title: "Apagar meus dados",
    audience: "anyone",
    role: "erase",
    slots: z.object({ sure: slot.choice(["erase", "keep"], { whole: ["erase"] }) }),
  },
  (f, $) => [
    f.when($.contact.role.is("operator"), [f.say("of-operator"), f.end()]),
    f.say("what-goes", { with: { years: $.account.retention.fiscalYears } }),
    f.when($.contact.waiting.known(), [f.say("what-waits")]),
    f.choose("sure", {
      erase: [
        f.call("privacy.ready", { id: "ready", rejected: [f.say("note-open"), f.end()] }),
        f.say("erasing"),
        f.call("privacy.erase", {
          id: "erasure",
          rejected: [f.say("note-open", { id: "note-since" }), f.end()],
          failed: [f.say("not-now"), f.handoff("privacy")],
        }),
      ],
      keep: [f.say("kept")],
    }),
  ],
);
