/** Numbers as people write them, in the two places that hide them: what an operator sees, what stands in errors and logs. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isCnpj, isCpf, maskText } from "../../src/brazil/index.ts";
import { modulo11 } from "../../src/brazil/document.ts";
import { redactor } from "../../src/gateway/index.ts";

const redact = redactor([]);

describe("a person's number is hidden however it is written", () => {
  test.each([
    ["529 982 247 25", "***.***.***-25", "***"],
    ["529982247-25", "***.***.***-25", "***"],
    ["529.982.247 - 25", "***.***.***-25", "***"],
    ["529.982.247–25", "***.***.***-25", "***"],
    ["529-982-247/25", "***.***.***-25", "***"],
    ["CPF-52998224725", "CPF-*********25", "CPF-***"],
    ["cpf52998224725x", "cpf*********25x", "cpf***x"],
    ["cpf:529.982.24725,", "cpf:***.***.***-25,", "cpf:***,"],
    ["11222333/0001-81", "**.***.***/****-81", "***"],
    ["11 222 333 0001 81", "**.***.***/****-81", "***"],
    ["11.222.333 / 0001-81", "**.***.***/****-81", "***"],
    ["12ABC34501DE35", "************35", "***"],
    ["12.abc.345/01de-35", "**.***.***/****-35", "***"],
    ["12 ABC 345 01DE 35", "**.***.***/****-35", "***"],
    ["CNPJ 12ABC345/01DE-35 DA LOJA", "CNPJ **.***.***/****-35 DA LOJA", "CNPJ *** DA LOJA"],
    ["11 98765 0001", "(**) *****-0001", "***"],
    ["11 9 8765-0001", "(**) *****-0001", "***"],
    ["(11)98765.0001", "(**) *****-0001", "***"],
    ["(011) 98765-0001", "(**) *****-0001", "***"],
    ["+55 11 98765 0001", "(**) *****-0001", "***"],
    ["+55 (11) 3000-0000", "(**) *****-0000", "***"],
    ["11 3000 0000", "(**) *****-0000", "***"],
    ["+5511987650001", "+*********0001", "+***"],
    ["55119876500012", "************12", "***"],
    ["21/11/2026 11 98765 0001", "21/11/2026 (**) *****-0001", "21/11/2026 ***"],
    ["529 982 247 25 11 98765 0001", "***.***.***-25 (**) *****-0001", "*** ***"],
    ["AO CPF 529 982 247 25", "AO CPF ***.***.***-25", "AO CPF ***"],
    ["marina.lopes@example.org", "m***@example.org", "***"],
    ["para <a@b.com.br>: não", "para <a***@b.com.br>: não", "para <***>: não"],
  ])("%s", (text, shown, logged) => {
    expect(maskText(text)).toBe(shown);
    expect(redact(text)).toBe(logged);
  });
});

describe("what people work with stays readable", () => {
  const key = "35260911222333000181550010000001231000001234";
  test.each([
    ["amounts", "R$ 1.234,56, R$ 1.234.567,89 e 12.345.678.901,23"],
    ["amounts in a row", "150,00 200,00 300,50 1.200,00"],
    ["days", "21/11/2026, 21.11.2026, 2026-11-21 e 11/2026"],
    ["a day and a time", "21/11/2026 15:30, 21/11/2026 1530, 2026-11-21 10:34:49"],
    ["years", "de 11 2025-2026, 12/2025 - 2026"],
    ["instants", "2026-11-21T10:19:49.698Z e 2026-11-21T10:19:49-03:00"],
    ["instants of a file's name", "20261121-103450 e 20261121_103450"],
    ["epoch milliseconds", "at 1795257290251"],
    ["a UUID", "6f1f7d3e-0000-4000-8000-000000000001"],
    ["a UUID of digits", "emitente 12345678-1234-4123-8123-123456789012."],
    ["a contact and its effect", "3a1f0c9d2b7e4a5566f13a1f0c9d2b7e:12:0"],
    ["a long id", "12345678901234567890a2345678901234567890"],
    ["an access key", key],
    ["an access key of 50", "3".repeat(50)],
    ["an access key in fours", key.replace(/(\d{4})(?=\d)/g, "$1 ")],
    ["numbers of notes", "NFS-e 10001, nota 123456789, DPS 900/12345"],
    ["codes", "E0206, 06.01.01, 1.2602.10.00, 3550308, CEP 01310-100"],
    ["words in capitals", "RESPONSABILIDADES DO TOMADOR EM SAO JOSE DOS CAMPOS 12"],
    ["capitals with digits", "NF 123 DIA 1234 10"],
    ["an address at home", "192.168.100.10:3000"],
    ["a webhook's address", "5511@lid"],
  ])("%s: %s", (_what, text) => {
    expect(maskText(text)).toBe(text);
    expect(redact(text)).toBe(text);
  });
});

