/** Prosa as a contestant: a process of its own. */
import { ready, surroundings } from "./contestant.ts";
import { startBot } from "./prosa-bot.ts";

await startBot(surroundings());
ready();
