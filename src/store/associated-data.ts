/** Associated data of everything sealed: the place of a value, so that it opens at no other place. */
export const associatedData = {
  session: (contact: string, rev: number): string => `session|${contact}|${rev}`,
  mail: (contact: string, event: string): string => `mail|${contact}|${event}`,
  effect: (id: string): string => `effect|${id}`,
  why: (id: string): string => `why|${id}`,
  journal: (contact: string, tag: string): string => `journal|${contact}|${tag}`,
  reason: (contact: string): string => `reason|${contact}`,
  doc: (collection: string, id: string): string => `doc|${collection}|${id}`,
} as const;
