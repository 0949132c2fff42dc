/** Flows that change while people rest in every sort of place: nothing is taken for what it was not, or done twice. */
import { describe, expect, test } from "vitest";
import { effectInfos } from "../../src/app/authoring/effect-infos.ts";
import { createLibrary, parseCatalogue, parseFlow, type FlowSource } from "../../src/flow/index.ts";
import { against } from "../../src/flow/versions/verdict.ts";
import { COMMON } from "../flow/fixtures/world.ts";
import { CUSTOMER, library as shipped, OPERATOR, START, Town } from "./town.ts";
import { effects as shippedEffects } from "../support/plugins.ts";

const UPDATED = "Atualizei este atendimento";
const CONTEXT = { now: START, zone: "America/Sao_Paulo", locale: "pt-BR", variant: 0 } as const;

/** A version of the flow `visit`: its slots and steps, and its words, in YAML. */
function version(number: number, flow: string, words: string): FlowSource {
  const head = `flow: visit\nversion: ${number}\ntitle: Visita\naudience: anyone\n`;
  const parsed = parseFlow(`${head}${flow}`, "flow.yaml");
  const texts = parseCatalogue(`locale: pt-BR\nstart: [visita]\n${words}`, "texts.pt-BR.yaml");
  if (!parsed.ok || !texts.ok) throw new Error(JSON.stringify([parsed, texts]));
  return { ast: parsed.ast, texts: { "pt-BR": texts.catalogue } };
}

const effects = effectInfos(shippedEffects);
function libraryOf(
  flows: FlowSource[],
  older: ReturnType<typeof stored>[] = [],
  rules: Record<string, { version: number; run: () => never }> = {},
) {
  const own = createLibrary({ flows, older, common: COMMON, effects, rules });
  return { ...own, word: (...of: Parameters<Town["library"]["word"]>) => shipped.word(...of) };
}

/** One as it is stored. */
function stored(one: FlowSource) {
  const program = libraryOf([one]).get("visit");
  if (!program) throw new Error(JSON.stringify(libraryOf([one]).findings));
  return { ast: program.model.ast, hash: program.hash, texts: one.texts };
}
function live(now: FlowSource, ...older: FlowSource[]) {
  const library = libraryOf([now], older.map(stored));
  if (!library.get("visit")) throw new Error(JSON.stringify(library.findings));
  return library;
}

/** A town in which these were said to the first version before the second one came. */
function deployed(first: FlowSource, second: FlowSource, ...said: string[]): Town {
  const town = new Town(live(first));
  town.talks(CUSTOMER, ["visita", ...said]);
  town.library = live(second, first);
  return town;
}
const frame = (town: Town) => town.sessions.get(CUSTOMER)?.frames.at(-1);

function verdicts(first: FlowSource, second: FlowSource): string[] {
  const library = live(second, first);
  const older = library.get("visit", stored(first).hash);
  const newer = library.get("visit");
  if (!older || !newer) throw new Error("not loaded");
  return against(older, newer, CONTEXT).rows.map(({ at, word, why }) =>
    [at, word, ...(why === undefined ? [] : [why])].join(" "),
  );
}

const WORDS = `
ask: { item: "O quê?", thing: "O quê?", day: "Que dia?", value: "Quanto?", name: "Nome?", who: "Nome?", phone: "Fone?", fruit: "Qual?" }
say: { ok: "Feito.", apple: "Foi maçã.", pear: "Foi pera.", found: "Achei.", none: "Nada." }
options: { fruit: { apple: Maçã, pear: Pera } }
confirm: { sum: "Certo?" }`;

