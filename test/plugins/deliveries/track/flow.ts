import { flow, rule, slot, z } from "prosa";

/** Where a parcel is. */
export default flow(
  "track",
  {
    version: 1,
    title: "Parcel",
    role: "track-parcel",
    audience: "anyone",
    slots: z.object({ parcel: slot.of<string>("parcel") }),
  },
  (f, $) => [
    f.ask("parcel"),
    f.call("deliveries.track", {
      id: "look",
      input: { code: $.parcel },
      done: (r) => [
        f.when(
          rule("isOnItsWay", r.state),
          [f.say("on-its-way", { with: { carrier: r.carrier } })],
          [f.say("there", { with: { state: r.state } })],
        ),
      ],
      rejected: [f.say("unknown")],
      failed: [f.say("not-now")],
    }),
    f.end(),
  ],
);
