/**
 * grammY with @grammyjs/conversations and the Redis storage adapter, wired as its documentation shows. Updates come from
 * the same webhook body and replies leave by the same HTTP call as everybody's: Telegram's own API is not in the picture.
 */
import { conversations, createConversation } from "@grammyjs/conversations";
import { RedisAdapter } from "@grammyjs/storage-redis";
import { Bot } from "grammy";
import { Redis } from "ioredis";
import { listen, ready, sender, surroundings } from "../message/contestant.ts";
import { AGAIN, opening, questions, read, summary } from "../message/form.ts";

const { redisUrl, sinkUrl, port, length } = surroundings();
const send = sender(sinkUrl);
const me = { id: 1, is_bot: true, first_name: "bench", username: "bench_bot" };
let messages = 0;
/** In place of Telegram: inside conversations only the client's `fetch` is asked, transformers are not. */
async function fetchInstead(_url, { body }) {
  const { chat_id, text } = JSON.parse(body);
  await send(String(chat_id), text);
  const chat = { id: chat_id, type: "private", first_name: "Marina" };
  const result = { message_id: ++messages, date: 0, chat, text };
  return { json: async () => ({ ok: true, result }) };
}
const bot = new Bot("1:bench", { botInfo: me, client: { fetch: fetchInstead } });

async function form(conversation, context) {
  const values = [];
  let answered = context;
  for (const { name, kind, prompt } of questions(length)) {
    await answered.reply(prompt);
    for (;;) {
      answered = await conversation.waitFor("message:text");
      const value = read(kind, answered.message.text);
      if (value !== undefined) {
        values.push([name, value]);
        break;
      }
      await answered.reply(AGAIN);
    }
  }
  await answered.reply(summary(values));
}

const instance = new Redis(redisUrl, { enableAutoPipelining: true });
bot.use(conversations({ storage: { type: "key", adapter: new RedisAdapter({ instance }) } }));
bot.use(createConversation(form, "form"));
bot.hears(opening(length), (context) => context.conversation.enter("form"));

let updates = 0;
// As grammY's webhook adapters do, the sender is answered when the update has been handled.
await listen(port, ({ number, text }) => {
  const id = Number(number);
  const chat = { id, type: "private", first_name: "Marina" };
  const from = { id, is_bot: false, first_name: "Marina" };
  const date = Math.floor(Date.now() / 1_000);
  const update_id = ++updates;
  return bot.handleUpdate({
    update_id,
    message: { message_id: update_id, date, chat, from, text },
  });
});
ready();
