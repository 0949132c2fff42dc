/** Times, spans and money as people read them, in the chosen language. */
import { language } from "./texts/index.ts";

const ZONE = "America/Sao_Paulo";

function inZone(at: number, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(language.value, { ...options, timeZone: ZONE }).format(at);
}

const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

export const clockTime = (at: number): string => inZone(at, CLOCK);

export const preciseTime = (at: number): string => inZone(at, { ...CLOCK, second: "2-digit" });

export function dayAndTime(at: number): string {
  const day = inZone(at, { day: "numeric", month: "short" });
  return `${day
    .replace(/ de |\./g, " ")
    .replace(/\s+/g, " ")
    .trim()}, ${clockTime(at)}`;
}

export const dayOf = (at: number): string =>
  inZone(at, { weekday: "short", day: "numeric", month: "long" });

export function money(value: number): string {
  return new Intl.NumberFormat(language.value, { style: "currency", currency: "BRL" }).format(
    value,
  );
}

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
] as const;

/** The two largest units of a span: `1 d 3 h`, `14 min 32 s`. */
export function span(ms: number): string {
  let rest = Math.max(0, Math.round(ms / 1000) * 1000);
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
    if (parts.length === 2) break;
  }
  return parts.length === 0 ? "0 s" : parts.join(" ");
}

export function duration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
