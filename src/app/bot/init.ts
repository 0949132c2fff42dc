/** Begins a bot of one's own: a folder that starts, tests and type-checks by itself with the package beside it. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fold } from "../../brazil/index.ts";
import { declarations } from "../authoring/declarations.ts";
import { PACKAGE } from "../places.ts";

const EXAMPLES = path.join(PACKAGE, "test", "examples");
/** The bot that is begun where no example is named. */
const PLAIN = "plain";

interface Manifest {
  readonly version: string;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Names of the bots that may be copied. */
function exampleBots(): readonly string[] {
  return readdirSync(EXAMPLES).filter(
    (name) => name !== PLAIN && existsSync(path.join(EXAMPLES, name, "config.ts")),
  );
}

/** Writes a bot into a new or empty folder. Gives a sentence where that cannot be, and then writes nothing. */
export function initBot(folder: string, example = PLAIN): string | undefined {
  const names = exampleBots();
  if (example !== PLAIN && !names.includes(example))
    return `There is no example ${example}. There are: ${names.join(", ")}.`;
  if (existsSync(folder) && readdirSync(folder).length > 0)
    return `${folder} is not empty: name a new folder, or an empty one.`;
  mkdirSync(folder, { recursive: true });
  cpSync(path.join(EXAMPLES, example), folder, { recursive: true });
  for (const [file, text] of Object.entries(filesOf(packageName(folder))))
    writeFileSync(path.join(folder, file), text);
  declarations(folder);
  return undefined;
}

/** The folder's name as npm takes it; `prosa` is the package that the bot depends on. */
function packageName(folder: string): string {
  const name = fold(path.basename(path.resolve(folder)))
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[._-]+|[._-]+$/g, "");
  return ["", "prosa"].includes(name) ? "bot" : name;
}

function filesOf(name: string): Readonly<Record<string, string>> {
  const { version, devDependencies = {} } = JSON.parse(
    readFileSync(path.join(PACKAGE, "package.json"), "utf8"),
  ) as Manifest;
  const tools = Object.entries(devDependencies).filter(([tool]) =>
    ["typescript", "@types/node"].includes(tool),
  );
  const manifest = {
    name,
    version: "0.1.0",
    private: true,
    type: "module",
    scripts: {
      start: "prosa start",
      test: "prosa flows test",
      check: "prosa flows types && prosa flows check && tsc --noEmit",
    },
    dependencies: { prosa: `^${version}` },
    devDependencies: Object.fromEntries(tools),
  };
  return {
    "package.json": `${JSON.stringify(manifest, null, 2)}\n`,
    ".gitignore": "node_modules/\n.prosa/\ntexts.d.ts\neffects.d.ts\ngateway.d.ts\n",
    "README.md": README(name),
  };
}

const README = (name: string): string => `# ${name}

A bot made with Prosa. \`npm install\`, then:

| command | does |
|---|---|
| \`npm start\` | runs it with a gateway sandbox and its console: chat at http://localhost:3000 |
| \`npm test\` | plays the conversations in \`*/chats/*.chat\` |
| \`npm run check\` | types, texts and what each flow costs |
| \`npx prosa chat\` | a conversation in the terminal |

Each folder with a \`flow.ts\` is one conversation: its steps, its texts in two languages, its chat files. \`config.ts\` says what
the bot is beside them; \`effects/\` holds what it asks of services of your own; \`texts.<locale>.yaml\` beside it would say common
words in yours. \`npx prosa flows new NAME\` begins another conversation. What can stand in each file:
\`node_modules/prosa/flows/README.md\`.

\`prosa\` takes the working directory for the bot where its \`config.ts\` imports \`prosa\`. \`PROSA_FLOWS_DIR\` names another folder.
`;
