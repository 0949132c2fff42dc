/**
 * A conversation that ends in a note, from drawn words to `dados`, in process: the compiled flows and the engine read the
 * words, the effect's own mapping makes the body, a refusal goes back into the conversation. No store, no gateway.
 */
import type { Account, Library } from "../../src/engine/index.ts";
import { dadosOf, IssueInput, termsOf } from "../../src/plugins/invoicing/effects/invoice-issue.ts";
import { rejectedLocally } from "../../src/plugins/invoicing/note/issue/issue-ready.ts";
import { CUSTOMER, OPERATOR, Town } from "../engine/town.ts";
import { dadosProblems } from "../support/dados-checker.ts";
import { Dice } from "../support/dice.ts";
import { answerTo, before, business, type Wish, wishOf } from "./issuing-people.ts";
import { invoicingOf } from "../../src/plugins/invoicing/account.ts";

/** Answers of one conversation; who needs more has given up. */
const MAX_TURNS = 40;
const ISSUE = "invoice.issue";

export interface Talk {
  readonly account: Account;
  readonly now: number;
  /** What the conversation asked for, each time. */
  readonly inputs: readonly IssueInput[];
  /** Times the mapping refused, and the conversation went on. */
  readonly refusals: number;
  /** The body, once one was accepted. */
  readonly dados?: unknown;
  /** What is wrong with the body, and where it is not what the person said. */
  readonly problems: readonly string[];
  readonly lines: readonly string[];
}

/** The same seed talks the same way. */
export function talk(seed: number, library: Library): Talk {
  const dice = new Dice(seed);
  const account = business(dice);
  const town = new Town(library, account);
  town.now = momentOf(dice);
  const month = localMonth(town.now, account.zone);
  const wish = wishOf(dice, month);
  const isOperator = dice.chance(0.25);
  const who = isOperator ? OPERATOR : CUSTOMER;
  const lines: string[] = [];
  const says = (text: string) => {
    lines.push(`> ${text}`, ...town.says(who, text).map((line) => `< ${line}`));
  };
  says(opening(dice, wish, isOperator));
  const asked = new Map<string, number>();
  /** The words of a name and of a description as they were said last. */
  const words = { name: spokenName(lines[0] ?? ""), description: "corte de cabelo" };
  let corrections = dice.between(0, 2);
  let refusals = 0;
  const inputs: IssueInput[] = [];
  let answered = 0;
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const call = town.calls.length > answered ? town.calls.at(-1) : undefined;
    if (call && call.effect.name !== ISSUE) {
      answered = town.calls.length;
      town.answers("done", { found: "none" });
      continue;
    }
    if (call) {
      answered = town.calls.length;
      const meant = IssueInput.parse(call.effect.input);
      // The conversation refuses the issuer's own number. Only the mapping sees it where the business changed since.
      const own =
        dice.chance(0.2) && refusals === 0 ? invoicingOf(account).issuers[0]?.cnpj : undefined;
      const input = own === undefined ? meant : { ...meant, document: own };
      inputs.push(input);
      const mapped = mappingOf(input, account, town.now);
      if (mapped.ok) {
        const { dados } = mapped;
        const problems = [...judged(dados, account, town.now), ...unlike(dados, wish, words)];
        return { account, now: town.now, inputs, refusals, dados, problems, lines };
      }
      refusals += 1;
      const { out = {} } = rejectedLocally(mapped.problems).result ?? {};
      lines.push(`* refused ${JSON.stringify(out["code"])}`);
      for (const slot of out["slots"] as readonly string[]) {
        asked.set(slot, (asked.get(slot) ?? 0) + 1);
        mend(slot, wish, month);
      }
      town.answers("rejected", out as never);
      continue;
    }
    const step = town.step(who).split(".")[1] ?? "";
    if (step === "summary") {
      if (corrections-- > 0) {
        const said = correction(dice, wish, invoicingOf(account).policy.ceiling);
        if (said.startsWith("o nome")) words.name = wish.name;
        says(said);
      } else says(dice.pick(["EMITIR", "emitir", "pode emitir"]));
    } else if (step === "approval") town.says(OPERATOR, "aprovar");
    else if (step === "") break;
    else {
      const tries = asked.get(step) ?? 0;
      asked.set(step, tries + 1);
      // Above the ceiling, which is said at once.
      if (step === "value" && tries > 1) wish.cents = 10_000;
      // The issuer's own number, which is said at once, too.
      if (step === "document" && tries > 0) mend(step, wish, month);
      const said = answerTo(step, wish, tries, dice);
      if (step === "name" || step === "description") words[step] = said;
      says(said);
    }
  }
  return { account, now: town.now, inputs, refusals, problems: [], lines };
}

