/** What a bot's folder adds to the runtime, and what is told of files that are wrong. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { loadBot } from "../../../src/app/bot/load-bot.ts";
import { loadFlows } from "../../../src/app/loading/flow-files.ts";
import { listTexts } from "../../../src/app/authoring/flow-commands.ts";
import type { JsonObject } from "../../../src/base/index.ts";
import { findingLine, type FlowLibrary } from "../../../src/flow/index.ts";
import { createEffects } from "../../../src/worker/index.ts";
import { fencesOf } from "../../docs/fences.ts";
import { asking, FlowsFolder, words } from "../flows-folder.ts";
import { ORDER, pizzeria } from "./pizzeria.ts";

const folders: FlowsFolder[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});
const made = (folder = new FlowsFolder()): FlowsFolder => {
  folders.push(folder);
  return folder;
};

const told = async (folder: FlowsFolder): Promise<string> =>
  (await loadBot(folder.path)).findings.map(findingLine).join("\n");

describe("a bot's own vocabulary", () => {
  test("kinds, rules, pipes and effects of its folder are what its flows may name", async () => {
    const folder = made();
    folder.write(
      "config.ts",
      `import { defineBot, defineKind, definePipe, defineRule, z } from "prosa";
       import { PLATE } from "./parts/plate.ts";

       export default defineBot({
         kinds: [
           defineKind("plate", {
             version: 3,
             schema: () => z.string(),
             read: (text) => PLATE.test(text) ? { ok: true, value: text } : { ok: false, reason: "absent" },
           }),
         ],
         rules: [defineRule("isOld", { version: 1, run: (plate) => /\\d{4}$/.test(String(plate)) })],
         pipes: [definePipe("dashed", (value) => String(value).replace(/^(...)/, "$1-"))],
       });`,
    );
    folder.write("parts/plate.ts", "export const PLATE: RegExp = /^[A-Z]{3}\\d[A-Z0-9]\\d{2}$/;");
    folder.write(
      "car/flow.ts",
      `import { flow, rule, slot, z } from "prosa";

       export default flow(
         "car",
         { version: 1, title: "Car", audience: "anyone", slots: z.object({ plate: slot.of<string>("plate") }) },
         (f, $) => [f.ask("plate"), f.when(rule("isOld", $.plate), [f.say("old")], [f.say("new")]), f.end()],
       );`,
    );
    folder.write(
      "car/texts.pt-BR.yaml",
      [
        ...["locale: pt-BR", "title: Carro", 'start: ["meu carro"]', "say:"],
        ...['  old: "Placa antiga: {{plate | dashed}}"', '  new: "Placa nova"', "ask:"],
        '  plate: "Qual a placa?"',
      ].join("\n"),
    );

    const { library } = await loadFlows(folder.path);

    expect(library.findings.filter(({ severity }) => severity === "error")).toEqual([]);
    const [car] = library.list();
    const before = car?.hash;
    const config = readFileSync(path.join(folder.path, "config.ts"), "utf8");
    folder.write("config.ts", config.replace("version: 3", "version: 4"));
    expect((await loadFlows(folder.path)).library.get("car")?.hash).not.toBe(before);
  });

  test("lint knows the input, the class and the ends of an effect of its own", async () => {
    const folder = made(pizzeria());
    const { library } = await loadFlows(folder.path);
    expect(library.findings.filter(({ severity }) => severity === "error")).toEqual([]);

    folder.write("order/flow.ts", asking("order", ["pizza"]));
    folder.write(
      "lost/flow.ts",
      `import { flow, slot, z } from "prosa";
       export default flow(
         "lost",
         { version: 1, title: "Lost", audience: "anyone", slots: z.object({ pizza: slot.text() }) },
         (f) => [
           f.ask("pizza"),
           f.call("pizzeria.ordr", { id: "a", rejected: [], failed: [] }),
           f.call("pizzeria.order", { id: "b", done: (r) => [f.say("bye", { with: { a: r.nmber } })], rejected: [], failed: [] }),
           f.end(),
         ],
       );`,
    );
    folder.write("lost/texts.pt-BR.yaml", words("lost", { pizza: "Qual?" }));
    const lines = (await loadFlows(folder.path)).library.findings.map(findingLine).join("\n");
    expect(lines).toContain('Did you mean "pizzeria.order"?');
    expect(lines).toContain("address");
    expect(lines).toContain("nmber");
    expect(lines).toMatch(/effect\/not-confirmed/);
  });
});

describe("what is wrong with a file", () => {
  test("is told with its line and what to do, and leaves out that file alone", async () => {
    const folder = made(pizzeria());
    folder.write("effects/broken.ts", 'import { effect } from "prosa";\n\nexport default effect(');
    folder.write("effects/empty.ts", "export const nothing = 1;");
    folder.write(
      "effects/late.ts",
      'const at = new Date();\nfunction now(): never {\n  throw new Error("no clock");\n}\nnow();\nexport default at;',
    );
    folder.write("effects/twice.ts", ORDER);
    folder.write(
      "config.ts",
      'import { defineBot } from "prosa";\nimport { invoicing } from "prosa/invoicing";\nexport default defineBot({ plugins: [invoicing()] });',
    );
    folder.write("effects/taken.ts", ORDER.replace("pizzeria.order", "invoice.issue"));
    folder.write("effects/route.ts", ORDER.replace("pizzeria.order", "invoicing.nfseEnvio"));
    folder.write("effects/wrong.ts", ORDER.replace("costly", "expensive"));

    const lines = await told(folder);

    expect(lines).toMatch(/effects\/broken\.ts:3:\d+ \[bot\/file\] does not compile: /);
    expect(lines).toMatch(/effects\/empty\.ts \[bot\/file\] has no effect as its default export/);
    expect(lines).toMatch(/effects\/late\.ts:3:\d+ \[bot\/file\] no clock/);
    expect(lines).toMatch(/effects\/twice\.ts .*defines pizzeria\.order, as \S+order\.ts does/);
    expect(lines).toMatch(/effects\/taken\.ts .*defines invoice\.issue, which is an effect of the/);
    expect(lines).toMatch(
      /effects\/route\.ts .*defines invoicing\.nfseEnvio, which is .*route of the/,
    );
    expect(lines).toMatch(/effects\/wrong\.ts:\d+:\d+ .*its class must be one of read, replace/);
    const { effects } = await loadBot(folder.path);
    expect(effects.map(({ effect }) => effect.name)).toEqual(["pizzeria.order"]);
  });

  test("of a plugin's panels: which file and line, and the others are there", async () => {
    const folder = made();
    const plugin = (name: string) =>
      `export const ${name} = { name: "${name}", panels: new URL("./panels.tsx", import.meta.url) };`;
    folder.write("maps/plugin.ts", plugin("maps"));
    folder.write("maps/panels.tsx", "export default () => ({\n  panels: [,\n");
    folder.write("parcels/plugin.ts", plugin("parcels"));
    folder.write("parcels/panels.tsx", "export default () => ({ suggestions: ['parcels'] });");
    folder.write(
      "config.ts",
      `import { defineBot } from "prosa";
       import { maps } from "./maps/plugin.ts";
       import { parcels } from "./parcels/plugin.ts";
       export default defineBot({ plugins: [maps, parcels] });`,
    );

    const { findings, panels } = await loadBot(folder.path);

    expect(findings.map(findingLine)).toEqual([
      expect.stringMatching(/maps\/panels\.tsx:3:\d+ \[bot\/file\] does not compile: /),
    ]);
    expect(panels.map(({ plugin }) => plugin)).toEqual(["parcels"]);
  });

  test("of a config: parts nobody knows, names that are taken, and no bot at all", async () => {
    const folder = made();
    folder.write(
      "config.ts",
      `import { defineKind, definePipe, defineRule, z } from "prosa";
       const kind = (name) => defineKind(name, { version: 1, schema: () => z.string(), read: () => ({ ok: false, reason: "absent" }) });
       export default {
         kind: [],
         kinds: [kind("money"), kind("plate"), kind("plate")],
         rules: [defineRule("a", { version: 1, run: () => true }), defineRule("a", { version: 2, run: () => true })],
         pipes: [definePipe("brl", () => "")],
       };`,
    );
    const lines = await told(folder);
    expect(lines).toContain('names kind, which is no part of a bot. Did you mean "kinds"?');
    expect(lines).toContain("defines the kind money, as the runtime does");
    expect(lines).toContain("defines the kind plate, as this file does");
    expect(lines).toContain("defines the rule a, as this file does");
    expect(lines).toContain("defines the pipe brl, as the runtime does");

    folder.write("config.ts", "export default 7;");
    expect(await told(folder)).toContain("has no bot as its default export");
  });

  test("a folder without config and effects adds nothing", async () => {
    const { vocabulary, effects, findings } = await loadBot(made().path);
    expect({ vocabulary, effects, findings }).toEqual({
      vocabulary: { readers: [], events: [] },
      effects: [],
      findings: [],
    });
  });
});

describe("the bot's own texts", () => {
  const catalogue = (...say: string[]) => ["locale: pt-BR", "say:", ...say, ""].join("\n");
  const said = (name: string, library: FlowLibrary, vars: JsonObject = {}) =>
    library.word(name, vars, { now: 0, zone: "America/Sao_Paulo", locale: "pt-BR", variant: 0 });

  test("are said in place of the runtime's, in the language they are written in", async () => {
    const folder = made(pizzeria());
    folder.write("texts.pt-BR.yaml", catalogue('  privacy: "Aqui é a {{business}}."'));

    const { library } = await loadFlows(folder.path);

    expect(library.findings).toEqual([]);
    expect(said("privacy", library, { business: "Pizzaria" })).toBe("Aqui é a Pizzaria.");
    expect(said("cancelled", library)).toBe("Tudo bem, cancelei.");
    const { texts } = await listTexts(folder.path);
    const own = texts.filter(({ from }) => from !== "runtime");
    expect(own).toMatchObject([{ locale: "pt-BR", key: "say.privacy", from: "bot" }]);
    expect(texts.length).toBeGreaterThan(200);
  });

  test("that take the place of none, or read what is not there, are told with their line", async () => {
    const folder = made(pizzeria());
    folder.write(
      "texts.pt-BR.yaml",
      catalogue('  privcy: "a"', '  cancelled: "Tchau, {{nmae}}"', '  help: "Diga."'),
    );

    const { library } = await loadFlows(folder.path);

    const lines = library.findings.map(findingLine);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/texts\.pt-BR\.yaml:3:\d+ \[bot\/text\] .*Did you mean "say.privacy"/);
    expect(lines[1]).toMatch(/texts\.pt-BR\.yaml:4:\d+ .*reads \{\{nmae\}\}; it is given nothing/);
    expect(said("help", library)).toBe("Diga.");
    expect(said("cancelled", library)).toBe("Tudo bem, cancelei.");
  });
});

test("the files that flows/README.md shows of a bot are read as they stand there", async () => {
  const folder = made(pizzeria());
  const shown = fencesOf("flows/README.md").filter(
    ({ role, arg }) => role === "file" && /^(config|effects|texts)\b/.test(arg),
  );
  for (const { arg, code } of shown) folder.write(arg, code);

  const { vocabulary, effects, findings } = await loadBot(folder.path);

  expect(shown).toHaveLength(3);
  expect(findings).toEqual([]);
  expect(vocabulary.kinds?.map(({ name }) => name)).toEqual(["plate"]);
  const at = { locale: "en", zone: "", now: 0 } as const;
  expect(vocabulary.pipes?.["dashed"]?.("ABC1D23", undefined, at)).toBe("ABC-1D23");
  expect(Object.keys(effects[0]?.effect.input.shape ?? {})).toEqual(["pizza", "address", "total"]);
});

describe("plugins of a config", () => {
  const DELIVERIES = `import type { Plugin } from "prosa/plugin";
    import { defineKind, definePipe, z } from "prosa";
    const parcel = defineKind("parcel", { version: 1, schema: () => z.string(), read: () => ({ ok: false, reason: "absent" }) });
    export const deliveries = (name = "deliveries"): Plugin =>
      ({ name, kinds: [parcel], pipes: [definePipe("dashed", String)] });`;

  test("come in their order, before what the bot names itself", async () => {
    const folder = made();
    folder.write("plugins/deliveries.ts", DELIVERIES);
    folder.write(
      "config.ts",
      `import { defineBot } from "prosa";
       import { invoicing } from "prosa/invoicing";
       import { deliveries } from "./plugins/deliveries.ts";
       export default defineBot({ plugins: [deliveries(), invoicing()] });`,
    );

    const { plugins, vocabulary, findings } = await loadBot(folder.path);

    expect(findings).toEqual([]);
    expect(plugins.map(({ name }) => name)).toEqual(["deliveries", "invoicing"]);
    expect(vocabulary.kinds?.map(({ name }) => name)).toContain("parcel");
    expect(Object.keys(vocabulary.pipes ?? {})).toContain("dashed");
  });

  test("are refused by name where two claim one, are listed twice, or are none", async () => {
    const folder = made();
    folder.write("plugins/deliveries.ts", DELIVERIES);
    folder.write(
      "config.ts",
      `import { deliveries } from "./plugins/deliveries.ts";
       export default { plugins: [deliveries(), deliveries("couriers"), deliveries(), deliveries, null] };`,
    );

    const lines = await told(folder);

    expect(lines).toContain(
      "loads the plugin couriers, which defines the kind parcel, as the plugin deliveries does",
    );
    expect(lines).toContain("lists the plugin deliveries twice");
    expect(lines).toContain("without a plugin's name as its plugin 4");
    expect(lines).toContain("without a plugin's name as its plugin 5");
  });

  test.each([
    ['{ name: "shop", kinds: {} }', "The plugin shop: kinds is no list."],
    [
      '{ name: "shop", kinds: [{ name: "plate" }] }',
      "The plugin shop: kinds[0].version is no number.",
    ],
    [
      '{ name: "shop", effects: [{ name: "shop.find" }] }',
      "The plugin shop: effects[0].class is no text.",
    ],
    ['{ name: "shop", readers: [null] }', "The plugin shop: readers[0] is no object."],
    ['{ name: "shop", metrics: "x" }', "The plugin shop: metrics is no list."],
    ['{ name: "shop", routes: [] }', "The plugin shop: routes is no function."],
    ['{ name: "shop", panels: "./panels.tsx" }', 'is no URL: write new URL("./panels.tsx"'],
    ['{ name: "shop", chore: [] }', 'there is no hook chore. Did you mean "chores"?'],
  ])("%s goes without what does not fit", async (plugin, sentence) => {
    const folder = made();
    folder.write("config.ts", `export default { plugins: [${plugin}] };`);
    const { plugins, findings } = await loadBot(folder.path);
    expect(findings.map(findingLine).join("\n")).toContain(sentence);
    expect(plugins.map(({ name }) => name)).toEqual(["shop"]);
  });

  test.each([
    ["export default { plugins: { name: 'shop' } };", "plugins that are no list"],
    ['export default { languages: "en" };', "names no list of languages"],
    ['export default { kinds: "x" };', "The bot: kinds is no list."],
    ["export const bot = {};", "has no bot as its default export"],
  ])("a config that says %s is told, and no more", async (code, sentence) => {
    const folder = made();
    folder.write("config.ts", code);
    expect(await told(folder)).toContain(sentence);
  });

  test("that claim one collection, alarm or header of chat files are told by both names", async () => {
    const folder = made();
    const parts = `documents: [{ name: "parcels" }], alarms: { "parcel.lost": { key: "lost" } }, rehearsal: { headers: { parcel: async () => {} } }`;
    folder.write(
      "config.ts",
      `export default { plugins: [{ name: "deliveries", ${parts} }, { name: "couriers", ${parts} }] };`,
    );
    const { plugins, findings } = await loadBot(folder.path);
    const lines = findings.map(findingLine).join("\n");
    for (const what of ["the documents parcels", "the alarm parcel.lost", "the header @parcel"])
      expect(lines).toContain(
        `The plugin couriers declares ${what}, as the plugin deliveries does`,
      );
    expect(plugins[1]).toMatchObject({ documents: [], alarms: {}, rehearsal: { headers: {} } });
  });

  test("go without a section or effects that another one has; the rest of them stands", async () => {
    const folder = made();
    folder.write(
      "config.ts",
      `import { defineBot, z } from "prosa";
       import { done } from "prosa/plugin";
       const track = { name: "parcels.track", class: "read", version: 1, input: z.object({}), result: [],
         perform: async () => done({}) } as const;
       const hooks = { effects: [track], account: { fields: { depot: z.string().default("") } } };
       export default defineBot({
         plugins: [
           { name: "deliveries", ...hooks },
           { name: "couriers", ...hooks, events: [{ name: "courier.here" }] },
         ],
       });`,
    );
    const bot = await loadBot(folder.path);
    const lines = bot.findings.map(findingLine).join("\n");
    expect(lines).toContain("The plugin couriers adds depot to accounts, as deliveries does");
    expect(lines).toContain(
      "parcels.track is defined by the plugin deliveries and by the plugin couriers",
    );
    expect(
      bot.plugins.map(({ name, effects, account }) => [name, effects?.length, !account]),
    ).toEqual([
      ["deliveries", 1, false],
      ["couriers", undefined, true],
    ]);
    expect(bot.vocabulary.events).toEqual([{ name: "courier.here" }]);
    // The worker makes its table of them, too.
    expect(createEffects(bot.plugins).locals.has("parcels.track")).toBe(true);
  });

  test("that are not there are told with the line that asks for them", async () => {
    const folder = made();
    folder.write(
      "config.ts",
      'import { taxes } from "prosa/taxes";\nexport default { plugins: [taxes()] };',
    );

    expect(await told(folder)).toMatch(
      /config\.ts:1:\d+ .*There is no module prosa\/taxes\. There are: prosa, prosa\/plugin, prosa\/invoicing/,
    );
  });

  test("add common texts, which the bot's own words may replace", async () => {
    const folder = made(pizzeria());
    folder.write(
      "config.ts",
      `const texts = { "pt-BR": { say: { "parcel-late": "Atrasou {{days}}." } }, en: { say: { "parcel-late": "Late." } } };
       export default { plugins: [{ name: "deliveries", texts }] };`,
    );
    folder.write("texts.en.yaml", 'locale: en\nsay:\n  parcel-late: "Sorry."\n');

    const { library } = await loadFlows(folder.path);

    expect(library.findings).toEqual([]);
    const context = { now: 0, zone: "America/Sao_Paulo", variant: 0 };
    expect(library.word("parcel-late", { days: "2 dias" }, { ...context, locale: "pt-BR" })).toBe(
      "Atrasou 2 dias.",
    );
    expect(library.word("parcel-late", {}, { ...context, locale: "en" })).toBe("Sorry.");
    const { texts } = await listTexts(folder.path);
    expect(texts.filter(({ key }) => key === "say.parcel-late")).toMatchObject([
      { locale: "pt-BR", from: "deliveries" },
      { locale: "en", from: "bot" },
    ]);
  });

  test("are told of texts that somebody has already, and of what is no text", async () => {
    const folder = made();
    folder.write(
      "config.ts",
      `const adding = (name, texts) => ({ name, texts });
       export default { plugins: [
         adding("deliveries", { en: { say: { cancelled: "No.", "parcel-late": "Late." } } }),
         adding("couriers", { en: { say: { "parcel-late": "Later." } } }),
         adding("trains", { en: { say: { here: 7 } }, fr: {} }),
       ] };`,
    );

    const lines = await told(folder);

    expect(lines).toContain("The plugin deliveries adds the text say.cancelled, as the runtime");
    expect(lines).toContain("The plugin couriers adds the text say.parcel-late, as the plugin del");
    expect(lines).toMatch(
      /config\.ts .*The plugin trains adds texts in en that are none: say\.here/,
    );
    expect(lines).toContain("The plugin trains adds texts in fr. Languages are pt-BR and en.");
    expect((await loadBot(folder.path)).texts.common.en?.say?.["cancelled"]).not.toBe("No.");
  });
});

describe("the languages of a config", () => {
  test("are those it has texts in: the others are neither wanted nor said", async () => {
    const folder = made(pizzeria());
    folder.write("config.ts", 'export default { languages: ["pt-BR"] };');
    folder.write("order/texts.en.yaml", 'locale: en\nsay:\n  stray: "Stray"\n');

    const { library } = await loadFlows(folder.path);

    expect(library.findings).toEqual([]);
    const context = { now: 0, zone: "America/Sao_Paulo", variant: 0, locale: "en" } as const;
    expect(library.word("cancelled", {}, context)).toBe("Tudo bem, cancelei.");
  });

  test("are wanted of each flow where they are named", async () => {
    const folder = made(pizzeria());
    folder.write("config.ts", 'export default { languages: ["pt-BR", "en"] };');
    const lines = (await loadFlows(folder.path)).library.findings.map(findingLine).join("\n");
    expect(lines).toMatch(/order.*There is no texts\.en\.yaml, though config\.ts names/);

    folder.write("config.ts", 'export default { languages: ["fr"] };');
    expect(await told(folder)).toContain("names the language fr. There are: pt-BR, en.");
  });
});
