/** What a sentence means at a step of the sample form, whose earlier steps are answered: for the labelled corrections. */
import { readFileSync } from "node:fs";
import type { ReadingContext } from "../../../src/engine/turn/reader.ts";
import { meaning } from "../../../src/engine/answers/meaning.ts";
import type { Meaning } from "../../../src/engine/answers/meaning-result.ts";
import { ACCOUNT, Chat, CONTEXT, library } from "../../flow/fixtures/world.ts";
import { bot } from "../../support/plugins.ts";
import { business } from "../../support/understand.ts";

/** The steps in their order, and the answer that was given to each. */
const ANSWERS = {
  service: "cut",
  document: "52998224725",
  name: "Maria Souza",
  address: {
    logradouro: "Rua Barão de Jaguara",
    numero: "120",
    complemento: "sala 2",
    bairro: "Centro",
    codigo_municipio: "3509502",
    uf: "SP",
    cep: "13015001",
  },
  value: 15_000,
  description: "Corte de cabelo",
  competence: "2026-10",
} as const;

export type Place = keyof typeof ANSWERS | "summary";
export const PLACES = [...Object.keys(ANSWERS), "summary"] as Place[];

export interface Correction {
  readonly at: Place;
  readonly text: string;
  /** Set where no plugin reads along. */
  readonly plain?: true;
  readonly meant: Meaning;
}

const READING: ReadingContext = { ...CONTEXT, business, readers: bot.vocabulary.readers ?? [] };

/** The form as it rests at each step: all before it is answered. */
const RESTING: ReadonlyMap<Place, Chat> = (() => {
  const program = library().get("request-sample");
  if (!program) throw new Error("the sample does not load");
  const account = { ...ACCOUNT, policy: { ...ACCOUNT.policy, address: "always" } };
  return new Map(
    PLACES.map((place, at) => {
      const chat = new Chat(program, account);
      for (const [slot, value] of Object.entries(ANSWERS).slice(0, at))
        chat.event({ type: "ANSWER", values: { [slot]: value } });
      if (chat.at !== place) throw new Error(`the form rests at ${chat.at}, not at ${place}`);
      return [place, chat];
    }),
  );
})();

/** What the sentence means there. */
export function said({ at, text, plain }: Omit<Correction, "meant">): Meaning {
  const chat = RESTING.get(at);
  if (!chat) throw new Error(`no step ${at}`);
  const context = plain ? CONTEXT : READING;
  return meaning(chat.program.expects(chat.state, context), { type: "text", text }, context);
}

export function corrections(): readonly Correction[] {
  return readFileSync(new URL("./corrections.jsonl", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Correction);
}
