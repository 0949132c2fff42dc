/** A bot of another business in a folder of its own, and the backend that takes its orders. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { FlowsFolder } from "../flows-folder.ts";

export const ORDER = `import { effect, z } from "prosa";

export default effect("pizzeria.order", {
  class: "costly",
  input: z.object({ pizza: z.string(), address: z.string() }),
  output: z.object({ number: z.string() }),
  timeoutMs: 1000,
  http: {
    method: "POST",
    url: "$ORDERS_URL/orders",
    headers: { Authorization: "Bearer $ORDERS_TOKEN" },
  },
});
`;

const FLOW = `import { flow, slot, z } from "prosa";

export default flow(
  "order",
  {
    version: 1,
    title: "Order",
    audience: "anyone",
    slots: z.object({ pizza: slot.choice(["calabresa", "margherita"]), address: slot.text() }),
  },
  (f) => [
    f.ask("pizza"),
    f.ask("address"),
    f.confirm("summary", { show: ["pizza", "address"], word: "PEDIR" }),
    f.call("pizzeria.order", {
      id: "send",
      done: (order) => [f.say("thanks", { with: { number: order.number } })],
      rejected: (no) => [f.say("refused", { with: { text: no.text } })],
      failed: [f.say("broken")],
      held: [f.say("held")],
    }),
    f.end(),
  ],
);
`;

const TEXTS = `locale: pt-BR
title: Pedido
start: ["quero pizza"]
say:
  thanks: "Pedido {{number}} a caminho!"
  refused: "Não deu: {{text}}"
  broken: "Agora não consigo."
  held: "Vou conferir com a cozinha."
ask:
  pizza: "Qual pizza?"
  address: "Qual o endereço?"
options:
  pizza:
    calabresa: Calabresa
    margherita: Margherita
confirm:
  summary: "Uma {{pizza}} em {{address}}. Responda PEDIR."
`;

export function pizzeria(): FlowsFolder {
  const folder = new FlowsFolder();
  folder.write("order/flow.ts", FLOW);
  folder.write("order/texts.pt-BR.yaml", TEXTS);
  folder.write("effects/order.ts", ORDER);
  return folder;
}

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Backend {
  readonly url: string;
  readonly asked: Asked[];
  /** How the next calls are answered. */
  answer: (response: ServerResponse, asked: Asked) => void;
  close(): Promise<void>;
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

export async function backend(): Promise<Backend> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const one = { method, url, headers, body };
      asked.push(one);
      made.answer(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const made: Backend = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer: (response) => json(response, 200, { number: "a17" }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return made;
}
