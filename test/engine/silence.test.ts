import { describe, expect, test } from "vitest";
import { slotsGiven } from "../../src/engine/arrival/recent-messages.ts";
import type { Content, Mail } from "../../src/engine/index.ts";
import { account, CUSTOMER, library, OPERATOR, TO_SUMMARY, Town } from "./town.ts";

const TO_DESCRIPTION = ["oi", "1", "1", "529.982.247-25", "Maria Souza", "150"] as const;
const HOUR = 3_600_000;

/** One batch of texts of the customer, without a pause between them. */
function atOnce(town: Town, ...texts: string[]): void {
  town.deliver(CUSTOMER, ...texts.map((text) => town.message(CUSTOMER, { type: "text", text })));
}

function slots(town: Town): Record<string, unknown> {
  const facts = town.sessions.get(CUSTOMER)?.frames.at(-1)?.state["facts"];
  return (facts as { slots: Record<string, unknown> } | undefined)?.slots ?? {};
}

function edit(town: Town, text: string): Mail {
  const event = { kind: "edit", id: "e", at: town.now, messageId: "old", text } as const;
  const from = { address: "x@s.whatsapp.net" };
  return { kind: "inbound", channel: "engine-b", acceptedAt: town.now, event: { ...event, from } };
}

describe("what is said beside a choice, and waits for more", () => {
  test("keeps which bubble answered what, so that a change of one is a change of that alone", () => {
    const town = new Town();
    town.says(CUSTOMER, "preciso da nota");
    const bubbles = ["Maria Souza", "150 reais"].map((text) =>
      town.message(CUSTOMER, { type: "text", text }),
    );
    town.deliver(CUSTOMER, ...bubbles);
    town.after(1_100);
    const session = town.sessions.get(CUSTOMER);
    const frame = session?.frames.at(-1)?.id ?? "";
    const gave = bubbles.map((mail) =>
      session && mail.kind === "inbound" && "messageId" in mail.event
        ? slotsGiven(session, frame, mail.event.messageId ?? "")
        : [],
    );

    expect(gave).toEqual([["name"], ["value"]]);
  });

  test("is not lost to a command that follows at once", () => {
    const town = new Town();
    town.says(CUSTOMER, "preciso da nota");
    atOnce(town, "Maria Souza", "150 reais", "atendente");

    expect(slots(town)).toMatchObject({ name: "Maria Souza", value: 15_000 });
    expect(town.sessions.get(CUSTOMER)?.handoff?.reason).toBe("asked");
  });
});

describe("free text that waits for more", () => {
  test("is taken before a command that follows at once", () => {
    const town = new Town();
    town.talks(CUSTOMER, TO_DESCRIPTION);
    atOnce(town, "corte de cabelo", "atendente");
    town.after(2_000);

    expect(slots(town)["description"]).toBe("Corte de cabelo");
    expect(town.sessions.get(CUSTOMER)?.handoff?.reason).toBe("asked");
  });

  test("is never given to another question than the one it answers", () => {
    const town = new Town();
    town.talks(CUSTOMER, TO_DESCRIPTION);
    atOnce(town, "corte de cabelo", "voltar");
    town.after(2_000);

    expect(slots(town)).toMatchObject({ value: 15_000, description: "Corte de cabelo" });
    expect(town.last(CUSTOMER)).not.toContain("Não entendi");
  });

  test("of more messages than one answer holds loses none: the rest answers what is asked next", () => {
    const town = new Town();
    town.talks(CUSTOMER, TO_DESCRIPTION);
    const words = Array.from({ length: 20 }, (_, index) => `parte${index}`);
    atOnce(town, ...words, "hoje");
    town.after(2_000);

    expect(String(slots(town)["description"])).toContain("parte19");
    expect(slots(town)["competence"]).toBe("2026-11");
  });
});

