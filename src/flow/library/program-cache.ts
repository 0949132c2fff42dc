/**
 * Programs that the next library takes over unchanged: those of flows that were not edited. A save changes one flow of
 * many, and most of its cost would be to build the others again.
 */
import type { Ast } from "../ast/ast.ts";
import type { Catalogues } from "../texts/catalogue.ts";
import type { FlowProgram } from "../machine/program.ts";

/** A program and what it was made of. */
export interface Made {
  readonly program: FlowProgram;
  /** As it was written; absent for a version that was stored, which is linked already. */
  readonly raw?: Ast;
  readonly texts: Catalogues;
  readonly file?: string;
}

export class ProgramCache {
  /** What all programs depend on besides their own flow. When a part differs, no cached program can be used. */
  #around: readonly unknown[] = [];
  /** By `flow@hash`, as the library has them. */
  #made: ReadonlyMap<string, Made> = new Map();
  #byRaw: ReadonlyMap<Ast, Made> = new Map();

  /** Called before a library is made, with what its programs depend on. */
  open(around: readonly unknown[]): void {
    const isSame =
      around.length === this.#around.length &&
      around.every((part, index) => part === this.#around[index]);
    if (!isSame) this.use(new Map());
    this.#around = around;
  }

  /** The program of a flow as it was written. */
  newest(raw: Ast, texts: Catalogues, file: string | undefined): FlowProgram | undefined {
    const made = this.#byRaw.get(raw);
    return made?.texts === texts && made.file === file ? made.program : undefined;
  }

  /** The program of a version as it was stored, or as it was in use until now. */
  older(key: string, ast: Ast, texts: Catalogues): Made | undefined {
    const made = this.#made.get(key);
    return made?.program.ast === ast && made.texts === texts ? made : undefined;
  }

  /** Any version that is loaded. */
  get(key: string): FlowProgram | undefined {
    return this.#made.get(key)?.program;
  }

  /** What the library that was made last has. */
  use(made: ReadonlyMap<string, Made>): void {
    this.#made = made;
    this.#byRaw = new Map(
      [...made.values()].flatMap((one) => (one.raw ? [[one.raw, one] as const] : [])),
    );
  }
}
