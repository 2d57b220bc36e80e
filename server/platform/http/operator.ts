import type { AuditEvent } from "#core/operator/auditEvents.ts";
import type { Role } from "#core/operator/permissions.ts";
import type { Tx } from "#server/platform/db/database.ts";
import type { Session } from "#server/platform/http/session.ts";

/** An operator at work, as every domain sees one. Ids are opaque. */
export interface Operator {
  /** The name in the audit; it identifies no one once the person has left. */
  operatorId: string;
  userId: string;
  role: Role;
  /** True if a second factor with a way back is set up (docs/rules/operator.md). */
  factorsReady: boolean;
  /** When this session's elevation ends (real time); null: not elevated. */
  elevatedUntilMs: number | null;
}

/** A changing call by an operator, executed once per key. */
export interface OperatorRequest {
  operator: Operator;
  /** The client's UUIDv7. */
  key: string;
  path: string;
  /** The validated input; a different one under the same key is refused. */
  input: unknown;
  /**
   * Runs before the transaction, unless an answer is replayed: its writes persist if the call is
   * refused (a used nonce, a counted attempt).
   */
  prepare?: () => Promise<void>;
}

/** The operator domain's service to the routes; server/platform knows no domain. */
export interface OperatorHttpDeps {
  /**
   * The operator behind a session, looked up each time so that removal takes effect immediately;
   * null if not an operator.
   */
  find(session: Session): Promise<Operator | null>;
  /** Writes audit events, and records for the people they touched, all or none. */
  write(operator: Operator, auditEvents: readonly AuditEvent[]): Promise<void>;
  /**
   * Runs a changing call once per key. What `run` writes through `tx`, its audit events and its
   * answer are committed together or not at all; a repeated call gets the first answer without
   * running. Throws `idempotency.body_changed`.
   */
  once<Answer>(
    request: OperatorRequest,
    run: (tx: Tx) => Promise<{ answer: Answer; auditEvents: readonly AuditEvent[] }>,
  ): Promise<Answer>;
}