describe("what was shown before a deploy", () => {
  const menu = (number: number, branches: string) =>
    version(
      number,
      `slots: { fruit: choice }\nsteps: [{ choose: fruit, branches: { ${branches} } }]`,
      WORDS,
    );
  const first = menu(1, "apple: [{ say: apple }], pear: [{ say: pear }]");
  const turned = menu(2, "pear: [{ say: pear }], apple: [{ say: apple }]");

  test("is what a number counts for, also where the rows have another order now", () => {
    expect(stored(first).hash).not.toBe(stored(turned).hash);
    const [said] = deployed(first, turned).says(CUSTOMER, "1");
    expect(said).toContain("Foi maçã.");
    expect(verdicts(first, turned)).toEqual(["fruit asks again"]);
  });

  test("is all that a yes is said to: a summary that shows more is shown first", () => {
    const form = (number: number, show: string) =>
      version(
        number,
        `slots: { item: name, day: date }
steps: [{ form: all, ask: [item, day] }, { confirm: sum, show: [${show}] }, { say: ok }]`,
        WORDS,
      );
    const [before, after] = [form(1, "item"), form(2, "item, day")];
    const town = deployed(before, after, "Ana Lima", "ontem");
    const [said] = town.says(CUSTOMER, "sim");
    expect(said).toContain(UPDATED);
    expect(said).toContain("Day: 20/11/2026");
    expect(said).not.toContain("Feito");
    expect(town.says(CUSTOMER, "sim").join()).toContain("Feito");
    expect(verdicts(before, after)).toContain("sum asks again");
  });

  test("under another name alone is the same question, and nobody is told of anything", () => {
    const one = (number: number, slot: string, kind: string, migrate = "") =>
      version(
        number,
        `slots: { ${slot}: ${kind} }\n${migrate}steps: [{ ask: ${slot} }, { say: ok }]`,
        WORDS,
      );
    const rename = "migrate: [{ from: 1, rename: { thing: item } }]\n";
    const town = deployed(one(1, "thing", "name"), one(2, "item", "name", rename));
    expect(town.says(CUSTOMER, "Ana Lima")).toEqual(["Feito."]);

    // Nor is what waits for more lost.
    const waiting = deployed(
      one(1, "thing", "text"),
      version(1, `slots: { thing: text }\nsteps: [{ ask: thing }, { say: ok }]`, WORDS),
    );
    waiting.deliver(CUSTOMER, waiting.message(CUSTOMER, { type: "text", text: "um guarda-chuva" }));
    waiting.library = live(one(2, "item", "text", rename), one(1, "thing", "text"));
    waiting.after(2_000);
    expect(waiting.last(CUSTOMER)).toBe("Feito.");
  });
});

describe("an answer", () => {
  const asking = (number: number, kind: string, migrate = "") =>
    version(
      number,
      `slots: { value: ${kind}, day: date }\n${migrate}steps: [{ ask: value }, { confirm: sum, show: [value] }, { ask: day }, { say: ok }]`,
      WORDS,
    );

  test("that was a mere number is no sum of money, nor is a yes to it one", () => {
    const town = deployed(asking(1, "number"), asking(2, "money"), "150", "sim");
    const [said] = town.says(CUSTOMER, "ontem");
    expect(said).toContain("Quanto?");
    expect(said).not.toContain("R$");
    expect(verdicts(asking(1, "number"), asking(2, "money"))).toContain("day asks again");

    // What is written to the question itself, too.
    const early = deployed(asking(1, "number"), asking(2, "money"));
    expect(early.says(CUSTOMER, "150").join()).not.toContain("R$ 1,50");
  });

  test("that was put by for later comes along under its new name", () => {
    const form = (number: number, slot: string, migrate = "") =>
      version(
        number,
        `slots: { ${slot}: name, day: date }\n${migrate}steps: [{ ask: ${slot} }, { ask: day }, { say: ok }]`,
        WORDS,
      );
    const [before, after] = [
      form(1, "name"),
      form(2, "who", "migrate: [{ from: 1, rename: { name: who } }]\n"),
    ];
    const town = new Town(live(before));
    town.talks(CUSTOMER, ["visita", "Ana Lima"]);
    town.after(25 * 3_600_000);
    town.library = live(after, before);
    expect(town.says(CUSTOMER, "oi").join()).toContain("Ana Lima");
    expect(town.says(CUSTOMER, "sim").join()).toContain("Que dia?");
  });
});

