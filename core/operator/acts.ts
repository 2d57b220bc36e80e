/**
 * Everything an operator can have done: the closed list of what the audit and a person's records say. Each has its sentence in
 * `i18n/<locale>/acts.json` (`acts.<name>`). `touches`: it is done to a person and must name them.
 */
export const acts = {
  "operators.claimed": { touches: false },
  "operators.invited": { touches: false },
  "operators.uninvited": { touches: false },
  "operators.joined": { touches: false },
  "operators.role_changed": { touches: true },
  "operators.removed": { touches: true },
  "operators.left": { touches: false },
  "operators.raised": { touches: false },
  "operators.lowered": { touches: false },
  "publishing.saved": { touches: false },
  "publishing.scheduled": { touches: false },
  "publishing.unscheduled": { touches: false },
  "publishing.discarded": { touches: false },
  "publishing.withdrawn": { touches: false },
  "audit.exported": { touches: false },
} as const satisfies Record<string, { touches: boolean }>;

export type ActName = keyof typeof acts;
export const actNames = Object.keys(acts) as ActName[];

/** One act, as a handler tells of it. */
export interface Act {
  what: ActName;
  /** Opaque id of what it was done to: a draft, a pool, another operator. At most 64 characters; never a name or an address. */
  target?: string;
  /** The operator's own words, 1 to 500 characters: shown to the person, kept sealed, in the chain only as a salted hash. */
  why?: string;
  touches?: { userId: string };
  /** More for the audit alone: kept and hashed like `why`. */
  details?: Readonly<Record<string, string | number | boolean | null>>;
}
