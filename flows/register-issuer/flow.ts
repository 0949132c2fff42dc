import { flow, slot, z } from "prosa";

/** A business registers a company that issues notes. It costs 19.00 BRL, so everything is read back and confirmed first. */
export default flow(
  "register-issuer",
  {
    version: 1,
    title: "Cadastrar empresa",
    audience: "anyone",
    outcomes: ["registered"],
    budget: { calls: 25, brl: 20 },
    slots: z.object({
      cnpj: slot.cnpj(),
      name: slot.name({ max: 150 }),
      trade: slot.text({ max: 150, words: true }).optional(),
      regime: slot.choice(["mei", "simples", "simples_excesso", "normal"]),
      percent: slot.percent().optional(),
      portal: slot.choice(["national", "town"]),
      cnae: slot.cnae().optional(),
      im: slot.registration().optional(),
      ie: slot.registration().optional(),
      address: slot.address(),
      phone: slot.phone(),
      email: slot.email(),
      next: slot.yesno(),
    }),
  },
  (f, $) => [
    f.when($.contact.role.isNot("operator"), [f.say("not-yours"), f.end()]),
    f.say("hello"),
    f.form("company", { cnpj: { max: 5 }, name: true, trade: { optional: true }, regime: true }),
    f.when($.regime.in(["simples", "simples_excesso"]), [f.ask("percent", { optional: true })]),
    f.form("registrations", {
      cnae: { optional: true },
      im: { optional: true },
      ie: { optional: true },
    }),
    f.form("reach", { address: { max: 5 }, phone: true, email: true }),
    // MEI and Simples have to issue nationally; of the others the town decides.
    f.when($.regime.is("normal"), [f.ask("portal")]),
    f.confirm("summary", {
      show: [
        ...(["cnpj", "name", "trade", "regime", "percent", "portal"] as const),
        ...(["cnae", "im", "ie", "address", "phone", "email"] as const),
      ],
      word: "CADASTRAR",
    }),
    f.submit("issuer.register", {
      id: "register",
      done: (r) => [
        f.when(r.adopted.is(true), [f.say("adopted")], [f.say("registered")]),
        f.ask("next"),
        f.when(
          $.next.is(true),
          [
            f.subflow("certificate", {
              id: "certificate",
              input: { issuer: r.issuer },
              on: { uploaded: [] },
            }),
          ],
          [f.say("later")],
        ),
        f.end("registered"),
      ],
      rejected: (r) => [f.say("rejected", { with: { code: r.code, why: r.text } }), f.end()],
      held: () => [f.say("processing")],
      failed: (r) => [f.say("failed", { with: { reason: r.reason } }), f.end()],
    }),
  ],
);
