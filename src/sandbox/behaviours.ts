/** Which routes of the contract behave; the others answer their example. */
import type { Json } from "../base/index.ts";
import type { AnyRoute, RouteId } from "../gateway/index.ts";
import { isObject } from "./bounded.ts";
import * as chats from "./chats.ts";
import { SEND_ROUTES } from "./drafts.ts";
import { connectEngineC } from "./engine-c-connect.ts";
import * as invoicing from "./invoicing.ts";
import { done, type Behaviour } from "./outcome.ts";
import * as phones from "./phones.ts";
import * as queue from "./queue.ts";
import { send } from "./sends.ts";

const BEHAVIOURS: Readonly<Partial<Record<RouteId, Behaviour>>> = {
  ...Object.fromEntries(SEND_ROUTES.map((id) => [id, send])),
  "chat.messengerNumbers": chats.messengerNumbers,
  "chat.findMessages": chats.findMessages,
  "chat.findChats": chats.findChats,
  "chat.findContacts": chats.findContacts,
  "chat.fetchProfilePictureUrl": chats.fetchProfilePictureUrl,
  "chat.getBase64FromMediaMessage": chats.getBase64FromMediaMessage,
  "instance.create": phones.create,
  "instance.connect": phones.connect,
  "instance.connectionState": phones.connectionState,
  "instance.restart": phones.restart,
  "instance.restartPost": phones.restart,
  "instance.logout": phones.logout,
  "instance.delete": phones.remove,
  "settings.set": phones.setSettings,
  "settings.find": phones.findSettings,
  "engineC.connect": connectEngineC,
  "jobs.list": queue.listJobs,
  "jobs.find": queue.findJobs,
  "invoicing.emitentesCadastro": invoicing.register,
  "invoicing.emitentesAtualiza": invoicing.update,
  "invoicing.emitentesLista": invoicing.list,
  "invoicing.certificadoUpload": invoicing.uploadCertificate,
  "invoicing.nfseEnvio": invoicing.submit,
  "invoicing.nfseConsulta": invoicing.lookUp,
  "invoicing.cancelamento": invoicing.cancel,
};

/** What a route does. */
export function behaviourOf(route: AnyRoute): Behaviour {
  return BEHAVIOURS[route.id] ?? (() => done(examplePayload(route)));
}

/** The payload inside the contract's example answer. */
export function examplePayload(route: AnyRoute): Json {
  const { response } = route.example;
  if (!isObject(response)) return response;
  for (const key of ["response", "data"]) {
    const inner = response[key];
    if (inner !== undefined && "error" in response) return inner;
  }
  return response;
}
