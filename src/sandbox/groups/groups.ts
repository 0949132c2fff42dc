/** Groups of the messenger. A group is one thing for all its members: two devices in it see the same. */
import type { Ids } from "../world/ids.ts";

/** Groups at once; another one is refused. */
const GROUP_LIMIT = 1_000;

/** Members of one group, as the messenger bounds them. */
export const MEMBER_LIMIT = 1_024;

/** Characters of a group's name and of its description, as the messenger bounds them. */
export const SUBJECT_LIMIT = 100;
export const DESCRIPTION_LIMIT = 2_048;

/** The creator is `superadmin`: nobody removes or demotes them. */
type Rank = "superadmin" | "admin" | null;

export interface Group {
  readonly jid: string;
  readonly owner: string;
  /** Epoch milliseconds. */
  readonly creation: number;
  subject: string;
  subjectOwner: string;
  subjectTime: number;
  description: string | null;
  descriptionId: string | null;
  /** Address of the picture, or null. */
  picture: string | null;
  /** Only admins may write. */
  announce: boolean;
  /** Only admins may change name, description and picture. */
  locked: boolean;
  /** Rank by person, in order of joining. Changed by {@link setMember} and {@link removeMember} only. */
  readonly members: ReadonlyMap<string, Rank>;
  /** The invitation in force. */
  code: string;
}

interface GroupDraft extends Pick<Group, "owner" | "subject" | "description"> {
  readonly jid?: string | undefined;
  readonly members: readonly string[];
  readonly at: number;
}

export class Groups {
  readonly #ids: Ids;
  readonly #byJid = new Map<string, Group>();

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  /** Makes a group with its creator in it; undefined when there are too many, or one of that address. */
  make(draft: GroupDraft): Group | undefined {
    const jid = draft.jid ?? `120363${this.#ids.digits("group", 12)}@g.us`;
    if (this.#byJid.size >= GROUP_LIMIT || this.#byJid.has(jid)) return undefined;
    const { owner, subject, description, at } = draft;
    const members = new Map<string, Rank>([[owner, "superadmin"]]);
    for (const person of draft.members.slice(0, MEMBER_LIMIT - 1))
      if (person !== owner) members.set(person, null);
    const group: Group = {
      jid,
      owner,
      creation: at,
      subject,
      subjectOwner: owner,
      subjectTime: at,
      description,
      descriptionId: description === null ? null : this.#ids.hex("description", 20),
      picture: null,
      announce: false,
      locked: false,
      members,
      code: this.newCode(),
    };
    this.#byJid.set(jid, group);
    return group;
  }

  newCode(): string {
    return this.#ids.hex("invite", 22);
  }

  newDescriptionId(): string {
    return this.#ids.hex("description", 20);
  }

  find(jid: string): Group | undefined {
    return this.#byJid.get(jid);
  }

  /** Those a person is in, oldest first. */
  of(person: string): readonly Group[] {
    return this.all().filter((group) => group.members.has(person));
  }

  byCode(code: string): Group | undefined {
    return this.all().find((group) => group.code === code);
  }

  all(): readonly Group[] {
    return [...this.#byJid.values()];
  }
}

/** Members but one, by that one: made once for all messages until somebody comes or goes. */
const others = new WeakMap<ReadonlyMap<string, Rank>, Map<string, ReadonlySet<string>>>();

/** Everybody in a group except one: who sees what that one writes. */
export function othersIn(group: Group, person: string): ReadonlySet<string> {
  const known = others.get(group.members) ?? new Map<string, ReadonlySet<string>>();
  others.set(group.members, known);
  const made =
    known.get(person) ?? new Set([...group.members.keys()].filter((member) => member !== person));
  known.set(person, made);
  return made;
}

/** Adds a person, or changes the rank of a member. */
export function setMember(group: Group, person: string, rank: Rank): void {
  (group.members as Map<string, Rank>).set(person, rank);
  others.delete(group.members);
}

export function removeMember(group: Group, person: string): void {
  (group.members as Map<string, Rank>).delete(person);
  others.delete(group.members);
}

export function isAdmin(group: Group, person: string): boolean {
  return group.members.get(person) != null;
}
