/**
 * The gateway's routes as effects, written from the contract by src/app/route-types.ts: not to be edited by hand.
 *
 * An input has the fields of the body and of the query side by side. Results tell what is known of an answer; where nothing
 * is, any field may be read.
 */
import "prosa";

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
      result: {
        key?: { id?: string; remoteJid?: string; fromMe?: boolean };
        status?: string;
        messageType?: string;
        messageTimestamp?: number | string;
      } & { text: string; code: string; reason: string; left: readonly string[] };
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
      result: { id: string; message?: string } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
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
      result: {
        key?: { id?: string; remoteJid?: string; fromMe?: boolean };
        status?: string;
        messageType?: string;
        messageTimestamp?: number | string;
      } & { text: string; code: string; reason: string; left: readonly string[] };
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
      result: {
        key?: { id?: string; remoteJid?: string; fromMe?: boolean };
        status?: string;
        messageType?: string;
        messageTimestamp?: number | string;
      } & { text: string; code: string; reason: string; left: readonly string[] };
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
      result: {
        key?: { id?: string; remoteJid?: string; fromMe?: boolean };
        status?: string;
        messageType?: string;
        messageTimestamp?: number | string;
      } & { text: string; code: string; reason: string; left: readonly string[] };
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
      result: {
        key?: { id?: string; remoteJid?: string; fromMe?: boolean };
        status?: string;
        messageType?: string;
        messageTimestamp?: number | string;
      } & { text: string; code: string; reason: string; left: readonly string[] };
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
      result: {
        key?: { id?: string; remoteJid?: string; fromMe?: boolean };
        status?: string;
        messageType?: string;
        messageTimestamp?: number | string;
      } & { text: string; code: string; reason: string; left: readonly string[] };
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
      result: {
        key?: { id?: string; remoteJid?: string; fromMe?: boolean };
        status?: string;
        messageType?: string;
        messageTimestamp?: number | string;
      } & { text: string; code: string; reason: string; left: readonly string[] };
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
      result: {
        key?: { id?: string; remoteJid?: string; fromMe?: boolean };
        status?: string;
        messageType?: string;
        messageTimestamp?: number | string;
      } & { text: string; code: string; reason: string; left: readonly string[] };
    };
    "message.sendReaction": {
      class: "message";
      input: {
        key: { id: string; remoteJid: string; fromMe: boolean; participant?: string };
        reaction: string;
      };
      result: {
        key?: { id?: string; remoteJid?: string; fromMe?: boolean };
        status?: string;
        messageType?: string;
        messageTimestamp?: number | string;
      } & { text: string; code: string; reason: string; left: readonly string[] };
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
      result: {
        key?: { id?: string; remoteJid?: string; fromMe?: boolean };
        status?: string;
        messageType?: string;
        messageTimestamp?: number | string;
      } & { text: string; code: string; reason: string; left: readonly string[] };
    };
    "call.offer": {
      class: "costly";
      input: { number: string; isVideo: boolean; callDuration: number };
      result: { id?: string; jid?: string } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "instance.create": {
      class: "costly";
      input: { instanceName: string; qrcode: boolean; number?: string; integration?: string };
      result: {
        instance?: { instanceName?: string; status?: string };
        qrcode?: {
          pairingCode?: string;
          code?: string;
          base64?: string;
          count?: number;
          instance?: { instanceName?: string; state?: string };
        };
      } & { text: string; code: string; reason: string; left: readonly string[] };
    };
    "instance.connect": {
      class: "read";
      input: Record<never, never>;
      result: {
        pairingCode?: string;
        code?: string;
        base64?: string;
        count?: number;
        instance?: { instanceName?: string; state?: string };
      } & { text: string; reason: string; left: readonly string[] };
    };
    "instance.connectionState": {
      class: "read";
      input: Record<never, never>;
      result: { instance?: { instanceName?: string; state?: string }; state?: string } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "instance.restart": {
      class: "destructive";
      input: { readonly [field: string]: unknown };
      result: { message?: string; status?: number | string } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "instance.restartPost": {
      class: "destructive";
      input: { readonly [field: string]: unknown };
      result: { message?: string; status?: number | string } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "instance.logout": {
      class: "destructive";
      input: Record<never, never>;
      result: { message?: string; status?: number | string } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "instance.delete": {
      class: "destructive";
      input: Record<never, never>;
      result: { message?: string; status?: number | string } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
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
      result: { message?: string; status?: number | string } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "settings.find": {
      class: "read";
      input: Record<never, never>;
      result: { reject_call?: boolean; msg_call?: string; groups_ignore?: boolean } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "chat.messengerNumbers": {
      class: "read";
      input: { numbers: readonly string[] };
      result: {
        value: readonly {
          jid?: string;
          exists?: boolean;
          number?: string;
          name?: string;
          lid?: string;
        }[];
        count: number;
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "chat.findChats": {
      class: "read";
      input: { where?: { remoteJid?: string }; page?: number; offset?: number };
      result: {
        value: readonly { remoteJid?: string; pushName?: string }[];
        count: number;
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
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
      result: {
        messages: {
          total?: number;
          pages?: number;
          currentPage?: number;
          records: readonly { readonly [field: string]: unknown }[];
        };
      } & { text: string; code: string; reason: string; left: readonly string[] };
    };
    "chat.findContacts": {
      class: "read";
      input: {
        where?: { id?: string; remoteJid?: string; pushName?: string };
        page?: number;
        offset?: number;
      };
      result: {
        value: readonly { remoteJid?: string; pushName?: string }[];
        count: number;
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "chat.fetchProfilePictureUrl": {
      class: "read";
      input: { number: string };
      result: { wuid?: string; profilePictureUrl?: string | null } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "chat.fetchProfile": {
      class: "read";
      input: { number: string };
      result: { wuid?: string; name?: string } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
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
      result: { mediaType?: string; fileName?: string; mimetype?: string; base64?: string } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "chat.deleteMessageForEveryone": {
      class: "destructive";
      input: { id: string; remoteJid: string; fromMe: boolean; participant?: string };
      result: {
        key?: { id?: string; remoteJid?: string; fromMe?: boolean };
        status?: string;
        messageType?: string;
        messageTimestamp?: number | string;
      } & { text: string; code: string; reason: string; left: readonly string[] };
    };
    "chat.updateProfileName": {
      class: "replace";
      input: { name: string };
      result: { message?: string; status?: number | string } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "chat.updateProfileStatus": {
      class: "replace";
      input: { status: string };
      result: { message?: string; status?: number | string } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "chat.updateProfilePicture": {
      class: "replace";
      input: { picture: string };
      result: { message?: string; status?: number | string } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "chat.removeProfilePicture": {
      class: "replace";
      input: Record<never, never>;
      result: { message?: string; status?: number | string } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "chat.fetchPrivacySettings": {
      class: "read";
      input: Record<never, never>;
      result: { [field: string]: unknown };
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
      result: { message?: string; status?: number | string } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "group.create": {
      class: "costly";
      input: { subject: string; description?: string; participants: readonly string[] };
      result: {
        id?: string;
        subject?: string;
        size?: number;
        owner?: string;
        desc?: string;
        participants?: readonly { id?: string; admin?: string | null }[];
      } & { text: string; code: string; reason: string; left: readonly string[] };
    };
    "group.fetchAllGroups": {
      class: "read";
      input: { readonly [field: string]: unknown } & { getParticipants: boolean };
      result: {
        value: readonly {
          id?: string;
          subject?: string;
          size?: number;
          owner?: string;
          desc?: string;
          participants?: readonly { id?: string; admin?: string | null }[];
        }[];
        count: number;
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "group.updateGroupPicture": {
      class: "replace";
      input: { image: string } & { groupJid: string };
      result: { message?: string; status?: number | string } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "group.updateGroupSubject": {
      class: "replace";
      input: { subject: string } & { groupJid: string };
      result: { message?: string; status?: number | string } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "group.updateGroupDescription": {
      class: "replace";
      input: { description: string } & { groupJid: string };
      result: { message?: string; status?: number | string } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "group.inviteCode": {
      class: "read";
      input: { groupJid: string };
      result: { inviteUrl?: string; inviteCode?: string } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "group.revokeInviteCode": {
      class: "destructive";
      input: { groupJid: string };
      result: { inviteUrl?: string; inviteCode?: string } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "group.sendInvite": {
      class: "costly";
      input: { groupJid: string; description: string; numbers: readonly string[] };
      result: { send?: boolean; inviteUrl?: string } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "group.inviteInfo": {
      class: "read";
      input: { groupJid: string };
      result: {
        id?: string;
        subject?: string;
        size?: number;
        owner?: string;
        desc?: string;
        participants?: readonly { id?: string; admin?: string | null }[];
      } & { text: string; code: string; reason: string; left: readonly string[] };
    };
    "group.findGroupInfos": {
      class: "read";
      input: { groupJid: string };
      result: {
        id?: string;
        subject?: string;
        size?: number;
        owner?: string;
        desc?: string;
        participants?: readonly { id?: string; admin?: string | null }[];
      } & { text: string; code: string; reason: string; left: readonly string[] };
    };
    "group.updateParticipant": {
      class: "destructive";
      input: {
        action: "add" | "remove" | "promote" | "demote";
        participants: readonly string[];
      } & { groupJid: string };
      result: { updateParticipants?: readonly { readonly [field: string]: unknown }[] } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "group.updateSetting": {
      class: "replace";
      input: { action: "announcement" | "not_announcement" | "locked" | "unlocked" } & {
        groupJid: string;
      };
      result: { message?: string; status?: number | string } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "group.participants": {
      class: "read";
      input: { groupJid: string };
      result: {
        value: readonly { id?: string; admin?: string | null }[];
        count: number;
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "label.handleLabel": {
      class: "replace";
      input: { number: string; labelId: string; action: "add" | "remove" };
      result: { message?: string; status?: number | string } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "label.findLabels": {
      class: "read";
      input: Record<never, never>;
      result: {
        value: readonly { id?: string; name?: string; color?: string }[];
        count: number;
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
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
      result: {
        emitente_id?: string;
        razao?: string;
        nome?: string;
        cnpj?: string;
        webhook_url?: string;
      } & { text: string; code: string; reason: string; left: readonly string[] };
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
      result: {
        emitente_id?: string;
        razao?: string;
        nome?: string;
        cnpj?: string;
        webhook_url?: string;
      } & { text: string; code: string; reason: string; left: readonly string[] };
    };
    "invoicing.emitentesLista": {
      class: "read";
      input: { tipo?: "emitentes-lista"; homolog?: boolean; emitente?: string };
      result: {
        value: readonly {
          emitente_id?: string;
          razao?: string;
          nome?: string;
          cnpj?: string;
          webhook_url?: string;
        }[];
        count: number;
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "invoicing.nfseEnvio": {
      class: "fiscal";
      input: {
        tipo?: "nfse-envio";
        homolog?: boolean;
        emitente_id: string;
        dados: {
          status?: string;
          natureza_operacao: string;
          regime_apuracao?: string;
          data_emissao: string;
          data_competencia: string;
          codigo_aleatorio: string;
          nacional: boolean;
          tomador?: {
            cpf?: string;
            cnpj?: string;
            razao_social: string;
            endereco?: {
              logradouro: string;
              numero: string;
              bairro: string;
              codigo_municipio: string;
              uf: string;
              cep: string;
            };
          };
          servico: {
            codigo: string;
            codigo_interno?: string;
            cIntContrib?: string;
            codigo_nbs?: string;
            discriminacao: string;
            codigo_tributacao_municipio?: string;
            codigo_municipio: string;
            valor_servicos: number;
            endereco_local_prestacao?: { codigo_municipio_prestacao: string };
            tributos_municipais: { iss_retido: boolean };
            tributos_totais?: { percentual_tributos_simples_nacional?: number };
            itens: readonly {
              codigo: string;
              codigo_interno?: string;
              cIntContrib?: string;
              codigo_nbs?: string;
              discriminacao: string;
              valor_servicos: number;
            }[];
          };
        };
      };
      result: {
        id?: string | number;
        status?: string;
        chave?: string;
        numero?: string | number;
        url?: string;
      } & { text: string; code: string; reason: string; left: readonly string[] };
    };
    "invoicing.nfseConsulta": {
      class: "read";
      input: { tipo?: "nfse-consulta"; homolog?: boolean; emitente_id: string; chave: string };
      result: {
        id?: string | number;
        status?: string;
        chave?: string;
        numero?: string | number;
        url?: string;
      } & { text: string; code: string; reason: string; left: readonly string[] };
    };
    "invoicing.certificadoUpload": {
      class: "replace";
      input: {
        tipo?: "certificado-upload";
        homolog?: boolean;
        dados: { emitente_id: string; senha: string; certificado: string };
      };
      result: { validade?: string } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "invoicing.cancelamento": {
      class: "fiscal";
      input: {
        tipo?: string;
        homolog?: boolean;
        emitente_id: string;
        chave: string;
        codigo_motivo?: "1" | "2" | "9";
        motivo: string;
      };
      result: {
        id?: string | number;
        status?: string;
        chave?: string;
        numero?: string | number;
        url?: string;
      } & { text: string; code: string; reason: string; left: readonly string[] };
    };
    "jobs.list": {
      class: "read";
      input: { page?: number };
      result: {
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
      } & { text: string; code: string; reason: string; left: readonly string[] };
    };
    "jobs.find": {
      class: "read";
      input: { id: readonly string[] };
      result: {
        value: readonly {
          id: string;
          status: string;
          created_at?: string;
          processed_at?: string;
          diff_in_minutes?: number | string;
        }[];
        count: number;
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "engineA.sendText": {
      class: "message";
      input: { number: string; text: string; time_typing?: number };
      result: {
        result?: number;
        data?: { id?: string | { readonly [field: string]: unknown } };
      } & { text: string; code: string; reason: string; left: readonly string[] };
    };
    "engineA.reply": {
      class: "message";
      input: { number: string; messageid: string; text: string };
      result: {
        result?: number;
        data?: { id?: string | { readonly [field: string]: unknown } };
      } & { text: string; code: string; reason: string; left: readonly string[] };
    };
    "engineA.sendFile64": {
      class: "message";
      input: { number: string; path: string; caption?: string; fileName?: string };
      result: {
        result?: number;
        data?: { id?: string | { readonly [field: string]: unknown } };
      } & { text: string; code: string; reason: string; left: readonly string[] };
    };
    "engineA.sendLocation": {
      class: "message";
      input: { number: string; lat: number; lng: number; title?: string; description?: string };
      result: {
        result?: number;
        data?: { id?: string | { readonly [field: string]: unknown } };
      } & { text: string; code: string; reason: string; left: readonly string[] };
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
      result: { message?: string; data?: { readonly [field: string]: unknown } } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
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
      result: { message?: string; data?: { Info?: { ID?: string } } } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
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
      result: { message?: string; data?: { Info?: { ID?: string } } } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
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
      result: { message?: string; data?: { Info?: { ID?: string } } } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
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
      result: { message?: string; data?: { Info?: { ID?: string } } } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
    "official.sendText": {
      class: "message";
      input: { number: string; text: string };
      result: { messages?: readonly { id?: string }[] } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
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
      result: { id?: string | number; status?: string; data?: { id?: string | number } } & {
        text: string;
        code: string;
        reason: string;
        left: readonly string[];
      };
    };
  }
}
// of contract 481029f14b43f311cab75ded7086167d
