/**
 * Certificates on their way in, by a one-time page or by the chat: read apart, checked before anything is paid for, kept
 * sealed for their one upload. Used by the effects of conversations and by the page's server, in any process.
 */
import {
  type Account,
  type Context,
  formatCnpj,
  localDay,
  newCode,
  isCnpj,
} from "../../../plugin.ts";
import { isOperator, issuerMeant } from "../issuers/issuer-access.ts";
import { type Found, isOpen, isSpent, LINK_MS, type Link, Links, TRIES } from "./links.ts";
import { PfxReader, type Reading } from "./pfx-reader.ts";
import { Tickets } from "./tickets.ts";
import type { PfxFacts } from "./pfx-reading.ts";

/** The event a conversation waits for, and what it brings. Without a ticket no try brought a certificate, and none is left. */
export const CERTIFICATE_UPLOADED = {
  name: "certificate.uploaded",
  data: ["link", "ticket", "valid"],
} as const;

/** A page as its reader may see it. */
export interface UploadPage {
  /** `spent`: its tries are used up. */
  readonly state: "open" | "used" | "spent" | "over";
  readonly locale: "pt-BR" | "en";
  readonly company: string;
  readonly cnpj: string;
  readonly triesLeft: number;
  readonly minutesLeft: number;
  /** Of the certificate it brought, `YYYY-MM-DD`. */
  readonly valid?: string;
}

type Given =
  | { readonly ok: true; readonly page: UploadPage }
  | { readonly ok: false; readonly reason: Unfit | "closed" | "gone"; readonly page?: UploadPage };

type Checked =
  | { readonly ok: true; readonly ticket: string; readonly valid: string; readonly holder: string }
  | { readonly ok: false; readonly reason: Unfit };

/** What a session tells of its open calls. */
interface Waiting {
  readonly invocations?: readonly { readonly kind: string; readonly name: string }[];
}

type CertificateContext = Pick<Context, "store" | "accounts" | "clock" | "random" | "wake">;

export class Certificates {
  readonly #context: CertificateContext;
  readonly #links: Links;
  readonly #reader: PfxReader;
  readonly tickets: Tickets;

  constructor(context: CertificateContext, reader: PfxReader = new PfxReader()) {
    this.#context = context;
    this.#links = new Links(context.store);
    this.#reader = reader;
    this.tickets = new Tickets(context.store);
  }

