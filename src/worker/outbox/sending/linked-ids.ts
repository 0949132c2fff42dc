/**
 * Linked ids of people who are known by their phone. An engine may name a chat by its linked id alone; our own sends tell
 * who that is, or engine B.
 */
import type { Account, InboundEvent, Peer, Session } from "../../../engine/index.ts";
import type { CallOutcome } from "../../../gateway/index.ts";
import type { SendContext } from "../../context/send-context.ts";
import { callGateway } from "../../calls.ts";
import { planScope, type SendEntry } from "../entry.ts";
import { Found, phoneIn, ROUTE } from "./numbers.ts";

/** Time-out of the look-up, ms: a webhook waits for it. */
const ASK_MS = 3_000;

type Own = Extract<InboundEvent, { kind: "own" }>;
type Tools = Pick<SendContext, "store" | "echoes" | "scopes" | "clock"> &
  Parameters<typeof callGateway>[0];

/**
 * The person of a message that left from the business's number under an unknown linked id. Undefined when it cannot be
 * found out.
 */
export async function personOfLinked(
  context: Tools,
  account: Account,
  event: Own,
): Promise<Peer | undefined> {
  const { lid, name } = event.from;
  if (lid === undefined) return undefined;
  const phone =
    phoneIn(context.echoes.sentTo(account.id, event.messageId)?.address) ??
    (event.api ? undefined : await asked(context, account, lid));
  if (phone === undefined) return undefined;
  const named = name === undefined ? {} : { name };
  return { address: `${phone}@s.whatsapp.net`, phone, lid, ...named };
}

async function asked(context: Tools, account: Account, lid: string): Promise<string | undefined> {
  if (context.scopes.isPaused(planScope(account.id, "engine-b"))) return undefined;
  const options = { signal: AbortSignal.timeout(ASK_MS) };
  const body = { numbers: [`${lid}@lid`] };
  const outcome = await callGateway(context, account, ROUTE, body, options, { attempt: 1 });
  if (outcome.kind !== "ok") return undefined;
  const found = Found.safeParse(outcome.data).data?.[0];
  return found?.exists === false ? undefined : phoneIn(found?.jid);
}

/** Their linked id, when the messenger does not know the digits it was sent to. */
export function linkedInstead(
  outcome: CallOutcome,
  { channel, address }: SendEntry,
  session: Session | null,
): string | undefined {
  const isAbsent =
    (outcome.kind === "refused" || outcome.kind === "business_error") && outcome.absent === true;
  const linked = session?.linked?.address;
  return isAbsent && channel !== "sms" && address !== linked ? linked : undefined;
}
