import { defineBot } from "prosa";

/** What this bot is beside its flows: plugins, languages, and kinds, rules and pipes of its own. */
export default defineBot({ languages: ["pt-BR", "en"] });
