/** The bare floor: the same HTTP in and out, one GET, one XState transition, one SET. It promises nothing. */
import { Redis } from "ioredis";
import { listen, ready, sender, surroundings } from "./contestant.ts";
import { createForm } from "./machine.ts";

const { redisUrl, sinkUrl, port, length } = surroundings();
const redis = new Redis(redisUrl, { enableAutoPipelining: true });
const form = createForm(length, "plain");
const send = sender(sinkUrl);

await listen(port, async ({ number, text }) => {
  const key = `floor:${number}`;
  const { stored, reply } = form.move(await redis.get(key), text);
  await redis.set(key, stored);
  void send(number, reply).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
  });
});
ready();
