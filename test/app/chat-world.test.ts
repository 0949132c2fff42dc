/** What a chat file may let happen besides talk: a worker lost, a webhook again, a deploy, another setting of the business. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { revisionsBeside } from "../../src/app/chat/chat-deploy.ts";
import { RuntimeWorld } from "../../src/app/chat/chat-world.ts";
import { demoAccount } from "../../src/app/start/demo.ts";
import { loadFlows } from "../../src/app/loading/flow-files.ts";
import { effectInfos } from "../../src/app/authoring/effect-infos.ts";
import { readSettings } from "../../src/app/settings.ts";
import {
  type Catalogues,
  chatReport,
  createLibrary,
  findingLine,
  parseCatalogue,
  parseChat,
  parseFlow,
  runChat,
} from "../../src/flow/index.ts";
import { FlowsFolder } from "./flows-folder.ts";
import { bot, effects as shippedEffects, model } from "../support/plugins.ts";

const STEPS = `flow: order
version: 1
title: Order
audience: anyone
slots:
  item: { kind: text, max: 100 }
  size: { kind: choice, options: [small, large] }
steps:
  - ask: item
  - say: list
    media:
      kind: "'document'"
      url: "'https://example.com/files/list.pdf'"
      mimetype: "'application/pdf'"
  - ask: size
  - when: luck(size)
    then: [{ say: lucky }]
  - call: chat.fetchProfile
    id: profile
    input: { number: "'5511988880001'" }
    done: [{ say: found, with: { who: profile.name } }]
    rejected: [{ say: nobody }]
    failed: [{ say: nobody, id: unseen }]
  - end: done
`;
const WORDS = `locale: pt-BR
title: Order
start: ["quero"]
say:
  list: "Segue a lista."
  lucky: "Que sorte!"
  found: "Achei {{who}}."
  nobody: "Não achei ninguém."
ask:
  item: "O que vai ser?"
  size: "Qual tamanho?"
options:
  size: { small: Pequeno, large: Grande }
`;

/** What the rule of the flow answers; a rule with a memory is no rule. */
let luck: () => boolean = () => false;

function catalogue(text: string) {
  const parsed = parseCatalogue(text, "texts.yaml");
  if (!parsed.ok) throw new Error(parsed.findings.map(findingLine).join("\n"));
  return parsed.catalogue;
}

const shipped = await loadFlows();
const common: Catalogues = {
  "pt-BR": catalogue(
    readFileSync(
      path.resolve(import.meta.dirname, "../../src/flow/texts/texts.pt-BR.yaml"),
      "utf8",
    ),
  ),
};
const texts = { "pt-BR": catalogue(WORDS) };
/** Without the rule: what a deploy can exchange. */
const CALM = STEPS.replace("  - when: luck(size)\n    then: [{ say: lucky }]\n", "");

function loaded(steps: string) {
  const parsed = parseFlow(steps, "flow.yaml");
  if (!parsed.ok) throw new Error(parsed.findings.map(findingLine).join("\n"));
  const library = createLibrary({
    flows: [{ ast: parsed.ast, texts }],
    common,
    effects: effectInfos(shippedEffects),
    rules: { luck: { version: 1, run: () => luck() } },
  });
  const [error] = library.findings.filter(({ severity }) => severity === "error");
  if (error) throw new Error(findingLine(error));
  return { library, texts: new Map([["order", texts]]), bot };
}
const order = loaded(STEPS);
const calm = loaded(CALM);

const account = demoAccount(readSettings({}), model);
const folder = new FlowsFolder();
afterAll(() => folder.remove());

