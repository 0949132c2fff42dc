/** Replies to the message that showed a request, whatever waits by now. */
import { describe, expect, test } from "vitest";
import type { Content, Mail, Session } from "../../../src/engine/index.ts";
import { SHOWN, rememberShown, shownBy } from "../../../src/engine/requests/request-memory.ts";
import { CUSTOMER, OPERATOR, SECOND, TO_SUMMARY, Town } from "../town.ts";

const THIRD = "c3".padEnd(32, "0");
const SECOND_NOTE = [...TO_SUMMARY.slice(0, 4), "João Lima", "90", "barba", "hoje", "EMITIR"];

interface Asked {
  readonly town: Town;
  /** The bubbles that showed them. */
  readonly older: string;
  readonly newer: string;
}

/** Of 150.00 first, of 90.00 then. */
function asked(): Asked {
  const town = new Town();
  town.talks(CUSTOMER, [...TO_SUMMARY, "EMITIR"]);
  const older = town.sent.get(OPERATOR)?.at(-1) ?? "";
  town.talks(SECOND, SECOND_NOTE);
  return { town, older, newer: town.sent.get(OPERATOR)?.at(-1) ?? "" };
}

function open(town: Town): string[] {
  return town.open.map(({ caller }) => caller.contact);
}

/** A session as the store hands it over. */
function stored(session: Session | undefined): Extract<Mail, { kind: "joined" }>["session"] {
  return JSON.parse(JSON.stringify(session)) as Extract<Mail, { kind: "joined" }>["session"];
}

/** The menu in progress, and a request that came since. */
function atMenu(): { readonly town: Town; readonly menu: string } {
  const town = new Town();
  town.says(OPERATOR, "oi");
  const menu = town.sent.get(OPERATOR)?.at(-1) ?? "";
  town.deliver(OPERATOR, request(0));
  return { town, menu };
}

function request(index: number): Mail {
  return {
    kind: "request",
    ...{ request: `r${index}`, code: "A2", flow: "approve-invoice", input: {} },
    from: { contact: THIRD, name: "Ana" },
    waiter: { frame: "f1", step: "approval", for: "x", epoch: `1.${index}` },
  };
}

describe("a reply to the message that showed a request", () => {
  test("decides that one while a newer one waits", () => {
    const { town, older } = asked();
    town.replies(OPERATOR, older, "aprovar");

    expect(town.calls.map(({ contact }) => contact)).toEqual([CUSTOMER]);
    expect(open(town)).toEqual([SECOND]);
  });

  test("is for it where the reason of another one's refusal is asked", () => {
    const { town, older, newer } = asked();
    town.replies(OPERATOR, newer, "recusar");
    town.replies(OPERATOR, older, "pode emitir");

    expect(town.calls.map(({ contact }) => contact)).toEqual([CUSTOMER]);
    expect(open(town)).toEqual([SECOND]);
  });

  test.each(["aprovar", "sim", "1", "recusar, valor errado", "pode emitir"])(
    "that is over decides nothing of the one that waits: %s",
    (text) => {
      const { town, older } = asked();
      town.says(CUSTOMER, "cancelar");
      town.after(5 * 60_000);
      const said = town.replies(OPERATOR, older, text).join("\n");

      expect(said).toContain("não espera mais resposta");
      expect(said).toContain("R$ 90,00");
      expect(open(town)).toEqual([SECOND]);
      expect(town.calls).toHaveLength(0);
    },
  );

  test("is no reason of another one's refusal once its own is over", () => {
    const { town, older, newer } = asked();
    town.replies(OPERATOR, older, "aprovar");
    town.replies(OPERATOR, newer, "recusar");
    town.replies(OPERATOR, older, "cliente pediu duas vezes");

    expect(open(town)).toEqual([SECOND]);
    expect(town.last(SECOND)).not.toContain("duas vezes");
  });

  test("gives way to the code that is written in it", () => {
    const { town, older } = asked();
    const { requests = [] } = town.sessions.get(OPERATOR) ?? {};
    const code = requests.find(({ caller }) => caller?.contact === SECOND)?.caller?.code ?? "";
    town.replies(OPERATOR, older, `aprovar ${code}`);

    expect(town.calls.map(({ contact }) => contact)).toEqual([SECOND]);
  });

  test("is heard while a person has the operator's own conversation", () => {
    const town = new Town();
    town.talks(OPERATOR, ["oi", "8"]);
    town.talks(CUSTOMER, [...TO_SUMMARY, "EMITIR"]);
    const shown = town.sent.get(OPERATOR)?.at(-1) ?? "";
    town.talks(SECOND, SECOND_NOTE);
    town.replies(OPERATOR, shown, "aprovar");

    expect(town.calls.map(({ contact }) => contact)).toEqual([CUSTOMER]);
  });

  test("is a vote that tells the poll and no code", () => {
    const { town, older } = asked();
    const picks = [{ label: "Aprovar" }];
    const vote: Content = { type: "choice", via: "poll", picks, of: older };
    town.deliver(OPERATOR, town.message(OPERATOR, vote));

    expect(town.calls.map(({ contact }) => contact)).toEqual([CUSTOMER]);
  });

  test("counts by short message for what is written alone: nobody chose what it names", () => {
    const { town, older } = asked();
    const mail = town.message(OPERATOR, { type: "text", text: "aprovar" }, older);
    town.deliver(OPERATOR, { ...mail, channel: "sms" });

    expect(town.last(OPERATOR)).toContain("Qual deles?");
    expect(town.calls).toHaveLength(0);
  });
});

