/**
 * `certificate.link`, `certificate.check` and `certificate.upload`: what conversations ask for. Files and passwords pass
 * through none of their answers; a ticket stands for them.
 */
import { z } from "zod";
import {
  callGateway,
  creditsScope,
  done,
  type Ending,
  isOnePerson,
  type JsonObject,
  planScope,
  refused,
  textField,
} from "../../../plugin.ts";
import type { OwnSpec, Work } from "../context.ts";
import {
  changeIssuers,
  isOperator,
  issuerAsked,
  issuerMeant,
  localeOf,
  whilePaused,
} from "../issuers/issuer-access.ts";
import { dayOf } from "../issuers/company.ts";
import { PFX_LIMIT_BYTES } from "./pfx-reading.ts";
import { TICKET_MS } from "./tickets.ts";

const UPLOAD = "invoicing.certificadoUpload";
const DOWNLOAD = "chat.getBase64FromMediaMessage";
const DAY_MS = 86_400_000;

const ForIssuer = z.object({ issuer: z.string().nullish() });

const link: OwnSpec<typeof ForIssuer> = {
  name: "certificate.link",
  class: "read",
  version: 1,
  input: ForIssuer,
  result: ["url", "link", "minutes", "code", "text", "reason"],
  async perform(work, input) {
    const { context, begun, account } = work;
    const { contact } = begun;
    const issuer = await issuerAsked(work, input.issuer);
    if ("outcome" in issuer) return issuer;
    if (context.publicUrl === undefined) return refused("no_address");
    const locale = await localeOf(context, account, contact);
    const made = await context.certificates.link({
      account: account.id,
      contact,
      locale,
      issuer: issuer.emitente_id,
    });
    const { code, id, minutes } = made;
    return done({ url: `${context.publicUrl}/u/${code}`, link: id, minutes });
  },
};

const FromChat = z.object({
  issuer: z.string().nullish(),
  file: z.object({ key: z.string().optional(), bytes: z.number().optional() }),
  /** Named so that no journal keeps it. */
  senha: z.string(),
});

const check: OwnSpec<typeof FromChat> = {
  name: "certificate.check",
  class: "read",
  version: 1,
  input: FromChat,
  result: ["ticket", "valid", "code", "text", "reason"],
  async perform(work, input) {
    const { context, begun, account } = work;
    const { contact } = begun;
    const issuer = await issuerAsked(work, input.issuer);
    if ("outcome" in issuer) return issuer;
    if ((input.file.bytes ?? 0) > PFX_LIMIT_BYTES) return refused("too-large");
    const file = await download(work, input.file.key ?? "");
    if (!(file instanceof Uint8Array)) return file;
    const of = { account, contact, issuer: issuer.emitente_id };
    const checked = await context.certificates.check(of, file, input.senha);
    if (!checked.ok) return refused(checked.reason);
    return done({ ticket: checked.ticket, valid: checked.valid });
  },
};

/** Only engine B hands out what was sent to it; a file of another channel goes by the page. */
async function download(work: Work, key: string): Promise<Uint8Array | Ending> {
  const { context, begun, account } = work;
  const view = await context.store.views.session(account.id, begun.contact);
  const channel = (view?.session as JsonObject | undefined)?.["channel"];
  if (key === "" || (channel !== undefined && channel !== "engine-b")) return refused("no-file");
  // A password waits for nobody: the person is asked again instead.
  const scope = planScope(account.id);
  if (context.scopes.isPaused(scope)) return refused("no-file");
  const note = { contact: begun.contact, effect: begun.id, attempt: begun.attempt };
  const body = { message: { key: { id: key } }, convertToMp4: false };
  const outcome = await callGateway(context, account, DOWNLOAD, body, {}, note);
  if (outcome.kind !== "ok") {
    const ending = await work.conclude(DOWNLOAD, scope, outcome);
    return ending.outcome.kind === "retry" ? ending : refused("no-file");
  }
  const base64 = textField(outcome.data as JsonObject, "base64") ?? "";
  const bytes = Buffer.from(base64.replace(/^data:[^,]{0,200},/, ""), "base64");
  if (bytes.length > PFX_LIMIT_BYTES) return refused("too-large");
  return bytes.length === 0 ? refused("no-file") : bytes;
}

const Upload = z.object({ ticket: z.string() });

const upload: OwnSpec<typeof Upload> = {
  name: "certificate.upload",
  class: "replace",
  version: 1,
  input: Upload,
  result: ["valid", "days", "company", "code", "text", "reason"],
  unpaid: "told",
  async perform(work, input) {
    const { context, begun, account } = work;
    const { tickets } = context.certificates;
    const ticket = await tickets.get(input.ticket);
    const issuer = ticket && issuerMeant(account, ticket.issuer);
    const isOurs =
      ticket?.account === account.id &&
      (await isOnePerson(context, account.id, [ticket.contact, begun.contact]));
    if (!ticket || !issuer || !isOurs) return refused("gone");
    const drop = () => tickets.drop(input.ticket);
    if (!(await isOperator(context, account, begun.contact)))
      return drop().then(() => refused("not_operator"));
    if (context.clock.now() - ticket.at > TICKET_MS) return drop().then(() => refused("gone"));
    const scope = creditsScope(account.id);
    const paused = whilePaused(work);
    if (paused?.outcome.kind === "failed") await drop();
    if (paused) return paused;
    const { senha, certificado } = ticket;
    const body = { dados: { emitente_id: issuer.emitente_id, senha, certificado } };
    const note = { contact: begun.contact, effect: begun.id, attempt: begun.attempt };
    const options = { mayLeave: begun.lease.isHeld };
    const outcome = await callGateway(context, account, UPLOAD, body, options, note);
    const ending = unspoken(await work.conclude(UPLOAD, scope, outcome));
    const { kind } = ending.outcome;
    // Nothing is kept for a person that holds a certificate: the flow asks for it again.
    if (kind === "failed" || kind === "held") {
      await drop();
      return { ...ending, outcome: { kind: "failed" } };
    }
    if (kind !== "done") return ending;
    await changeIssuers(context, account.id, (issuers) =>
      issuers.map((one) =>
        one.emitente_id === issuer.emitente_id ? { ...one, certificate_until: ticket.until } : one,
      ),
    );
    await drop();
    const left = Date.parse(ticket.until) - context.clock.now();
    const days = Math.max(0, Math.ceil(left / DAY_MS));
    return done({ valid: dayOf(ticket.until), days, company: issuer.razao });
  },
};

/** The gateway's words about a certificate may repeat its password: only its code goes on. */
function unspoken(ending: Ending): Ending {
  const { result } = ending;
  if (result?.outcome !== "rejected") return ending;
  return { ...ending, result: { ...result, out: { code: result.out["code"] ?? "", text: "" } } };
}

export const certificateEffects = [link, check, upload] as unknown as readonly OwnSpec[];
