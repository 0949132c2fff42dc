/**
 * What may come after the flagship conversation: the tax office's answer was lost and a person decides what became of the note;
 * then the business cancels it. In peace, or with the death of the process that writes the person's decision, and of the one
 * that asks for the cancellation.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Phone } from "../support/phone.ts";
import { type Body, textIn, until } from "../support/prosa.ts";
import {
  briefStepsOf,
  cpfOf,
  deadIn,
  decide,
  heard,
  OPERATOR,
  PATIENCE_MS,
  phoneOf,
  plain,
} from "./flagship.ts";
import { isDeathAt, named, planOf } from "./places.ts";
import type { Stage } from "./stage.ts";

const LOOK_MS = 200;
/** What the scene before left to be written belongs to it. */
const REST_MS = 30;
const CANCELLED = /cancelada ✅/;
const UNCONFIRMED = /não veio a confirmação/;
const FAILED = /Não consegui enviar o cancelamento/;
/** The wish up to the word; `number` is the note's. */
const wishOf = (number: string): readonly (readonly [say: string, then: RegExp])[] => [
  [`cancelar a nota ${number}`, /Por que cancelar/],
  ["1", /Conta em uma frase/],
  ["o CPF era de outra pessoa", /CONFIRMAR/],
];

/** The scenes in which it may die. */
export const SCENES = ["decides", "cancels"] as const;

export interface After {
  /** What the operator read about the note since it was decided, without what is only said while nobody knows. */
  readonly told: readonly string[];
  readonly customer: readonly string[];
  /** Calls of `nfse-envio`, of the cancellation, and how many of the latter a person said to have failed. */
  readonly calls: number;
  readonly cancels: number;
  readonly failed: number;
  /** How the gateway has the note. */
  readonly state: string;
  /** Whether a person had to say how the cancellation ended. */
  readonly held: boolean;
  /** In peace: the durable writes of each scene. */
  readonly passed: readonly (readonly string[])[];
  readonly died: readonly (string | undefined)[];
}

/** The account's right to cancel by the gateway, once for a stage. */
export async function permit(stage: Stage): Promise<void> {
  const cancelTipo = "nfse-cancelamento";
  const { status, text } = await stage.http("PUT", "/api/accounts/demo", { cancelTipo });
  if (status !== 200) throw new Error(`the account was not changed: ${status} ${text}`);
}

/** Plays it once, with people of its own. `places`: where the bot dies, by scene; absent: in peace. */
export async function after(
  stage: Stage,
  number: number,
  places?: readonly (string | undefined)[],
): Promise<After> {
  const [cpf, customer] = [cpfOf(number), stage.phone(phoneOf(number))];
  const operator = stage.phone(OPERATOR);
  await operator.hears();
  const [bot] = stage.lives;
  if (!bot) throw new Error("the stage has no bot");
  const [passed, died]: [(readonly string[])[], (string | undefined)[]] = [[], []];
  const scene = async (at: 0 | 1, act: () => Promise<void>): Promise<void> => {
    await pause(REST_MS);
    const place = places?.[at];
    await bot.arm(place === undefined ? (places ? {} : { trace: true }) : planOf(place));
    const [writes, deaths] = [bot.writes.length, bot.deaths.length];
    await act();
    await pause(REST_MS);
    await bot.arm({});
    passed.push(named(bot.writes.slice(writes)));
    const met = bot.deaths
      .slice(deaths)
      .some((death) => place !== undefined && isDeathAt(death, place));
    died.push(met ? place : undefined);
  };
  try {
    await loseAnswer(stage);
    for (const [who, say, then] of briefStepsOf(cpf)) {
      const phone = who === "customer" ? customer : operator;
      await phone.says(say);
      await heard(stage, phone, then);
      if (say === "EMITIR") await heard(stage, operator, /Pedido \*/);
    }
    await heard(stage, customer, /em processamento/);
    const since = (await operator.all()).length;
    await scene(0, async () => {
      await decide(stage, cpf);
      await heard(stage, customer, /emitida ✅/);
      await heard(stage, operator, /emitida para/);
    });
    const noteNumber = textIn((await noteOf(stage, cpf))?.["numero"]);
    let [held, failed] = [false, 0];
    await wish(stage, operator, noteNumber);
    await scene(1, async () => {
      await operator.says("CONFIRMAR");
      const end = new RegExp(`${CANCELLED.source}|${UNCONFIRMED.source}`);
      held = UNCONFIRMED.test(await heard(stage, operator, end));
      if (!held) return;
      if ((await settle(stage, cpf)) === "done") {
        await heard(stage, operator, CANCELLED);
        return;
      }
      // The gateway never heard of it: the business asks again.
      failed += 1;
      await heard(stage, operator, FAILED);
      await wish(stage, operator, noteNumber);
      await operator.says("CONFIRMAR");
      await heard(stage, operator, CANCELLED);
    });
    const requests = await stage.rows("requests");
    const note = await noteOf(stage, cpf);
    const chave = textIn(note?.["chave"]);
    const about = (route: string, word: string): number =>
      requests.filter(
        (row) => textIn(row["route"]) === route && JSON.stringify(row["body"]).includes(word),
      ).length;
    return {
      ...{ passed, died, held, failed, state: textIn(note?.["status"]) },
      calls: about("invoicing.nfseEnvio", cpf),
      cancels: about("invoicing.cancelamento", chave),
      told: (await operator.all()).slice(since).filter(isAbout(noteNumber)).map(clean),
      customer: (await customer.all()).map(plain),
    };
  } catch (error) {
    const at = SCENES[died.length] ?? "is over";
    const where = `${places?.[died.length] ?? "no place"}, where somebody ${at}, ${stage.kind}, number ${number}`;
    throw new Error(`${where}: ${String(error)}; ${await deadIn(stage)}`, { cause: error });
  }
}

