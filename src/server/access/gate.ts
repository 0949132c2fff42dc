/** How many webhook bodies may be in this process at once. Further ones are refused before a byte of them is read. */

/** Bodies at once, and their bytes together: 16 bodies of the largest size, or hundreds of ordinary ones. */
export const GATE = { bodies: 1_000, bytes: 256 * 1024 * 1024 } as const;
/** What a body of unstated length is taken for, bytes. */
const UNSTATED = 1024 * 1024;

export interface Gate {
  /** A place for a body of this stated length. The answer gives the place back; null: there is none. */
  enter(length: number | undefined): (() => void) | null;
  readonly inside: number;
}

export function createGate(limit: { bodies: number; bytes: number } = GATE): Gate {
  let bodies = 0;
  let bytes = 0;
  return {
    enter(length) {
      const size = length ?? UNSTATED;
      if (bodies >= limit.bodies || (bytes + size > limit.bytes && bodies > 0)) return null;
      bodies++;
      bytes += size;
      let left = false;
      return () => {
        if (left) return;
        left = true;
        bodies--;
        bytes -= size;
      };
    },
    get inside() {
      return bodies;
    },
  };
}
