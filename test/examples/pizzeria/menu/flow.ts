import { flow, slot, z } from "prosa";

/** What everybody meets first, and falls back to: a greeting, and what the bot can do. */
export default flow(
  "menu",
  {
    version: 1,
    title: "Menu",
    audience: "anyone",
    role: "menu",
    slots: z.object({ wish: slot.choice(["order", "prices", "person"]) }),
  },
  (f) => [
    f.say("hello"),
    f.choose("wish", {
      order: [f.subflow("order", { id: "ordering", on: { ordered: [] } })],
      prices: [f.subflow("prices", { id: "telling" })],
      person: [f.subflow("talk-to-human", { id: "calling" })],
    }),
  ],
);