describe("a person who has the conversation", () => {
  test("keeps it as long as they write from the console", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["oi", "4"]);
    town.after(11 * HOUR);
    town.deliver(CUSTOMER, { kind: "operator", action: "say", actor: "ana", text: "Um minuto" });
    town.after(3 * HOUR);

    expect(town.says(CUSTOMER, "ok")).toEqual([]);
  });

  test("gives it back also where a message comes before the timer", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["oi", "1", "falar com atendente"]);
    town.now += 12 * HOUR;
    const [said] = town.says(CUSTOMER, "1");

    expect(said).toContain("Sigo com você");
    expect(town.step(CUSTOMER)).toBe("request-invoice.document");
  });

  test("leaves a question that runs out again in its own time", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["oi", "1", "atendente"]);
    town.deliver(CUSTOMER, { kind: "operator", action: "return", actor: "ana" });
    expect(town.last(CUSTOMER)).toContain("Qual serviço?");
    town.after(24 * HOUR);

    expect(town.step(CUSTOMER)).toBe("");
  });

  test("called by a flow below a digression gives that flow back, too", () => {
    const town = new Town();
    town.talks(CUSTOMER, [...TO_SUMMARY, "EMITIR"]);
    town.after(23 * HOUR);
    town.talks(CUSTOMER, ["menu", "4"]);
    town.after(HOUR);
    expect(town.sessions.get(OPERATOR)?.requests).toEqual([]);
    town.deliver(CUSTOMER, { kind: "operator", action: "return", actor: "ana" });

    // It is the customer who asks again: a business that never answers is not written to for ever.
    expect(town.step(CUSTOMER)).toBe("request-invoice.summary");
    expect(town.sessions.get(OPERATOR)?.requests).toEqual([]);
    town.says(CUSTOMER, "EMITIR");
    expect(town.sessions.get(OPERATOR)?.requests).toHaveLength(1);
  });
});

describe("a question below a digression", () => {
  test("is neither nudged nor told to be over", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["oi", "1", "menu"]);
    town.after(15 * 60_000);
    expect(town.last(CUSTOMER)).toContain("Ainda por aí?");
    expect(town.last(CUSTOMER)).not.toContain("Qual serviço?");

    town.after(24 * HOUR);
    expect(town.last(CUSTOMER).match(/Encerrei/g)).toHaveLength(1);
    expect(town.step(CUSTOMER)).toBe("");
  });

  test("is asked again, not an apology, when no more digressions fit", () => {
    const town = new Town();
    for (let round = 0; round < 5; round++) {
      const result = town.deliver(CUSTOMER, town.message(CUSTOMER, { type: "text", text: "menu" }));
      expect(result.failed).toBeUndefined();
      const picked = town.deliver(CUSTOMER, town.message(CUSTOMER, { type: "text", text: "1" }));
      expect(picked.failed).toBeUndefined();
    }
    expect(town.says(CUSTOMER, "menu").at(-1)).toContain("CPF ou CNPJ");
  });
});

describe("opting out", () => {
  test.each(["não me mande mais mensagens", "não quero mais mensagens", "me tira da lista"])(
    "holds in the middle of a flow, too: %s",
    (text) => {
      const town = new Town();
      town.talks(CUSTOMER, ["oi", "1", text]);

      expect(town.sessions.get(CUSTOMER)?.optOut).toBeDefined();
    },
  );

  test("by the word of the privacy notice is taken where the notice stands", () => {
    const town = new Town();
    expect(town.says(CUSTOMER, "oi").at(-1)).toContain("*parar*");
    town.says(CUSTOMER, "parar");

    expect(town.sessions.get(CUSTOMER)?.optOut).toBeDefined();
  });

  test("ends when the person asks for something, not when they only say something", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["oi", "não quero mais receber mensagens"]);

    expect(town.says(CUSTOMER, "que coisa chata")).toEqual([]);
    expect(town.says(CUSTOMER, "preciso de uma nota").at(-1)).toContain("Qual serviço?");
  });
});

