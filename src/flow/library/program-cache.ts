/**
 * Programs of one library that the next one takes as they are: those of flows nobody touched in between. A save changes one
 * flow of many; to make the others anew would be most of what it costs.
 */
import type { Ast } from "../ast/ast.ts";
import type { Catalogues } from "../texts/lookup.ts";
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
  /** What all programs hang on besides their own flow: equal part by part, or none of them is of any use. */
  #around: readonly unknown[] = [];
  /** By `flow@hash`, as the library has them. */
  #made: ReadonlyMap<string, Made> = new Map();
  #byRaw: ReadonlyMap<Ast, Made> = new Map();

  /** Before a library is made: what it hangs on. */
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
