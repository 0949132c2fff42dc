/** The code of `src/gateway/README.md`, compiled. Each part between the lines `// --` stands there as it stands here. */
import { expect } from "vitest";
import { z } from "zod";
import { engineSchema, assumed } from "../../src/gateway/contract/route.ts";
import {
  MessageRecord,
  Recipient,
  messaging,
  sentExample,
} from "../../src/gateway/contract/shapes.ts";
import { createGateway } from "../../src/gateway/index.ts";

export const entries = {
  // -- entry
  /** Sends a list of rows to choose from (†). */
  sendList: messaging({
    path: "/message/sendList",
    class: "message",
    queue: "yes",
    variants: {
      default: assumed(
        z.strictObject({ number: Recipient, title: z.string().min(1) }),
        { number: "5511900000002", title: "Qual serviço?" },
        engineSchema("`number` and `title`, both needed."),
      ),
    },
    response: MessageRecord,
    answer: sentExample({ listMessage: { title: "Qual serviço?" } }, "listMessage"),
  }),
  // --
};

export async function callsOfTheReadme(baseUrl: string, token: string, deviceToken: string) {
  // -- calls
  const gateway = createGateway({ baseUrl, token, deviceToken });
  const number = "5511900000002";

  const sent = await gateway.message.sendText({ number, text: "Olá!" });
  const id = sent.kind === "ok" ? sent.data.key?.id : undefined;

  const queued = await gateway.message.sendText.queue({ number, text: "Olá!" });
  const group = { query: { groupJid: "120363000000000001@g.us" } };
  const invite = await gateway.group.inviteCode({}, group);
  const anything = await gateway.call("chat.findContacts", { where: {} }, { variant: "default" });
  // --
  await gateway.close();
  expect(id).toMatch(/^[0-9A-F]+$/);
  return [sent, queued, invite, anything].map((outcome) => outcome.kind);
}