describe("a call", () => {
  test("that only looks something up is made anew when its step has another name", () => {
    const look = (number: number, id: string, migrate = "") =>
      version(
        number,
        `slots: { phone: phone }
${migrate}steps:
  - ask: phone
  - { call: chat.messengerNumbers, id: ${id}, input: { numbers: [phone] }, rejected: [{ say: none }], failed: [{ say: none, id: none-2 }] }
  - say: found`,
        WORDS,
      );
    const migrate = "migrate: [{ from: 1, steps: { look: find } }]\n";
    const town = deployed(look(1, "look"), look(2, "find", migrate), "11988880002");
    town.says(CUSTOMER, "oi?");
    expect(town.calls).toHaveLength(2);
    town.answers("done", {});
    expect(town.last(CUSTOMER)).toContain("Achei.");
    expect(town.sessions.get(CUSTOMER)?.frames).toEqual([]);
  });

  const ISSUING = `
ask: { document: "Documento?", name: "Nome?", value: "Valor?", description: "O quê?", competence: "Mês?", day: "Que dia?" }
say: { issued: "Emitida.", no: "Não.", wait: "Espere." }
confirm: { sum: "Certo?" }`;
  const issue = (id: string) =>
    `{ submit: invoice.issue, id: ${id}, input: { service: "'cut'" }, done: [{ say: issued, id: ok-${id} }], rejected: [{ say: no, id: no-${id} }, { end: done }], held: [{ say: wait, id: wait-${id} }], failed: [{ say: no, id: not-${id} }, { end: done }] }`;
  const sale = (number: number, middle: string) =>
    version(
      number,
      `slots: { document: document, name: name, value: money, description: text, competence: month, day: date }
steps:
  - form: all
    ask: [document, name, value, description, competence]
  - confirm: sum
    show: [document, name, value, description, competence]
${middle}
  - ask: day`,
      ISSUING,
    );
  const SAID = ["529.982.247-25", "Maria Souza", "150", "corte de cabelo", "hoje", "sim"];

  test("that counts is not made a second time because the newer version makes it in a branch of its own", () => {
    const before = sale(1, `  - ${issue("issue")}`);
    const after = sale(
      2,
      `  - when: value < 10000\n    then: [${issue("issue")}]\n    else: [${issue("large")}]`,
    );
    const town = new Town(live(before));
    town.talks(CUSTOMER, ["visita", ...SAID]);
    town.answers("done", { number: "12" });
    expect(town.step(CUSTOMER)).toBe("visit.day");
    town.library = live(after, before);
    town.says(CUSTOMER, "ontem");
    expect(town.calls).toHaveLength(1);
    expect(verdicts(before, after)).toContain("day pinned done");
  });
});

describe("a version", () => {
  const two = (number: number, day: string) =>
    version(
      number,
      `slots: { name: name, day: date }\nsteps: [{ ask: name }, ${day}, { ask: day }, { say: ok }]`,
      WORDS,
    );

  test("that fails on the way in leaves people in the one before, with the reason in the journal", () => {
    const before = version(
      1,
      "slots: { name: name, day: date }\nsteps: [{ ask: name }, { ask: day }, { say: ok }]",
      WORDS,
    );
    const after = two(2, `{ when: "isOdd(name)", then: [{ say: found }] }`);
    const rules = {
      isOdd: {
        version: 1,
        run: () => {
          throw new Error("no number");
        },
      },
    };
    const town = new Town(live(before));
    town.talks(CUSTOMER, ["visita", "Ana Lima"]);
    town.library = libraryOf([after], [stored(before)], rules);
    const { failed } = town.deliver(
      CUSTOMER,
      town.message(CUSTOMER, { type: "text", text: "ontem" }),
    );
    expect(failed).toBeUndefined();
    expect(town.last(CUSTOMER)).toContain("Feito");
    expect(JSON.stringify(town.journal.at(-1)?.moves)).toContain("failed: ");
  });

  test("with a lower number than the one people are in takes nobody back, and the table says so", () => {
    const [newer, older] = [
      two(2, "{ say: found }"),
      version(1, "slots: { name: name }\nsteps: [{ ask: name }, { say: ok }]", WORDS),
    ];
    const town = deployed(newer, older, "Ana Lima");
    town.says(CUSTOMER, "ontem");
    expect(town.last(CUSTOMER)).toContain("Feito");
    expect(verdicts(newer, older)).toEqual([
      "name pinned it is of a later version",
      "day pinned it is of a later version",
    ]);
    expect(frame(town)).toBeUndefined();
  });
});

describe("a file that was sent before a deploy", () => {
  const asking = (number: number, of: string, last: string) =>
    version(
      number,
      `slots: { thing: { kind: media${of} }, day: date }\nsteps: [{ ask: thing }, ${last}{ ask: day }, { say: ok }]`,
      WORDS,
    );
  const PDF = {
    ...{ type: "media", media: "document" },
    ref: { key: "k1", mimetype: "application/pdf", bytes: 2_000 },
  };
  const sent = (town: Town) => {
    const { failed } = town.deliver(CUSTOMER, town.message(CUSTOMER, PDF as never));
    expect(failed).toBeUndefined();
    town.after(1_100);
  };

  test("is kept where the newer version takes it, and asked again where it does not", () => {
    const before = asking(1, "", "");
    const first = deployed(before, asking(2, "", "{ say: found }, "));
    const second = new Town(live(before));
    second.talks(CUSTOMER, ["visita"]);
    sent(second);
    expect(second.step(CUSTOMER)).toBe("visit.day");
    second.library = live(asking(2, ", of: [image]", ""), before);
    expect(second.says(CUSTOMER, "ontem").join()).toContain(UPDATED);
    expect(second.step(CUSTOMER)).toBe("visit.thing");
    sent(first);
    expect(first.step(CUSTOMER)).toBe("visit.day");
    expect(first.says(CUSTOMER, "ontem").join()).toContain("Feito.");
  });
});