describe("a reply to a message that showed no request", () => {
  test("has what waits shown, and decides nothing", () => {
    const town = new Town();
    town.says(OPERATOR, "oi");
    const greeting = town.sent.get(OPERATOR)?.at(-1) ?? "";
    town.talks(CUSTOMER, [...TO_SUMMARY, "EMITIR"]);
    const said = town.replies(OPERATOR, greeting, "aprovar").join("\n");

    expect(said).toContain("não decidi nada");
    expect(said).toContain("R$ 150,00");
    expect(town.calls).toHaveLength(0);
    town.replies(OPERATOR, town.sent.get(OPERATOR)?.at(-1) ?? "", "aprovar");
    expect(town.calls).toHaveLength(1);
  });

  test("answers the question of the person's own flow", () => {
    const town = new Town();
    town.says(OPERATOR, "emitir nota");
    town.talks(CUSTOMER, [...TO_SUMMARY, "EMITIR"]);
    const [question = ""] = town.sent.get(OPERATOR) ?? [];
    town.replies(OPERATOR, question, "1");

    expect(town.step(OPERATOR)).toBe("issue-invoice.document");
  });

  test.each(["1", "emitir", "emitir nota"])("answers the menu that it quotes: %s", (text) => {
    const { town, menu } = atMenu();
    const said = town.replies(OPERATOR, menu, text).join("\n");

    expect(town.step(OPERATOR)).toBe("issue-invoice.service");
    expect(said).not.toContain("não decidi nada");
    expect(open(town)).toEqual([THIRD]);
  });

  test("is a row of the menu that was pressed", () => {
    const { town, menu } = atMenu();
    const press: Content = {
      type: "choice",
      via: "list",
      picks: [{ label: "Emitir nota" }],
      of: menu,
    };
    town.deliver(OPERATOR, town.message(OPERATOR, press));

    expect(town.step(OPERATOR)).toBe("issue-invoice.service");
    expect(open(town)).toEqual([THIRD]);
  });

  test.each(["aprovar", "recusar", "não aprovo", "sim", "pode emitir", "recusar, valor errado"])(
    "decides nothing beside the menu that it quotes: %s",
    (text) => {
      const { town, menu } = atMenu();
      town.replies(OPERATOR, menu, text);

      expect(open(town)).toEqual([THIRD]);
      expect(town.step(OPERATOR)).not.toBe("approve-invoice.reason");
    },
  );

  test("decides the only one where nobody knows which messages showed it", () => {
    const town = new Town();
    town.deliver(OPERATOR, request(0));
    const session = town.sessions.get(OPERATOR);
    if (session) delete session.shown;
    town.replies(OPERATOR, "older", "aprovar");

    expect(open(town)).toEqual([]);
  });
});

describe("a message that showed a request to the person under another name", () => {
  // What the outbox found out goes to the name that was asked, and comes after the two became one.
  test.each(["shown", "send-arrived", "resolved"] as const)(
    "is known of after the merge: %s",
    (kind) => {
      const other = new Town();
      other.deliver(OPERATOR, request(0));
      const asked = other.sessions.get(OPERATOR);
      const frame = asked?.requests[0]?.id ?? "";
      if (asked) delete asked.shown;
      const town = new Town();
      town.talks(CUSTOMER, [...TO_SUMMARY, "EMITIR"]);
      town.deliver(OPERATOR, { kind: "joined", from: THIRD, session: stored(asked) });
      const shown = { message: "3EB0F1", request: { frame, code: "A2" } };
      const rest = { effect: "e1", address: "5511987654321@s.whatsapp.net", via: THIRD };
      town.deliver(
        OPERATOR,
        kind === "shown" ? { kind, ...shown, via: THIRD } : { kind, ...rest, shown },
      );
      expect(open(town)).toEqual([CUSTOMER, THIRD]);
      town.replies(OPERATOR, "3EB0F1", "aprovar");

      expect(open(town)).toEqual([CUSTOMER]);
      expect(town.calls).toHaveLength(0);
    },
  );
});

describe("what is remembered of messages that showed requests", () => {
  test("is short, and no more than the last ones", () => {
    const town = new Town();
    for (let index = 0; index < 40; index++) town.deliver(OPERATOR, request(index));
    const { shown = [] } = town.sessions.get(OPERATOR) ?? {};

    expect(shown).toHaveLength(SHOWN);
    expect(JSON.stringify(shown).length).toBeLessThan(SHOWN * 24);
    expect(shownBy({ shown }, town.sent.get(OPERATOR)?.at(-1) ?? "")?.frame).toBe("f40");
  });

  test("stands once for a message that is told twice", () => {
    const session: { shown?: string[] } = {};
    for (const _ of [1, 2]) rememberShown(session, "3EB0A1", { frame: "f1", code: "A2" });

    expect(session.shown).toHaveLength(1);
  });

  test("is nothing at all for somebody who only fills in a form", () => {
    const town = new Town();
    town.talks(CUSTOMER, [...TO_SUMMARY, "EMITIR"]);

    expect(town.sessions.get(CUSTOMER)?.shown).toBeUndefined();
  });
});
