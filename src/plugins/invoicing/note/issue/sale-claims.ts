/**
 * Which sale a request for a note has claimed, written down where its own payload need not be read: of a bare note from before
 * it claims, of a note without a record once a person said how it ended. So what claimed a sale can always be let go, also when
 * the payload cannot be opened any more, and when a process died between the end of the effect and the end of its claim.
 */
import { z } from "zod";
import {
  CallResult,
  changeDocument,
  type Context,
  documentsOf,
  type EffectView,
  type JsonObject,
  Waiter,
} from "../../../../plugin.ts";
import { giveBack } from "./ceiling.ts";

const COLLECTION = "sale-claims";
/** Whoever said how one ended has this long to carry it out, real ms. */
const OWN_MS = 60_000;

/**
 * For how long a key that the store lost is claimed anew, by every round again, real ms. It has an end because somebody may decide in
 * between: what is claimed just after its key was let go nobody else would ever free.
 */
const ANEW_MS = 3_600_000;

/** `free`: there is no such note. `settle`: there is, or may be; a sale like it is another one once the window is over. */
const How = z.enum(["free", "settle"]);
type How = z.output<typeof How>;

const Word = z.object({
  how: How,
  /** The effect's `rev` that was looked at, and what its flow is told. */
  rev: z.number(),
  told: CallResult,
  waiter: Waiter.optional(),
  /** Real time, ms. */
  at: z.number(),
});

const Claim = z.object({
  account: z.string(),
  contact: z.string(),
  /** Owner of the key. */
  effect: z.string(),
  /** Keyed hash of the sale. */
  key: z.string(),
  /** How long one that was issued is taken for the same sale, ms; absent: for good. */
  window: z.number().optional(),
  counted: z.object({
    ...{ id: z.string(), account: z.string(), cents: z.number(), createdAt: z.number() },
    issuer: z.object({ zone: z.string() }),
  }),
  /** Real time of writing, ms. */
  at: z.number(),
  word: Word.optional(),
});
export type SaleClaim = Omit<z.output<typeof Claim>, "at" | "word">;

type Tools = Pick<Context, "store" | "clock" | "wake">;

/** Writes it down; to be called before the key is claimed. */
export async function keepClaim({ store, clock }: Tools, claim: SaleClaim): Promise<void> {
  await changeDocument(store, COLLECTION, claim.effect, (known) =>
    known ? null : documentOf({ ...claim, at: clock.real() }),
  );
}

export async function claimOf({ store }: Tools, effect: string): Promise<SaleClaim | null> {
  const found = await store.get(COLLECTION, effect);
  return found ? Claim.parse(found.value) : null;
}

/** The sale's key ends so, then what was written of it goes. A key that was settled is nobody's to free. */
export async function endClaim(tools: Tools, claim: SaleClaim, how: How): Promise<void> {
  const { account, key, effect, counted } = claim;
  if (how === "settle") await settle(tools, claim);
  // A no that comes after somebody said that the note stands frees nothing: it is theirs to look again.
  else if (await tools.store.freeKey(account, key, effect)) await giveBack(tools, counted);
  await tools.store.remove(COLLECTION, effect);
}

/** Also where the store lost the key, and nobody else has the sale since. */
async function settle(
  { store }: Tools,
  { account, key, effect, window }: SaleClaim,
): Promise<void> {
  if (await store.settleKey(account, key, effect, window)) return;
  if ((await store.claimKey(account, key, effect, window)).ok)
    await store.settleKey(account, key, effect, window);
}

/** The claim is given up before anything left; nothing was counted for it. */
export async function dropClaim({ store }: Tools, claim: SaleClaim): Promise<void> {
  await store.freeKey(claim.account, claim.key, claim.effect);
  await store.remove(COLLECTION, claim.effect);
}

/**
 * A person's word about it, before the effect goes: if the process dies in between, {@link sweepClaims} carries it out. False:
 * another person's word stands there already.
 */
export async function sayOf(
  { store, clock }: Tools,
  claim: SaleClaim,
  said: Omit<z.output<typeof Word>, "at">,
): Promise<boolean> {
  const at = clock.real();
  const stands = await changeDocument(store, COLLECTION, claim.effect, (known) => {
    const now = known ? Claim.parse(known) : { ...claim, at };
    return now.word ? null : documentOf({ ...now, word: { ...said, at } });
  });
  const { word } = Claim.parse(stands);
  return word?.how === said.how && word.rev === said.rev && word.told.outcome === said.told.outcome;
}

/**
 * What crashes left: words that were not carried out, and claims whose effect is gone, with its contact or otherwise. And what a
 * fail-over lost: the key of a call that rests is claimed anew, unless somebody else has the sale since. One that
 * fails (a contact whose data key waits for its entry) is logged and looked at again in the next round.
 */
export async function sweepClaims(tools: Tools & Pick<Context, "log">): Promise<void> {
  const { store, log } = tools;
  for await (const { id, value } of documentsOf(store, COLLECTION))
    await sweepClaim(tools, value).catch((error: unknown) => {
      // Its own trouble: the others are looked at all the same.
      log.error({ err: error, effect: id }, "a claimed sale could not be looked at");
    });
}

async function sweepClaim(tools: Tools, value: JsonObject): Promise<void> {
  const { store, clock } = tools;
  const claim = Claim.parse(value);
  const { account, contact, effect: id, word } = claim;
  if (clock.real() - (word ?? claim).at < OWN_MS) return;
  const effect = await store.effect({ account, contact, id });
  if (effect && !word) return effect.state === "held" ? claimAnew(tools, claim) : undefined;
  // It is not what that person saw: the claim stands, and somebody decides anew.
  if (effect && word && !(await carryOut(tools, effect, word))) return unsay(tools, id, word.at);
  // Without a word it may have left: its sale is another one only once the window is over.
  await endClaim(tools, claim, word?.how ?? "settle");
}

/** What rests may have left. What waits claims its sale before it does, and what is on its way ends, or comes to rest. */
async function claimAnew(tools: Tools, claim: SaleClaim): Promise<void> {
  const { store } = tools;
  const { account, contact, effect: id, key } = claim;
  if (!(await store.claimKey(account, key, id, ANEW_MS)).ok) return;
  // Somebody decided since it was read, all of it: nothing asks for it once more. What was settled stays.
  if ((await store.effect({ account, contact, id })) || (await claimOf(tools, id))) return;
  await store.freeKey(account, key, id);
}

async function carryOut(
  { store, wake }: Tools,
  { id, account, contact }: EffectView,
  { rev, told, waiter }: z.output<typeof Word>,
): Promise<boolean> {
  const mail = waiter && { kind: "result" as const, effect: id, waiter, result: told };
  const done = await store.resolve({
    ...{ id, account, contact, rev, action: "finish" },
    ...(mail ? { result: { event: `r:${id}:decided`, mail } } : {}),
  });
  if (done) wake("turns");
  return done;
}

async function unsay({ store }: Tools, effect: string, at: number): Promise<void> {
  await changeDocument(store, COLLECTION, effect, (known) => {
    const now = known && Claim.parse(known);
    if (now?.word?.at !== at) return null;
    const { word: _word, ...claim } = now;
    return documentOf(claim);
  });
}

function documentOf(claim: z.output<typeof Claim>): JsonObject {
  return JSON.parse(JSON.stringify(claim)) as JsonObject;
}
