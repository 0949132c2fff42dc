import { flow, slot, z } from "prosa";

/**
 * Receives a company's certificate: by a one-time page, or by the chat where the page does not open. Ends as `again` when it has
 * to begin anew, so that nothing of a file that was refused stays; a ticket stands for one that was taken.
 */
export default flow(
  "certificate-file",
  {
    version: 1,
    title: "Arquivo do certificado",
    audience: "nobody",
    outcomes: ["ready", "again"],
    input: z.object({ issuer: z.string().optional() }),
    slots: z.object({
      way: slot.choice(["link", "chat"]),
      // Secret because of what people write beside it: the password.
      file: slot.media({
        ...{ of: ["document"], ends: [".pfx", ".p12"], maxBytes: 102_400 },
        secret: true,
      }),
    }),
  },
  (f, $) => [
    f.choose("way", {
      link: [
        f.call("certificate.link", {
          id: "page",
          input: { issuer: $.input.issuer },
          done: (r) => [
            f.say("page", { id: "address", with: { url: r.url, minutes: r.minutes } }),
            f.wait("certificate.uploaded", {
              id: "upload",
              where: (event) => event.link.is(r.link),
              within: "10m",
              on: {
                got: (event) => [
                  f.when(
                    event.ticket.known(),
                    [f.end("ready", { output: { ticket: event.ticket } })],
                    // Every try of the page came to nothing.
                    [f.say("spent"), f.end("again", { id: "tries-spent" })],
                  ),
                ],
                late: [f.say("late"), f.end("again")],
              },
            }),
          ],
          rejected: () => [f.say("no-page"), f.end("again", { id: "no-page-made" })],
          failed: () => [
            f.say("no-page", { id: "no-page-now" }),
            f.end("again", { id: "page-failed" }),
          ],
        }),
      ],
      chat: [],
    }),

    // By the chat: the link never comes as far as here.
    f.ask("file"),
    ...["secret", "secret-2", "secret-3"].flatMap((id, index, tries) => [
      f.subflow("certificate-password", {
        id,
        input: { issuer: $.input.issuer, file: $.file },
        on: {
          ready: (r) => [
            f.say("delete", { id: `delete-${id}` }),
            f.end("ready", { id: `read-${id}`, output: { ticket: r.ticket } }),
          ],
          wrong: () => [f.goto(tries[index + 1] ?? "enough")],
          unfit: () => [
            f.say("delete-unfit", { id: `unfit-${id}` }),
            f.end("again", { id: `again-${id}` }),
          ],
        },
      }),
      f.end("done", { id: `over-${id}` }),
    ]),
    f.say("enough"),
    f.end("again", { id: "three-wrong" }),
  ],
);
