/** Whether a certificate that was read may serve an issuer now. Pure. */
import { isCnpj } from "../../../plugin.ts";
import type { PfxFacts } from "./pfx.ts";
import type { Reading } from "./pfx-reader.ts";

/** A CNPJ's root: branches share the certificate of their head office. */
const ROOT_LENGTH = 8;

/** Why a certificate is not taken, before anything is paid for. */
export type Unfit =
  | Extract<Reading, { ok: false }>["reason"]
  /** Its time is over, or still to come; it is another company's. */
  | "expired"
  | "not-yet"
  | "other-company";

export type Fitting =
  | { readonly ok: true; readonly facts: PfxFacts }
  | { readonly ok: false; readonly reason: Unfit; readonly facts?: PfxFacts };

export function fitting(reading: Reading, cnpj: string, now: number): Fitting {
  if (!reading.ok) return reading;
  const { facts } = reading;
  if (!isCnpj(facts.cnpj)) return { ok: false, reason: "no-company" };
  if (facts.cnpj.slice(0, ROOT_LENGTH) !== cnpj.slice(0, ROOT_LENGTH))
    return { ok: false, reason: "other-company", facts };
  if (facts.until <= now) return { ok: false, reason: "expired", facts };
  if (facts.from > now) return { ok: false, reason: "not-yet", facts };
  return { ok: true, facts };
}
