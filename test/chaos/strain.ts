/** What processes take while something lasts: memory at its most, by halves, and processor time. */
import { readFileSync } from "node:fs";

const MB = 1_024 ** 2;
const WATCH_MS = 500;
/** Linux counts processor time in hundredths of a second. */
const TICKS = 100;

export interface Strain {
  /** Resident memory at its most in the first half and in the second, MB. */
  readonly mb: readonly [number, number];
  /** Processor time of all its threads, seconds. */
  readonly cpu: number;
}

/** Resident memory of a process, bytes. */
export function rssOf(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? "0") * 1_024;
}

/** Processor time of a process since it began, seconds. */
function cpuOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return fields.slice(11, 13).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
}

/** Looks at these processes until it is asked what they took. */
export function watchStrain<Who extends string>(
  pids: Readonly<Record<Who, number | undefined>>,
): () => Record<Who, Strain> {
  const names = Object.keys(pids) as Who[];
  const of = <T>(what: (who: Who) => T): Record<Who, T> =>
    Object.fromEntries(names.map((who) => [who, what(who)])) as Record<Who, T>;
  const before = of((who) => cpuOf(pids[who]));
  const samples: Record<Who, number>[] = [];
  const timer = setInterval(() => samples.push(of((who) => rssOf(pids[who]) / MB)), WATCH_MS);
  return () => {
    clearInterval(timer);
    const half = Math.ceil(samples.length / 2);
    const most = (who: Who, part: typeof samples): number =>
      Math.round(Math.max(0, ...part.map((one) => one[who])));
    return of((who) => ({
      mb: [most(who, samples.slice(0, half)), most(who, samples.slice(half))],
      cpu: cpuOf(pids[who]) - before[who],
    }));
  };
}
