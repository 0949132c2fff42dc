/** grammY with @grammyjs/conversations, as its documentation writes such a form. */
import { conversations, createConversation } from "@grammyjs/conversations";
import { Bot } from "grammy";
import { readCpf, readValue, WORDS } from "./world.js";

export function createNote({ issue, reply, storage }) {
  const me = { id: 1, is_bot: true, first_name: "small", username: "small_bot" };
  const client = {
    fetch: async (_url, { body }) => {
      const { chat_id, text } = JSON.parse(body);
      reply(text);
      const result = { message_id: 1, date: 0, chat: { id: chat_id, type: "private" }, text };
      return { json: async () => ({ ok: true, result }) };
    },
  };
  const bot = new Bot("1:small", { botInfo: me, client });

  async function ask(conversation, ctx, prompt, read, bad) {
    await ctx.reply(prompt);
    for (;;) {
      const { message } = await conversation.waitFor("message:text");
      const value = read(message.text);
      if (value !== undefined) return value;
      await ctx.reply(bad);
    }
  }

  async function note(conversation, ctx) {
    let cpf = await ask(conversation, ctx, WORDS.cpf, readCpf, WORDS.badCpf);
    let cents = await ask(conversation, ctx, WORDS.value, readValue, WORDS.badValue);
    for (;;) {
      await ctx.reply(WORDS.confirm(cpf, cents));
      const { message } = await conversation.waitFor("message:text");
      const answer = message.text.toLowerCase();
      if (answer === "sim") break;
      if (answer === "cpf") cpf = await ask(conversation, ctx, WORDS.cpf, readCpf, WORDS.badCpf);
      if (answer === "valor")
        cents = await ask(conversation, ctx, WORDS.value, readValue, WORDS.badValue);
    }
    const { number } = await conversation.external(() => issue(cpf, cents));
    await ctx.reply(WORDS.issued(number));
  }

  bot.use(conversations({ storage }));
  bot.use(createConversation(note, "note"));
  bot.on("message:text", (ctx) => ctx.conversation.enter("note"));
  return bot;
}
