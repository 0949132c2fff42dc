/** Everything that bounds the store. Tests pass smaller ones; nobody else should. */
export interface Limits {
  /** Events waiting for one contact; one more goes to dead letters. */
  readonly mailbox: number;
  /** How long an event id is remembered, ms. */
  readonly dedupeMs: number;
  /** Young event ids of one contact. Never evicted early: past it events go to dead letters. */
  readonly dedupe: number;
  /** Names of erased people of one account, remembered as long as event ids. Past it the oldest are forgotten. */
  readonly erased: number;
  /** How long a name that leads to somebody is good (`Store.lead`), ms. */
  readonly leadMs: number;
  /** Such names of one person; the oldest goes. */
  readonly leads: number;
  /** Dead letters of one partition. Past it nothing more that would die is accepted. */
  readonly dead: number;
  /**
   * Dead letters of one partition past which nothing more is parked: what cannot be applied waits in its own mailbox. Above
   * `dead`, so that what finds no room in mailboxes takes no place from it.
   */
  readonly parked: number;
  /** Dead letters of one contact past which nothing more of it is parked, so that one alone does not fill the pile. */
  readonly parkedOfOne: number;
  /** Largest session, characters of its JSON. */
  readonly session: number;
  /** Journal records kept per contact. */
  readonly journal: number;
  /** How long a process counts as running after it last told which `PROSA_KEYS` it has, ms. */
  readonly keyHolderMs: number;
  /**
   * A server's append-only file is asked to be written anew once in this time at most, ms; whether one is owed is looked at
   * ten times as often.
   */
  readonly logRewriteMs: number;
  /** Size of the embedded file past which nothing more is accepted, bytes. */
  readonly fileBytes: number;
  /** After a restart of Redis nothing guarded is begun for this long: every worker has looked at it by then. Ms. */
  readonly restartGraceMs: number;
}

/** The journal of a production install: ten slim records keep an idle contact under 4 KB. */
export const JOURNAL_PRODUCTION = 10;
/** In development the console shows whole conversations. */
export const JOURNAL_DEVELOPMENT = 200;

export const LIMITS: Limits = {
  // A person cannot write that much; a machine that does must not fill the store.
  mailbox: 1_000,
  // Providers send again for up to 7 days; one more for clocks.
  dedupeMs: 8 * 86_400_000,
  // About 500 a day for 8 days, a third of a megabyte at most.
  dedupe: 4_096,
  // Three names a person, thousands of people in 8 days: more than anybody erases by hand. Some 5 MB at most.
  erased: 50_000,
  // People answer a short message within days, and once in a while weeks later.
  leadMs: 60 * 86_400_000,
  // As many short messages to one person, in as long, are more than a plan has for most.
  leads: 200,
  dead: 10_000,
  parked: 20_000,
  parkedOfOne: 1_000,
  // An operator with two hundred open requests of 2 kB, and room; a flow that gathers without end stops here.
  session: 512 * 1_024,
  journal: JOURNAL_PRODUCTION,
  // Three reports may be lost; a rotation waits no longer than this for a process that was killed.
  keyHolderMs: 15_000,
  // A rewrite forks the server: erasures of one span share it.
  logRewriteMs: 10 * 60_000,
  // Far above what one small process gathers; below what SQLite starts to feel.
  fileBytes: 4 * 1_024 ** 3,
  // Back within half a second, asked every two: one that knows better has spoken.
  restartGraceMs: 3_000,
};

/** Claims without progress after which a contact comes alone, so that a poison event takes nobody else with it. */
export const SOLO_AFTER = 2;

/** Effect classes that may be born in flight. What costs money or files taxes is always begun in a step of its own. */
export const BORN_IN_FLIGHT: ReadonlySet<string> = new Set(["message", "read"]);

/** Partitions of a new Redis install. Not a lever of throughput between 16 and 64; fixed for the life of the install. */
export const PARTITIONS = 16;

/** Contacts whose data key and last session are kept in memory. */
export const REMEMBERED = 10_000;

/**
 * Nothing waits longer than this before it is tried (again), ms: back-offs end at a minute. What seems to was written before
 * the clock jumped back, and is due. The scripts have the same number.
 */
export const LONGEST_WAIT_MS = 600_000;

/** Merges that are followed from a contact to the one that holds its session now: each takes another name of one person. */
export const MERGES = 20;
