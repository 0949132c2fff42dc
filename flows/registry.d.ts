/**
 * What the flows of this folder can name, for the compiler: effects with their inputs and results, and each other.
 */
import "prosa";
import type { GatewayRoutes } from "prosa";

declare module "prosa" {
  interface FlowRegistry {
    effects: GatewayRoutes & {
      "invoice.issue": {
        class: "fiscal";
        input: {
          service: string;
          document: string;
          name: string;
          value: number;
          description: string;
          competence: string;
          again?: boolean;
        };
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
    };
    flows: {
      "request-invoice": { outcomes: "issued" | "refused" };
      "issue-invoice": { outcomes: "issued" };
      "talk-to-human": { outcomes: never };
      "approve-invoice": { outcomes: "approved" | "refused"; out: { reason: string } };
    };
  }
}