/** What is wrong with a shaken one beside the calm one. */
export function differ(calm: After, shaken: After): readonly string[] {
  const wrong: string[] = [];
  const once = (texts: readonly string[]): readonly string[] => [...new Set(texts)];
  for (const who of ["told", "customer"] as const) {
    const [want, have] = [once(calm[who]), once(shaken[who])];
    const missing = want.find((text) => !have.includes(text));
    const more = have.find((text) => !want.includes(text) && !HONEST.test(text));
    if (missing !== undefined) wrong.push(`nobody read “${missing}” (${who})`);
    if (more !== undefined) wrong.push(`somebody read “${more}” (${who})`);
  }
  if (shaken.calls !== 1) wrong.push(`nfse-envio was called ${shaken.calls} times`);
  if (shaken.state !== "cancelada") wrong.push(`the gateway has the note as ${shaken.state}`);
  // Asked for again only once a person had looked and said that it never came.
  const most = 1 + shaken.failed;
  if (shaken.cancels < 1 || shaken.cancels > most)
    wrong.push(`the cancellation was called ${shaken.cancels} times, ${most} allowed`);
  return wrong;
}

/** What is only said while nobody knows, or after a person had to say that it failed. */
const HONEST = /não veio a confirmação|encaminhado|Não consegui enviar/;

async function wish(stage: Stage, operator: Phone, number: string): Promise<void> {
  for (const [say, then] of wishOf(number)) {
    await operator.says(say);
    await heard(stage, operator, then);
  }
}

async function loseAnswer(stage: Stage): Promise<void> {
  const effect = { kind: "accepted_then_lost" };
  const fault = { tipo: "nfse-envio", effect, times: 1 };
  const { status } = await stage.control("POST", "/sandbox/faults", fault);
  if (status >= 300) throw new Error(`the fault was refused: ${status}`);
}

async function noteOf(stage: Stage, cpf: string): Promise<Body | undefined> {
  return (await stage.rows("invoices")).find((row) => JSON.stringify(row).includes(cpf));
}

/** A person looks at the gateway and says what became of the cancellation; again, when the bot dies of it. */
async function settle(stage: Stage, cpf: string): Promise<"done" | "failed"> {
  const status = textIn((await noteOf(stage, cpf))?.["status"]);
  const decision = status === "cancelada" ? "done" : "failed";
  await until(
    "the decision about the cancellation",
    async () => {
      await pause(LOOK_MS);
      try {
        const { body } = await stage.http("GET", "/api/outbox?account=demo&state=held");
        const held = (body["items"] ?? []) as unknown as readonly Body[];
        const one = held.find((row) => textIn(row["payload"]?.["name"]) === "invoice.cancel");
        if (!one) return true;
        const [contact, id] = [textIn(one["contact"]), encodeURIComponent(textIn(one["id"]))];
        const said = { decision, reason: "looked at the gateway", rev: one["rev"] };
        await stage.http("POST", `/api/outbox/demo/${contact}/${id}/resolve`, said);
      } catch {
        // The bot is dead; it comes back.
      }
      return false;
    },
    PATIENCE_MS,
  );
  return decision;
}

const isAbout =
  (number: string) =>
  (text: string): boolean =>
    text.includes(number);
const clean = (text: string): string => plain(text).replace(/\*?\d{5,}\*?/g, "N");