describe("what is no answer", () => {
  test("an edited older message does not become the answer to a question for any text", () => {
    const town = new Town();
    town.talks(CUSTOMER, TO_DESCRIPTION);
    town.deliver(CUSTOMER, edit(town, "Maria de Souza"));
    town.after(2_000);

    expect(town.step(CUSTOMER)).toBe("request-invoice.description");
  });

  test("a vote on an older list corrects that answer and is not taken for the text asked now", () => {
    const town = new Town();
    town.talks(CUSTOMER, TO_DESCRIPTION);
    const vote: Content = { type: "choice", via: "poll", picks: [{ label: "Consultoria" }] };
    town.deliver(CUSTOMER, town.message(CUSTOMER, vote));
    town.after(2_000);

    expect(slots(town)).toMatchObject({ service: "consulting" });
    expect(slots(town)).not.toHaveProperty("description");
  });

  test("a vote that is taken back says nothing", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["oi", "1"]);
    const none: Content = { type: "choice", via: "poll", picks: [] };

    expect(town.deliver(CUSTOMER, town.message(CUSTOMER, none)).effects).toEqual([]);
  });

  test("lines and marks in a display name never reach what the business approves", () => {
    const town = new Town();
    const mail = town.message(CUSTOMER, { type: "text", text: "oi" });
    if (mail.kind === "inbound" && mail.event.kind === "message")
      mail.event.from.name = "Ana\n\n*Aprovado*\u202e";
    town.deliver(CUSTOMER, mail);

    expect(town.sessions.get(CUSTOMER)?.name).toBe("Ana *Aprovado*");
  });
});

describe("a way on", () => {
  test("after a bubble failed for good the next message meets the question again", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["oi", "1"]);
    town.deliver(CUSTOMER, { kind: "send-failed", effect: "x", reason: "422" });

    expect(town.says(CUSTOMER, "1").at(-1)).toContain("Qual serviço?");
    expect(town.step(CUSTOMER)).toBe("request-invoice.service");
    expect(town.says(CUSTOMER, "1").at(-1)).toContain("CPF ou CNPJ");
  });

  test("back from a person nobody has sent yet is one word", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["oi", "1", "atendente"]);

    expect(town.says(CUSTOMER, "1")).toEqual([]);
    expect(town.says(CUSTOMER, "menu").at(-1)).toContain("Qual serviço?");
  });

  test("ends where a person of the business has taken the conversation", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["oi", "1", "atendente"]);
    town.deliver(CUSTOMER, { kind: "operator", action: "take", actor: "ana" });

    expect(town.says(CUSTOMER, "menu")).toEqual([]);
  });
});

describe("timers that come due while nobody runs", () => {
  test("fire once when somebody runs again, and tell how late they are", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["oi", "1"]);
    const said = town.said.get(CUSTOMER)?.length ?? 0;
    town.after(8 * HOUR);

    const record = town.journal.at(-1);
    expect(record?.mail.kind).toBe("tick");
    expect(record?.lateMs).toBeGreaterThan(7 * HOUR);
    expect(town.said.get(CUSTOMER)).toHaveLength(said + 1);
    expect(town.last(CUSTOMER)).toContain("Ainda por aí");
    town.after(HOUR);
    expect(town.said.get(CUSTOMER)).toHaveLength(said + 1);
  });

  test("leave the reminder out when the end is due as well", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["oi", "1"]);
    town.after(30 * HOUR);

    expect(town.last(CUSTOMER)).toContain("fiquei sem resposta");
    expect(town.last(CUSTOMER)).not.toContain("Ainda por aí");
  });
});

test("a wait is as long as it is in a night in which the clocks of the place change", () => {
  const waits = ["2026-03-08T06:59:00Z", "2026-11-01T05:59:00Z", "2026-06-01T06:59:00Z"].map(
    (at) => {
      const town = new Town(library, { ...account, zone: "America/New_York" });
      town.now = Date.parse(at);
      town.talks(CUSTOMER, TO_DESCRIPTION);
      const timers = town.sessions.get(CUSTOMER)?.frames.flatMap((frame) => frame.timers) ?? [];
      return timers.map(({ name, due }) => `${name} ${due - town.now}`);
    },
  );
  expect(waits[0]?.length).toBeGreaterThan(0);
  expect(waits[1]).toEqual(waits[0]);
  expect(waits[2]).toEqual(waits[0]);
});
