import { flow, slot, z } from "prosa";

/** What everybody meets first, and falls back to: a greeting, and what the bot can do. */
export default flow(
  "menu",
  {
    version: 1,
    title: "Menu",
    audience: "anyone",
    role: "menu",
    slots: z.object({ wish: slot.choice(["person", "data"]) }),
  },
  (f) => [
    f.say("hello"),
    f.choose("wish", {
      person: [f.subflow("talk-to-human", { id: "calling" })],
      data: [f.subflow("my-data", { id: "showing" })],
    }),
  ],
);
