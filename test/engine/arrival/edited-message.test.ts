/** Edits and deletions, in whatever form and order the channel tells them: the new words count, or are asked for. */
import { describe, expect, test } from "vitest";
import type { InboundEvent, Mail } from "../../../src/engine/index.ts";
import { CUSTOMER, OPERATOR, SECOND, TO_SUMMARY, Town } from "../town.ts";

type Edit = Extract<InboundEvent, { kind: "edit" }>;
type Deletion = Extract<InboundEvent, { kind: "delete" }>;
type Inbound = Extract<Mail, { kind: "inbound" }>;

/** A town, and the ids of what its people write. */
class Chat extends Town {
  readonly ids = new Map<string, string>();
  #news = 0;

  write(contact: string, text: string): readonly string[] {
    const mail = this.message(contact, { type: "text", text });
    if ("messageId" in mail.event) this.ids.set(text, mail.event.messageId ?? "");
    return this.heard(contact, mail);
  }

  /** What a contact is told of some mail, at once and a moment after. */
  heard(contact: string, ...mails: Mail[]): readonly string[] {
    const before = (this.said.get(contact) ?? []).length;
    this.deliver(contact, ...mails);
    this.after(1_100);
    return (this.said.get(contact) ?? []).slice(before);
  }

  atSummary(): this {
    for (const text of TO_SUMMARY) this.write(CUSTOMER, text);
    return this;
  }

  edit(of: string, text?: string, more: Partial<Edit> & { unheard?: true } = {}): Inbound {
    const { unheard, ...event } = more;
    const head = this.#head(of);
    const words = text === undefined ? {} : { text };
    return this.#mail({ ...head, kind: "edit", ...words, ...event }, unheard ? { unheard } : {});
  }

  gone(of: string, more: Partial<Deletion> = {}): Inbound {
    return this.#mail({ ...this.#head(of), kind: "delete", ...more });
  }

  #head(of: string) {
    const id = `n${++this.#news}`;
    const from = { address: "x@s.whatsapp.net" };
    return { id, at: this.now, from, messageId: this.ids.get(of) ?? of };
  }

  #mail(event: Edit | Deletion, more: Partial<Inbound> = {}): Inbound {
    return { kind: "inbound", channel: "engine-b", acceptedAt: this.now, event, ...more };
  }

  slot(name: string, contact = CUSTOMER): unknown {
    const facts = this.sessions.get(contact)?.frames.at(-1)?.state["facts"];
    return (facts as { slots: Record<string, unknown> } | undefined)?.slots[name];
  }
}

const UNSEEN = "o texto novo não chegou aqui";
const GONE = "Vi que você apagou";

describe("an edit whose new words nobody tells", () => {
  test("is told, what it answered is asked again, and EMITIR confirms nothing before the summary is shown", () => {
    const chat = new Chat().atSummary();
    const said = chat.heard(CUSTOMER, chat.edit("150"));
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(UNSEEN);
    expect(said[0]).toContain("valor");
    chat.write(CUSTOMER, "EMITIR");
    expect(chat.step(CUSTOMER)).toBe("request-invoice.value");
    expect(chat.write(CUSTOMER, "1500").join()).toContain("R$ 1.500,00");
    chat.write(CUSTOMER, "EMITIR");
    expect(chat.step(CUSTOMER)).toBe("request-invoice.approval");
    expect(chat.slot("value")).toBe(150_000);
  });

  test("lets no EMITIR pass that comes before it is told", () => {
    const chat = new Chat().atSummary();
    const emit = chat.message(CUSTOMER, { type: "text", text: "EMITIR" });
    const said = chat.heard(CUSTOMER, chat.edit("150"), emit);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(UNSEEN);
    expect(chat.step(CUSTOMER)).toBe("request-invoice.value");
  });

  test("of a message with several answers shows what stands, and asks for the change", () => {
    const chat = new Chat();
    const whole = "nota de 150 pra Maria Souza cpf 529.982.247-25, corte de cabelo, hoje";
    chat.write(CUSTOMER, whole);
    expect(chat.step(CUSTOMER)).toBe("request-invoice.summary");
    const [said = ""] = chat.heard(CUSTOMER, chat.edit(whole));
    expect(said).toContain(UNSEEN);
    expect(said).toContain("R$ 150,00");
    // Written before it could be read.
    const at = chat.now - 1_000;
    const emit = chat.message(CUSTOMER, { type: "text", text: "EMITIR" });
    chat.heard(CUSTOMER, { ...emit, event: { ...emit.event, at } });
    expect(chat.step(CUSTOMER)).toBe("request-invoice.summary");
  });

  test("of a message that is not remembered is told at the summary, and the summary shown", () => {
    const chat = new Chat().atSummary();
    const [said = ""] = chat.heard(CUSTOMER, chat.edit("oi"));
    expect(said).toContain(UNSEEN);
    expect(said).toContain("EMITIR");
  });

  test("of free text that waits for more is told, and the old words answer nothing", () => {
    const chat = new Chat();
    for (const text of TO_SUMMARY.slice(0, 6)) chat.write(CUSTOMER, text);
    const mail = chat.message(CUSTOMER, { type: "text", text: "corte de cabelo" });
    chat.ids.set("corte", "messageId" in mail.event ? (mail.event.messageId ?? "") : "");
    const said = chat.heard(CUSTOMER, mail, chat.edit("corte"));
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(UNSEEN);
    expect(chat.step(CUSTOMER)).toBe("request-invoice.description");
    expect(chat.slot("description")).toBeUndefined();
  });

  test("is one message with the words, where they follow or came before", () => {
    for (const order of ["before", "after"] as const) {
      const chat = new Chat().atSummary();
      const forms = [chat.edit("150"), chat.edit("150", "1500")];
      const said = chat.heard(CUSTOMER, ...(order === "before" ? forms : forms.reverse()));
      expect(said).toHaveLength(1);
      expect(said[0]).toContain("R$ 1.500,00");
      expect(said[0]).not.toContain(UNSEEN);
    }
  });

  test("after the approval is too late, as any other", () => {
    const chat = new Chat().atSummary();
    chat.write(CUSTOMER, "EMITIR");
    chat.write(OPERATOR, "aprovar");
    expect(chat.heard(CUSTOMER, chat.edit("150"))).toEqual([]);
    expect(chat.heard(CUSTOMER, chat.edit("150", "1500"))).toEqual([]);
  });
});

