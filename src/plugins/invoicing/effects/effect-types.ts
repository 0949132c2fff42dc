/** The effects of this plugin as TypeScript sees them in flows: `effects: InvoicingEffects` in a bot's `registry.d.ts`. */
import type { CallFailed, CallRefused } from "../../../plugin.ts";

interface Sale {
  service: string;
  value: number;
  description: string;
}
/** One service, or several of the same sort, whose sum is the note's value. */
type NoteInput = {
  document: string;
  name: string;
  competence: string;
  address?: object;
  /** The gateway's id of the issuer; the account's default when absent. */
  issuer?: string;
  /** The business's own id of the sale: makes the business key exact. */
  sale?: string;
  /** Town where the service was done, 7 digits. */
  place?: string;
} & (Sale | { items: readonly Sale[]; description?: string });
/** Which note is meant: `slot.of("note")`. */
interface NoteWish {
  readonly number?: string;
  readonly key?: string;
  readonly last?: true;
  readonly month?: string;
  readonly document?: string;
  readonly name?: string;
}

/** What a call gives by how it ends. */
interface Ends<Done> {
  done: Done;
  rejected: CallRefused;
  failed: CallFailed;
}

/** A note as flows read it. */
export interface NoteView {
  readonly id: string;
  readonly status:
    | "autorizada"
    | "cancelando"
    | "cancelada"
    | "indefinida"
    | "processando"
    | "incerta"
    | "rejeitada"
    | "abandonada";
  readonly number: string;
  readonly key: string;
  /** Empty where the gateway gave none. */
  readonly link: string;
  readonly name: string;
  /** Masked. */
  readonly document: string;
  /** Cents. */
  readonly value: number;
  readonly service: string;
  readonly description: string;
  readonly month: string;
  readonly day: string;
  readonly reason: string;
  readonly title: string;
}

/** What of a note is known before its first question. */
export interface NoteDraft {
  readonly service?: string;
  readonly document?: string;
  readonly name?: string;
  readonly address?: object;
  readonly value?: number;
  readonly description?: string;
  readonly competence?: string;
}

