import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { CommittedEvent } from "#core/operator/commitment.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db } from "#server/platform/db/database.ts";

/**
 * An operator's action in the console that touched a person, including opening their pages (promise
 * 8).
 */
export interface PersonAuditEvent {
  userId: string;
  /** The permission or role it was done with, as shown to the person. */
  role: string;
  /**
   * The action and its reason, in words for the person; at most 200 and 500 characters. No secrets,
   * no names.
   */
  what: string;
  why: string;
  /** The opening of its leaf in the log. Only this person gets it. */
  opening: AuditEventOpening;
}

/** The opening of a commitment (docs/formats/audit.md). */
interface AuditEventOpening {
  leaf: number;
  beforeLeaf: number | null;
  atMs: number;
  salt: string;
  act: CommittedEvent;
}

/**
 * Records an audit event for good, among the records of the attempt that is open now, and returns
 * its id. Runs in the caller's transaction if there is one.
 */
export async function writePersonAuditEvent(
  {
    database,
    clock,
    realClock,
    fieldEncryption,
  }: Pick<AppContext, "database" | "clock" | "realClock" | "fieldEncryption">,
  { userId, role, what, why, opening }: PersonAuditEvent,
  db: Db = database.db,
): Promise<string> {
  const id = randomUUID();
  // A text that an operator typed about a person is erased with that person, and so is the salt:
  // the commitment that stays in the log then reveals nothing.
  const encrypted = await fieldEncryption.encrypt(userId, why);
  const { leaf, beforeLeaf, atMs, salt, act } = opening;
  const opens = await fieldEncryption.encrypt(userId, JSON.stringify({ salt, at_ms: atMs, act }));
  const { rows } = await sql<{ event_id: string }>`
    insert into person_audit_event (event_id, user_id, attempt_id, role, what, why_encrypted, leaf,
      before_leaf, opening_encrypted, at_ms, recorded_at_ms)
    select ${id}, user_id, attempt_id, ${role}, ${what}, ${encrypted}, ${leaf},
      ${beforeLeaf}, ${opens}, ${clock.nowMs()}, ${realClock.nowMs()}
    from user_attempt where user_id = ${userId} order by number desc limit 1
    returning event_id`.execute(db);
  if (!rows[0]) throw new Error("an audit event must touch an existing person");
  return id;
}