/** What `issue-ready.ts` does between the wish and the bytes, with drawn numbers that are always the same. */
export function mappingOf(input: IssueInput, account: Account, now: number) {
  const { issuer, services } = termsOf(account, input);
  if (!issuer || !services) throw new Error("the account lost its issuer or its service");
  const drawn = { now, code: "01234567", token: "Abc123Abc123Abc123Ab", locale: "pt-BR" } as const;
  return dadosOf(input, { issuer, services }, drawn);
}

export function judged(dados: unknown, account: Account, now: number): readonly string[] {
  const { issuers, policy } = invoicingOf(account);
  const [issuer] = issuers;
  if (!issuer) throw new Error("no issuer");
  const { cnpj, regime } = issuer;
  return dadosProblems(dados, { now, issuer: { cnpj, regime }, address: policy.address });
}

/** A body may be right by every rule and be another note than the one the person asked for. */
function unlike(
  dados: unknown,
  wish: Wish,
  words: { name: string; description: string },
): readonly string[] {
  const { tomador, servico, data_competencia } = dados as {
    tomador: { cpf?: string; cnpj?: string; razao_social: string };
    servico: { valor_servicos: number; discriminacao: string };
    data_competencia: string;
  };
  const told = [
    ["document", tomador.cpf ?? tomador.cnpj, wish.document],
    ["value", Math.round(servico.valor_servicos * 100), wish.cents],
    ["month", data_competencia.slice(0, 7), wish.month],
    ["name", bare(tomador.razao_social), bare(words.name)],
    ["description", bare(servico.discriminacao), bare(words.description)],
  ] as const;
  return told.flatMap(([what, got, said]) =>
    got === said ? [] : [`${what}: ${String(got)} in the body, ${String(said)} was said`],
  );
}

/** Letters and figures alone, without marks: what must come through whatever a document cannot carry. */
const bare = (text: string): string =>
  text
    .replace(/[Łł]/g, "l")
    .replace(/€/g, "eur")
    .replace(/™/g, "tm")
    .normalize("NFD")
    .replace(/[^A-Za-z0-9]/g, "")
    .toLowerCase();

const spokenName = (line: string): string => /pra (Maria Souza|Ana Lima)/.exec(line)?.[1] ?? "";

function opening(dice: Dice, wish: Wish, isOperator: boolean): string {
  const start = isOperator ? "emitir nota" : "preciso da nota";
  if (dice.chance(0.6)) return start;
  const brl = (wish.cents / 100).toFixed(2).replace(".", ",");
  return dice.pick([
    `nota de R$ ${brl} pra Maria Souza ${wish.document}, corte de cabelo`,
    `nota de ${brl} reais, ${wish.document}, corte de cabelo`,
    `quero uma nota de R$ ${brl} pra Ana Lima`,
  ]);
}

/** Changes what is wished, and says so at the summary. */
function correction(dice: Dice, wish: Wish, ceiling: number): string {
  switch (dice.between(0, 2)) {
    case 0:
      // One above the ceiling is refused at once: elsewhere.
      wish.cents = dice.between(1, Math.min(9_999, ceiling / 100)) * 100;
      return `o valor é R$ ${wish.cents / 100},00`;
    case 1:
      wish.document = dice.pick(["52998224725", "11444777000161", "12ABC34501DE35"]);
      return dice.pick([`o documento é ${wish.document}`, wish.document]);
    default:
      wish.name = "Bia Lima";
      return "o nome é Bia Lima";
  }
}

function mend(slot: string, wish: Wish, month: string): void {
  if (slot === "document") wish.document = "52998224725";
  if (slot === "value") wish.cents = 10_000;
  if (slot === "competence") wish.month = before(month, 1);
}

/** Some moment of two years; often the first or the last seconds of a month, where days and months are lost. */
function momentOf(dice: Dice): number {
  const year = dice.between(2026, 2027);
  const month = dice.between(0, 11);
  if (dice.chance(0.3)) return Date.UTC(year, month, 1, dice.between(2, 5), 0, dice.between(0, 90));
  return Date.UTC(year, month, dice.between(1, 28), dice.between(0, 23), dice.between(0, 59));
}

const localMonth = (now: number, zone: string): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit" }).format(
    now,
  );
