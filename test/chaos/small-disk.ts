/** A disk of its own, small enough to be filled: a file system in memory. Linux, and the right to mount one. */
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** More than a run writes, MB. */
const SIZE_MB = 64;
/** What is written to fill it: large pieces first, then whatever still fits, bytes. */
const PIECES = [1_048_576, 4_096, 64, 1];

export class SmallDisk {
  readonly folder: string;
  readonly #filler: string;

  private constructor(folder: string) {
    this.folder = folder;
    this.#filler = path.join(folder, "filler");
  }

  /** Throws, and says so, where it may not be mounted. */
  static mount(): SmallDisk {
    const folder = mkdtempSync(path.join(tmpdir(), "prosa-disk-"));
    try {
      const kind = ["-t", "tmpfs", "-o", `size=${SIZE_MB}m,mode=0700`];
      execFileSync("mount", [...kind, "tmpfs", folder], { stdio: "pipe" });
    } catch (cause) {
      rmSync(folder, { recursive: true });
      throw new Error("no small disk can be mounted here: run this as root", { cause });
    }
    const disk = new SmallDisk(folder);
    process.once("exit", () => disk.unmount());
    return disk;
  }

  /** Not one byte more can be written. What is freed meanwhile is filled by calling it again. */
  fill(): void {
    const file = openSync(this.#filler, "a");
    try {
      for (const size of PIECES) {
        const piece = Buffer.alloc(size);
        try {
          while (writeSync(file, piece) === size);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
        }
      }
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(this.#filler, { force: true });
  }

  #mounted = true;
  /** Whatever still has a file open there keeps it until it ends. */
  unmount(): void {
    if (!this.#mounted) return;
    this.#mounted = false;
    execFileSync("umount", ["--lazy", this.folder], { stdio: "pipe" });
    rmSync(this.folder, { recursive: true, force: true });
  }
}
