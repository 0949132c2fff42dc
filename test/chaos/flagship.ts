/**
 * The flagship conversation, from "oi" to the note, with the operator's side: in peace, or with a death in each of its scenes.
 * What people read must be the same, and there is one note, or one held as `incerta` that a person settles.
 */
import { setTimeout as pause } from "node:timers/promises";
import { Dice } from "../support/dice.ts";
import type { Phone } from "../support/phone.ts";
import type { Plan } from "../support/faulty-store.ts";
import { type Body, textIn, until } from "../support/prosa.ts";
import { isDeathAt, named, planOf } from "./places.ts";
import { Stage, type StoreKind } from "./stage.ts";

export const OPERATOR = "5511900000001";

type Step = readonly [who: "customer" | "operator", say: string, then: RegExp];

export const stepsOf = (cpf: string): readonly Step[] => [
  ["customer", "oi", /assistente/],
  ["customer", "nota", /Qual serviço/],
  ["customer", "1", /CPF ou CNPJ/],
  ["customer", `${cpf.slice(0, 10)}${(Number(cpf[10]) + 1) % 10}`, /não confere/],
  ["customer", cpf, /nome de quem vai receber/],
  ["customer", "Maria da Silva", /valor do serviço/],
  ["customer", "150", /O que foi feito/],
  ["customer", "Corte e escova", /Quando foi o serviço/],
  ["customer", "hoje", /Confere pra mim[\s\S]*150,00/],
  ["customer", "o valor é 200", /Confere pra mim[\s\S]*200,00/],
  ["customer", "EMITIR", /enviado para a empresa/],
  ["operator", "aprovar", /aprovado/],
];

/** Steps from the word on: they have many more places than the questions before them, and come to the same note. */
const TAIL = 2;
/** What is issued after them is a scene of its own. */
export const TAIL_SCENES = TAIL + 1;

/** The same sale told in one sentence: for deaths at places that only the tail has. */
export const briefStepsOf = (cpf: string): readonly Step[] => [
  [
    "customer",
    `nota de R$ 200 pra Maria da Silva cpf ${cpf}, corte e escova, hoje`,
    /Qual serviço/,
  ],
  ["customer", "1", /Confere pra mim[\s\S]*200,00/],
  ...stepsOf(cpf).slice(-TAIL),
];

