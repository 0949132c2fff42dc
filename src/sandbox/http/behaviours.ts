/** What every route of the contract does. Examples are answered under `homolog` only. */
import type { Json } from "../../base/index.ts";
import type { AnyRoute, RouteId } from "../../gateway/index.ts";
import { isObject } from "./bounded.ts";
import * as calls from "../phone/calls.ts";
import * as chats from "../chats/chats.ts";
import { SEND_ROUTES, type SendRoute } from "../messages/drafts.ts";
import { connectEngineC } from "../phone/phones.ts";
import * as groups from "../groups/group-routes.ts";
import * as invoicing from "../invoicing/invoicing.ts";
import * as issuerCalls from "../invoicing/issuer-calls.ts";
import * as labels from "../chats/chats.ts";
import * as messages from "../messages/message-marks.ts";
import { done, type Behaviour, onOpenPhone } from "./outcome.ts";
import * as phones from "../phone/phones.ts";
import * as profile from "../phone/profile.ts";
import * as queue from "./queue.ts";
import { send } from "../messages/sends.ts";

/** One entry for each route: a route of the contract without one does not compile. */
const BEHAVIOURS: Readonly<Record<RouteId, Behaviour>> = {
  ...(Object.fromEntries(SEND_ROUTES.map((id) => [id, send(id)])) as Record<SendRoute, Behaviour>),
  "call.offer": calls.offer,
  "chat.messengerNumbers": chats.messengerNumbers,
  "chat.findMessages": chats.findMessages,
  "chat.findChats": chats.findChats,
  "chat.findContacts": chats.findContacts,
  "chat.getBase64FromMediaMessage": messages.getBase64FromMediaMessage,
  "chat.deleteMessageForEveryone": messages.deleteMessageForEveryone,
  "chat.fetchProfilePictureUrl": profile.fetchProfilePictureUrl,
  "chat.fetchProfile": profile.fetchProfile,
  "chat.updateProfileName": profile.updateProfileName,
  "chat.updateProfileStatus": profile.updateProfileStatus,
  "chat.updateProfilePicture": profile.updateProfilePicture,
  "chat.removeProfilePicture": profile.removeProfilePicture,
  "chat.fetchPrivacySettings": profile.fetchPrivacySettings,
  "chat.updatePrivacySettings": profile.updatePrivacySettings,
  "group.create": groups.create,
  "group.fetchAllGroups": groups.fetchAllGroups,
  "group.updateGroupPicture": groups.updateGroupPicture,
  "group.updateGroupSubject": groups.updateGroupSubject,
  "group.updateGroupDescription": groups.updateGroupDescription,
  "group.inviteCode": groups.inviteCode,
  "group.revokeInviteCode": groups.revokeInviteCode,
  "group.sendInvite": groups.sendInvite,
  "group.inviteInfo": groups.inviteInfo,
  "group.findGroupInfos": groups.findGroupInfos,
  "group.updateParticipant": groups.updateParticipant,
  "group.updateSetting": groups.updateSetting,
  "group.participants": groups.participants,
  "label.handleLabel": labels.handleLabel,
  "label.findLabels": labels.findLabels,
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
  "invoicing.emitentesCadastro": issuerCalls.register,
  "invoicing.emitentesAtualiza": issuerCalls.update,
  "invoicing.emitentesLista": issuerCalls.list,
  "invoicing.certificadoUpload": issuerCalls.uploadCertificate,
  "invoicing.nfseEnvio": invoicing.submit,
  "invoicing.nfseConsulta": invoicing.lookUp,
  "invoicing.cancelamento": invoicing.cancel,
};

/** What a route does. */
export function behaviourOf(route: AnyRoute): Behaviour {
  return BEHAVIOURS[route.id];
}

/** What an action does that the contract does not declare: it needs the phone, as all others, and changes nothing. */
export const unknownAction: Behaviour = onOpenPhone(() => done({}));

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
