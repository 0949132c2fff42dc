/** What outlives the sandbox: which run this is (the epoch) and how far its clock was moved. One small JSON file. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { Fault } from "../../base/index.ts";

const FILE = "sandbox.json";

const State = z.object({
  epoch: z.number().int().nonnegative(),
  /** Virtual time minus real time, in milliseconds; only ever grows. */
  offset: z.number().int().nonnegative(),
});
type State = z.output<typeof State>;

export class EpochFile {
  readonly #file: string;
  #state: State;

  /** Opens the file of `dataDir` (made if absent) and raises the epoch: this is a new run. */
  constructor(dataDir: string) {
    mkdirSync(dataDir, { recursive: true });
    this.#file = path.join(dataDir, FILE);
    this.#state = read(this.#file);
    this.raise();
  }

  get epoch(): number {
    return this.#state.epoch;
  }

  get offset(): number {
    return this.#state.offset;
  }

  raise(): number {
    this.#write({ ...this.#state, epoch: this.#state.epoch + 1 });
    return this.#state.epoch;
  }

  /** A clock that was set back is somebody's who plays on it: it does not outlive this process. */
  keepOffset(offset: number): void {
    this.#write({ ...this.#state, offset: Math.max(0, offset) });
  }

  /** Whole or not at all: a process killed here leaves the old file. */
  #write(state: State): void {
    const draft = `${this.#file}.${process.pid}.new`;
    writeFileSync(draft, `${JSON.stringify(state)}\n`);
    renameSync(draft, this.#file);
    this.#state = state;
  }
}

function read(file: string): State {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { epoch: 0, offset: 0 };
    throw error;
  }
  try {
    return State.parse(JSON.parse(text));
  } catch (cause) {
    throw new Fault(
      "SETTING_INVALID",
      `The sandbox's state file ${file} is not readable; remove it to begin anew.`,
      { cause },
    );
  }
}
