/**
 * The gateway's routes as effects, written from the contract by src/app/authoring/declarations.ts: not to be edited by hand.
 *
 * An input has the fields of the body and of the query side by side. Ends tell what is known of an answer; where nothing is,
 * any field may be read.
 */
import type { CallFailed, CallRefused } from "prosa";

declare module "prosa" {
  interface GatewayRoutes {
    "message.sendText": {
      class: "message";
      input:
        | {
            number: string;
            options?: {
              delay?: number;
              presence?: "composing" | "recording" | "paused" | "available" | "unavailable";
            };
            delay?: number;
            text: string;
            linkPreview?: boolean;
          }
        | {
            number: string;
            options?: {
              delay?: number;
              presence?: "composing" | "recording" | "paused" | "available" | "unavailable";
            };
            delay?: number;
            text: string;
            quoted: {
              key: { id: string; remoteJid?: string; fromMe?: boolean; participant?: string };
              message?: { conversation: string };
            };
            linkPreview?: boolean;
          }
        | {
            number: string;
            options?: {
              delay?: number;
              presence?: "composing" | "recording" | "paused" | "available" | "unavailable";
            };
            delay?: number;
            text: string;
            mentionsEveryOne?: boolean;
            mentioned?: readonly string[];
            linkPreview?: boolean;
          };
      ends: {
        done: {
          key?: { id?: string; remoteJid?: string; fromMe?: boolean };
          status?: string;
          messageType?: string;
          messageTimestamp?: number | string;
        } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "message.sendTextQueue": {
      class: "message";
      input: {
        number: string;
        options?: {
          delay?: number;
          presence?: "composing" | "recording" | "paused" | "available" | "unavailable";
        };
        delay?: number;
        quoted?: {
          key: { id: string; remoteJid?: string; fromMe?: boolean; participant?: string };
          message?: { conversation: string };
        };
        mentionsEveryOne?: boolean;
        mentioned?: readonly string[];
        text: string;
        linkPreview?: boolean;
      };
      ends: {
        done: { id: string; message?: string } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "message.sendStatus": {
      class: "message";
      input:
        | {
            type: "text";
            content: string;
            backgroundColor: string;
            font: number;
            allContacts?: boolean;
            statusJidList?: readonly string[];
          }
        | {
            type: "image" | "video";
            content: string;
            caption?: string;
            allContacts?: boolean;
            statusJidList?: readonly string[];
          }
        | {
            type: "audio";
            content: string;
            allContacts?: boolean;
            statusJidList?: readonly string[];
          };
      ends: {
        done: {
          key?: { id?: string; remoteJid?: string; fromMe?: boolean };
          status?: string;
          messageType?: string;
          messageTimestamp?: number | string;
        } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "message.sendButtons": {
      class: "message";
      input: {
        number: string;
        options?: {
          delay?: number;
          presence?: "composing" | "recording" | "paused" | "available" | "unavailable";
        };
        delay?: number;
        quoted?: {
          key: { id: string; remoteJid?: string; fromMe?: boolean; participant?: string };
          message?: { conversation: string };
        };
        mentionsEveryOne?: boolean;
        mentioned?: readonly string[];
        title?: string;
        description?: string;
        footer?: string;
        thumbnailUrl?: string;
        buttons: readonly (
          | { type: "reply"; displayText: string; id: string }
          | { type: "copy"; displayText: string; copyCode: string }
          | { type: "url"; displayText: string; url: string }
          | { type: "call"; displayText: string; phoneNumber: string }
          | {
              type: "pix";
              currency: string;
              name: string;
              keyType: "phone" | "email" | "cpf" | "cnpj" | "random";
              key: string;
            }
        )[];
      };
      ends: {
        done: {
          key?: { id?: string; remoteJid?: string; fromMe?: boolean };
          status?: string;
          messageType?: string;
          messageTimestamp?: number | string;
        } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "message.sendPoll": {
      class: "message";
      input: {
        number: string;
        options?: {
          delay?: number;
          presence?: "composing" | "recording" | "paused" | "available" | "unavailable";
        };
        delay?: number;
        quoted?: {
          key: { id: string; remoteJid?: string; fromMe?: boolean; participant?: string };
          message?: { conversation: string };
        };
        mentionsEveryOne?: boolean;
        mentioned?: readonly string[];
        name: string;
        selectableCount: number;
        values: readonly string[];
      };
      ends: {
        done: {
          key?: { id?: string; remoteJid?: string; fromMe?: boolean };
          status?: string;
          messageType?: string;
          messageTimestamp?: number | string;
        } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "message.sendMedia": {
      class: "message";
      input:
        | {
            number: string;
            options?: {
              delay?: number;
              presence?: "composing" | "recording" | "paused" | "available" | "unavailable";
            };
            delay?: number;
            quoted?: {
              key: { id: string; remoteJid?: string; fromMe?: boolean; participant?: string };
              message?: { conversation: string };
            };
            mentionsEveryOne?: boolean;
            mentioned?: readonly string[];
            mediatype: "image";
            mimetype?: string;
            caption?: string;
            fileName?: string;
            media: string;
          }
        | {
            number: string;
            options?: {
              delay?: number;
              presence?: "composing" | "recording" | "paused" | "available" | "unavailable";
            };
            delay?: number;
            quoted?: {
              key: { id: string; remoteJid?: string; fromMe?: boolean; participant?: string };
              message?: { conversation: string };
            };
            mentionsEveryOne?: boolean;
            mentioned?: readonly string[];
            mediatype: "image" | "video" | "document" | "audio";
            mimetype?: string;
            caption?: string;
            fileName?: string;
            media: string;
          }
        | {
            number: string;
            options?: {
              delay?: number;
              presence?: "composing" | "recording" | "paused" | "available" | "unavailable";
            };
            delay?: number;
            quoted?: {
              key: { id: string; remoteJid?: string; fromMe?: boolean; participant?: string };
              message?: { conversation: string };
            };
            mentionsEveryOne?: boolean;
            mentioned?: readonly string[];
            mediatype: "document";
            mimetype: string;
            caption?: string;
            fileName?: string;
            media: string;
          };
      ends: {
        done: {
          key?: { id?: string; remoteJid?: string; fromMe?: boolean };
          status?: string;
          messageType?: string;
          messageTimestamp?: number | string;
        } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "message.sendMessengerAudio": {
      class: "message";
      input: {
        number: string;
        options?: {
          delay?: number;
          presence?: "composing" | "recording" | "paused" | "available" | "unavailable";
        };
        delay?: number;
        quoted?: {
          key: { id: string; remoteJid?: string; fromMe?: boolean; participant?: string };
          message?: { conversation: string };
        };
        mentionsEveryOne?: boolean;
        mentioned?: readonly string[];
        encoding?: boolean;
        audio: string;
      };
      ends: {
        done: {
          key?: { id?: string; remoteJid?: string; fromMe?: boolean };
          status?: string;
          messageType?: string;
          messageTimestamp?: number | string;
        } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "message.sendSticker": {
      class: "message";
      input: {
        number: string;
        options?: {
          delay?: number;
          presence?: "composing" | "recording" | "paused" | "available" | "unavailable";
        };
        delay?: number;
        quoted?: {
          key: { id: string; remoteJid?: string; fromMe?: boolean; participant?: string };
          message?: { conversation: string };
        };
        mentionsEveryOne?: boolean;
        mentioned?: readonly string[];
        notConvertSticker?: boolean;
        sticker: string;
      };
      ends: {
        done: {
          key?: { id?: string; remoteJid?: string; fromMe?: boolean };
          status?: string;
          messageType?: string;
          messageTimestamp?: number | string;
        } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "message.sendLocation": {
      class: "message";
      input: {
        number: string;
        options?: {
          delay?: number;
          presence?: "composing" | "recording" | "paused" | "available" | "unavailable";
        };
        delay?: number;
        quoted?: {
          key: { id: string; remoteJid?: string; fromMe?: boolean; participant?: string };
          message?: { conversation: string };
        };
        mentionsEveryOne?: boolean;
        mentioned?: readonly string[];
        name: string;
        address: string;
        latitude: number;
        longitude: number;
      };
      ends: {
        done: {
          key?: { id?: string; remoteJid?: string; fromMe?: boolean };
          status?: string;
          messageType?: string;
          messageTimestamp?: number | string;
        } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "message.sendReaction": {
      class: "message";
      input: {
        key: { id: string; remoteJid: string; fromMe: boolean; participant?: string };
        reaction: string;
      };
      ends: {
        done: {
          key?: { id?: string; remoteJid?: string; fromMe?: boolean };
          status?: string;
          messageType?: string;
          messageTimestamp?: number | string;
        } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "message.sendContact": {
      class: "message";
      input: {
        number: string;
        options?: {
          delay?: number;
          presence?: "composing" | "recording" | "paused" | "available" | "unavailable";
        };
        delay?: number;
        quoted?: {
          key: { id: string; remoteJid?: string; fromMe?: boolean; participant?: string };
          message?: { conversation: string };
        };
        mentionsEveryOne?: boolean;
        mentioned?: readonly string[];
        contact: readonly {
          fullName: string;
          phoneNumber: string;
          wuid?: string;
          organization?: string;
          email?: string;
          url?: string;
        }[];
      };
      ends: {
        done: {
          key?: { id?: string; remoteJid?: string; fromMe?: boolean };
          status?: string;
          messageType?: string;
          messageTimestamp?: number | string;
        } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "call.offer": {
      class: "costly";
      input: { number: string; isVideo: boolean; callDuration: number };
      ends: {
        done: { id?: string; jid?: string } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "instance.create": {
      class: "costly";
      input: { instanceName: string; qrcode: boolean; number?: string; integration?: string };
      ends: {
        done: {
          instance?: { instanceName?: string; status?: string };
          qrcode?: {
            pairingCode?: string;
            code?: string;
            base64?: string;
            count?: number;
            instance?: { instanceName?: string; state?: string };
          };
        } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "instance.connect": {
      class: "read";
      input: Record<never, never>;
      ends: {
        done: {
          pairingCode?: string;
          code?: string;
          base64?: string;
          count?: number;
          instance?: { instanceName?: string; state?: string };
        } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "instance.connectionState": {
      class: "read";
      input: Record<never, never>;
      ends: {
        done: { instance?: { instanceName?: string; state?: string }; state?: string } & {
          left: readonly string[];
        };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "instance.restart": {
      class: "destructive";
      input: { readonly [field: string]: unknown };
      ends: {
        done: { message?: string; status?: number | string } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "instance.restartPost": {
      class: "destructive";
      input: { readonly [field: string]: unknown };
      ends: {
        done: { message?: string; status?: number | string } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "instance.logout": {
      class: "destructive";
      input: Record<never, never>;
      ends: {
        done: { message?: string; status?: number | string } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "instance.delete": {
      class: "destructive";
      input: Record<never, never>;
      ends: {
        done: { message?: string; status?: number | string } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "settings.set": {
      class: "replace";
      input: {
        reject_call: boolean;
        msg_call?: string;
        groups_ignore?: boolean;
        always_online?: boolean;
        read_messages?: boolean;
        read_status?: boolean;
        sync_full_history?: boolean;
      };
      ends: {
        done: { message?: string; status?: number | string } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "settings.find": {
      class: "read";
      input: Record<never, never>;
      ends: {
        done: { reject_call?: boolean; msg_call?: string; groups_ignore?: boolean } & {
          left: readonly string[];
        };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "chat.messengerNumbers": {
      class: "read";
      input: { numbers: readonly string[] };
      ends: {
        done: {
          value: readonly {
            jid?: string;
            exists?: boolean;
            number?: string;
            name?: string;
            lid?: string;
          }[];
          count: number;
          left: readonly string[];
        };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "chat.findChats": {
      class: "read";
      input: { where?: { remoteJid?: string }; page?: number; offset?: number };
      ends: {
        done: {
          value: readonly { remoteJid?: string; pushName?: string }[];
          count: number;
          left: readonly string[];
        };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "chat.findMessages": {
      class: "read";
      input: {
        where?: {
          id?: string;
          key?: { id?: string; remoteJid?: string; fromMe?: boolean; participant?: string };
          messageType?: string;
          source?: string;
          messageTimestamp?: { gte?: string; lte?: string };
        };
        page?: number;
        offset?: number;
      };
      ends: {
        done: {
          messages: {
            total?: number;
            pages?: number;
            currentPage?: number;
            records: readonly { readonly [field: string]: unknown }[];
          };
        } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "chat.findContacts": {
      class: "read";
      input: {
        where?: { id?: string; remoteJid?: string; pushName?: string };
        page?: number;
        offset?: number;
      };
      ends: {
        done: {
          value: readonly { remoteJid?: string; pushName?: string }[];
          count: number;
          left: readonly string[];
        };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "chat.fetchProfilePictureUrl": {
      class: "read";
      input: { number: string };
      ends: {
        done: { wuid?: string; profilePictureUrl?: string | null } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "chat.fetchProfile": {
      class: "read";
      input: { number: string };
      ends: {
        done: { wuid?: string; name?: string } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "chat.getBase64FromMediaMessage": {
      class: "read";
      input: {
        message: {
          key: { id: string; remoteJid?: string; fromMe?: boolean; participant?: string };
        };
        convertToMp4?: boolean;
      };
      ends: {
        done: { mediaType?: string; fileName?: string; mimetype?: string; base64?: string } & {
          left: readonly string[];
        };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "chat.deleteMessageForEveryone": {
      class: "destructive";
      input: { id: string; remoteJid: string; fromMe: boolean; participant?: string };
      ends: {
        done: {
          key?: { id?: string; remoteJid?: string; fromMe?: boolean };
          status?: string;
          messageType?: string;
          messageTimestamp?: number | string;
        } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "chat.updateProfileName": {
      class: "replace";
      input: { name: string };
      ends: {
        done: { message?: string; status?: number | string } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "chat.updateProfileStatus": {
      class: "replace";
      input: { status: string };
      ends: {
        done: { message?: string; status?: number | string } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "chat.updateProfilePicture": {
      class: "replace";
      input: { picture: string };
      ends: {
        done: { message?: string; status?: number | string } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "chat.removeProfilePicture": {
      class: "replace";
      input: Record<never, never>;
      ends: {
        done: { message?: string; status?: number | string } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "chat.fetchPrivacySettings": {
      class: "read";
      input: Record<never, never>;
      ends: { done: { [field: string]: unknown }; rejected: CallRefused; failed: CallFailed };
    };
    "chat.updatePrivacySettings": {
      class: "replace";
      input: {
        readreceipts: "all" | "none";
        profile: "all" | "contacts" | "contact_blacklist" | "none";
        status: "all" | "contacts" | "contact_blacklist" | "none";
        online: "all" | "match_last_seen";
        last: "all" | "contacts" | "contact_blacklist" | "none";
        groupadd: "all" | "contacts" | "contact_blacklist" | "none";
      };
      ends: {
        done: { message?: string; status?: number | string } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "group.create": {
      class: "costly";
      input: { subject: string; description?: string; participants: readonly string[] };
      ends: {
        done: {
          id?: string;
          subject?: string;
          size?: number;
          owner?: string;
          desc?: string;
          participants?: readonly { id?: string; admin?: string | null }[];
        } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "group.fetchAllGroups": {
      class: "read";
      input: { readonly [field: string]: unknown } & { getParticipants: boolean };
      ends: {
        done: {
          value: readonly {
            id?: string;
            subject?: string;
            size?: number;
            owner?: string;
            desc?: string;
            participants?: readonly { id?: string; admin?: string | null }[];
          }[];
          count: number;
          left: readonly string[];
        };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "group.updateGroupPicture": {
      class: "replace";
      input: { image: string } & { groupJid: string };
      ends: {
        done: { message?: string; status?: number | string } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "group.updateGroupSubject": {
      class: "replace";
      input: { subject: string } & { groupJid: string };
      ends: {
        done: { message?: string; status?: number | string } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "group.updateGroupDescription": {
      class: "replace";
      input: { description: string } & { groupJid: string };
      ends: {
        done: { message?: string; status?: number | string } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "group.inviteCode": {
      class: "read";
      input: { groupJid: string };
      ends: {
        done: { inviteUrl?: string; inviteCode?: string } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "group.revokeInviteCode": {
      class: "destructive";
      input: { groupJid: string };
      ends: {
        done: { inviteUrl?: string; inviteCode?: string } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "group.sendInvite": {
      class: "costly";
      input: { groupJid: string; description: string; numbers: readonly string[] };
      ends: {
        done: { send?: boolean; inviteUrl?: string } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "group.inviteInfo": {
      class: "read";
      input: { groupJid: string };
      ends: {
        done: {
          id?: string;
          subject?: string;
          size?: number;
          owner?: string;
          desc?: string;
          participants?: readonly { id?: string; admin?: string | null }[];
        } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "group.findGroupInfos": {
      class: "read";
      input: { groupJid: string };
      ends: {
        done: {
          id?: string;
          subject?: string;
          size?: number;
          owner?: string;
          desc?: string;
          participants?: readonly { id?: string; admin?: string | null }[];
        } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "group.updateParticipant": {
      class: "destructive";
      input: {
        action: "add" | "remove" | "promote" | "demote";
        participants: readonly string[];
      } & { groupJid: string };
      ends: {
        done: { updateParticipants?: readonly { readonly [field: string]: unknown }[] } & {
          left: readonly string[];
        };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "group.updateSetting": {
      class: "replace";
      input: { action: "announcement" | "not_announcement" | "locked" | "unlocked" } & {
        groupJid: string;
      };
      ends: {
        done: { message?: string; status?: number | string } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "group.participants": {
      class: "read";
      input: { groupJid: string };
      ends: {
        done: {
          value: readonly { id?: string; admin?: string | null }[];
          count: number;
          left: readonly string[];
        };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "label.handleLabel": {
      class: "replace";
      input: { number?: string; labelId?: string; action?: "add" | "remove"; name?: string };
      ends: {
        done: { message?: string; status?: number | string } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "label.findLabels": {
      class: "read";
      input: Record<never, never>;
      ends: {
        done: {
          value: readonly { id?: string; name?: string; color?: string }[];
          count: number;
          left: readonly string[];
        };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "invoicing.emitentesCadastro": {
      class: "costly";
      input: {
        tipo?: "emitentes-cadastro";
        homolog?: boolean;
        razao: string;
        nome?: string;
        cnpj: string;
        cnae?: string;
        crt?: number;
        ie?: string;
        im?: string;
        suframa?: string | null;
        telefone?: string;
        email?: string;
        rua?: string;
        numero?: string;
        bairro?: string;
        municipio?: string;
        cmun?: string;
        uf?: string;
        cep?: string;
        logo?: string | null;
        documentos?: { nfe: boolean; nfce: boolean; nfse: boolean };
        webhook_url?: string;
      };
      ends: {
        done: {
          emitente_id?: string;
          razao?: string;
          nome?: string;
          cnpj?: string;
          webhook_url?: string;
        } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "invoicing.emitentesAtualiza": {
      class: "replace";
      input: {
        tipo?: "emitentes-atualiza";
        homolog?: boolean;
        razao?: string;
        nome?: string;
        cnpj?: string;
        cnae?: string;
        crt?: number;
        ie?: string;
        im?: string;
        suframa?: string | null;
        telefone?: string;
        email?: string;
        rua?: string;
        numero?: string;
        bairro?: string;
        municipio?: string;
        cmun?: string;
        uf?: string;
        cep?: string;
        logo?: string | null;
        documentos?: { nfe: boolean; nfce: boolean; nfse: boolean };
        webhook_url?: string;
        emitente_id: string;
      };
      ends: {
        done: {
          emitente_id?: string;
          razao?: string;
          nome?: string;
          cnpj?: string;
          webhook_url?: string;
        } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "invoicing.emitentesLista": {
      class: "read";
      input: { tipo?: "emitentes-lista"; homolog?: boolean; emitente?: string };
      ends: {
        done: {
          value: readonly {
            emitente_id?: string;
            razao?: string;
            nome?: string;
            cnpj?: string;
            webhook_url?: string;
          }[];
          count: number;
          left: readonly string[];
        };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "invoicing.nfseConsulta": {
      class: "read";
      input: { tipo?: "nfse-consulta"; homolog?: boolean; emitente_id: string; chave: string };
      ends: {
        done: {
          id?: string | number;
          status?: string;
          chave?: string;
          numero?: string | number;
          url?: string;
        } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "invoicing.certificadoUpload": {
      class: "replace";
      input: {
        tipo?: "certificado-upload";
        homolog?: boolean;
        dados: { emitente_id: string; senha: string; certificado: string };
      };
      ends: {
        done: { validade?: string } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "jobs.list": {
      class: "read";
      input: { page?: number };
      ends: {
        done: {
          data: readonly {
            job_id: string;
            status: string;
            created_at?: string;
            updated_at?: string;
          }[];
          current_page?: number;
          last_page?: number;
          next_page_url?: string | null;
          total?: number;
        } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "jobs.find": {
      class: "read";
      input: { id: readonly string[] };
      ends: {
        done: {
          value: readonly {
            id: string;
            status: string;
            created_at?: string;
            processed_at?: string;
            diff_in_minutes?: number | string;
          }[];
          count: number;
          left: readonly string[];
        };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "engineA.sendText": {
      class: "message";
      input: { number: string; text: string; time_typing?: number };
      ends: {
        done: {
          result?: number;
          data?: { id?: string | { readonly [field: string]: unknown } };
        } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "engineA.reply": {
      class: "message";
      input: { number: string; messageid: string; text: string };
      ends: {
        done: {
          result?: number;
          data?: { id?: string | { readonly [field: string]: unknown } };
        } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "engineA.sendFile64": {
      class: "message";
      input: { number: string; path: string; caption?: string; fileName?: string };
      ends: {
        done: {
          result?: number;
          data?: { id?: string | { readonly [field: string]: unknown } };
        } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "engineA.sendLocation": {
      class: "message";
      input: { number: string; lat: number; lng: number; title?: string; description?: string };
      ends: {
        done: {
          result?: number;
          data?: { id?: string | { readonly [field: string]: unknown } };
        } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "engineC.connect": {
      class: "replace";
      input: {
        webhookUrl: string;
        subscribe: readonly (
          | "ALL"
          | "MESSAGE"
          | "SEND_MESSAGE"
          | "READ_RECEIPT"
          | "PRESENCE"
          | "HISTORY_SYNC"
          | "CHAT_PRESENCE"
          | "CALL"
          | "CONNECTION"
          | "LABEL"
          | "CONTACT"
          | "GROUP"
          | "NEWSLETTER"
          | "QRCODE"
        )[];
        immediate?: boolean;
      };
      ends: {
        done: { message?: string; data?: { readonly [field: string]: unknown } } & {
          left: readonly string[];
        };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "engineC.sendText": {
      class: "message";
      input: {
        number: string;
        id?: string;
        delay?: number;
        quoted?: { messageId: string; participant?: string };
        text: string;
      };
      ends: {
        done: { message?: string; data?: { Info?: { ID?: string } } } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "engineC.sendMedia": {
      class: "message";
      input: {
        number: string;
        id?: string;
        delay?: number;
        quoted?: { messageId: string; participant?: string };
        url: string;
        type: "image" | "video" | "audio" | "document";
        caption?: string;
        filename?: string;
      };
      ends: {
        done: { message?: string; data?: { Info?: { ID?: string } } } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "engineC.sendPoll": {
      class: "message";
      input: {
        number: string;
        id?: string;
        delay?: number;
        quoted?: { messageId: string; participant?: string };
        question: string;
        maxAnswer: number;
        options: readonly string[];
      };
      ends: {
        done: { message?: string; data?: { Info?: { ID?: string } } } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "engineC.sendLocation": {
      class: "message";
      input: {
        number: string;
        id?: string;
        delay?: number;
        quoted?: { messageId: string; participant?: string };
        name: string;
        address: string;
        latitude: number;
        longitude: number;
      };
      ends: {
        done: { message?: string; data?: { Info?: { ID?: string } } } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "official.sendText": {
      class: "message";
      input: { number: string; text: string };
      ends: {
        done: { messages?: readonly { id?: string }[] } & { left: readonly string[] };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
    "sms.send": {
      class: "message";
      input: {
        number: string;
        message: string;
        tipo?: string;
        operator?: string;
        user_reply?: boolean;
        webhook_url?: string;
        homolog?: boolean;
      };
      ends: {
        done: { id?: string; status?: string; data?: { id?: string } } & {
          left: readonly string[];
        };
        rejected: CallRefused;
        failed: CallFailed;
      };
    };
  }
}
// of contract 0c0dafdb14ca0b227fde1b38ed4a23d1
