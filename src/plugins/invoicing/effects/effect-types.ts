/** The effects of this plugin as TypeScript sees them in flows: `effects: InvoicingEffects` in a bot's `registry.d.ts`. */
import type { CallFailed, CallRefused } from "../../../plugin.ts";

interface Sale {
  service: string;
  value: number;
  description: string;
}
/** One service, or several of the same sort, whose sum is the note's value. */
type NoteInput = { document: string; name: string; competence: string } & (
  Sale | { items: readonly Sale[]; description?: string }
);
/** Which note is meant: `slot.of("note")`. */
interface NoteWish {
  readonly number?: string;
  readonly key?: string;
  readonly last?: true;
  readonly month?: string;
  readonly document?: string;
  readonly name?: string;
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
  "notes.find": {
    class: "read";
    input: {
      wish?: NoteWish;
      again?: NoteWish;
      id?: string;
      purpose?: "look" | "issued" | "repeat" | "cancel";
    };
    ends: {
      done: NoteView & {
        found: "none" | "one" | "many" | "more";
        rows: readonly { id: string; label: string }[];
      };
      rejected: CallRefused;
      failed: CallFailed;
    };
  };
  "notes.month": {
    class: "read";
    input: { month?: string; after?: string };
    ends: {
      done: {
        month: string;
        count: number;
        issued: number;
        /** As people read it: `R$ 1.234,56`. */
        total: string;
        lines: string;
        more: boolean;
        next: string;
        whole: boolean;
      };
      rejected: CallRefused;
      failed: CallFailed;
    };
  };
  "notes.draft": {
    class: "read";
    input: { id: string };
    ends: {
      done: {
        service: string;
        document: string;
        name: string;
        address: object;
        value: number;
        description: string;
      };
      rejected: CallRefused;
      failed: CallFailed;
    };
  };
  "notes.sheet": {
    class: "replace";
    input: { month: string };
    ends: {
      done: { month: string; count: number; file: object };
      rejected: CallRefused;
      failed: CallFailed;
    };
  };
  "notes.cancel": {
    class: "replace";
    input: { note: string; reason: "error" | "undone" | "other"; why: string };
    ends: { done: { number: string }; rejected: CallRefused; failed: CallFailed };
  };
  "notes.share": {
    class: "replace";
    input: { note: string; phone: string; found: readonly unknown[] };
    ends: { done: { number: string }; rejected: CallRefused; failed: CallFailed };
  };
  "notes.similar": {
    class: "read";
    input: { document: string; value: number };
    ends: {
      done: { found: boolean; label: string };
      rejected: CallRefused;
      failed: CallFailed;
    };
  };
  "takers.find": {
    class: "read";
    input: { id?: string; service?: string };
    ends: {
      done: {
        found: "none" | "one" | "many";
        rows: readonly { id: string; label: string }[];
        name: string;
        document: string;
        address: object;
        label: string;
        proposes: boolean;
        service: string;
        serviceLabel: string;
      };
      rejected: CallRefused;
      failed: CallFailed;
    };
  };
  "customers.find": {
    class: "read";
    input: { name?: string; document?: string; id?: string };
    ends: {
      done: {
        found: "none" | "one" | "many";
        rows: readonly { id: string; label: string }[];
        id: string;
        name: string;
        document: string;
        address: object;
        label: string;
      };
      rejected: CallRefused;
      failed: CallFailed;
    };
  };
  "customers.forget": {
    class: "replace";
    input: { id: string };
    ends: { done: object; rejected: CallRefused; failed: CallFailed };
  };
  "issuer.register": {
    class: "costly";
    input: {
      cnpj: string;
      name: string;
      trade?: string;
      regime: "mei" | "simples" | "simples_excesso" | "normal";
      percent?: number;
      cnae?: string;
      im?: string;
      ie?: string;
      address: object;
      phone: string;
      email: string;
    };
    /** `adopted`: the gateway had it already, nothing was charged. `issuer`: its id in the account, where that is known. */
    ends: {
      done: { adopted: boolean; issuer?: string };
      rejected: CallRefused;
      failed: CallFailed;
    };
  };
  "issuer.update": {
    class: "replace";
    input: {
      issuer?: string;
      name?: string;
      trade?: string;
      regime?: "mei" | "simples" | "simples_excesso" | "normal";
      cnae?: string;
      im?: string;
      ie?: string;
      address?: object;
      phone?: string;
      email?: string;
    };
    ends: { done: object; rejected: CallRefused; failed: CallFailed };
  };
  "issuer.list": {
    class: "read";
    input: object;
    ends: {
      done: { lines: string; count: number; more: number };
      rejected: CallRefused;
      failed: CallFailed;
    };
  };
  "issuer.show": {
    class: "read";
    input: { issuer?: string };
    ends: {
      done: { card: string; regime: string; town: string };
      rejected: CallRefused;
      failed: CallFailed;
    };
  };
  "certificate.link": {
    class: "read";
    input: { issuer?: string };
    ends: {
      done: { url: string; link: string; minutes: number };
      rejected: CallRefused;
      failed: CallFailed;
    };
  };
  "certificate.check": {
    class: "read";
    input: { issuer?: string; file: object; senha: string };
    ends: {
      done: { ticket: string; valid: string };
      rejected: CallRefused;
      failed: CallFailed;
    };
  };
  "certificate.upload": {
    class: "replace";
    input: { ticket: string };
    ends: {
      done: { valid: string; days: number; company: string };
      rejected: CallRefused;
      failed: CallFailed;
    };
  };
  /** What this plugin adds to the runtime's overview: how many notes are kept of the person, and each in a line. */
  "privacy.overview": {
    class: "read";
    input: object;
    ends: { done: { notes: number; list: string }; rejected: CallRefused; failed: CallFailed };
  };
}
