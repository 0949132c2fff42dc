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
        f.when(
          r.state.is("no_balance"),
          [
            f.ask("topped"),
            f.when(
              $.topped.is(true),
              [
                f.call("credits.resume", {
                  id: "go-on",
                  done: [f.say("resumed")],
                  rejected: [f.say("other")],
                  failed: [f.say("not-now")],
                }),
              ],
              [f.say("later")],
            ),
          ],
          [f.when(r.state.is("open"), [f.say("runs")], [f.say("other", { id: "not-balance" })])],
        ),
      ],
      rejected: [f.say("not-now", { id: "not-allowed" })],
      failed: [f.say("not-now", { id: "not-known" })],
    }),
  ],
);
