import { flow, slot, z } from "prosa";

/** A company's certificate goes to the issuer: received and checked first, sent once, told with its last day. */
export default flow(
  "certificate",
  {
    version: 1,
    title: "Certificado digital",
    audience: "anyone",
    restarts: true,
    outcomes: ["uploaded"],
    // Which company, where a caller knows it.
    input: z.object({ issuer: z.string().optional() }),
    slots: z.object({ issuer: slot.choice().optional() }),
  },
  (f, $) => [
    f.when($.contact.role.isNot("operator"), [f.say("not-yours"), f.end()]),
    f.when($.account.hasIssuer.is(false), [f.say("none"), f.end()]),
    f.when($.account.issuerCount.atLeast(2), [
      f.ask("issuer", { options: { from: $.account.issuers, value: "id", label: "label" } }),
    ]),
    f.subflow("certificate-file", {
      id: "file",
      input: { issuer: $.issuer },
      on: {
        again: () => [f.goto("file")],
        ready: (file) => [
          f.submit("certificate.upload", {
            id: "upload",
            input: { ticket: file.ticket },
            done: (r) => [
              f.say("uploaded", { with: { company: r.company, valid: r.valid, days: r.days } }),
              f.end("uploaded"),
            ],
            rejected: (r) => [f.say("rejected", { with: { code: r.code } }), f.end()],
            failed: (r) => [f.say("failed", { with: { reason: r.reason } }), f.end()],
          }),
        ],
      },
    }),
    f.end(),
  ],
);
