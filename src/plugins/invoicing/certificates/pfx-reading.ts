/** What a PFX file may be, and what is read of one. */

/** A file with the whole chain of its authority has some 15 kB. */
export const PFX_LIMIT_BYTES = 100 * 1024;
/** Characters of a password; exporters stop at far fewer. */
export const PASSWORD_LIMIT = 256;
/**
 * `password`: the file is sound, and its seal says that the password is another. `unsupported`: a real PFX in a form that cannot
 * be read here, which says nothing about the password. `unsure`: no seal stands on it, so either may be. `unreadable`: no PFX at
 * all, or a broken one. `no-key`: without the private key. `person`: a natural person's. `no-company`: no CNPJ stands in it.
 */
export type PfxRefusal =
  | "password"
  | "unsupported"
  | "unsure"
  | "unreadable"
  | "no-key"
  | "person"
  | "no-company"
  | "too-large";

export interface PfxFacts {
  /** 14 positions as they stand in the certificate, upper case; their check digits are the caller's to judge. */
  readonly cnpj: string;
  /** The company as the certificate names it. */
  readonly holder: string;
  /** Epoch milliseconds. */
  readonly from: number;
  readonly until: number;
}
export type PfxReading =
  | { readonly ok: true; readonly facts: PfxFacts }
  | { readonly ok: false; readonly reason: PfxRefusal };
