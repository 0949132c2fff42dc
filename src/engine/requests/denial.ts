/**
 * "Não aprovo", "não pode emitir, valor errado": a denied approval. It is a refusal and is read as one, so codes, reasons
 * and lists work as with "recusar".
 */
import {
  type Denial,
  denialIn,
  plainOf,
  understand,
  waitsOrRefuses,
} from "../../understanding/index.ts";
import { isDecided, namesRequest, textOf } from "./open-requests.ts";
import { openRequests, type Session } from "../session/session.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { isMenu, taskIn, expects } from "../turn/programs.ts";
import type { Content } from "../session/inbound.ts";
import type { ReadingContext } from "../turn/reader.ts";
import { codedIn } from "./request-code.ts";
import { type Frame, isRequest } from "../session/frame.ts";

/** Most words of a plain no; a longer text says more than no. */
const PLAIN_WORDS = 5;

/** The option that refuses, by language. */
const REFUSE: Readonly<Record<Session["locale"], string>> = { "pt-BR": "recusar", en: "refuse" };

/** The content that a person of the business sent. A denial is turned into a refusal where it can be about a request. */
export function asRefusal(draft: TurnDraft, content: Content): Content {
  if (content.type !== "text") return content;
  const { session, top } = draft;
  const open = openRequests(session);
  if (open.length === 0 && session.role !== "operator") return content;
  const denied = denialIn(content.text, draft.context.business);
  const isBusy = top !== undefined && !isMenu(draft, top) && !isRequest(top);
  if (denied) {
    // Of what is asked of themselves they say yes or no by it, too.
    const isTheirs = isBusy && (!denied.names || takesNo(draft, top));
    const isMeant = isTheirs ? namesRequest(draft, content.text) : open.length > 0 || denied.names;
    return isMeant ? textOf(refusalOf(denied, session.locale)) : content;
  }
  const isAsked = top ? isDecided(draft, top) : session.requests.length > 0;
  // "Não A7" refuses that one, which may be another than the only one that waits.
  const coded = codedIn(content.text);
  if (!isAsked || taskIn(draft, content.text)) return content;
  if (!isPlainNo(coded?.rest ?? content.text, draft.context)) return content;
  const refuse = REFUSE[session.locale];
  return textOf(coded ? `${refuse} ${coded.code}` : refuse);
}

/** "De jeito nenhum", "negativo": a no in other words than the option. */
function isPlainNo(text: string, context: ReadingContext): boolean {
  const line = plainOf(text);
  if (line.split(" ").length > PLAIN_WORDS || text.includes("?")) return false;
  if (waitsOrRefuses(line)) return false;
  const reply = understand("yesno", text, context);
  if (!reply.ok || reply.value !== "no") return false;
  const said = understand("command", text, context);
  return said.ok && said.value === "none";
}

function takesNo(draft: TurnDraft, frame: Frame): boolean {
  const { rests, asked } = expects(draft, frame);
  return rests === "confirm" || asked?.kind === "yesno";
}

/** "Recusar K3, valor errado". */
function refusalOf({ code, reason }: Denial, locale: Session["locale"]): string {
  const word = code === undefined ? REFUSE[locale] : `${REFUSE[locale]} ${code}`;
  return reason === undefined ? word : `${word}, ${reason}`;
}
