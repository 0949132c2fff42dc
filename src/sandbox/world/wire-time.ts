/** Times as the engines and the gateway print them. All of them mean São Paulo's wall clock. */
import { isoWithOffset, localTime } from "../../brazil/index.ts";

const ZONE = "America/Sao_Paulo";

/** Engine B: local time with a `Z` that is not true. */
export function falseZulu(now: number): string {
  const { day, time } = localTime(now, ZONE);
  return `${day}T${time}.${String(now % 1_000).padStart(3, "0")}Z`;
}

/** Engine A: `21-11-2026 01:31:00`. */
export function dashed(now: number): string {
  const { day, time } = localTime(now, ZONE);
  return `${day.split("-").reverse().join("-")} ${time}`;
}

/** Engine C and invoices: ISO 8601 with offset, no fraction. */
export function withOffset(now: number): string {
  return isoWithOffset(now, ZONE);
}

/** Epoch seconds, as message times travel. */
export function seconds(now: number): number {
  return Math.floor(now / 1_000);
}
