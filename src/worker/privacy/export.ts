/** What is kept of a person, for that person: `privacy.export` and `privacy.overview`. */
import { z } from "zod";
import type { JsonObject, Json } from "../../base/index.ts";
import { type Account, type JournalRecord, type Session, wholeRecord } from "../../engine/index.ts";
import type { RouteId } from "../../gateway/index.ts";
import { callGateway } from "../calls.ts";
import type { Context } from "../context/context.ts";
import type { RuntimeContext } from "../context/contexts.ts";
import { done, type LocalSpec, type LocalWork, refused } from "../effects/spec.ts";
import { openFileLink, fileOf, newFileSecret, putFile } from "../context/files.ts";
import { documentsIn, type Documents } from "../context/hooks.ts";
import { entryOf, payloadOf, planScope } from "../outbox/entry.ts";
import { linesOf, type Person, personOf } from "../context/person.ts";
import { maskPhone } from "../../brazil/index.ts";

/** Turns in the file, newest ones; the longest journal has fewer. */
const TURNS = 1_000;
/** Largest file; engines take at most 16 MiB, a conversation has kilobytes. Bytes. */
const FILE_LIMIT_BYTES = 4 * 1024 * 1024;

/**
 * Their own copy of everything, as a file in the chat. It holds no identifier but theirs. Its name holds none, because file
 * names pass through more hands than files.
 */
export const exportCopy: LocalSpec<z.ZodObject, RuntimeContext> = {
  name: "privacy.export",
  class: "read",
  version: 1,
  input: z.object({}),
  result: ["code", "text"],
  async perform(work) {
    const { context, begun, account } = work;
    const person = await personOf(context, account.id, begun.contact);
    const { session } = person;
    if (!session?.address || !session.channel) return refused("no-file");
    const file = JSON.stringify(await copyOf(work, session, person.contacts), null, 2);
    if (Buffer.byteLength(file) > FILE_LIMIT_BYTES) return refused("too-large");
    const { channel, address } = session;
    const named = {
      kind: "document",
      mimetype: "application/json",
      fileName: session.locale === "en" ? "my-data.json" : "meus-dados.json",
    } as const;
    const bytes = Buffer.from(file, "utf8");
    const secret = channel === "sms" ? await secretOf(work) : undefined;
    if (secret === null) return null;
    const where =
      secret === undefined
        ? { base64: bytes.toString("base64") }
        : await linkTo(work, { ...named, secret }, bytes);
    if (!where) return refused("no-file");
    const media = { ...named, ...where };
    const message = { text: "", media };
    const call = context.channels.render(message, { channel, address, account });
    const hashes = context.echoes.hashes(message, call.text);
    context.echoes.sending(account.id, begun.contact, hashes);
    const by = { contact: begun.contact, effect: begun.id, attempt: begun.attempt };
    const options = { mayLeave: begun.lease.isHeld };
    const route = call.route as RouteId;
    const outcome = await callGateway(context, account, route, call.body, options, by);
    if (outcome.kind === "ok") return done({});
    return work.conclude(route, planScope(account.id, channel), outcome);
  },
};

/**
 * Drawn at the first attempt and kept with the effect, under the contact's key, so that a repeat names the same address.
 * Null when another worker has the effect meanwhile.
 */
async function secretOf({ context, begun }: LocalWork<RuntimeContext>): Promise<string | null> {
  const entry = entryOf(begun.payload);
  if (entry.work.secret !== undefined) return entry.work.secret;
  const secret = newFileSecret();
  const payload = payloadOf({ ...entry, work: { ...entry.work, secret } });
  const { id, account, contact, token } = begun;
  return (await context.store.effects.amend({ id, account, contact, token, payload }))
    ? secret
    : null;
}

/** Short messages carry no files: they get an address that is good for a day, for few downloads, and goes with an erasure. */
async function linkTo(
  { context, begun, account }: LocalWork<RuntimeContext>,
  named: { readonly mimetype: string; readonly fileName: string; readonly secret: string },
  bytes: Buffer,
): Promise<{ readonly url: string } | null> {
  const base = context.publicUrl;
  if (base === undefined) return null;
  const of = { account: account.id, contact: begun.contact };
  const made = await putFile(context, { ...of, ...named, bytes });
  const kept = made && (await fileOf(context, account.id, made.file));
  if (!kept) return null;
  const code = await openFileLink(context, { ...of, file: made.file, until: kept.until });
  return { url: `${base}/f/${code}` };
}