/** A number in its groups, with something or nothing in each gap. */
const gap = fc.constantFrom("", " ", ".", "-", "/", " - ", "\u00a0", "–");
const spelled = (groups: readonly string[]) =>
  fc.array(gap, { minLength: groups.length - 1, maxLength: groups.length - 1 }).map((gaps) => ({
    bare: groups.join(""),
    text: groups.map((group, at) => group + (gaps[at] ?? "")).join(""),
  }));

const cpf = fc
  .stringMatching(/^\d{9}$/)
  .map((nine) => {
    const ten = `${nine}${modulo11(nine, 11)}`;
    return `${ten}${modulo11(ten, 11)}`;
  })
  .filter(isCpf)
  .chain((it) => spelled([it.slice(0, 3), it.slice(3, 6), it.slice(6, 9), it.slice(9)]));

const cnpj = fc
  .tuple(fc.stringMatching(/^[0-9A-Z]{12}$/), fc.nat(99))
  .map(([root]) => {
    const values = [...root].map((letter) => letter.charCodeAt(0) - 48);
    for (const length of [12, 13]) {
      let sum = 0;
      for (let at = 0; at < length; at++) sum += (values[at] ?? 0) * (((length - 1 - at) % 8) + 2);
      values.push(sum % 11 < 2 ? 0 : 11 - (sum % 11));
    }
    return `${root}${values[12]}${values[13]}`;
  })
  .filter((it) => isCnpj(it) && (it.match(/\d/g) ?? []).length >= 4)
  .chain((it) =>
    spelled([it.slice(0, 2), it.slice(2, 5), it.slice(5, 8), it.slice(8, 12), it.slice(12)]),
  );

const phone = fc
  .tuple(
    fc.constantFrom("", "55", "+55"),
    fc.constantFrom("11", "21", "48", "99"),
    fc.stringMatching(/^9[1-9]\d{3}$|^[2-5]\d{3}$/),
    fc.stringMatching(/^\d{4}$/),
  )
  .filter(
    ([country, , first, last]) => country !== "" || !/^20/.test(first) || !/^(?:19|20)/.test(last),
  )
  .chain((groups) => spelled(groups.filter((group) => group !== "")));

describe("a valid number in any spacing, inside words", () => {
  const before = fc.constantFrom("", "cpf ", "meu é", "(", "fone: ", "“", "\n", "é-", "Rua A, ");
  const after = fc.constantFrom("", " obrigado", ")", ".", "\n", ", viu?", "x");
  test.each([
    ["CPF", cpf],
    ["CNPJ", cnpj],
    ["phone", phone],
  ])("never comes out whole: %s", (_what, numbers) => {
    fc.assert(
      fc.property(numbers, before, after, ({ bare, text }, head, tail) => {
        for (const shown of [maskText(head + text + tail), redact(head + text + tail)]) {
          expect(shown).not.toContain(text);
          expect(shown.replace(/[^0-9A-Z+]/g, "")).not.toContain(bare);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

test("a long text of almost-numbers costs its length", () => {
  for (const unit of ["1", "12 345 6789 ", "AB 12", "(11) ", "a.b-", "55", "529 982 247 2", "@"]) {
    const text = unit.repeat(100_000 / unit.length);
    const start = performance.now();
    maskText(text);
    redact(text);
    expect(performance.now() - start, unit).toBeLessThan(2_000);
  }
});