export interface InvoicingEffects {
  "invoice.issue": {
    class: "fiscal";
    input: NoteInput & { again?: boolean };
    ends: {
      done: { number: string; key: string; link: string; text: string; support: string };
      rejected: CallRefused & {
        slots: readonly string[];
        fixable: "customer" | "issuer" | "nobody";
        support: string;
        /** Of the earlier note, when that is why. */
        number: string;
        /** What the town said of a reason that nobody knows: for the business alone. */
        words?: string;
      };
      failed: CallRefused & { support: string };
    };
  };
  "invoice.cancel": {
    class: "fiscal";
    input: { note: string; reason: "error" | "undone" | "other"; why: string };
    ends: {
      done: { number: string; text: string };
      rejected: CallRefused;
      failed: CallRefused;
    };
  };
  /** What tells of a note is there where one is told of: it was found, or is the only one that fits and is not fit for that. */
  "notes.find": {
    class: "read";
    input: {
      wish?: NoteWish;
      again?: NoteWish;
      id?: string;
      purpose?: "look" | "issued" | "repeat" | "cancel";
    };
    ends: Ends<
      NoteView & {
        found: "none" | "one" | "many" | "more";
        rows: readonly { id: string; label: string }[];
      }
    >;
  };
  "notes.month": {
    class: "read";
    input: { month?: string; after?: string };
    ends: Ends<{
      month: string;
      count: number;
      issued: number;
      /** As people read it: `R$ 1.234,56`. */
      total: string;
      lines: string;
      more: boolean;
      next: string;
      whole: boolean;
    }>;
  };
  /** `service` is there while the account offers it, `address` where the note had one. */
  "notes.draft": {
    class: "read";
    input: { id: string };
    ends: Ends<{
      service: string;
      document: string;
      name: string;
      address: object;
      value: number;
      description: string;
    }>;
  };
  "notes.sheet": {
    class: "replace";
    input: { month: string };
    ends: Ends<{ month: string; count: number; file: object }>;
  };
  "notes.cancel": {
    class: "replace";
    input: { note: string; reason: "error" | "undone" | "other"; why: string };
    ends: Ends<{ number: string }>;
  };
  /** `stands`: the authority calls it issued. `told`: nobody knows, people of the business look. */
  "notes.cancelled": {
    class: "replace";
    input: { note: string };
    ends: Ends<{ how: "cancelled" | "stands" | "told"; number: string }>;
  };
  "notes.share": {
    class: "replace";
    input: { note: string; phone: string; found: readonly unknown[] };
    ends: Ends<{ number: string }>;
  };
  "notes.similar": {
    class: "read";
    input: { document: string; value: number };
    ends: Ends<{ found: boolean; label: string }>;
  };
  /** What tells of a taker is there for `found: "one"`; its address, and its last service, where they are known. */
  "takers.find": {
    class: "read";
    input: { id?: string; service?: string };
    ends: Ends<{
      found: "none" | "one" | "many";
      rows: readonly { id: string; label: string }[];
      name: string;
      document: string;
      address: object;
      label: string;
      proposes: boolean;
      service: string;
      serviceLabel: string;
    }>;
  };
  /** What tells of a customer is there for `found: "one"`; its address where it is known. */
  "customers.find": {
    class: "read";
    input: { name?: string; document?: string; id?: string };
    ends: Ends<{
      found: "none" | "one" | "many";
      rows: readonly { id: string; label: string }[];
      id: string;
      name: string;
      document: string;
      address: object;
      label: string;
    }>;
  };
  "customers.forget": {
    class: "replace";
    input: { id: string };
    ends: Ends<object>;
  };
  "issuer.register": {
    class: "costly";
    input: {
      cnpj: string;
      name: string;
      trade?: string;
      regime: "mei" | "simples" | "simples_excesso" | "normal";
      /** Whose notes they are; demanded of `normal`, where the law leaves it to the town. */
      portal?: "national" | "town";
      percent?: number;
      cnae?: string;
      im?: string;
      ie?: string;
      address: object;
      phone: string;
      email: string;
    };
    /** `adopted`: the gateway had it already, nothing was charged. `issuer`: its id in the account, where that is known. */
    ends: Ends<{ adopted: boolean; issuer?: string }>;
  };
  "issuer.update": {
    class: "replace";
    input: {
      issuer?: string;
      name?: string;
      trade?: string;
      /** `normal` issues nationally, `normal_town` by the town. */
      regime?: "mei" | "simples" | "simples_excesso" | "normal" | "normal_town";
      portal?: "national" | "town";
      cnae?: string;
      im?: string;
      ie?: string;
      address?: object;
      phone?: string;
      email?: string;
    };
    ends: Ends<object>;
  };
  "issuer.list": {
    class: "read";
    input: object;
    ends: Ends<{ lines: string; count: number; more: number }>;
  };
  "issuer.show": {
    class: "read";
    input: { issuer?: string };
    ends: Ends<{ card: string; regime: string; town: string }>;
  };
  "certificate.link": {
    class: "read";
    input: { issuer?: string };
    ends: Ends<{ url: string; link: string; minutes: number }>;
  };
  "certificate.check": {
    class: "read";
    input: { issuer?: string; file: object; senha: string };
    ends: Ends<{ ticket: string; valid: string }>;
  };
  "certificate.upload": {
    class: "replace";
    input: { ticket: string };
    ends: Ends<{ valid: string; days: number; company: string }>;
  };
  /** What this plugin adds to the runtime's overview: how many notes are kept of the person, and each in a line. */
  "privacy.overview": {
    class: "read";
    input: object;
    ends: Ends<{ notes: number; list: string }>;
  };
}
