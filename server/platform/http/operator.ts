import type { AuditEvent } from "#core/operator/auditEvents.ts";
import type { Role } from "#core/operator/permissions.ts";
import type { Tx } from "#server/platform/db/database.ts";
import type { Session } from "#server/platform/http/session.ts";

/** An operator at work, as every domain sees one. Ids are opaque. */
export interface Operator {
  /** What the audit names; it says nothing about the person once they are gone. */
  operatorId: string;
  userId: string;
  role: Role;
  /** Until when this session's powers are raised (real time); null: they are not. */
  elevatedUntilMs: number | null;
}

/** A changing call of an operator: asked for once, done once. */
export interface OperatorRequest {
  operator: Operator;
  /** UUIDv7 of the client. */
  key: string;
  path: string;
  /** The checked input: another one under the same key is refused. */
  input: unknown;
}

/** What the operator's domain gives to the routes; server/platform knows no domain. */
export interface OperatorHttpDeps {
  /**
   * Whose session this is at the console, looked up each time, so that a removal counts at once;
   * null: no operator's.
   */
  find(session: Session): Promise<Operator | null>;
  /** Writes acts into the audit, and into the records of whom they touched, all or none. */
  write(operator: Operator, auditEvents: readonly AuditEvent[]): Promise<void>;
  /**
   * Runs a changing call once for a key. What `run` writes through `tx`, the acts it names and its
   * answer are committed together or not at all; asked again, the first answer is given without
   * running. Refuses `idempotency.body_changed`.
   */
  once<Answer>(
    request: OperatorRequest,
    run: (tx: Tx) => Promise<{ answer: Answer; auditEvents: readonly AuditEvent[] }>,
  ): Promise<Answer>;
}
