/**
 * Everything an operator can have done: the closed list of what the audit and a person's records
 * say. Each has its sentence in
 * `i18n/acts/<locale>.json` (`acts.<name>`). `touches`: it is done to a person and must name them.
 */
export const auditEvents = {
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
  "settings.chat_link_set": { touches: false },
  "settings.errors_cleared": { touches: false },
  "instance.exported": { touches: false },
  "people.found": { touches: true },
  "people.viewed": { touches: true },
  "people.viewed_wallet": { touches: true },
  "people.viewed_orders": { touches: true },
  "people.viewed_withdrawals": { touches: true },
  "people.viewed_records": { touches: true },
  "people.viewed_account": { touches: true },
  "people.view_closed": { touches: true },
  "people.sessions_ended": { touches: true },
  "people.suspended": { touches: true },
  "people.resumed": { touches: true },
  "people.support_link_set": { touches: true },
  "people.support_link_removed": { touches: true },
  "people.paid_now": { touches: true },
  "class.link_made": { touches: false },
  "class.link_closed": { touches: false },
  "class.contracts_on": { touches: false },
  "class.contracts_off": { touches: false },
  "class.sign_up_changed": { touches: false },
  "class.announced": { touches: false },
} as const satisfies Record<string, { touches: boolean }>;

export type AuditEventName = keyof typeof auditEvents;
export const auditEventNames = Object.keys(auditEvents) as AuditEventName[];

/** One act, as a handler tells of it. */
export interface AuditEvent {
  what: AuditEventName;
  /**
   * Opaque id of what it was done to: a draft, a pool, another operator. At most 64 characters;
   * never a name or an address.
   */
  target?: string;
  /**
   * The operator's own words, 1 to 500 characters: shown to the person, kept sealed, in the chain
   * only as a salted hash.
   */
  why?: string;
  touches?: { userId: string };
  /** More for the audit alone: kept and hashed like `why`. */
  details?: Readonly<Record<string, string | number | boolean | null>>;
}
