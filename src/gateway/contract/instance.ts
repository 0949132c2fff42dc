/** `/call`, `/instance` and `/settings`: the connected phone itself. */
import { z } from "zod";
import { engineSchema, assumed, controller, shown } from "./route.ts";
import {
  Done,
  NoBody,
  OpenBody,
  Pairing,
  Recipient,
  anyRecord,
  messaging,
  record,
  soft,
} from "./shapes.ts";

const SECONDS = "must be 1 to 15 seconds";
/** A call rings 1 to 15 seconds. */
const CallOffer = z.strictObject({
  number: Recipient,
  isVideo: z.boolean(),
  callDuration: z.int().min(1, SECONDS).max(15, SECONDS),
});

export const call = controller("call", {
  /** Places a short call (may change without notice; some engine versions answer without ringing anybody). */
  offer: messaging({
    path: "/call/offer",
    class: "costly",
    volatile: true,
    variants: {
      default: shown(CallOffer, { number: "5511900000002", isVideo: false, callDuration: 5 }),
    },
    response: anyRecord({ id: soft(z.string()), jid: soft(z.string()) }),
    answer: { id: "123", jid: "5511900000002@s.whatsapp.net", isVideo: false, callDuration: 5 },
  }),
});

/** `number` asks for a pairing code beside the QR code; `integration` names the engine where a deployment has several. */
const CreateInstance = z.strictObject({
  instanceName: z.string().min(1).max(100),
  qrcode: z.boolean(),
  number: Recipient.optional(),
  integration: z.string().min(1).max(100).optional(),
});
const qrCode = {
  pairingCode: null,
  code: "2@AbCdEf",
  base64: "data:image/png;base64,iVBORw0KGgo=",
  count: 1,
};

export const instance = controller("instance", {
  /** Creates the instance of a device; `instanceName` equals the device's name. Answers the QR code when asked. */
  create: messaging({
    path: "/instance/create",
    class: "costly",
    variants: { default: shown(CreateInstance, { instanceName: "loja1", qrcode: true }) },
    response: anyRecord({
      instance: soft(record({ instanceName: soft(z.string()), status: soft(z.string()) })),
      qrcode: soft(Pairing),
    }),
    answer: { instance: { instanceName: "loja1", status: "connecting" }, qrcode: qrCode },
  }),
  /** Connects an instance that exists: pairing data while it is not open, its state when it is. */
  connect: messaging({
    method: "GET",
    path: "/instance/connect",
    class: "read",
    variants: { default: shown(NoBody, {}) },
    response: Pairing,
    answer: qrCode,
  }),
  /** The state of the connection: `open`, `connecting`, `close`; absent when the engine does not know the instance. */
  connectionState: messaging({
    method: "GET",
    path: "/instance/connectionState",
    class: "read",
    variants: { default: shown(NoBody, {}) },
    response: record({
      instance: soft(record({ instanceName: soft(z.string()), state: soft(z.string()) })),
      state: soft(z.string()),
    }),
    answer: { instance: { instanceName: "loja1", state: "open" } },
  }),
  /** Restarts the instance; refused while it is closed. */
  restart: messaging({
    method: "PUT",
    path: "/instance/restart",
    class: "destructive",
    repeat: "harmless",
    variants: { default: shown(OpenBody, {}) },
    response: Done,
    answer: { instance: { instanceName: "loja1", state: "connecting" } },
  }),
  /** The same by POST (†), as newer engines want it. */
  restartPost: messaging({
    path: "/instance/restart",
    class: "destructive",
    repeat: "harmless",
    variants: {
      default: assumed(
        OpenBody,
        {},
        engineSchema(
          "No field is needed; POST is the second generation's method, PUT the first's.",
        ),
      ),
    },
    response: Done,
    answer: { instance: { instanceName: "loja1", state: "connecting" } },
  }),
  /** Logs the phone out: it must be paired again. */
  logout: messaging({
    method: "DELETE",
    path: "/instance/logout",
    class: "destructive",
    repeat: "harmless",
    variants: { default: shown(NoBody, {}) },
    response: Done,
    answer: { status: "SUCCESS", error: false, response: { message: "Instance logged out" } },
  }),
  /** Deletes the instance with everything the engine knows of it. */
  delete: messaging({
    method: "DELETE",
    path: "/instance/delete",
    class: "destructive",
    repeat: "harmless",
    variants: { default: shown(NoBody, {}) },
    response: Done,
    answer: { status: "SUCCESS", error: false, response: { message: "Instance deleted" } },
  }),
});

/** The first three are shown by the interface; the rest are the engine's. `read_messages` marks all that comes in as read. */
const Settings = z.strictObject({
  reject_call: z.boolean(),
  msg_call: z.string().optional(),
  groups_ignore: z.boolean().optional(),
  always_online: z.boolean().optional(),
  read_messages: z.boolean().optional(),
  read_status: z.boolean().optional(),
  sync_full_history: z.boolean().optional(),
});

export const settings = controller("settings", {
  /** Says what happens with incoming calls and with groups. */
  set: messaging({
    path: "/settings/set",
    class: "replace",
    repeat: "harmless",
    variants: {
      default: shown(Settings, {
        reject_call: true,
        msg_call: "Não atendemos ligações.",
        groups_ignore: true,
      }),
    },
    response: Done,
    answer: { settings: { reject_call: true, groups_ignore: true } },
  }),
  /** The settings in force. */
  find: messaging({
    method: "GET",
    path: "/settings/find",
    class: "read",
    variants: { default: shown(NoBody, {}) },
    response: record({
      reject_call: soft(z.boolean()),
      msg_call: soft(z.string()),
      groups_ignore: soft(z.boolean()),
    }),
    answer: { reject_call: true, msg_call: "Não atendemos ligações.", groups_ignore: true },
  }),
});
