/** The HTTP side of this plugin: operators' routes, the one-time page of a certificate, and the issuer's webhook. */
import type { Plugin } from "../../../plugin.ts";
import { servicesOf } from "../services.ts";
import { noteActions } from "./actions.ts";
import { noteRoutes } from "./routes.ts";
import { uploadRoutes } from "./uploads.ts";

export const http: Pick<Plugin, "routes" | "pages" | "webhooks"> = {
  routes: (context) => noteRoutes(noteActions(context)),
  pages: (context) => (app, about) =>
    uploadRoutes(app, { ...about, uploads: servicesOf(context).certificates }),
  webhooks: (context) => ({
    // A claim: it is settled once the key is checked.
    async invoicing(account, body) {
      await servicesOf(context).settling.fromWebhook(account.id, body);
    },
  }),
};
