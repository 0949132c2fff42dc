import { flow, slot, z } from "prosa";

/** What is kept of the person who asks, and for how long; a copy of it, or an end to it. */
export default flow(
  "my-data",
  {
    version: 1,
    title: "My data",
    audience: "anyone",
    role: "my-data",
    slots: z.object({ wish: slot.choice(["copy", "erase", "nothing"]) }),
  },
  (f, $) => [
    f.call("privacy.overview", {
      id: "overview",
      done: (r) => [
        f.when($.contact.role.is("operator"), [
          f.say("of-operator", { with: { messages: r.messages, chatDays: r.chatDays } }),
          f.end("done", { id: "told" }),
        ]),
        f.say("kept", {
          with: {
            name: r.name,
            phone: r.phone,
            messages: r.messages,
            chatDays: r.chatDays,
            draftDays: r.draftDays,
          },
        }),
        f.choose("wish", {
          copy: [f.subflow("export", { id: "copying" })],
          erase: [f.subflow("erase", { id: "erasing" })],
          nothing: [f.say("as-you-like")],
        }),
      ],
      rejected: [f.say("not-now"), f.handoff("privacy")],
      failed: [f.say("not-now", { id: "nothing-known" }), f.handoff("privacy", { id: "calling" })],
    }),
  ],
);