async function play(
  text: string,
  flows: Pick<typeof shipped, "library" | "texts" | "bot"> = order,
) {
  const parsed = parseChat(text, "own.chat");
  if (!parsed.ok) return `own.chat:${parsed.line} ${parsed.message}`;
  try {
    const revision = revisionsBeside(folder.path);
    const world = new RuntimeWorld(parsed.chat, flows, account, { revision });
    const result = await runChat(parsed.chat, world);
    await world.close();
    // The sentence whole, too: the report breaks it to fit its column.
    return result.ok ? "" : `${chatReport(result.failure)}\n${result.failure.got}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const BEGIN = `@flow order
> quero
< {ask.item}
< …
`;
const ASKED = `${BEGIN}> um café
< [media list.pdf]
< {say.list}
< {ask.size}
< [options 1..2]
`;

describe("a worker that is lost", () => {
  test.each(["before commit", "after commit", "before send", "after send"])(
    "%s: the next one has the store alone, and nothing is said twice or left unsaid",
    async (where) => {
      const crash = `! crash ${where}\n`;
      const chat = ASKED.replace("> um café", `${crash}> um café`);
      expect(await play(`${chat}${crash}> 1\n< …\n= effects chat.fetchProfile*1\n`)).toBe("");
    },
  );

  test("makes a turn anew that must come out the same: a rule with a memory is found", async () => {
    let asked = 0;
    luck = () => asked++ % 2 === 0;
    const failed = await play(`${ASKED}! crash before commit\n> 1\n< …\n`);
    luck = () => false;
    expect(failed).toContain("own.chat:11");
    expect(failed).toContain("the turn came out differently after the crash");
  });

  test("leaves a lookup to be made again, and a note that nobody knows of to a person", async () => {
    const twice = "! crash after send chat.fetchProfile\n> 1\n< …\n= calls …\n";
    const looked = await play(
      `${ASKED}${twice.replace("= calls …\n", "= effect chat.fetchProfile number=5511988880001\n= calls chat.fetchProfile*2 message.sendText*1 message.sendMedia*1\n")}`,
    );
    expect(looked).not.toContain("chat.fetchProfile*1");
    const note = readFileSync(
      path.resolve(import.meta.dirname, "../../flows/issue-invoice/chats/sentence.chat"),
      "utf8",
    );
    const lost = note
      .replace("operator> EMITIR", "! crash after send invoice.issue\noperator> EMITIR")
      .replace(
        /^\* issue\.done[\s\S]*$/m,
        "= effects invoice.issue*1 notes.similar*1\n= calls invoicing.nfseEnvio*1 message.sendText*5\n",
      );
    const told = await play(lost, shipped);
    expect(told).toBe("");
  });

  test("that was never lost is told: the line tests nothing", async () => {
    const failed = await play(`${ASKED}> 1\n< …\n! crash after commit\n`);
    expect(failed).toContain("own.chat:12");
    expect(failed).toContain("it struck nothing");
    expect(await play(`${BEGIN}! crash sometime\n`)).toContain("write crash before commit");
  });
});

describe("a webhook that comes again", () => {
  test("changes nothing, however often and within a week", async () => {
    const again = "! redeliver\n! redeliver x20 after 1s\n= state size\n= silence\n";
    expect(await play(`${ASKED}${again}> 1\n< …\n`)).toBe("");
  });

  test("is taken for a new one when nobody can know it any more, and the file says so", async () => {
    const late = `${BEGIN}~ 8d\n< …\n! redeliver after 1d\n`;
    const failed = await play(late);
    expect(failed).toContain("own.chat:7");
    expect(failed).toContain("the webhook was taken again");
    expect(await play("@flow order\n! redeliver\n")).toContain("nobody has written yet");
  });
});

describe("a deploy in mid-conversation", () => {
  const next = (steps: string, name: string) => {
    folder.write(`${name}/flow.yaml`, steps);
    folder.write(
      `${name}/texts.pt-BR.yaml`,
      `${WORDS}`.replace("ask:\n", 'ask:\n  name: "Em nome de quem?"\n'),
    );
  };
  const named = CALM.replace("  item: {", "  name: name\n  item: {").replace(
    "steps:\n",
    "steps:\n  - ask: name\n",
  );

  test("brings the new question to whoever is in the older version, and keeps the answers", async () => {
    next(named, "next");
    const failed = await play(
      `${ASKED}! deploy order@next\n> 1\n< …\n< Em nome de quem?\n= slots item~caf\n= state name\n`,
      calm,
    );
    expect(failed).toBe("");
  });

  test("of what cannot be read, or is no flow, fails at its line", async () => {
    next(CALM.replace("- ask: size", "- ask: sizes"), "broken");
    expect(await play(`${BEGIN}! deploy order@broken\n`, calm)).toContain(
      "order@broken: order [slot/never-asked]",
    );
    expect(await play(`${BEGIN}! deploy ordre@next\n`, calm)).toContain('Did you mean "order"?');
    expect(await play(`${BEGIN}! deploy order@no-such-thing\n`, calm)).toContain("no-such-thing");
    expect(await play(`${BEGIN}! deploy order\n`, calm)).toContain("no flow@revision");
  });
});

describe("headers", () => {
  test("@account changes the business for this chat, by the names it really has", async () => {
    const chat = (setting: string) =>
      `@flow request-invoice\n@account demo ${setting}\n\n> nota de 150 pra Maria Souza cpf 529.982.247-25, corte de cabelo, ontem\n< …\n> EMITIR\n< …\n= effects invoice.issue*1 notes.similar*1\n`;
    // Nobody is asked for an approval.
    expect(await play(chat("policy.approval=false"), shipped)).toBe("");
    expect(await play(chat("policy.aproval=false"), shipped)).toContain(
      'own.chat:2 @account: an account has no "policy.aproval". Did you mean "approval"?',
    );
    expect(await play(chat("policy.approval=perhaps"), shipped)).toContain(
      "does not fit the account",
    );
    expect(await play(chat("operators.0.nmae=Ana"), shipped)).toContain('Did you mean "name"?');
    expect(await play(chat("policy.approval.x=1"), shipped)).toContain("has no parts");
  });

  test("a header that neither the runtime nor a plugin knows is refused with its line, and the nearest name", async () => {
    expect(await play("@contcat ana 5511988880002\n> oi\n")).toBe(
      'own.chat:1 @contcat: there is no such header. Did you mean "contact"?',
    );
    expect(await play("@flow order\n@not 12\n> oi\n")).toContain('Did you mean "note"?');
    expect(await play("@note 12 value=x\n> oi\n< …\n")).toContain("own.chat:1 @note: ");
  });

  test("@channel and @locale are known names, and the language holds from the first word", async () => {
    expect(await play(BEGIN.replace("@flow", "@channel engine-x\n@flow"))).toContain("engine-b");
    expect(await play(BEGIN.replace("@flow", "@locale pt\n@flow"))).toContain("pt-BR");
    const english =
      "@flow menu\n@locale en\n@channel engine-a\n> hi\n< …\n< What can I do for you?\n< …\n";
    expect(await play(english, shipped)).not.toContain("Como posso");
  });
});

describe("what is not words", () => {
  test("media, a place and typing are read where the bot sends them, and missed where it does not", async () => {
    expect(await play(BEGIN.replace("< {ask.item}", "< [typing]\n< {ask.item}"))).toBe("");
    expect(await play(ASKED.replace("[media list.pdf]", "[media other.pdf]"))).toMatch(
      /≠ \[media other\.pdf\] +│ \[media list\.pdf\]/,
    );
    const sms = ASKED.replace("@flow", "@channel sms\n@flow").replace(
      "< {ask.size}",
      "< [typing]\n< {ask.size}",
    );
    expect(await play(sms)).toContain("nobody typing before");
  });

  test.each(["engine-a", "engine-b", "engine-c"])(
    "words in a group reach nobody on %s: neither answer nor change",
    async (channel) => {
      const begun = BEGIN.replace("@flow", `@channel ${channel}\n@flow`);
      const silent = "> [group Família] um chá\n= silence\n= state item\n";
      expect(await play(`${begun}${silent}> um café\n< …\n= slots item~café\n`)).toBe("");
      // Said to the bot itself it would be an answer.
      const loud = silent.replace("[group Família] ", "");
      expect(await play(`${begun}${loud}`)).toContain("Qual tamanho?");
    },
  );

  test("a group is where the channel has groups, and holds words", async () => {
    const sms = BEGIN.replace("@flow", "@channel sms\n@flow");
    expect(await play(`${sms}> [group Família] oi\n`)).toContain("there are no groups on sms");
    expect(await play(`${BEGIN}> [group Família]\n`)).toContain("is followed by the words");
  });

  test("a reaction is no answer, a deletion takes one back, an edit of one may be another", async () => {
    const marks = `${ASKED}> [reaction 👍]\n= silence\n= state size\n> [delete -2]\n= silence\n`;
    const back = "> [delete -1]\n< Vi que você apagou a mensagem; desconsiderei.\n< {ask.item}\n";
    expect(await play(`${marks}${back}= state item\n`)).toBe("");
    expect(await play(`${marks}> [edit -1] um chá\n< …\n= slots item~chá\n> 1\n< …\n`)).toBe("");
    expect(await play(`${ASKED}> [edit -9] um chá\n`)).toContain("this person has sent 2 messages");
    expect(await play("> [reaction 👍]\n")).toContain("no message to react to");
    const corrected = `@flow order\n> quero\n< …\n> um café\n< …\n> 1\n> [edit -1] o tamanho é grande\n`;
    expect(await play(corrected)).not.toContain("own.chat:8");
  });
});

describe("a gateway that misbehaves", () => {
  test("is judged by the class of the call, as the worker judges it", async () => {
    // Looked up again, and there it is.
    expect(
      await play(
        `${ASKED}! gateway chat.fetchProfile timeout\n> 1\n< …\n* profile.done name=Ana\n< Achei Ana.\n`,
      ),
    ).toBe("");
    // Not three times more.
    expect(
      await play(`${ASKED}! gateway chat.fetchProfile timeout x9\n> 1\n< …\n< {say.nobody}\n`),
    ).toBe("");
    expect(
      await play(
        `${ASKED}! gateway chat.fetchProfile business_error "não"\n> 1\n< …\n< {say.nobody}\n`,
      ),
    ).toBe("");
    // A bubble whose answer is lost arrives once: its echo tells.
    const faulty = (kind: string) =>
      ASKED.replace("> um café", `! gateway message.sendMedia ${kind}\n> um café`);
    expect(await play(`${faulty("accepted_then_lost")}= silence\n`)).toBe("");
    // One that was lost itself is sent again.
    const twice = "= calls message.sendText*1 message.sendMedia*2\n";
    expect(await play(`${faulty("timeout")}${twice}`)).toBe("");
  });

  test("takes its time where the file says so", async () => {
    const slow = `${ASKED}! gateway chat.fetchProfile slow 5s\n> 1\n< …\n* profile.done name=Ana\n`;
    expect(await play(slow)).toContain("the answer is slow: it comes in 4s");
    expect(await play(slow.replace("* profile", "~ 5s\n* profile") + "< Achei Ana.\n")).toBe("");
  });

  test("is called by its routes and faults, with the nearest name, and must strike something", async () => {
    expect(await play(`${ASKED}! gateway chat.fetchProfil timeout\n`)).toContain(
      'Did you mean "chat.fetchProfile"?',
    );
    expect(await play(`${ASKED}! gateway chat.fetchProfile timout\n`)).toContain(
      'Did you mean "timeout"?',
    );
    expect(await play(`${ASKED}! gatway x timeout\n`)).toContain("none of gateway, redeliver");
    expect(await play(`${ASKED}! gateway chat.fetchProfile timeout\n`)).toContain(
      "it struck nothing",
    );
  });
});
