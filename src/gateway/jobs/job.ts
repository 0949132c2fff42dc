/**
 * What a job's record says. Times are `DD/MM/YYYY HH:mm:ss` by the clock of São Paulo; a time that has not come is an
 * empty text, never null. The states are an open set (only `queued` is shown), so the end is told by `processed_at`.
 */
import { instantOf, isDay, localTime } from "../../brazil/index.ts";

/** The interface names no zone; its gateway runs in Brazil, by Brasília time. */
export const JOB_ZONE = "America/Sao_Paulo";

const TIME = /^(\d{2})\/(\d{2})\/(\d{4}) ((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)$/;
/** Before this year there was no clock of that kind to be wrong about. */
const FIRST_YEAR = 1970;

/** Epoch ms; null for the empty text (not yet); undefined for everything that is no such time. */
export function parseJobTime(text: unknown): number | null | undefined {
  if (typeof text !== "string") return undefined;
  if (text.trim() === "") return null;
  const [, date = "", month = "", year = "", time = ""] = TIME.exec(text.trim()) ?? [];
  const day = `${year}-${month}-${date}`;
  if (!isDay(day) || Number(year) < FIRST_YEAR) return undefined;
  return instantOf(day, time, JOB_ZONE);
}

/** A time as a job's record writes it; null is the empty text. Epoch ms, cut to whole seconds. */
export function formatJobTime(at: number | null): string {
  if (at === null) return "";
  const { day, time } = localTime(at, JOB_ZONE);
  return `${day.split("-").reverse().join("/")} ${time}`;
}

/** Whether the job has ended, well or badly: `processed_at` holds something. */
export function jobEnded(job: { readonly processed_at?: string | undefined }): boolean {
  return (job.processed_at ?? "").trim() !== "";
}
