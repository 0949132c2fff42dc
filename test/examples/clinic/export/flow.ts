import { flow, z } from "prosa";

/** Everything kept of the person who asks, as a file in the chat; where the channel takes none, a person sends it. */
export default flow(
  "export",
  { version: 1, title: "A copy of my data", role: "export", slots: z.object({}) },
  (f) => [
    f.call("privacy.export", {
      id: "copy",
      done: [f.say("sent")],
      rejected: [f.say("no-file"), f.handoff("privacy")],
      failed: [f.say("not-now"), f.handoff("privacy", { id: "calling" })],
    }),
  ],
);