describe("while the business decides", () => {
  const SENTENCE = "nota de 150 pra Ana Lima cpf 111.444.777-35, barba, ontem";
  const asked = () => {
    const chat = new Chat();
    for (const text of [SENTENCE, "1", "EMITIR"]) chat.write(CUSTOMER, text);
    expect(chat.step(CUSTOMER)).toBe("request-invoice.approval");
    return chat;
  };

  test.each([
    ["with its words", SENTENCE.replace("150", "1500"), "R$ 1.500,00"],
    ["without its words", undefined, UNSEEN],
    ["that nobody can read", "ok", "Confere"],
  ])("an edit withdraws the request and shows the summary: %s", (_name, words, said) => {
    const chat = asked();
    expect(chat.heard(CUSTOMER, chat.edit(SENTENCE, words)).join()).toContain(said);
    expect(chat.step(CUSTOMER)).toBe("request-invoice.summary");
    expect(chat.sessions.get(OPERATOR)?.requests).toEqual([]);
    chat.write(OPERATOR, "aprovar");
    expect(chat.calls).toEqual([]);
  });

  test("an edit without words of one answer has it asked again", () => {
    const chat = new Chat().atSummary();
    chat.write(CUSTOMER, "EMITIR");
    expect(chat.heard(CUSTOMER, chat.edit("150")).join()).toContain(UNSEEN);
    expect(chat.step(CUSTOMER)).toBe("request-invoice.value");
    expect(chat.sessions.get(OPERATOR)?.requests).toEqual([]);
  });

  test("a deletion withdraws nothing", () => {
    const chat = asked();
    expect(chat.heard(CUSTOMER, chat.gone(SENTENCE))).toEqual([]);
    expect(chat.sessions.get(OPERATOR)?.requests).toHaveLength(1);
  });
});

describe("an edit that is announced as a deletion, too", () => {
  test.each(["before", "after"])("is one message with the edited value: %s it", (order) => {
    const chat = new Chat().atSummary();
    const forms = [chat.gone("150", { unsure: true }), chat.edit("150", "1500")];
    const said = chat.heard(CUSTOMER, ...(order === "before" ? forms : forms.reverse()));
    expect(said).toHaveLength(1);
    expect(said[0]).toContain("R$ 1.500,00");
    expect(said[0]).not.toContain(GONE);
    expect(chat.step(CUSTOMER)).toBe("request-invoice.summary");
  });

  test("long after it in a form that may be an edit's, it is still the edit's", () => {
    const chat = new Chat().atSummary();
    chat.heard(CUSTOMER, chat.edit("150", "1500"));
    chat.after(60_000);
    expect(chat.heard(CUSTOMER, chat.gone("150", { unsure: true }))).toEqual([]);
    expect(chat.slot("value")).toBe(150_000);
  });

  test("gives the value back when the words come long after the deletion was told", () => {
    for (const words of ["1500", "150"]) {
      const chat = new Chat().atSummary();
      expect(chat.heard(CUSTOMER, chat.gone("150", { unsure: true })).join()).toContain(GONE);
      expect(chat.step(CUSTOMER)).toBe("request-invoice.value");
      chat.after(20_000);
      chat.heard(CUSTOMER, chat.edit("150", words));
      expect(chat.step(CUSTOMER)).toBe("request-invoice.summary");
      expect(chat.slot("value")).toBe(Number(words) * 100);
    }
  });

  test("keeps free text that waits for more", () => {
    for (const order of ["before", "after"] as const) {
      const chat = new Chat();
      for (const text of TO_SUMMARY.slice(0, 6)) chat.write(CUSTOMER, text);
      const mail = chat.message(CUSTOMER, { type: "text", text: "corte" });
      chat.ids.set("corte", "messageId" in mail.event ? (mail.event.messageId ?? "") : "");
      const forms = [chat.gone("corte", { unsure: true }), chat.edit("corte", "corte e barba")];
      chat.heard(CUSTOMER, mail, ...(order === "before" ? forms : forms.reverse()));
      expect(chat.slot("description")).toBe("Corte e barba");
    }
  });

  test("lets no EMITIR pass in between", () => {
    const chat = new Chat().atSummary();
    const emit = chat.message(CUSTOMER, { type: "text", text: "EMITIR" });
    const said = chat.heard(CUSTOMER, chat.gone("150"), emit, chat.edit("150", "1500"));
    expect(said.at(-1)).toContain("R$ 1.500,00");
    expect(chat.step(CUSTOMER)).toBe("request-invoice.summary");
  });
});

