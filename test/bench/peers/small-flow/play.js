/** Plays {@link LINES} to a contender. Gives what was said to each line, and what the issuer was asked. */
import { issuer, LINES } from "./world.js";

const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

/** `open({issue, reply, kept})` gives `{send(text), keep()}`; `keep` is what a restart finds again. */
export async function play(open) {
  const { issued, issue } = issuer();
  const said = [];
  let now = [];
  const reply = (text) => now.push(text);
  let bot = open({ issue, reply, kept: undefined });
  for (const line of LINES) {
    now = [];
    if (line === "*") bot = open({ issue, reply, kept: bot.keep() });
    else
      try {
        await bot.send(line);
      } catch (error) {
        now.push(`(${error.error?.message ?? error.message})`);
      }
    await settled();
    said.push({ line, said: now });
  }
  return { said, issued };
}

export async function playXState() {
  const { createNote } = await import("./xstate.js");
  return play(({ issue, reply, kept }) => {
    const snapshot = kept && JSON.parse(kept);
    const actor = createNote({ issue, reply, snapshot });
    return {
      send: async (text) => actor.send({ type: "TEXT", text }),
      keep: () => JSON.stringify(actor.getPersistedSnapshot()),
    };
  });
}

export async function playGrammy() {
  const { createNote } = await import("./grammy.js");
  const stored = new Map();
  const adapter = {
    read: async (key) => stored.get(key) && JSON.parse(stored.get(key)),
    write: async (key, value) => void stored.set(key, JSON.stringify(value)),
    delete: async (key) => void stored.delete(key),
  };
  let update = 0;
  return play(({ issue, reply }) => {
    const bot = createNote({ issue, reply, storage: { type: "key", adapter } });
    const chat = { id: 7, type: "private", first_name: "Ana" };
    const from = { id: 7, is_bot: false, first_name: "Ana" };
    return {
      send: (text) => {
        update += 1;
        const message = { message_id: update, date: 0, chat, from, text };
        return bot.handleUpdate({ update_id: update, message });
      },
      keep: () => undefined,
    };
  });
}
