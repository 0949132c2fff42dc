/** What the flows of this folder can name, for the compiler: effects with their inputs and results, and each other. */
import "prosa";
import type { GatewayRoutes, RuntimeEffects } from "prosa";
import type { InvoicingEffects, NoteDraft } from "prosa/invoicing";

declare module "prosa" {
  interface FlowRegistry {
    effects: GatewayRoutes & RuntimeEffects & InvoicingEffects;
    flows: {
      "register-issuer": { outcomes: "registered" };
      "update-issuer": { outcomes: "updated" };
      "list-issuers": { outcomes: never };
      certificate: { outcomes: "uploaded"; input: { issuer?: string } };
      "certificate-file": {
        outcomes: "ready" | "again";
        outs: { ready: { ticket: string } };
        input: { issuer?: string };
      };
      "certificate-password": {
        outcomes: "ready" | "wrong" | "unfit";
        outs: { ready: { ticket: string } };
        input: { issuer?: string; file: object };
      };
      "my-data": { outcomes: never };
      export: { outcomes: never };
      erase: { outcomes: never };
      "request-invoice": { input: NoteDraft; outcomes: "issued" | "refused" };
      "issue-invoice": { input: NoteDraft; outcomes: "issued" };
      "look-up-note": { outcomes: never };
      "my-notes": { outcomes: never };
      "notes-sheet": { outcomes: never };
      "repeat-note": { outcomes: "issued" | "refused" };
      "known-customer": { input: NoteDraft; outcomes: "issued" };
      "known-taker": { outcomes: never };
      "similar-note": {
        input: { document: string; value: number };
        outcomes: "same";
        outs: { done: { again: boolean; similar: string } };
      };
      "forget-customer": { outcomes: never };
      "cancel-note": { outcomes: "asked" | "cancelled-note" };
      "send-note": { outcomes: "sent" };
      "talk-to-human": { outcomes: never };
      "approve-invoice": {
        outcomes: "approved" | "refused";
        outs: { refused: { reason: string } };
      };
    };
    events: { "certificate.uploaded": { link: string; ticket: string; valid: string } };
  }
}
