/**
 * The conversation that is measured: a form of N questions, the right answers of each person, and the webhook that carries
 * them. Every contestant asks these questions, checks these answers and ends with the same summary.
 */

type Kind = "email" | "cpf" | "money" | "date" | "yesno" | "phone" | "cep" | "number";

export interface Question {
  readonly name: string;
  readonly kind: Kind;
  readonly prompt: string;
}

/** Kinds whose answers are clear at once; free text would wait a second for more, by design. */
const KINDS: readonly (readonly [Kind, string])[] = [
  ["email", "Qual o e-mail?"],
  ["cpf", "Qual o CPF?"],
  ["money", "Qual o valor?"],
  ["date", "Em que dia foi?"],
  ["yesno", "Já foi pago?"],
  ["phone", "Qual o telefone?"],
  ["cep", "Qual o CEP?"],
  ["number", "Quantas peças?"],
];

export const AGAIN = "Não entendi. Pode escrever de novo?";
export const LENGTHS = [12, 40] as const;
export type Length = (typeof LENGTHS)[number];

/** The phrase that begins the form. */
export function opening(length: number): string {
  return `preencher ficha ${length}`;
}

export function questions(length: number): readonly Question[] {
  return Array.from({ length }, (_, index) => {
    const [kind, words] = KINDS[index % KINDS.length] ?? ["number", ""];
    return { name: `q${index + 1}`, kind, prompt: `${index + 1} de ${length}. ${words}` };
  });
}

export interface Answer {
  /** What the person writes. */
  readonly text: string;
  /** How the summary shows what was understood. */
  readonly shown: string;
  /**
   * How a chat of Prosa shows it, where that is another: of a CPF the six digits in the middle. No two people and places of a
   * run share them, so they prove that this very answer is held.
   */
  readonly masked?: string;
}

/** The right answer of a person to a question: other values for other people and places. */
export function answer(question: Question, place: number, person: number): Answer {
  const same = (text: string): Answer => ({ text, shown: text });
  const seed = person * 41 + place;
  switch (question.kind) {
    case "email":
      return same(`pessoa${seed}@exemplo.com.br`);
    case "cpf":
      return document(cpf(100_000_000 + ((seed * 7_919) % 800_000_000)));
    case "money": {
      const cents = String(1_000 + (seed % 90_000)).padStart(3, "0");
      return same(`R$ ${cents.slice(0, -2)},${cents.slice(-2)}`);
    }
    case "date":
      return same(`${two(1 + (seed % 28))}/${two(1 + (seed % 12))}/2024`);
    case "yesno":
      return same(seed % 2 === 0 ? "sim" : "não");
    case "phone":
      return same(`(11) 9${8_000 + (seed % 1_000)}-${1_000 + (seed % 9_000)}`);
    case "cep":
      return same(`013${two(seed % 100)}-${100 + (seed % 800)}`);
    case "number":
      return same(String(1 + (seed % 500)));
  }
}

/** A reading as the author of a small bot would write it: a pattern, and check digits where there are any. */
export function read(kind: Kind, text: string): string | undefined {
  const said = text.trim();
  switch (kind) {
    case "email":
      return /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i.test(said) ? said.toLowerCase() : undefined;
    case "cpf": {
      const digits = said.replace(/\D/g, "");
      return digits.length === 11 && cpf(Number(digits.slice(0, 9))) === said ? said : undefined;
    }
    case "money":
      return /^R\$ \d+,\d{2}$/.test(said) ? said : undefined;
    case "date":
      return /^\d{2}\/\d{2}\/\d{4}$/.test(said) ? said : undefined;
    case "yesno":
      return said === "sim" || said === "não" ? said : undefined;
    case "phone":
      return /^\(\d{2}\) 9\d{4}-\d{4}$/.test(said) ? said : undefined;
    case "cep":
      return /^\d{5}-\d{3}$/.test(said) ? said : undefined;
    case "number":
      return /^\d{1,9}$/.test(said) ? said : undefined;
  }
}

/** The last reply: every value, so that whoever reads it knows that the form was filled in and how. */
export function summary(values: readonly (readonly [name: string, shown: string])[]): string {
  return `Pronto.\n${values.map(([name, shown]) => `${name}=${shown};`).join("\n")}`;
}

/** What the last reply must be for this person: as it was said, or with documents masked. */
export function endings(length: number, person: number): readonly string[] {
  const answers = questions(length).map(
    (question, place) => [question.name, answer(question, place, person)] as const,
  );
  return [
    summary(answers.map(([name, { shown }]) => [name, shown])),
    summary(answers.map(([name, { shown, masked }]) => [name, masked ?? shown])),
  ];
}

/** What a person says, first to last: the opening phrase, then the answers. */
export function lines(length: number, person: number): readonly string[] {
  return [
    opening(length),
    ...questions(length).map((question, place) => answer(question, place, person).text),
  ];
}

/** A contact's number; the tail tells them apart. */
export function numberOf(person: number): string {
  return `55119${String(70_000_000 + person)}`;
}

/** The webhook of a text message, in the shape of engine B. */
export function webhook(person: number, id: string, text: string): string {
  return JSON.stringify({
    event: "messages.upsert",
    instance: "loja1",
    data: {
      key: { remoteJid: `${numberOf(person)}@s.whatsapp.net`, fromMe: false, id },
      pushName: "Marina Lopes",
      status: "DELIVERY_ACK",
      message: { conversation: text },
      messageType: "conversation",
      messageTimestamp: Math.floor(Date.now() / 1_000),
      instanceId: "0b8f6a3e-6f5d-4c1e-9a55-2f0f7d5f9a10",
      source: "android",
    },
    destination: "https://bot.example.org/hook",
    date_time: "2026-11-21T09:00:00.412Z",
    sender: "5511911112222@s.whatsapp.net",
    server_url: "https://engine.example.net",
    apikey: "engine-secret",
  });
}

/** What the gateway answers to a sent text, in the shape of its envelope. */
export function sent(id: string): string {
  return JSON.stringify({
    error: false,
    message: "Requisição realizada com sucesso",
    response: {
      key: { remoteJid: "5511970000000@s.whatsapp.net", fromMe: true, id },
      message: { conversation: "…" },
      messageType: "conversation",
      messageTimestamp: 1_795_262_400,
      status: "PENDING",
    },
    api_limit: 100_000_000,
    api_limit_for: "request",
    api_limit_used: 1,
  });
}

/** Nine digits with their check digits, as people write a CPF. */
function cpf(stem: number): string {
  const digits = [...String(stem).padStart(9, "0")].map(Number);
  for (const length of [10, 11]) {
    const sum = digits.reduce((total, digit, index) => total + digit * (length - index), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join("").replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, "$1.$2.$3-$4");
}

function document(text: string): Answer {
  return { text, shown: text, masked: text.replace(/^\d{3}(.*)\d{2}$/, "***$1**") };
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
