/** Greetings and away messages of the phone's own app are no person who took over. */
import { describe, expect, test } from "vitest";
import { Account } from "../../../src/engine/index.ts";
import { AutomaticWords } from "../../../src/worker/outbox/automatic-words.ts";
import { demo } from "../../server/house.ts";

const AT = 1_800_000_000_000;
const GREETING = "Olá! Agradecemos o contato, já vamos te atender.";

function words(given: Partial<Account> = {}) {
  const told = new Set<string>();
  const alarms: string[] = [];
  const automatic = new AutomaticWords(
    { put: async (_of: string, id: string) => (told.has(id) ? "conflict" : (told.add(id), 1)) },
    { raise: ({ code }) => void alarms.push(code) },
  );
  const account = Account.parse({ ...demo, ...given });
  return {
    automatic,
    alarms,
    said: (contact: string, text: string, at: number) =>
      automatic.are(account, contact, { text, at }),
    account,
  };
}

describe("words that left the business's phone", () => {
  test("within two seconds of a first message are the app's; the business is told once", async () => {
    const { automatic, alarms, said, account } = words();
    automatic.wrote(account.id, "c1", AT);
    automatic.wrote(account.id, "c1", AT + 500);
    expect(await said("c1", GREETING, AT + 1_000)).toBe(true);
    expect(await said("c1", "Só um instante", AT + 2_000)).toBe(true);
    automatic.wrote(account.id, "c2", AT + 60_000);
    expect(await said("c2", "Outro texto de saudação", AT + 61_000)).toBe(true);
    expect(alarms).toEqual(["phone.automatic"]);
  });

  test("later, before, or in the middle of a conversation are a person's", async () => {
    const { automatic, alarms, said, account } = words();
    automatic.wrote(account.id, "c1", AT);
    expect(await said("c1", "Oi Ana, aqui é o Rui", AT + 9_000)).toBe(false);
    automatic.wrote(account.id, "c1", AT + 20_000);
    expect(await said("c1", "pode mandar", AT + 21_000)).toBe(false);
    expect(await said("c9", "Bom dia, tudo certo?", AT)).toBe(false);
    expect(alarms).toEqual([]);
  });

  test("after a long silence a message begins a conversation anew", async () => {
    const { automatic, said, account } = words();
    automatic.wrote(account.id, "c1", AT);
    automatic.wrote(account.id, "c1", AT + 3_600_000);
    expect(await said("c1", GREETING, AT + 3_601_000)).toBe(true);
  });

  test("that went to another contact within a day are the app's; short ones and those to one contact are not", async () => {
    const { said } = words();
    expect(await said("c1", GREETING, AT)).toBe(false);
    expect(await said("c1", GREETING, AT + 60_000)).toBe(false);
    expect(await said("c2", GREETING, AT + 120_000)).toBe(true);
    expect(await said("c3", GREETING, AT + 3 * 86_400_000)).toBe(false);
    expect(await said("c1", "bom dia", AT)).toBe(false);
    expect(await said("c2", "bom dia", AT + 1_000)).toBe(false);
  });

  test("that the account names never are a person's, whatever their marks and capitals", async () => {
    const { alarms, said } = words({
      automaticTexts: ["Estamos fechados. Voltamos amanhã às 9h!"],
    });
    expect(await said("c1", "ESTAMOS FECHADOS! voltamos amanha as 9h", AT)).toBe(true);
    expect(await said("c1", "estamos fechados", AT)).toBe(false);
    expect(alarms).toEqual([]);
  });
});
