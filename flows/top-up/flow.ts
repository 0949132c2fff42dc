import { flow, slot, z } from "prosa";

/** The business topped up its balance: the notes that waited for it go on. */
export default flow(
  "top-up",
  {
    version: 1,
    title: "Recarga do saldo",
    audience: "operator",
    slots: z.object({ topped: slot.yesno() }),
  },
  (f, $) => [
    f.call("credits.state", {
      id: "look",
      done: (r) => [
        f.when(r.state.is("open"), [f.say("runs"), f.end("done", { id: "running" })]),
        f.when(r.state.is("other"), [f.say("other"), f.end("done", { id: "not-mine" })]),
        f.ask("topped"),
        f.when($.topped.is(false), [f.say("later"), f.end("done", { id: "waiting" })]),
        f.call("credits.resume", {
          id: "go-on",
          done: [f.say("resumed")],
          rejected: [f.say("other", { id: "other-since" })],
          failed: [f.say("not-now", { id: "not-resumed" })],
        }),
        f.end("done", { id: "asked" }),
      ],
      rejected: [f.say("not-now")],
      failed: [f.say("not-now", { id: "not-known" })],
    }),
  ],
);
