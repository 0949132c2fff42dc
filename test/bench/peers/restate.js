/**
 * Restate: durable execution. The webhook hands each message to Restate's ingress as a one-way call with the message's id
 * as idempotency key, and is answered when Restate has stored it. Restate calls the virtual object of the contact over
 * HTTP/2, one message at a time: the persisted snapshot is the object's state, the send is a journaled step (`ctx.run`).
 */
import { createEndpointHandler, object } from "@restatedev/restate-sdk";
import http2 from "node:http2";
import { Pool } from "undici";
import { listen, ready, sender, surroundings } from "../message/contestant.ts";
import { createForm } from "../message/machine.ts";

// The SDK calls what Node has from 22 on; all contestants run on the same Node, which may be 20.
Promise.withResolvers ??= function withResolvers() {
  const parts = {};
  parts.promise = new this((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
};

const { sinkUrl, port, length } = surroundings();
const { BENCH_RESTATE_INGRESS: ingress = "", BENCH_RESTATE_ADMIN: admin = "" } = process.env;
const form = createForm(length, "documented");
const send = sender(sinkUrl);

/** The snapshot is text already: kept as it is, without JSON around JSON. */
const plain = {
  serialize: (text) => Buffer.from(text),
  deserialize: (bytes) => Buffer.from(bytes).toString(),
};

const conversation = object({
  name: "conversation",
  handlers: {
    async message(ctx, { text }) {
      const { stored, reply } = form.move(await ctx.get("session", plain), text);
      ctx.set("session", stored, plain);
      await ctx.run("send", () => send(ctx.key, reply));
    },
  },
});

// What the SDK's `serve` does, on loopback alone.
const endpoint = http2.createServer(createEndpointHandler({ services: [conversation] }));
await new Promise((resolve) => endpoint.listen(0, "127.0.0.1", resolve));
const registered = await fetch(`${admin}/deployments`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ uri: `http://127.0.0.1:${endpoint.address().port}` }),
});
if (!registered.ok) throw new Error(`not registered: ${await registered.text()}`);

const pool = new Pool(ingress, { connections: 64, pipelining: 1 });
await listen(port, async ({ id, number, text }) => {
  const { statusCode, body } = await pool.request({
    path: `/conversation/${number}/message/send`,
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": id },
    body: JSON.stringify({ text }),
  });
  await body.dump();
  if (statusCode !== 202 && statusCode !== 200) throw new Error(`the ingress said ${statusCode}`);
});
ready();