  /** A new page for somebody of the business; `id` is what its event will name. */
  async link(
    of: Pick<Link, "account" | "contact" | "issuer" | "locale">,
  ): Promise<{ readonly code: string; readonly id: string; readonly minutes: number }> {
    const code = newCode(this.#context.random);
    await this.#links.closeOf(of.account, of.contact, this.#context.clock.now());
    const until = this.#context.clock.now() + LINK_MS;
    const id = await this.#links.open(code, { ...of, until, tries: 0, failed: 0 });
    return { code, id, minutes: LINK_MS / 60_000 };
  }

  /** What the page shows; null for a code nobody was given. Opening it uses nothing up: messengers look at addresses, too. */
  async page(code: string): Promise<UploadPage | null> {
    const found = await this.#links.find(code);
    if (!found) return null;
    // A process may have ended between the two: telling it again is telling it once.
    await this.#tellEnd(found);
    return this.#pageOf(found.link);
  }

  /** A file and its password from the page. */
  async give(code: string, file: Uint8Array, password: string): Promise<Given> {
    const { clock } = this.#context;
    const found = await this.#links.find(code);
    const account = found && (await this.#context.accounts.get(found.link.account));
    if (!found || !account) return { ok: false, reason: "gone" };
    const { contact, issuer } = found.link;
    const mayGive =
      (await isOperator(this.#context, account, contact)) && (await this.#isAwaited(found.link));
    const open = mayGive ? await this.#links.spend(found.id, clock.now()) : null;
    if (!open) return this.#no("closed", code);
    const checked = await this.#tried(found.id, { account, contact, issuer }, file, password);
    if (!checked.ok) return this.#no(checked.reason, code);
    const { ticket, valid } = checked;
    if (!(await this.#links.use(code, { ticket, valid }))) {
      await this.tickets.drop(ticket);
      return this.#no("closed", code);
    }
    const used = { ...open, ticket, valid };
    await this.#tellEnd({ id: found.id, link: used });
    return { ok: true, page: await this.#pageOf(used) };
  }

  /** One of a link's tries: what was nobody's fault but ours does not count. */
  async #tried(id: string, ...given: Parameters<Certificates["check"]>): Promise<Checked> {
    let checked: Checked;
    try {
      checked = await this.check(...given);
    } catch (error) {
      await this.#links.giveBack(id);
      throw error;
    }
    if (checked.ok) return checked;
    if (checked.reason === "busy") await this.#links.giveBack(id);
    else await this.#links.fail(id);
    return checked;
  }

  /** Reads, compares with the issuer and the clock, and keeps it for its upload. */
  async check(
    of: { readonly account: Account; readonly contact: string; readonly issuer: string },
    file: Uint8Array,
    password: string,
  ): Promise<Checked> {
    const { clock, random } = this.#context;
    const { account, contact } = of;
    const issuer = issuerMeant(account, of.issuer);
    if (!issuer) return { ok: false, reason: "other-company" };
    const now = clock.now();
    const fits = fitting(await this.#reader.read(file, password), issuer.cnpj, now);
    if (!fits.ok) return { ok: false, reason: fits.reason };
    const { holder, until } = fits.facts;
    const ticket = newCode(random);
    const valid = localDay(until, issuer.zone);
    await this.tickets.keep(ticket, {
      account: account.id,
      contact,
      issuer: issuer.emitente_id,
      holder,
      until: valid,
      certificado: Buffer.from(file).toString("base64"),
      senha: password,
      at: now,
    });
    return { ok: true, ticket, valid, holder };
  }

  /** What somebody brought, and the pages they were given, go with them. */
  async forget(account: string, contact: string): Promise<void> {
    await this.#links.dropOf(account, contact);
    await this.tickets.dropOf(account, contact);
  }

  async sweep(): Promise<void> {
    const now = this.#context.clock.now();
    await this.#links.sweep(now);
    await this.tickets.sweep(now);
  }

  /** Whether the conversation that gave a page still waits for it; "cancelar" ends both. */
  async #isAwaited({ account, contact }: Link): Promise<boolean> {
    const view = await this.#context.store.views.session(account, contact);
    if (!view) return true;
    const { frames = [] } = view.session as { frames?: readonly Waiting[] };
    return frames.some(({ invocations = [] }) =>
      invocations.some(({ kind, name }) => kind === "wait" && name === CERTIFICATE_UPLOADED.name),
    );
  }

  /** Tells the conversation how a page ended, once: with what it brought, or that nothing comes any more. */
  async #tellEnd({ id, link }: Found): Promise<void> {
    const { account, contact, ticket, valid = "" } = link;
    if (ticket === undefined && !isSpent(link)) return;
    const data = { link: id, ...(ticket === undefined ? {} : { ticket, valid }) };
    const mail = { kind: "event" as const, name: CERTIFICATE_UPLOADED.name, data };
    await this.#context.store.mail.accept([{ account, contact, event: `upload:${id}`, mail }]);
    this.#context.wake("turns");
  }

  /** With the page as it is now: of several tries at once another may have changed it. */
  async #no(reason: Unfit | "closed", code: string): Promise<Given> {
    const page = await this.page(code);
    return page ? { ok: false, reason, page } : { ok: false, reason: "gone" };
  }

  async #pageOf(link: Link): Promise<UploadPage> {
    const { locale, until, tries, ticket, valid } = link;
    const now = this.#context.clock.now();
    const account = await this.#context.accounts.get(link.account);
    const issuer = account && issuerMeant(account, link.issuer);
    const open = isOpen(link, now) && (await this.#isAwaited(link));
    return {
      state: ticket !== undefined ? "used" : isSpent(link) ? "spent" : open ? "open" : "over",
      locale,
      company: issuer?.razao ?? "",
      cnpj: issuer ? formatCnpj(issuer.cnpj) : "",
      triesLeft: Math.max(0, TRIES - tries),
      minutesLeft: Math.max(0, Math.ceil((until - now) / 60_000)),
      valid,
    };
  }
}

/** A CNPJ's root: branches share the certificate of their head office. */
const ROOT_LENGTH = 8;

/** Why a certificate is not taken, before anything is paid for. */
type Unfit =
  | Extract<Reading, { ok: false }>["reason"]
  /** Its time is over, or still to come; it is another company's. */
  | "expired"
  | "not-yet"
  | "other-company";

type Fitting =
  | { readonly ok: true; readonly facts: PfxFacts }
  | { readonly ok: false; readonly reason: Unfit; readonly facts?: PfxFacts };

/** Whether a certificate that was read may serve an issuer now. Pure. */
export function fitting(reading: Reading, cnpj: string, now: number): Fitting {
  if (!reading.ok) return reading;
  const { facts } = reading;
  if (!isCnpj(facts.cnpj)) return { ok: false, reason: "no-company" };
  if (facts.cnpj.slice(0, ROOT_LENGTH) !== cnpj.slice(0, ROOT_LENGTH))
    return { ok: false, reason: "other-company", facts };
  if (facts.until <= now) return { ok: false, reason: "expired", facts };
  if (facts.from > now) return { ok: false, reason: "not-yet", facts };
  return { ok: true, facts };
}