describe("two builds side by side with one version number", () => {
  test("do not hand a person to and fro: who has gone back once stays", () => {
    const flow = (...asks: string[]) =>
      version(
        1,
        `slots: { ${asks.map((slot) => `${slot}: ${slot === "day" ? "date" : "name"}`).join(", ")} }\nsteps: [${asks.map((slot) => `{ ask: ${slot} }`).join(", ")}, { say: ok }]`,
        WORDS,
      );
    const [one, other] = [flow("name", "day", "who"), flow("name", "who", "day")];
    const town = deployed(one, other, "Ana Lima");
    const builds = [live(other, one), live(one, other)];
    const moved: string[] = [];
    for (let turn = 0; turn < 12; turn++) {
      town.library = builds[turn % 2] ?? town.library;
      const before = frame(town)?.hash;
      town.says(CUSTOMER, "repete");
      if (frame(town)?.hash !== before) moved.push(town.step(CUSTOMER));
    }
    // There, and back as an author's undo goes; then no more.
    expect(moved).toEqual(["visit.who", "visit.day"]);
    // A build that neither has seen takes it over all the same.
    const third = flow("name", "day");
    town.library = libraryOf([third], [stored(one), stored(other)]);
    town.says(CUSTOMER, "repete");
    expect(frame(town)?.hash).toBe(stored(third).hash);
  });
});

