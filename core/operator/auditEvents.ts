/**
 * The closed list of operator actions, as they appear in the audit and in a person's records. Each
 * has its text in `i18n/acts/<locale>.json` (`acts.<name>`). `touches`: it affects a person and
 * must name them.
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
  "operators.passphrase_set": { touches: false },
  "operators.passphrase_removed": { touches: false },
  "operators.key_added": { touches: false },
  "operators.key_removed": { touches: false },
  "operators.factors_reset": { touches: true },
  "operators.factors_reset_by_command": { touches: true },
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

/** An audit event as reported by a handler. */
export interface AuditEvent {
  what: AuditEventName;
  /**
   * Opaque id of the object acted on: a draft, a pool, another operator. At most 64 characters;
   * never a name or an address.
   */
  target?: string;
  /**
   * The operator's reason, 1 to 500 characters: shown to the person, stored encrypted, in the chain
   * only as a salted hash.
   */
  why?: string;
  touches?: { userId: string };
  /** Further details for the audit only: stored and hashed like `why`. */
  details?: Readonly<Record<string, string | number | boolean | null>>;
}
