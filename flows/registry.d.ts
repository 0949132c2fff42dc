/**
 * What the flows of this folder can name, for the compiler: effects with their inputs and results, and each other.
 */
import "prosa";
import type { GatewayRoutes } from "prosa";

interface Sale {
  service: string;
  value: number;
  description: string;
}
/** One service, or several of the same sort, whose sum is the note's value. */
type NoteInput = { document: string; name: string; competence: string } & (
  Sale | { items: readonly Sale[]; description?: string }
);
/** Which note is meant: `slot.note()`. */
interface NoteWish {
  readonly number?: string;
  readonly key?: string;
  readonly last?: true;
  readonly month?: string;
  readonly document?: string;
  readonly name?: string;
}

/** A note as flows read it. */
interface NoteView {
  readonly id: string;
  readonly status:
    | "autorizada"
    | "cancelando"
    | "cancelada"
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
interface NoteDraft {
  readonly service?: string;
  readonly document?: string;
  readonly name?: string;
  readonly address?: object;
  readonly value?: number;
  readonly description?: string;
  readonly competence?: string;
}

declare module "prosa" {
  interface FlowRegistry {
    effects: GatewayRoutes & {
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
        result: { code: string; text: string; reason: string; adopted: boolean; issuer?: string };
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
        result: { code: string; text: string; reason: string };
      };
      "issuer.list": {
        class: "read";
        input: object;
        result: { lines: string; count: number; more: number };
      };
      "issuer.show": {
        class: "read";
        input: { issuer?: string };
        result: { card: string; regime: string; town: string };
      };
      "certificate.link": {
        class: "read";
        input: { issuer?: string };
        result: { url: string; link: string; minutes: number };
      };
      "certificate.check": {
        class: "read";
        input: { issuer?: string; file: object; senha: string };
        result: { ticket: string; valid: string; code: string };
      };
      "certificate.upload": {
        class: "replace";
        input: { ticket: string };
        result: { valid: string; days: number; company: string; code: string; reason: string };
      };
      "invoice.issue": {
        class: "fiscal";
        input: NoteInput & { again?: boolean };
        result: {
          number: string;
          key: string;
          link: string;
          text: string;
          code: string;
          slots: readonly string[];
          fixable: "customer" | "issuer" | "nobody";
          support: string;
        };
      };
      "privacy.overview": {
        class: "read";
        input: object;
        result: {
          name: string;
          phone: string;
          /** Turns of the conversation that are kept. */
          messages: number;
          notes: number;
          list: string;
          chatDays: number;
          draftDays: number;
          fiscalYears: number;
        };
      };
      "privacy.export": { class: "read"; input: object; result: { code: string; text: string } };
      "privacy.ready": { class: "read"; input: object; result: { code: string; text: string } };
      "privacy.erase": { class: "replace"; input: object; result: { code: string; text: string } };
      "invoice.cancel": {
        class: "fiscal";
        input: { note: string; reason: "error" | "undone" | "other"; why: string };
        result: { number: string; code: string; text: string };
      };
      "notes.find": {
        class: "read";
        input: {
          wish?: NoteWish;
          again?: NoteWish;
          id?: string;
          purpose?: "look" | "issued" | "cancel";
        };
        result: NoteView & {
          found: "none" | "one" | "many" | "more";
          rows: readonly { id: string; label: string }[];
        };
      };
      "notes.month": {
        class: "read";
        input: { month?: string; after?: string };
        result: {
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
      };
      "notes.draft": {
        class: "read";
        input: { id: string };
        result: {
          service: string;
          document: string;
          name: string;
          address: object;
          value: number;
          description: string;
        };
      };
      "notes.sheet": {
        class: "replace";
        input: { month: string };
        result: { month: string; count: number; file: object; code: string; text: string };
      };
      "notes.cancel": {
        class: "replace";
        input: { note: string; reason: "error" | "undone" | "other"; why: string };
        result: { number: string; code: string; text: string };
      };
      "notes.share": {
        class: "replace";
        input: { note: string; phone: string; found: readonly unknown[] };
        result: { number: string; code: string; text: string };
      };
      "customers.find": {
        class: "read";
        input: { name?: string; document?: string; id?: string };
        result: {
          found: "none" | "one" | "many";
          rows: readonly { id: string; label: string }[];
          id: string;
          name: string;
          document: string;
          address: object;
          label: string;
        };
      };
      "takers.find": {
        class: "read";
        input: { id?: string };
        result: {
          found: "none" | "one" | "many";
          rows: readonly { id: string; label: string }[];
          name: string;
          document: string;
          address: object;
          label: string;
        };
      };
      "notes.similar": {
        class: "read";
        input: { document: string; value: number };
        result: { found: boolean; label: string };
      };
      "customers.forget": {
        class: "replace";
        input: { id: string };
        result: { code: string; text: string };
      };
    };
    flows: {
      "register-issuer": { outcomes: "registered" };
      "update-issuer": { outcomes: "updated" };
      "list-issuers": { outcomes: never };
      certificate: { outcomes: "uploaded" };
      "certificate-file": {
        outcomes: "ready" | "again";
        out: { ticket: string };
        input: { issuer?: string };
      };
      "certificate-password": {
        outcomes: "ready" | "wrong" | "unfit";
        out: { ticket: string };
        input: { issuer?: string; file: object };
      };
      "my-data": { outcomes: never };
      export: { outcomes: never };
      erase: { outcomes: never };
      "request-invoice": { outcomes: "issued" | "refused" };
      "issue-invoice": { input: NoteDraft; outcomes: "issued" };
      "look-up-note": { outcomes: never };
      "my-notes": { outcomes: never };
      "repeat-note": { outcomes: "issued" };
      "known-customer": { input: NoteDraft; outcomes: "issued" };
      "known-taker": { outcomes: never };
      "similar-note": {
        input: { document: string; value: number };
        outcomes: "same";
        out: { again: boolean; similar: string };
      };
      "forget-customer": { outcomes: never };
      "cancel-note": { outcomes: "asked" | "cancelled-note" };
      "send-note": { outcomes: "sent" };
      "talk-to-human": { outcomes: never };
      "approve-invoice": { outcomes: "approved" | "refused"; out: { reason: string } };
    };
    events: { "certificate.uploaded": { link: string; ticket: string; valid: string } };
  }
}
