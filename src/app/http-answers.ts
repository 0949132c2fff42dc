/** `* issue.done number=12` over HTTP: the call that waits is let go, and the sandbox answers it as the line says. */
import { setTimeout as pause } from "node:timers/promises";
import type { JsonObject } from "../base/index.ts";
import { REJECTIONS } from "../plugins/invoicing/fiscal/index.ts";
import type { CallEffect, CallResult } from "../engine/index.ts";
import type { ApiClient } from "./client.ts";
import type { HttpBusiness } from "./http-business.ts";
import { namesIn } from "./http-content.ts";
import { TIMEOUT_MS } from "./http-faults.ts";
import { NotOverHttp, ofTheHouse, waits } from "./http-refusals.ts";
import type { HttpTurns } from "./http-turns.ts";
import { routeBehind } from "./town-faults.ts";

/** A call that was let go is answered within this, real ms; looked for so often. */
const ANSWER_MS = 5_000;
const LOOK_MS = 25;

/** What the bot refuses before anything leaves. */
const OWN_CODES: readonly string[] = [
  "blocked_duplicate",
  "known",
  "under_way",
  "over_ceiling",
  "over_day",
];

/** The code of a rejection; where the line tells only who can mend it and what, one that is mended so. */
function codeOf({ code, fixable, slots }: JsonObject): string | undefined {
  if (typeof code === "string") return code;
  if (typeof fixable !== "string") return undefined;
  const named = JSON.stringify(slots ?? []);
  const row = REJECTIONS.find(
    (one) => one.fixable === fixable && JSON.stringify(one.slots) === named && !one.duplicate,
  );
  // A file may tell what no authority says: in process nobody asks for the words behind it.
  if (!row) throw new NotOverHttp(`no rejection is known that ${fixable} mends by ${named}`);
  return row.codes[0];
}

export class HttpAnswers {
  readonly #api: ApiClient;
  readonly #business: HttpBusiness;
  readonly #turns: HttpTurns;
  /** What the sandbox said, and what the file calls it. */
  readonly #names: (readonly [string, string])[] = [];

  constructor(api: ApiClient, business: HttpBusiness, turns: HttpTurns) {
    this.#api = api;
    this.#business = business;
    this.#turns = turns;
  }

  /** A text in the file's names. */
  named(text: string): string {
    return this.#names.reduce((all, [said, name]) => {
      // What the line says is not there has no row of its own either.
      const rows = name === "" ? all.split("\n").filter((row) => row !== said) : [all];
      return rows.join("\n").replaceAll(said, name);
    }, text);
  }

  /** `pass`: lets what came of it be done. */
  async give(
    effect: CallEffect,
    outcome: string,
    fields: JsonObject,
    pass: () => Promise<void>,
  ): Promise<void> {
    if (ofTheHouse(effect.name)) {
      await this.#business.answer(effect.id, { outcome, out: fields });
      return pass();
    }
    const route = routeBehind(effect.name);
    if (!waits(route))
      throw new Error(
        `${effect.name} cannot be answered by a line over HTTP: the sandbox answers it at once`,
      );
    const { code } = fields;
    if (outcome === "rejected" && typeof code === "string" && OWN_CODES.includes(code))
      throw new NotOverHttp(`the bot says ${code} by itself, of what stands in its books`);
    const earlier = this.#turns.results(effect);
    const before = earlier.length;
    if (outcome !== "done") await this.#arm(effect, outcome, fields);
    await this.#business.resume();
    let result: CallResult | undefined;
    for (const end = Date.now() + ANSWER_MS; !result && Date.now() < end; await pause(LOOK_MS)) {
      await pass();
      result = this.#turns.results(effect).slice(before).at(-1);
    }
    // What is said upon it.
    await pass();
    await this.#business.pause();
    if (!result && earlier.length > 0)
      throw new NotOverHttp(
        `its answer was lost before, and ${effect.name} is not sent again: it ends by what the bot looks up, or by a person`,
      );
    if (result?.outcome !== outcome)
      throw new Error(
        result
          ? `over HTTP ${effect.name} ended as ${result.outcome}: ${JSON.stringify(result.out)}`
          : `over HTTP nothing answers ${effect.name} now: it left before, and is settled by a person`,
      );
    this.#names.push(...namesIn(fields, result.out, effect.name));
    // The longest first: a note's number stands in its key, too.
    this.#names.sort(([a], [b]) => b.length - a.length);
  }

  /** What of the sandbox makes the call end so. */
  async #arm({ name }: CallEffect, outcome: string, fields: JsonObject): Promise<void> {
    const text = typeof fields["text"] === "string" ? fields["text"] : "";
    const code = codeOf(fields);
    // As authorities write it: the code before the words.
    const message = /^E\d{2,4}$/.test(code ?? "") ? `${code} - ${text}` : text;
    const kinds: Readonly<Record<string, JsonObject>> = {
      rejected: { kind: "business_error", message, ...(code === undefined ? {} : { code }) },
      held: { kind: "timeout", ms: TIMEOUT_MS },
    };
    const how = kinds[outcome];
    if (!how) throw new Error(`no answer of the sandbox makes ${name} end as ${outcome}`);
    const { caller } = this.#business.guest;
    const body = { route: routeBehind(name), caller, times: 1, effect: how };
    await this.#api.send("POST", "/api/sandbox/faults", body);
  }
}
