/** What every contender is given: reading a CPF and a value, words, and an issuer whose answers may get lost. */
export const WORDS = {
  cpf: "Qual o CPF?",
  badCpf: "Esse CPF não confere.",
  value: "Qual o valor?",
  badValue: "Não entendi o valor.",
  confirm: (cpf, cents) =>
    `Confere? CPF ${cpf}, ${money(cents)}. Responda sim, ou cpf / valor para mudar.`,
  issued: (number) => `Nota ${number} emitida.`,
};

export function readCpf(text) {
  const digits = text.replaceAll(/\D/g, "");
  if (!/^\d{11}$/.test(digits) || /^(\d)\1+$/.test(digits)) return undefined;
  const check = (length) => {
    let sum = 0;
    for (let i = 0; i < length; i++) sum += Number(digits[i]) * (length + 1 - i);
    return String(((sum * 10) % 11) % 10);
  };
  return check(9) === digits[9] && check(10) === digits[10] ? digits : undefined;
}

export function readValue(text) {
  const match = /^\s*(?:R\$\s*)?(\d{1,7})(?:,(\d{2}))?(?:\s*reais)?\s*$/.exec(text);
  return match ? Number(match[1]) * 100 + Number(match[2] ?? 0) : undefined;
}

function money(cents) {
  return `R$ ${(cents / 100).toFixed(2).replace(".", ",")}`;
}

/** Keeps what it was asked; the first answer is lost on its way, though the note exists. */
export function issuer() {
  const issued = [];
  return {
    issued,
    async issue(cpf, cents) {
      issued.push({ cpf, cents });
      if (issued.length === 1) throw new Error("time-out");
      return { number: issued.length };
    },
  };
}

/** One conversation for all; `*` stands for a restart of the process. */
export const LINES = [
  "oi",
  "529.982.247-24",
  "529.982.247-25 150 reais",
  "529.982.247-25",
  "150",
  "o valor é 200",
  "valor",
  "200",
  "*",
  "sim",
  "sim",
];
