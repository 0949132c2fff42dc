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

declare module "prosa" {
  interface FlowRegistry {
    effects: GatewayRoutes & {
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
    };
    flows: {
      "my-data": { outcomes: never };
      export: { outcomes: never };
      erase: { outcomes: never };
      "request-invoice": { outcomes: "issued" | "refused" };
      "issue-invoice": { outcomes: "issued" };
      "talk-to-human": { outcomes: never };
      "approve-invoice": { outcomes: "approved" | "refused"; out: { reason: string } };
    };
  }
}
