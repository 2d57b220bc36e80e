import { isPrivateEvent } from "#core/operator/commitment.ts";
import type { EventDetails, PublicEvent } from "#core/transparency-log/auditLeaf.ts";

interface EventRule {
  /** True if the event affects a person: it must name them, and no part of it is public. */
  touches: boolean;
  /** The target is not a person, and so is public. */
  target?: true;
  /** Details that are public, by name: the value of a switch. */
  details?: Readonly<Record<string, true>>;
}

/**
 * The closed list of operator actions, as they appear in the audit and in a person's records. Each
 * has its text in `i18n/audit/<locale>.json` (`audit.<name>`).
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
  "publishing.saved": { touches: false, target: true },
  "publishing.scheduled": { touches: false, target: true },
  "publishing.unscheduled": { touches: false, target: true },
  "publishing.discarded": { touches: false, target: true },
  "publishing.withdrawn": { touches: false, target: true },
  "audit.exported": { touches: false },
  "settings.chat_link_set": { touches: false, details: { use: true, link_sha256: true } },
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
  "class.codes_made": { touches: false, details: { count: true } },
  "class.tasks_set": { touches: false },
  "class.room_opened": { touches: false },
  "class.room_viewed": { touches: true },
  "class.room_exported": { touches: true },
  "class.backup_unlocked": { touches: true },
  "class.contracts_on": { touches: false },
  "class.contracts_off": { touches: false },
  "class.clock_paused": { touches: false, details: { at_ms: true } },
  "class.clock_resumed": { touches: false, details: { at_ms: true } },
  "class.sign_up_changed": { touches: false, details: { from: true, to: true } },
  "worlds.made": { touches: false },
  "worlds.state_set": { touches: false },
  "worlds.notice_given": { touches: false },
  "worlds.removed": { touches: false },
  "worlds.exported": { touches: false },
  "class.debrief_opened": { touches: false },
  "class.beliefs_counted": { touches: true },
  "class.announced": { touches: false, target: true },
} as const satisfies Record<string, EventRule>;

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
   * The operator's reason, 1 to 500 characters: shown to the person, stored encrypted, in the log
   * only under the salt of the commitment.
   */
  why?: string;
  touches?: { userId: string };
  /** Further details for the audit: stored and committed to like `why`. */
  details?: EventDetails;
}

/** The public part of an event in the log; null if it has none. */
export function toPublicEvent(event: AuditEvent, role: string): PublicEvent | null {
  if (isPrivateEvent({ what: event.what, touches: event.touches?.userId ?? null })) return null;
  const rule: EventRule = auditEvents[event.what];
  const names = Object.keys(rule.details ?? {});
  const shownDetails = names.map((name) => [name, event.details?.[name] ?? null] as const);
  return {
    what: event.what,
    role,
    target: rule.target ? (event.target ?? null) : null,
    details: rule.details ? Object.fromEntries(shownDetails) : null,
  };
}
