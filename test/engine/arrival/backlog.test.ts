/** What was written long before it came is answered once, in the order in which it was written. */
import { describe, expect, test } from "vitest";
import type { Mail } from "../../../src/engine/index.ts";
import { at, atSummary, BEFORE, hears, HOUR, SORRY } from "../late.ts";
import { CUSTOMER, SECOND, Town } from "../town.ts";

describe("a backlog", () => {
  const whole = ["preciso da nota", "1", "529.982.247-25", "Maria Souza", "150"];

  test("is answered once, in the order in which it was written, with an apology when it is hours old", () => {
    const town = new Town();
    const begun = town.now - 8 * HOUR;
    const mails = whole.map((text, index) => at(town, CUSTOMER, begun + index * 60_000, text));
    for (const mail of mails.toReversed()) town.deliver(CUSTOMER, mail);
    expect(town.said.get(CUSTOMER)).toBeUndefined();
    town.after(3_500);
    expect(town.said.get(CUSTOMER)).toHaveLength(1);
    expect(town.last(CUSTOMER)).toContain(SORRY);
    expect(town.last(CUSTOMER)).not.toContain("Qual serviço?");
    expect(town.step(CUSTOMER)).toBe("request-invoice.description");
  });

  test("that is minutes old is answered without an apology", () => {
    const town = new Town();
    const mails = ["oi", "alguém aí?", "preciso da nota"].map((text, index) =>
      at(town, CUSTOMER, town.now - 10 * 60_000 + index, text),
    );
    const said = hears(town, CUSTOMER, ...mails);
    expect(said).toHaveLength(1);
    expect(said[0]).not.toContain(SORRY);
    expect(said[0]).toContain("Qual serviço?");
  });

  test("is answered together with what the person writes meanwhile, and free text in it is whole", () => {
    const town = new Town();
    town.talks(CUSTOMER, whole);
    const old = ["corte de cabelo", "e barba"].map((text, index) =>
      at(town, CUSTOMER, town.now - 5 * 60_000 + index, text),
    );
    town.deliver(CUSTOMER, ...old);
    const said = hears(town, CUSTOMER, at(town, CUSTOMER, town.now, "do meu filho"));
    expect(said).toHaveLength(1);
    const facts = town.sessions.get(CUSTOMER)?.frames.at(-1)?.state["facts"];
    expect(JSON.stringify(facts)).toContain("barba");
    expect(town.step(CUSTOMER)).toBe("request-invoice.competence");
  });

  test("of more messages than wait is answered all the same, and cuts nobody off", () => {
    const town = new Town();
    const mails = Array.from({ length: 110 }, (_, index) =>
      at(town, CUSTOMER, town.now - 8 * HOUR + index * 120_000, "boa tarde, tudo bem com vocês?"),
    );
    hears(town, CUSTOMER, ...mails);
    expect((town.said.get(CUSTOMER) ?? []).length).toBeLessThanOrEqual(3);
    expect(town.says(CUSTOMER, "preciso da nota").join()).toContain("Qual serviço?");
  });

  test("holds the answers to one question after the other, however free the text", () => {
    const town = new Town();
    const all = [...whole, "corte de cabelo", "hoje", "EMITIR"];
    const mails = all.map((text, index) =>
      at(town, CUSTOMER, town.now - 30 * 60_000 + index * 60_000, text),
    );
    const said = hears(town, CUSTOMER, ...mails);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(BEFORE);
    expect(said[0]).toContain("Corte de cabelo");
    expect(town.step(CUSTOMER)).toBe("request-invoice.summary");
  });

  test("waits for no reminder, and no question in it runs out", () => {
    const town = new Town();
    town.talks(CUSTOMER, whole.slice(0, 3));
    town.now += 3 * HOUR;
    town.deliver(CUSTOMER, at(town, CUSTOMER, town.now - 2 * HOUR, "Maria Souza"));
    const said = hears(town, CUSTOMER, { kind: "tick", due: town.now });
    expect(said).toHaveLength(1);
    expect(said[0]).toContain("valor");
    expect(town.step(CUSTOMER)).toBe("request-invoice.value");
  });

  test("in a mailbox that nobody read is a backlog, too, also by SMS", () => {
    const town = atSummary();
    const came = town.now;
    town.after(10_000);
    town.says(CUSTOMER, "na verdade o valor é 1500");
    town.after(3 * HOUR);
    town.says(CUSTOMER, "na verdade o valor é 2500");
    const mail = town.message(CUSTOMER, { type: "text", text: "EMITIR" });
    const said = hears(town, CUSTOMER, { ...mail, channel: "sms", acceptedAt: came });
    expect(said[0]).toContain(SORRY);
    expect(town.step(CUSTOMER)).toBe("request-invoice.summary");
  });

  test("takes the edit and the deletion of what waits in it", () => {
    const town = new Town();
    town.talks(CUSTOMER, whole.slice(0, 4));
    const old = at(town, CUSTOMER, town.now - HOUR, "150");
    const gone = at(town, CUSTOMER, town.now - HOUR + 1, "cancelar");
    const from = { address: "x@s.whatsapp.net" };
    const head = (id: string, mail: Mail) => ({
      ...{ id, at: town.now, from },
      messageId: mail.kind === "inbound" && "messageId" in mail.event ? mail.event.messageId : "",
    });
    const edit = { ...head("n1", old), kind: "edit", text: "1500" } as never;
    const deletion = { ...head("n2", gone), kind: "delete" } as never;
    const news = [edit, deletion].map((event): Mail => {
      return { kind: "inbound", channel: "engine-b", acceptedAt: town.now, event };
    });
    hears(town, CUSTOMER, old, gone, ...news);
    expect(town.step(CUSTOMER)).toBe("request-invoice.description");
    const facts = town.sessions.get(CUSTOMER)?.frames.at(-1)?.state["facts"];
    expect(JSON.stringify(facts)).toContain("150000");
  });

  test("of two names of one person is one", () => {
    const town = new Town();
    const told = town.now - 2 * HOUR;
    town.deliver(CUSTOMER, at(town, CUSTOMER, told + 60_000, "1"));
    town.deliver(SECOND, at(town, SECOND, told, "preciso da nota"));
    const session = JSON.parse(JSON.stringify(town.sessions.get(SECOND))) as never;
    const said = hears(town, CUSTOMER, { kind: "joined", from: SECOND, session });
    expect(said).toHaveLength(1);
    expect(said[0]).toContain("CPF ou CNPJ");
  });

  test("that ends with the wish to hear no more is answered by that alone", () => {
    const town = new Town();
    const texts = ["oi", "não quero mais receber mensagens"];
    const mails = texts.map((text, index) => at(town, CUSTOMER, town.now - HOUR + index, text));
    const said = hears(town, CUSTOMER, ...mails);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain("não mando mais mensagens");
    expect(said[0]).not.toContain("Oi!");
  });

  test("apologises in the language of the conversation", () => {
    const town = new Town();
    town.says(CUSTOMER, "speak english please");
    const said = hears(town, CUSTOMER, at(town, CUSTOMER, town.now - 2 * HOUR, "good morning"));
    expect(said[0]).toContain("Sorry for the delay");
  });
});
