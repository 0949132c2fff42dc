import { flow, slot, z } from "prosa";

/** What everybody meets first, and falls back to: a greeting, and what the bot can do. */
export default flow(
  "menu",
  {
    version: 1,
    title: "Menu",
    audience: "anyone",
    role: "menu",
    slots: z.object({ wish: slot.choice(["book", "cancel", "person"]) }),
  },
  (f) => [
    f.say("hello"),
    f.choose("wish", {
      book: [f.subflow("book", { id: "booking", on: { booked: [] } })],
      cancel: [f.subflow("cancel-visit", { id: "cancelling" })],
      person: [f.subflow("talk-to-human", { id: "calling" })],
    }),
  ],
);
