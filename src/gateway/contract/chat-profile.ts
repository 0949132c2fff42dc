/** The business's own profile under `/chat`: name, line below it, picture, and who may see what. */
import { z } from "zod";
import { assumed, controller, engineSchema, shown } from "./route.ts";
import { Done, NoBody, WebUrl, isRecord, messaging, record } from "./shapes.ts";

const Who = z.enum(["all", "contacts", "contact_blacklist", "none"]);
const Privacy = z.strictObject({
  readreceipts: z.enum(["all", "none"]),
  profile: Who,
  status: Who,
  online: z.enum(["all", "match_last_seen"]),
  last: Who,
  groupadd: Who,
});
const privacy = {
  readreceipts: "all",
  profile: "contacts",
  status: "contacts",
  online: "all",
  last: "contacts",
  groupadd: "none",
} as const;

export const profileRoutes = controller("chat", {
  /** Changes the business's shown name. */
  updateProfileName: messaging({
    path: "/chat/updateProfileName",
    class: "replace",
    repeat: "harmless",
    queue: "yes",
    variants: { default: shown(z.strictObject({ name: z.string().min(1) }), { name: "Loja Um" }) },
    response: Done,
    answer: { update: "success" },
  }),
  /** Changes the line below the name. */
  updateProfileStatus: messaging({
    path: "/chat/updateProfileStatus",
    class: "replace",
    repeat: "harmless",
    queue: "yes",
    variants: {
      default: shown(z.strictObject({ status: z.string() }), { status: "Aberto até 18h" }),
    },
    response: Done,
    answer: { update: "success" },
  }),
  /** Changes the business's picture, by URL. */
  updateProfilePicture: messaging({
    path: "/chat/updateProfilePicture",
    class: "replace",
    repeat: "harmless",
    queue: "yes",
    variants: {
      default: shown(z.strictObject({ picture: WebUrl }), {
        picture: "https://files.example.org/logo.png",
      }),
    },
    response: Done,
    answer: { update: "success" },
  }),
  /** Removes the business's picture. */
  removeProfilePicture: messaging({
    method: "DELETE",
    path: "/chat/removeProfilePicture",
    class: "replace",
    repeat: "harmless",
    variants: { default: shown(NoBody, {}) },
    response: Done,
    answer: { update: "success" },
  }),
  /** Who may see what of the business's profile. */
  fetchPrivacySettings: messaging({
    method: "GET",
    path: "/chat/fetchPrivacySettings",
    class: "read",
    variants: { default: shown(NoBody, {}) },
    response: z.preprocess((value) => (isRecord(value) ? value : null), record({})),
    answer: { ...privacy },
  }),
  /** Replaces all six privacy settings at once (†). */
  updatePrivacySettings: messaging({
    path: "/chat/updatePrivacySettings",
    class: "replace",
    repeat: "harmless",
    queue: "yes",
    variants: {
      default: assumed(
        Privacy,
        privacy,
        engineSchema(
          "Second generation: all six settings, flat. The older generation wraps them into `privacySettings`.",
          "bodies",
        ),
      ),
    },
    response: Done,
    answer: { update: "success", data: { ...privacy } },
  }),
});
