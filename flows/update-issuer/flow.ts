import { flow, slot, z } from "prosa";

/** One thing of a company's registration changes: what it is today is shown, then what it will be, then it is sent. */
export default flow(
  "update-issuer",
  {
    version: 1,
    title: "Atualizar empresa",
    audience: "anyone",
    outcomes: ["updated"],
    slots: z.object({
      issuer: slot.choice().optional(),
      what: slot.choice([...["address", "phone", "email", "name", "trade", "regime", "im"]]),
      address: slot.address(),
      portal: slot.choice(["national", "town"]),
      phone: slot.phone(),
      email: slot.email(),
      name: slot.name({ max: 150 }),
      trade: slot.text({ max: 150, words: true }),
      regime: slot.choice(["mei", "simples", "simples_excesso", "normal", "normal_town"]),
      im: slot.registration(),
    }),
  },
  (f, $) => [
    f.when($.contact.role.isNot("operator"), [f.say("not-yours"), f.end()]),
    f.when($.account.hasIssuer.is(false), [f.say("none"), f.end()]),
    f.when($.account.issuerCount.atLeast(2), [
      f.ask("issuer", { options: { from: $.account.issuers, value: "id", label: "label" } }),
    ]),
    f.call("issuer.show", {
      id: "today",
      done: (r) => [
        f.say("today", { id: "as-it-is", with: { card: r.card } }),
        f.choose("what", {
          address: [
            f.ask("address", { max: 5 }),
            // MEI and Simples issue nationally wherever they are; of the others each town decides.
            f.when(r.regime.is("normal").and($.address.city.isNot(r.town)), [f.ask("portal")]),
          ],
          phone: [f.ask("phone")],
          email: [f.ask("email")],
          name: [f.ask("name")],
          trade: [f.ask("trade")],
          // Where the law leaves it to the town, regime and way are asked for at once.
          regime: [f.ask("regime")],
          im: [f.ask("im")],
        }),
        f.confirm("change", {
          show: ["address", "portal", "phone", "email", "name", "trade", "regime", "im"],
        }),
        f.submit("issuer.update", {
          id: "update",
          done: () => [f.say("updated"), f.end("updated")],
          rejected: (no) => [f.say("rejected", { with: { why: no.text } }), f.end()],
          failed: (no) => [f.say("failed", { with: { reason: no.reason } }), f.end()],
        }),
      ],
      rejected: () => [f.say("unknown"), f.end()],
      failed: () => [f.say("no-look"), f.end()],
    }),
  ],
);
