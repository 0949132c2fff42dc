/** Everything that bounds the store. Only tests pass other limits. */
export interface Limits {
  /** Events waiting for one contact; one more goes to dead letters. */
  readonly mailbox: number;
  /** How long an event id is remembered, ms. */
  readonly dedupeMs: number;
  /** Remembered event ids of one contact. They are never dropped early: further events go to dead letters. */
  readonly dedupe: number;
  /** Names of erased people of one account, remembered as long as event ids. Past it the oldest are forgotten. */
  readonly erased: number;
  /** How long a name leads to a person (`Store.lead`), ms. */
  readonly leadMs: number;
  /** Such names of one person; the oldest is dropped. */
  readonly leads: number;
  /** Dead letters of one partition past which an event that would become one is refused. */
  readonly dead: number;
  /**
   * Dead letters of one partition past which an event that cannot be applied waits in its own mailbox instead. Above
   * `dead`, so that events without room in a mailbox do not use this up.
   */
  readonly deadLetters: number;
  /** The same for one contact, so that one alone does not fill the partition's dead letters. */
  readonly deadLettersOfOne: number;
  /** Largest session, characters of its JSON. */
  readonly session: number;
  /** Journal records kept per contact. */
  readonly journal: number;
  /** How long a process counts as running after it last told which `PROSA_KEYS` it has, ms. */
  readonly keyHolderMs: number;
  /**
   * A server is asked to rewrite its append-only file once in this time at most, ms; whether it has to is checked ten times
   * as often.
   */
  readonly logRewriteMs: number;
  /** Size of the embedded file past which nothing more is accepted, bytes. */
  readonly fileBytes: number;
  /** After a restart of Redis no guarded effect is begun for this long, ms: by then every worker has seen it. */
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
  // Three names for each person, thousands of people in 8 days: more than anyone erases by hand. Some 5 MB at most.
  erased: 50_000,
  // People answer a short message within days, and once in a while weeks later.
  leadMs: 60 * 86_400_000,
  // More short messages to one person in that time than most plans allow.
  leads: 200,
  dead: 10_000,
  deadLetters: 20_000,
  deadLettersOfOne: 1_000,
  // An operator with two hundred open requests of 2 kB, and room; a flow that gathers without end stops here.
  session: 512 * 1_024,
  journal: JOURNAL_PRODUCTION,
  // Three reports may be lost; a rotation waits no longer than this for a process that was killed.
  keyHolderMs: 15_000,
  // A rewrite forks the server: erasures of one span share it.
  logRewriteMs: 10 * 60_000,
  // Far above what one small process gathers; below what slows SQLite down.
  fileBytes: 4 * 1_024 ** 3,
  // A server is back within half a second and looked at every two: a worker that knows better has answered by then.
  restartGraceMs: 3_000,
};

/** Claims without progress after which a contact is claimed alone, so that a poison event harms no other contact. */
export const SOLO_AFTER = 2;

/**
 * Effect classes that a commit may begin itself. Calls that cost money or file taxes are always begun in a step of their
 * own.
 */
export const BORN_IN_FLIGHT: ReadonlySet<string> = new Set(["message", "read"]);

/** Partitions of a new Redis install, fixed for its life. Between 16 and 64 the number does not change throughput. */
export const PARTITIONS = 16;

/** Contacts whose data key and last session are kept in memory. */
export const REMEMBERED = 10_000;

/**
 * The longest wait before something is tried again, ms; back-offs end at a minute. What seems to wait longer was written
 * before the clock jumped back, and is due. The scripts have the same number.
 */
export const LONGEST_WAIT_MS = 600_000;

/** Merges that are followed from a contact to the one that holds its session now. */
export const MERGES = 20;
