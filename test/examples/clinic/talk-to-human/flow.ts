import { flow, z } from "prosa";

/** Calls a person of the business; the bot is silent until the conversation is given back. */
export default flow(
  "talk-to-human",
  { version: 1, title: "Person", audience: "anyone", role: "person", slots: z.object({}) },
  (f) => [f.say("calling"), f.handoff("asked"), f.end()],
);