describe("a flow that another one waits for", () => {
  /** The flow that is called, which may end as told; and what calls it, with a branch for that. */
  const called = (number: number, outcome: string) =>
    read(
      `flow: child\nversion: ${number}\ntitle: Nome\naudience: nobody\noutcomes: [${outcome}]\nslots: { name: name }\nsteps: [{ ask: name }, { end: ${outcome} }]`,
      `ask: { name: "Nome?" }`,
    );
  const calling = (number: number, outcome: string, how = "subflow: child") =>
    version(
      number,
      `slots: { day: date }\nsteps: [{ ${how}, id: sub, on: { ${outcome}: [{ say: ok }]${how.startsWith("notify") ? LATE : ""} } }, { ask: day }]`,
      WORDS,
    );
  const LATE = ", late: [{ say: none }, { end: done }]";
  const ASKED = "notify: child, to: account.operators, within: 2h";

  function read(flow: string, words: string): FlowSource {
    const parsed = parseFlow(flow, "flow.yaml");
    const texts = parseCatalogue(`locale: pt-BR\n${words}`, "texts.pt-BR.yaml");
    if (!parsed.ok || !texts.ok) throw new Error(JSON.stringify([parsed, texts]));
    return { ast: parsed.ast, texts: { "pt-BR": texts.catalogue } };
  }
  function both(now: FlowSource[], before: FlowSource[] = []) {
    const older = libraryOf(before);
    const kept = before.map(({ ast: { flow }, texts }) => {
      const program = older.get(flow);
      if (!program) throw new Error(JSON.stringify(older.findings));
      return { ast: program.model.ast, hash: program.hash, texts };
    });
    return libraryOf(now, kept);
  }
  const parent = (how?: string) => calling(1, "good", how);
  const word = (key: string) =>
    shipped.word(key, {}, { now: START, zone: "America/Sao_Paulo", locale: "pt-BR", variant: 0 });

  test.each([
    ["with it", [called(2, "fine"), calling(2, "fine")]],
    ["or not", [called(2, "fine"), parent()]],
  ])(
    "stays in its version while its caller knows no other end, the caller changed %s",
    (_, now) => {
      const first = [called(1, "good"), parent()];
      const town = new Town(both(first));
      town.talks(CUSTOMER, ["visita"]);
      town.library = both(now, first);
      expect(town.says(CUSTOMER, "Ana Lima").join()).toContain("Feito.");
      expect(frame(town)?.flow).toBe("visit");
      expect(town.step(CUSTOMER)).toBe("visit.day");
      const moves = JSON.stringify(town.journal.map((one) => one.moves));
      expect(moves).toContain("pinned: its caller has no branch for fine");
    },
  );

  test("that ends as its caller never heard of leaves the person to a person, not to nobody", () => {
    const first = [called(1, "good"), parent()];
    const town = new Town(both(first));
    town.talks(CUSTOMER, ["visita"]);
    // The older version of what is called is kept no more: nothing could hold it back.
    const old = town.library.get("child")?.hash;
    const newer = both([called(2, "fine"), calling(2, "fine")], first);
    const get: Town["library"]["get"] = (flow, hash) =>
      flow === "child" && hash === old ? undefined : newer.get(flow, hash);
    town.library = { ...newer, get };
    expect(town.says(CUSTOMER, "Ana Lima").join()).toContain("Nome?");
    expect(town.says(CUSTOMER, "Ana Lima").join()).toContain(word("outcome-lost"));
    expect(town.sessions.get(CUSTOMER)?.handoff?.reason).toBe("flow-lost");
    expect(town.sessions.get(CUSTOMER)?.frames).toEqual([]);
    expect(town.last(OPERATOR)).toContain("Maria precisa de uma pessoa");
  });

  test.each(["gone from the folder", "there in a version that takes nobody over"])(
    "and is %s after a deploy does not leave who called it waiting for ever",
    (how) => {
      const first = [called(1, "good"), parent()];
      const town = new Town(both(first));
      town.talks(CUSTOMER, ["visita"]);
      const { library } = town;
      const child = library.get("child");
      if (!child) throw new Error("the called flow does not load");
      const next = {
        ...child,
        hash: "next",
        adopt: () => ({ ok: false, reason: "no place" }) as const,
      };
      const get: Town["library"]["get"] = (flow, hash) => {
        if (flow !== "child") return library.get(flow, hash);
        return how.startsWith("gone") || hash ? undefined : next;
      };
      town.library = { ...library, get };
      expect(town.says(CUSTOMER, "Ana Lima").join()).toContain(word("outcome-lost"));
      const session = town.sessions.get(CUSTOMER);
      expect(session?.frames).toEqual([]);
      expect(session?.handoff?.reason).toBe("flow-lost");
      expect(session?.endedAt).toBe(town.now - 1_100);
      expect(town.last(OPERATOR)).toContain("Maria precisa de uma pessoa");
    },
  );

  test("is not asked to its end when who called it is gone: nobody would hear of it", () => {
    const first = [called(1, "good"), parent()];
    const town = new Town(both(first));
    town.talks(CUSTOMER, ["visita"]);
    const { library } = town;
    town.library = {
      ...library,
      get: (flow, hash) => (flow === "visit" ? undefined : library.get(flow, hash)),
    };
    const said = town.says(CUSTOMER, "Ana Lima").join();
    expect(said.split(word("flow-changed"))).toHaveLength(2);
    expect(said).not.toContain("Nome?");
    expect(town.sessions.get(CUSTOMER)?.frames).toEqual([]);
    // What was written is taken as from somebody who is in no flow.
    expect(JSON.stringify(town.journal.map(({ moves }) => moves))).not.toContain("ended-good");
    expect(town.sessions.get(CUSTOMER)?.endedAt).toBeDefined();
  });

  test("with another contact stays in its version, too", () => {
    const first = [called(1, "good"), parent(ASKED)];
    const town = new Town(both(first));
    town.talks(CUSTOMER, ["visita"]);
    town.library = both([called(2, "fine"), parent(ASKED)], first);
    const code = town.sessions.get(OPERATOR)?.requests[0]?.caller?.code ?? "";
    town.talks(OPERATOR, [code, "Ana Lima"]);
    expect(town.last(CUSTOMER)).toContain("Feito.");
    expect(town.step(CUSTOMER)).toBe("visit.day");
  });

  test("with another contact, begun in the newer version, is not answered in vain", () => {
    const first = [called(1, "good"), parent(ASKED)];
    const town = new Town(both(first));
    const { library } = town;
    // The asker rests in its version, held by something under way; what it begins is the newest.
    const newer = both([called(2, "fine"), calling(2, "fine", ASKED)], first);
    const get: Town["library"]["get"] = (flow, hash) =>
      (flow === "visit" ? library : newer).get(flow, hash);
    town.library = { ...newer, get };
    town.talks(CUSTOMER, ["visita"]);
    const code = town.sessions.get(OPERATOR)?.requests[0]?.caller?.code ?? "";
    town.talks(OPERATOR, [code, "Ana Lima"]);
    expect(town.last(CUSTOMER)).toContain(word("outcome-lost"));
    expect(town.sessions.get(CUSTOMER)?.handoff?.reason).toBe("flow-lost");
    expect(town.sessions.get(CUSTOMER)?.frames).toEqual([]);
    expect(town.last(OPERATOR)).toContain("Maria precisa de uma pessoa");
  });
});
