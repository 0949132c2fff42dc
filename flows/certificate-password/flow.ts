import { flow, slot, z } from "prosa";

/** Asks for a certificate's password and tries it, once: a flow of its own, so that it is forgotten with the answer. */
export default flow(
  "certificate-password",
  {
    version: 1,
    title: "Senha do certificado",
    audience: "nobody",
    outcomes: ["ready", "wrong", "unfit"],
    input: z.object({ issuer: z.string().optional(), file: z.any() }),
    slots: z.object({ password: slot.password() }),
    quiet: { nudge: "5m", expire: "30m" },
  },
  (f, $) => [
    f.ask("password"),
    f.call("certificate.check", {
      id: "check",
      input: { issuer: $.input.issuer, file: $.input.file, senha: $.password },
      done: (r) => [f.end("ready", { output: { ticket: r.ticket } })],
      rejected: (r) => [
        f.say("unfit", { with: { code: r.code } }),
        f.when(r.code.in(["password", "unsure"]), [f.end("wrong")], [f.end("unfit")]),
      ],
      failed: () => [f.say("not-read"), f.end("unfit", { id: "failed" })],
    }),
  ],
);
