import { flow, slot, z } from "prosa";

/** Puts somebody on the waiting list of a specialty. */
export default flow(
  "waiting-list",
  {
    version: 1,
    title: "Waiting list",
    audience: "anyone",
    slots: z.object({
      specialty: slot.choice(["general", "children", "heart"]),
      name: slot.name(),
    }),
  },
  (f) => [
    f.form("who", { specialty: true, name: true }),
    f.confirm("sure", { show: ["specialty", "name"] }),
    f.call("clinic.waitlist", {
      id: "listing",
      done: (r) => [f.say("listed", { with: { place: r.place } })],
      rejected: [f.say("refused")],
      failed: [f.say("not-now"), f.handoff("waiting-list")],
    }),
    f.end(),
  ],
);