/** A fictitious CPF with its right digits, another for each number. */
export function cpfOf(number: number): string {
  const digits = [...String(100_000_000 + number * 7_919)].map(Number);
  for (const length of [9, 10]) {
    const sum = digits.reduce((all, digit, at) => all + digit * (length + 1 - at), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join("");
}

/** A fiscal call whose process died is judged after its time-out and 15 s more; all else sooner. */
export const PATIENCE_MS = 60_000;
/**
 * After this a person would write once more; here what the bot did not take is posted again. The gateway's own tries are over by
 * then but for one, which comes 83 s after the first: longer than anybody waits here when starts are slow.
 */
const HURRY_MS = 25_000;
const FISCAL_TIMEOUT_MS = 1_000;
/** Between two looks at the gateway's notes. */
const LOOK_MS = 75;
const REQUEST = /Pedido \*([A-Z]\d)\*/;
const END = /emitida ✅|em processamento/;
/** What is said beyond the calm conversation where the fate of the note was not known for a while. */
const HONEST = /em processamento|confirma/;

export interface Played {
  readonly customer: readonly string[];
  readonly operator: readonly string[];
  readonly notes: number;
  /** Calls of `nfse-envio` that reached the gateway. */
  readonly calls: number;
  /** Whether a person had to settle a note nobody knew the fate of. */
  readonly held: boolean;
  /** In peace: the durable writes that were passed, by scene. */
  readonly passed: readonly (readonly string[])[];
  /** How many processes died in it. */
  readonly deaths: number;
  /** Where it died of those it was to die at, by scene of the whole conversation. */
  readonly died: readonly (string | undefined)[];
}

/** What differs between two runs of the same conversation. */
export function plain(text: string): string {
  return text
    .replace(/\d+(\*?) emitida/, "N$1 emitida")
    .replace(/\d{50}/g, "KEY")
    .replace(/Pedido \*?[A-Z]\d\*?/g, "Pedido C")
    .replace(/(aprovar|recusar) [A-Z]\d/g, "$1 C")
    .replace(/[\d*]{3}\.\d{3}\.\d{3}-[\d*]{2}/g, "CPF")
    .replace(/Contato \d{4}/g, "Contato N")
    .replace(/http:\S+/g, "LINK");
}

/** Without what is only said while a note's fate is open. */
const closed = (texts: readonly string[]): readonly string[] =>
  texts.filter((text) => !HONEST.test(text));

/** What was read, each once: a death may have what was on its way said again. */
export function essence(texts: readonly string[]): readonly string[] {
  const said = closed(texts);
  return said.filter((text, at) => text !== said[at - 1]);
}

/** A stage for the conversation; any number can be played on it, one after the other. `fiscalTimeoutMs`: of a fiscal call. */
export function openStage(
  program: string,
  store: StoreKind,
  fiscalTimeoutMs = FISCAL_TIMEOUT_MS,
): Promise<Stage> {
  return Stage.open({
    ...{ store, program, dice: new Dice(1), roles: ["all"] },
    ...{ brief: true, straight: true },
    env: { GATEWAY_FISCAL_TIMEOUT_MS: String(fiscalTimeoutMs) },
    plan: () => ({}),
  });
}

/**
 * Plays it once, with a customer and a taker of its own, in peace. `places`: where the bot dies instead, by scene of the whole
 * conversation; `plan`: another way to die, by what is said; `settleMs`: a time to wait at the end for what may still come;
 * `brief`: the sale is told in one sentence.
 */
export async function play(
  stage: Stage,
  number: number,
  own: {
    readonly places?: readonly (string | undefined)[];
    readonly plan?: (say: string) => Plan;
    readonly settleMs?: number;
    readonly brief?: boolean;
  } = {},
): Promise<Played> {
  const cpf = cpfOf(number);
  const customer = stage.phone(phoneOf(number));
  const operator = stage.phone(OPERATOR);
  await operator.hears();
  const before = (await operator.all()).length;
  const [bot] = stage.lives;
  if (!bot) throw new Error("the stage has no bot");
  const alive = bot.deaths.length;
  const steps = (own.brief ? briefStepsOf : stepsOf)(cpf);
  // Scenes of the brief form that the whole one does not have are played in peace.
  const [later, ownScenes] = [stepsOf(cpf).length - steps.length, steps.length - TAIL];
  const placeOf = (scene: number): string | undefined =>
    own.brief && scene < ownScenes ? undefined : own.places?.[scene + later];
  const marks: { readonly writes: number; readonly deaths: number }[] = [];
  const scene = async (say = ""): Promise<void> => {
    // What the scene before left to be written belongs to it.
    await pause(30);
    const place = placeOf(marks.length);
    const calm = own.places === undefined ? { trace: true } : {};
    await bot.arm(own.plan?.(say) ?? (place === undefined ? calm : planOf(place)));
    marks.push({ writes: bot.writes.length, deaths: bot.deaths.length });
  };
  const said = (who: Phone, then: RegExp) => heard(stage, who, then);
  try {
    for (const [who, say, then] of steps) {
      await scene(say);
      const phone = who === "customer" ? customer : operator;
      await phone.says(say);
      await said(phone, then);
      if (say === "EMITIR") await said(operator, REQUEST);
    }
    // What is written before the tax office is asked belongs to the scene before, on every day.
    await until("the call for the note", () => asked(stage, customer, cpf), PATIENCE_MS);
    await scene();
    const end = await said(customer, END);
    const held = !/emitida/.test(end);
    if (held) {
      await decide(stage, cpf);
      await said(customer, /emitida ✅/);
    }
    await said(operator, /emitida para/);
    await scene();
    await bot.arm({});
    await pause(own.settleMs ?? 0);
    const ofTaker = (row: Body): boolean => JSON.stringify(row).includes(cpf);
    // A death at the end of the conversation before may have its last words said again in this one.
    const ofAnother = (text: string): boolean =>
      (/Contato (\d{4})/.exec(text)?.[1] ?? nameOf(number)) !== nameOf(number);
    const [notes, requests] = [await stage.rows("invoices"), await stage.rows("requests")];
    return {
      customer: (await customer.all()).map(plain),
      operator: (await operator.all())
        .slice(before)
        .filter((text) => !ofAnother(text))
        .map(plain),
      notes: notes.filter(ofTaker).length,
      calls: requests.filter(
        (row) => textIn(row["route"]) === "invoicing.nfseEnvio" && ofTaker(row),
      ).length,
      held,
      deaths: bot.deaths.length - alive,
      passed: marks
        .slice(1)
        .map(({ writes }, at) => named(bot.writes.slice(marks[at]?.writes, writes))),
      died: (own.places ?? []).map((_, whole) => {
        const [from, to] = [marks[whole - later], marks[whole - later + 1]];
        const place = placeOf(whole - later);
        if (!from || !to || place === undefined) return undefined;
        const deaths = bot.deaths.slice(from.deaths, to.deaths);
        return deaths.some((death) => isDeathAt(death, place)) ? place : undefined;
      }),
    };
  } catch (error) {
    const place = placeOf(marks.length - 1) ?? "none";
    const where = `the death at ${place} of scene ${marks.length}, ${stage.kind}, number ${number}`;
    throw new Error(`${where}: ${String(error)}; ${await deadIn(stage)}`, { cause: error });
  }
}

/** Why messages were put aside, if some were. */
export async function deadIn(stage: Stage): Promise<string> {
  const { body } = await stage.http("GET", "/api/dead").catch((error: unknown) => ({
    body: { items: [{ reason: String(error) }] } as unknown as Body,
  }));
  const items = (body["items"] ?? []) as unknown as readonly Body[];
  return `put aside: ${items.map((item) => textIn(item["reason"])).join(", ") || "nothing"}`;
}

/** Waits for what is said to this phone; meanwhile what the bot did not take is posted again. */
export async function heard(stage: Stage, who: Phone, then: RegExp): Promise<string> {
  const hurry = setInterval(() => void stage.redeliver().catch(() => undefined), HURRY_MS);
  try {
    return await who.waitFor(then, PATIENCE_MS);
  } finally {
    clearInterval(hurry);
  }
}

/** Whether the gateway was asked for the note, or the customer told that nobody knows. */
async function asked(stage: Stage, customer: Phone, cpf: string): Promise<true | undefined> {
  const notes = await stage.rows("invoices");
  if (notes.some((row) => JSON.stringify(row).includes(cpf))) return true;
  const said = await customer.all();
  if (said.some((text) => END.test(text))) return true;
  await pause(LOOK_MS);
  return undefined;
}

/** The conversation up to the operator's approval, without a death. Answers when the customer hears of the note's fate. */
export async function ask(stage: Stage, number: number, cpf: string, end: RegExp): Promise<void> {
  await approve(stage, number, await request(stage, number, cpf), end);
}

/** The conversation up to the request that the operator reads, without a death; answers the request's code. */
export async function request(stage: Stage, number: number, cpf: string): Promise<string> {
  const [customer, operator] = [stage.phone(phoneOf(number)), stage.phone(OPERATOR)];
  await operator.hears();
  for (const [who, say, then] of stepsOf(cpf)) {
    if (who === "operator") continue;
    await customer.says(say);
    await heard(stage, customer, then);
  }
  return REQUEST.exec(await heard(stage, operator, REQUEST))?.[1] ?? "";
}

/** The operator says yes. Answers when the customer hears what `end` says. */
export async function approve(
  stage: Stage,
  number: number,
  code: string,
  end: RegExp,
): Promise<void> {
  const [customer, operator] = [stage.phone(phoneOf(number)), stage.phone(OPERATOR)];
  await customer.hears();
  await operator.hears();
  await operator.says(`aprovar ${code}`);
  await heard(stage, operator, /aprovado/);
  await heard(stage, customer, end);
}

export const phoneOf = (number: number): string => `55119877${String(10_000 + number)}`;
/** What the sandbox's people are called by: the end of their number. */
const nameOf = (number: number): string => phoneOf(number).slice(-4);

/** A person looks at the gateway and says what became of the note; again, when the bot dies of it. */
export async function decide(stage: Stage, cpf: string): Promise<void> {
  let seen = "nothing";
  const look = async (): Promise<boolean> => {
    const note = (await stage.rows("invoices")).find((row) => JSON.stringify(row).includes(cpf));
    const chave = note?.["chave"];
    try {
      const { status, body } = await stage.http("GET", "/api/invoices?account=demo");
      const all = body["items"] as unknown as readonly Body[];
      const states = all.map((row) => textIn(row["state"]));
      seen = `${status}, notes ${states.join(" ")}`;
      const open = all[states.indexOf("incerta")];
      // Settled: by the words that were lost, or by the issuer's own notice.
      if (!open) return states.every((state) => state === "autorizada");
      const decided = await stage.http("POST", `/api/invoices/demo/${textIn(open["id"])}/resolve`, {
        ...(chave === undefined ? { decision: "not_issued" } : { decision: "issued", chave }),
        ...{ reason: "looked at the gateway", rev: open["rev"] },
      });
      seen += `; decided: ${decided.status} ${decided.text}`;
    } catch (error) {
      // The bot is dead; it comes back.
      seen = `nobody who answers: ${String(error)}`;
    }
    await pause(200);
    return false;
  };
  try {
    await until("the decision about the note", look, PATIENCE_MS);
  } catch (error) {
    throw new Error(`${String(error)}; last seen: ${seen}`, { cause: error });
  }
}

/** What is wrong with a shaken conversation beside the calm one. */
export function compare(calm: Played, shaken: Played): readonly string[] {
  const wrong: string[] = [];
  for (const who of ["customer", "operator"] as const) {
    const [want, have] = [essence(calm[who]), essence(shaken[who])];
    const at = have.findIndex((text, index) => text !== want[index]);
    if (at >= 0) wrong.push(`the ${who} read “${have[at]}” instead of “${want[at] ?? "nothing"}”`);
    else if (have.length < want.length)
      wrong.push(`the ${who} never read “${want[have.length] ?? ""}”`);
    // One bubble of a person's is on its way at a time.
    const repeats = closed(shaken[who]).length - have.length;
    if (repeats > shaken.deaths)
      wrong.push(`the ${who} read ${repeats} bubbles again, of ${shaken.deaths} deaths`);
    const more = shaken[who].find((text) => HONEST.test(text) && !calm[who].includes(text));
    if (more !== undefined && shaken.deaths === 0 && !shaken.held)
      wrong.push(`the ${who} read “${more}” although nothing was open`);
  }
  if (shaken.notes !== 1) wrong.push(`${shaken.notes} notes were issued`);
  // A person who sees that nothing was issued sends it again.
  if (shaken.calls !== 1) wrong.push(`nfse-envio was called ${shaken.calls} times`);
  return wrong;
}
