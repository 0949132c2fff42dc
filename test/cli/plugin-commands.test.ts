/** Commands of a bot's plugins: found by the bot that is served, and left out where a name is taken. */
import { afterAll, expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { pluginCommands } from "../../src/cli/command.ts";
import { FLOWS_FOLDER } from "../../src/app/places.ts";
import { FlowsFolder } from "../app/flows-folder.ts";

const folder = new FlowsFolder();
afterAll(() => folder.remove());

async function commandsOf(path: string) {
  const told: string[] = [];
  const taken = COMMANDS.map(({ name }) => name);
  const found = await pluginCommands(path, taken, (message) => told.push(message));
  return { told, names: found.map(({ name }) => name) };
}

test("the shipped bot adds invoices and notes", async () => {
  expect(await commandsOf(FLOWS_FOLDER)).toEqual({ told: [], names: ["invoices", "notes"] });
});

test("a command of the runtime or of another plugin is left out, and both are named", async () => {
  folder.write(
    "config.ts",
    `import { defineBot } from "prosa";
     const named = (name: string) => ({ name, usage: name, summary: "", run: async () => ({}) });
     export default defineBot({
       plugins: [
         { name: "deliveries", commands: [named("parcels"), named("start")] },
         { name: "couriers", commands: [named("parcels"), named("couriers")] },
       ],
     });`,
  );
  const { told, names } = await commandsOf(folder.path);
  expect(names).toEqual(["parcels", "couriers"]);
  expect(told).toEqual([
    "The plugin deliveries declares the command start, as the runtime does, and goes without it: rename it there.",
    "The plugin couriers declares the command parcels, as the plugin deliveries does, and goes without it: rename it there.",
  ]);
});

test("a config that does not load leaves the runtime's own commands", async () => {
  folder.write("config.ts", 'throw new Error("no depot");');
  expect(await commandsOf(folder.path)).toEqual({ told: [], names: [] });
});
