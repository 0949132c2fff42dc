/** Made-up bodies in the shapes the engines post. Every number, id and name is fictitious. */

export const RECEIVED_AT = Date.UTC(2026, 10, 21, 12, 0, 0);
export const PHONE = "5511987650001";
export const PHONE_JID = `${PHONE}@s.whatsapp.net`;
export const LID = "98765432101234";
export const OWN = "5511911112222";
export const SENT_ID = "3EB0A1B2C3D4E5F60718";

export type Body = Record<string, unknown>;

/** Engine B's envelope around `data`. It names no event unless a test asks for one. */
export function envelope(data: unknown, more: Body = {}): Body {
  return {
    instance: "loja1",
    data,
    destination: "https://bot.example.org/hook",
    date_time: "2026-11-21T09:00:00.412Z",
    sender: `${OWN}@s.whatsapp.net`,
    server_url: "https://engine.example.net",
    apikey: "engine-secret",
    ...more,
  };
}

/** A message of the contact. */
export function record(message: Body, more: Body = {}, key: Body = {}): Body {
  return {
    key: { remoteJid: PHONE_JID, fromMe: false, id: "3A1F0C9D2B7E4A5566F1", ...key },
    pushName: "Marina Lopes",
    status: "DELIVERY_ACK",
    message,
    messageType: Object.keys(message)[0],
    messageTimestamp: 1_795_262_400,
    instanceId: "0b8f6a3e-6f5d-4c1e-9a55-2f0f7d5f9a10",
    source: "android",
    ...more,
  };
}

export const image = {
  imageMessage: {
    url: "https://media.example.net/abc.enc",
    mimetype: "image/jpeg",
    caption: "meu recibo",
    fileLength: "184213",
    fileSha256: { type: "Buffer", data: [1, 2, 3] },
    mediaKey: { "0": 12, "1": 200, "2": 7 },
    jpegThumbnail: "/9j/4AAQ",
  },
  base64: "/9j/4AAQSkZJRg==",
};

export const buttonShapes: Readonly<Record<string, Body>> = {
  buttonsResponseMessage: {
    buttonsResponseMessage: {
      selectedButtonId: "btn_sim",
      selectedDisplayText: "SIM",
      type: 1,
      contextInfo: { stanzaId: SENT_ID },
    },
  },
  templateButtonReplyMessage: {
    templateButtonReplyMessage: {
      selectedId: "btn_sim",
      selectedDisplayText: "SIM",
      selectedIndex: 0,
      contextInfo: { stanzaId: SENT_ID },
    },
  },
  interactiveResponseMessage: {
    interactiveResponseMessage: {
      body: { text: "SIM", format: "DEFAULT" },
      nativeFlowResponseMessage: {
        name: "quick_reply",
        paramsJson: '{"id":"btn_sim","display_text":"SIM"}',
        version: 3,
      },
      contextInfo: { stanzaId: SENT_ID },
    },
  },
  listResponseMessage: {
    listResponseMessage: {
      title: "SIM",
      listType: 1,
      singleSelectReply: { selectedRowId: "btn_sim" },
      contextInfo: { stanzaId: SENT_ID },
    },
  },
};

export function pollVote(options: readonly string[] | undefined, more: Body = {}): Body {
  return record(
    {
      pollUpdateMessage: {
        pollCreationMessageKey: { remoteJid: PHONE_JID, fromMe: true, id: SENT_ID },
        vote: {
          encPayload: "c2Vj",
          encIv: "aXY=",
          ...(options ? { selectedOptions: options } : {}),
        },
        senderTimestampMs: "1795262400123",
      },
    },
    more,
  );
}

/** Engine A: flat. */
export function engineA(more: Body = {}): Body {
  return {
    wook: "RECEIVE_MESSAGE",
    status: "RECEIVED",
    type: "text",
    fromMe: false,
    id: `false_${PHONE}@c.us_3A1F0C9D2B7E4A5566F1`,
    session: "loja1",
    isGroupMsg: false,
    author: null,
    name: "Marina Lopes",
    to: OWN,
    from: PHONE,
    content: "Oi, quero a nota",
    quotedMsg: "",
    quotedMsgId: "",
    timestamp: 1_795_262_400,
    datetime: "21-11-2026 09:00:00",
    ...more,
  };
}

/** Engine C. */
export function engineC(event: string, data: Body, more: Body = {}): Body {
  return {
    event,
    data,
    instanceToken: "instance-secret",
    instanceId: "6b1e7d0c-1111-4222-8333-944455556666",
    instanceName: "loja1",
    ...more,
  };
}

export function infoC(more: Body = {}): Body {
  return {
    Chat: PHONE_JID,
    Sender: PHONE_JID,
    SenderAlt: `${LID}@lid`,
    IsFromMe: false,
    IsGroup: false,
    ID: "3A1F0C9D2B7E4A5566F1",
    Type: "text",
    PushName: "Marina Lopes",
    Timestamp: "2026-11-21T09:00:00-03:00",
    ...more,
  };
}