/** What plugins keep of a person, by name. */
export async function exportedOf(
  context: Context & Pick<RuntimeContext, "plugins">,
  account: Account,
  contacts: Person["contacts"],
): Promise<JsonObject> {
  const parts: JsonObject[] = [];
  for (const { exported } of documentsIn(context))
    if (exported) parts.push(await exported(context, account, contacts));
  return Object.assign({}, ...parts) as JsonObject;
}

async function copyOf(
  { context, account }: LocalWork<RuntimeContext>,
  session: Session,
  contacts: Person["contacts"],
): Promise<JsonObject> {
  const lines = await linesOf(context, account, contacts, TURNS);
  const kept = await exportedOf(context, account, contacts);
  const { name, address, locale, noticeAt, lastSeen, optOut } = session;
  return {
    empresa: account.name,
    feito_em: iso(context.clock.now()),
    prazos: { ...account.retention },
    pessoa: {
      nome: name,
      contato: address,
      idioma: locale,
      aviso_de_privacidade: noticeAt === undefined ? undefined : iso(noticeAt),
      ultima_mensagem: lastSeen === undefined ? undefined : iso(lastSeen),
      pediu_para_nao_receber: optOut && iso(optOut.since),
    },
    respostas: answersOf(context, account, session),
    conversa: lines
      .map(wholeRecord)
      .reverse()
      .flatMap((line) => saidIn(line as never)),
    ...kept,
  };
}

/** What was answered in requests that are not finished. */
function answersOf(
  { library, clock }: RuntimeContext,
  { zone }: Account,
  session: Session,
): JsonObject[] {
  const context = { now: clock.now(), zone, locale: session.locale, variant: 0 };
  return session.frames.flatMap((frame) => {
    const program = library.get(frame.flow, frame.hash);
    const rows = program?.summary(frame.state, context) ?? [];
    if (!program || rows.length === 0) return [];
    const answers = rows.map(({ label, value }) => ({ pergunta: label, resposta: value }));
    return [{ pedido: program.title, respostas: answers }];
  });
}

/** What both sides said in a turn. */
function saidIn(line: Partial<JournalRecord>): JsonObject[] {
  const { mail, said, at = 0 } = line;
  const when = iso(at);
  const rows: JsonObject[] = [];
  if (mail?.kind === "inbound" && "from" in mail.event) {
    const { event } = mail;
    const text =
      event.kind === "message"
        ? event.content.type === "text"
          ? event.content.text
          : `[${event.content.type}]`
        : `[${event.kind}]`;
    rows.push({ em: when, quem: "você", texto: text });
  }
  if (said !== undefined) rows.push({ em: when, quem: "empresa", texto: said });
  return rows;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** Journal lines that are counted; if there are more, this number is told. */
const LINES_COUNTED = 1_000;

/** `privacy.overview`: what is kept of the person who asks, in a few words, with what these documents tell of them. */
export function overviewOf(documents: readonly Documents[]): LocalSpec {
  const told = documents.flatMap(({ overview }) => overview ?? []);
  return {
    name: "privacy.overview",
    class: "read",
    version: 1,
    input: z.object({}),
    result: [
      "name",
      "phone",
      "messages",
      ...told.flatMap(({ names }) => names),
      "chatDays",
      "draftDays",
      "fiscalYears",
    ],
    async perform({ context, begun, account }) {
      const { contacts, session } = await personOf(context, account.id, begun.contact);
      const turns = await linesOf(context, account, contacts, LINES_COUNTED);
      const digits = /^\d{8,15}/.exec(session?.address ?? "")?.[0];
      const locale = session?.locale ?? "pt-BR";
      const unknown = locale === "en" ? "not known here" : "não tenho";
      const kept: Readonly<Record<string, Json>>[] = [];
      for (const one of told) kept.push(await one.of(context, account, { contacts, locale }));
      return done({
        name: session?.name ?? (locale === "en" ? "you" : "você"),
        phone:
          digits === undefined || session?.address?.endsWith("@lid") ? unknown : maskPhone(digits),
        messages: turns.filter(isTurn).length,
        ...(Object.assign({}, ...kept) as Record<string, Json>),
        ...account.retention,
      });
    },
  };
}

/** A person's words or the bot's; the worker's own lines are no messages. */
function isTurn(line: unknown): boolean {
  const { mail } = line as { mail?: { kind?: unknown } };
  return mail?.kind === "inbound";
}