describe("a deletion", () => {
  test("that is sure takes back what an edit said before", () => {
    const chat = new Chat().atSummary();
    chat.heard(CUSTOMER, chat.edit("150", "1500"));
    chat.after(10_000);
    expect(chat.heard(CUSTOMER, chat.gone("150")).join()).toContain(GONE);
    expect(chat.step(CUSTOMER)).toBe("request-invoice.value");
  });

  test("is told once, in however many forms it comes, and answered together with what replaces it", () => {
    const chat = new Chat().atSummary();
    const anew = chat.message(CUSTOMER, { type: "text", text: "1500" });
    const forms = [chat.gone("150", { unsure: true }), chat.gone("150")];
    const said = chat.heard(CUSTOMER, ...forms, anew);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(GONE);
    expect(said[0]).toContain("R$ 1.500,00");
  });
});

describe("an edit of a message that never came", () => {
  test("is read as the message itself, and the message is not read when it comes after all", () => {
    const chat = new Chat();
    for (const text of TO_SUMMARY.slice(0, 5)) chat.write(CUSTOMER, text);
    const late = chat.message(CUSTOMER, { type: "text", text: "150" });
    const id = "messageId" in late.event ? (late.event.messageId ?? "") : "";
    chat.heard(CUSTOMER, chat.edit(id, "1500", { unheard: true }));
    expect(chat.slot("value")).toBe(150_000);
    expect(chat.heard(CUSTOMER, late)).toEqual([]);
    expect(chat.slot("value")).toBe(150_000);
  });

  test("and of which the words are not told, is asked for", () => {
    const chat = new Chat();
    expect(chat.heard(CUSTOMER, chat.edit("lost", undefined, { unheard: true })).join()).toContain(
      UNSEEN,
    );
  });
});

describe("an edit told as one of the business's", () => {
  test("is the customer's where it names a message of theirs, and nobody's word else", () => {
    const chat = new Chat().atSummary();
    expect(chat.heard(CUSTOMER, chat.edit("ours", "900", { own: true }))).toEqual([]);
    expect(chat.heard(CUSTOMER, chat.edit("ours", undefined, { own: true }))).toEqual([]);
    expect(chat.slot("value")).toBe(15_000);
    expect(chat.heard(CUSTOMER, chat.edit("150", "1500", { own: true })).join()).toContain(
      "R$ 1.500,00",
    );
  });
});

describe("an edit of the business's own decision", () => {
  const two = () => {
    const chat = new Chat();
    for (const contact of [CUSTOMER, SECOND])
      for (const text of [...TO_SUMMARY, "EMITIR"]) chat.write(contact, text);
    const codes = (chat.sessions.get(OPERATOR)?.requests ?? []).map(({ caller }) => caller?.code);
    return { chat, first: codes[0] ?? "", second: codes[1] ?? "" };
  };

  test("leaves what was decided, says so, and decides nothing else", () => {
    const { chat, first, second } = two();
    chat.write(OPERATOR, `aprovar ${first}`);
    const [said = ""] = chat.heard(OPERATOR, chat.edit(`aprovar ${first}`, `aprovar ${second}`));
    expect(said).toContain(`o pedido ${first} já estava *aprovado*`);
    expect(said).toContain(second);
    expect(chat.step(SECOND)).toBe("request-invoice.approval");
    chat.after(10_000);
    const [unread = ""] = chat.heard(OPERATOR, chat.edit(`aprovar ${first}`));
    expect(unread).toContain(`o pedido ${first} já estava *aprovado*`);
    expect(chat.step(SECOND)).toBe("request-invoice.approval");
  });

  test("decides where the words before decided nothing", () => {
    const { chat, second } = two();
    chat.write(OPERATOR, "aprovar");
    chat.heard(OPERATOR, chat.edit("aprovar", `aprovar ${second}`));
    expect(chat.step(SECOND)).not.toBe("request-invoice.approval");
    expect(chat.step(CUSTOMER)).toBe("request-invoice.approval");
  });
});
