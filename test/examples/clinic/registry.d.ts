/** What the flows of this bot can name, for the compiler: effects, each other, and events. Add a line for each new one. */
import "prosa";
import type { CallFailed, CallRefused, GatewayRoutes, OwnEffects } from "prosa";

declare module "prosa" {
  interface FlowRegistry {
    effects: GatewayRoutes &
      OwnEffects & {
        "privacy.overview": {
          class: "read";
          input: object;
          ends: {
            done: {
              name: string;
              phone: string;
              messages: number;
              chatDays: number;
              draftDays: number;
            };
            rejected: CallRefused;
            failed: CallFailed;
          };
        };
        "privacy.export": {
          class: "replace";
          input: object;
          ends: { done: object; rejected: CallRefused; failed: CallFailed };
        };
        "privacy.ready": {
          class: "read";
          input: object;
          ends: { done: object; rejected: CallRefused; failed: CallFailed };
        };
        "privacy.erase": {
          class: "replace";
          input: object;
          ends: { done: object; rejected: CallRefused; failed: CallFailed };
        };
      };
    flows: {
      book: { outcomes: "booked" };
      "cancel-visit": { outcomes: never };
      "talk-to-human": { outcomes: never };
      "my-data": { outcomes: never };
      export: { outcomes: never };
      erase: { outcomes: never };
    };
    events: { "visit.tomorrow": { code: string } };
  }
}
