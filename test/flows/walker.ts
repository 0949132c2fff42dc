/** Every place of a shipped flow where it asks a person something, reached by answering; made from its own steps. */
import type {
  FlowEvent,
  ProgramContext,
  ProgramState,
  ProgramStep,
} from "../../src/engine/index.ts";
import { meaning } from "../../src/engine/answers/meaning.ts";
import type { Meaning } from "../../src/engine/answers/meaning-result.ts";
import type { FlowProgram } from "../../src/flow/index.ts";
import { account } from "../engine/town.ts";
import { model } from "../support/plugins.ts";

export const CONTEXT: ProgramContext = {
  now: Date.UTC(2026, 10, 21, 13),
  zone: "America/Sao_Paulo",
  locale: "pt-BR",
  variant: 0,
};

/** What a person writes for a slot of each kind, and what they change it to. */
export const SAMPLES: Readonly<Record<string, readonly [string, string]>> = {
  choice: ["1", "2"],
  document: ["529.982.247-25", "111.444.777-35"],
  cpf: ["529.982.247-25", "111.444.777-35"],
  cnpj: ["11.222.333/0001-81", "11.444.777/0001-61"],
  name: ["Maria Souza", "Ana Lima"],
  address: [
    "Rua das Flores, 123, Centro, São Paulo/SP, 01310-100",
    "Rua Augusta, 9, Centro, São Paulo/SP, 01305-000",
  ],
  money: ["R$ 150,00", "R$ 80,00"],
  text: ["corte de cabelo", "barba e bigode"],
  month: ["10/2026", "09/2026"],
  date: ["20/11/2026", "19/11/2026"],
  email: ["ana@example.com", "bia@example.com"],
  phone: ["(11) 98888-0001", "(11) 98888-0002"],
  cep: ["01310-100", "01305-000"],
  city: ["São Paulo/SP", "Santos/SP"],
  yesno: ["sim", "não"],
  number: ["3", "4"],
};

/** One frame of a flow, kept as JSON between turns. */
export class Walk {
  readonly program: FlowProgram;
  #stored: string;
  last: ProgramStep;

  constructor(program: FlowProgram, from?: { stored: string; last: ProgramStep }) {
    this.program = program;
    this.last =
      from?.last ??
      program.start(
        {
          input: {},
          account: model.view(account),
          contact: { role: program.audience === "operator" ? "operator" : "customer" },
        },
        CONTEXT,
      );
    this.#stored = from?.stored ?? JSON.stringify(this.last.state);
  }

  copy(): Walk {
    return new Walk(this.program, { stored: this.#stored, last: this.last });
  }

  get state(): ProgramState {
    return JSON.parse(this.#stored) as ProgramState;
  }

  get facts(): {
    readonly slots: Record<string, unknown>;
    readonly tries: number;
    readonly trail: readonly string[];
  } {
    return this.state.facts as never;
  }

  get expects() {
    return this.program.expects(this.state, CONTEXT);
  }

  get said(): string {
    return this.last.say.map(({ text }) => text).join("\n");
  }

  event(event: FlowEvent): this {
    this.last = this.program.step(this.state, event, CONTEXT);
    this.#stored = JSON.stringify(this.last.state);
    return this;
  }

  means(text: string): Meaning {
    return meaning(this.expects, { type: "text", text }, CONTEXT);
  }

  /** What the person writes, as the engine understands it at this place. */
  says(text: string): this {
    const meant = this.means(text);
    if (meant.kind === "flow") return this.event(meant.event);
    const type = meant.kind === "command" ? COMMANDS[meant.command] : undefined;
    return type ? this.event({ type }) : this;
  }

  sample(which: 0 | 1 = 0): string {
    const { slot, slots } = this.expects;
    return SAMPLES[slots.find(({ name }) => name === slot)?.kind ?? ""]?.[which] ?? "";
  }
}

const COMMANDS: Readonly<
  Record<string, "CANCEL" | "BACK" | "SKIP" | "REPEAT" | "HELP" | "WHY" | "HUMAN">
> = {
  cancel: "CANCEL",
  stop: "CANCEL",
  back: "BACK",
  skip: "SKIP",
  repeat: "REPEAT",
  help: "HELP",
  why: "WHY",
  human: "HUMAN",
};

/** All places where the flow asks: each step once, over every option of its menus. */
export function places(program: FlowProgram): Walk[] {
  const found = new Map<string, Walk>();
  const queue = [new Walk(program)];
  for (let walk = queue.shift(); walk && found.size < 100; walk = queue.shift()) {
    const { rests, step, choices, slot } = walk.expects;
    if (walk.last.ended || found.has(step)) continue;
    if (rests !== "ask" && rests !== "choose" && rests !== "confirm") continue;
    found.set(step, walk);
    const next = (event: FlowEvent) => queue.push(walk.copy().event(event));
    if (rests === "confirm") for (const type of ["YES", "NO"] as const) next({ type });
    else if (rests === "choose" && slot)
      for (const { id } of choices ?? []) next({ type: "ANSWER", values: { [slot]: id } });
    else queue.push(walk.copy().says(walk.sample()));
    if (slot === "document") queue.push(walk.copy().says("11.444.777/0001-61"));
  }
  return [...found.values()];
}
