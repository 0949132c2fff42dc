/**
 * BullMQ: one job per message, and XState with its persisted snapshot by GET and SET around each transition. The job's id
 * is the message's id, so a webhook that comes twice while the job is kept is taken once.
 */
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { listen, ready, sender, surroundings } from "../message/contestant.ts";
import { createForm } from "../message/machine.ts";

/** Messages worked on at a time, and finished jobs kept. */
const CONCURRENCY = 64;
const KEPT = 1_000;

const { redisUrl, sinkUrl, port, length } = surroundings();
const connect = () =>
  new Redis(redisUrl, { maxRetriesPerRequest: null, enableAutoPipelining: true });
const redis = connect();
const form = createForm(length, "documented");
const send = sender(sinkUrl);
const queue = new Queue("messages", { connection: connect() });

new Worker(
  "messages",
  async ({ data: { number, text } }) => {
    const key = `session:${number}`;
    const { stored, reply } = form.move(await redis.get(key), text);
    await redis.set(key, stored);
    await send(number, reply);
  },
  { connection: connect(), concurrency: CONCURRENCY, removeOnComplete: { count: KEPT } },
).on("error", (error) => process.stderr.write(`${error}\n`));

await listen(port, async ({ id, number, text }) => {
  await queue.add("message", { number, text }, { jobId: id });
});
ready();
