import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import {
  type AuditEvent,
  auditEvents as known,
  toPublicEvent,
} from "#core/operator/auditEvents.ts";
import { type CommittedEvent, computeEventCommitment } from "#core/operator/commitment.ts";
import type { EventDetails } from "#core/transparency-log/auditLeaf.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Tx } from "#server/platform/db/database.ts";
import type { Operator } from "#server/platform/http/operator.ts";
import { type AppendedAudit, appendAudit } from "#server/transparency-log/auditChain.ts";

/** Longest reason, in characters; a person's records allow no longer one either. */
const whyMax = 500;
const targetMax = 64;

/** The opening of a commitment in the log: its holder can prove the act. */
export interface AuditEventOpening {
  leaf: number;
  beforeLeaf: number | null;
  /** Real time, as in the leaf. */
  atMs: number;
  /** Hex. */
  salt: string;
  act: CommittedEvent;
}

/** Writes an act that affects a person into their records, in the same transaction. */
export type NotifyPerson = (
  tx: Tx,
  event: {
    userId: string;
    role: Operator["role"];
    what: AuditEvent["what"];
    why: string;
    opening: AuditEventOpening;
  },
) => Promise<void>;

/** The encrypted part of an audit event: the part that may have to be erased. */
export interface AuditText {
  /** Hex. Without it, no one can prove what the commitment in the log is of. */
  salt: string;
  why: string | null;
  details: EventDetails | null;
}

type AuditContext = Pick<AppContext, "database" | "realClock" | "fieldEncryption"> & {
  world: { name: string };
};

type EventActor = Pick<Operator, "operatorId" | "userId" | "role">;

/** An event that is ready to be appended to the log. */
interface PreparedEvent {
  event: AuditEvent;
  committed: CommittedEvent;
  salt: string;
  keyOwner: string;
  encrypted: Buffer;
}

/**
 * Appends audit events to the log and writes them to the records of the people they touched, in the
 * caller's transaction. From here to its end no other transaction can append to the log, so call it
 * last.
 */
export async function appendAuditEvents(
  ctx: AuditContext,
  notifyPerson: NotifyPerson,
  tx: Tx,
  operator: EventActor,
  events: readonly AuditEvent[],
): Promise<void> {
  const { world, realClock } = ctx;
  // Encrypted before the lock is taken.
  const preparedEvents: PreparedEvent[] = [];
  for (const event of events) preparedEvents.push(await prepare(ctx, operator, event));
  const atMs = realClock.nowMs();
  const records = preparedEvents.map(({ event, committed, salt }) => ({
    type: "act" as const,
    act: toPublicEvent(event, operator.role),
    commitment: computeEventCommitment(world.name, Buffer.from(salt, "hex"), committed),
  }));
  const appendedEvents = await appendAudit(tx, world.name, records, atMs);
  for (const [index, preparedEvent] of preparedEvents.entries()) {
    const { event, committed, salt } = preparedEvent;
    const { leaf, before: beforeLeaf } = appendedEvents[index]!;
    await insert(tx, operator, preparedEvent, appendedEvents[index]!, atMs);
    if (!event.touches) continue;
    const { userId } = event.touches;
    const opening = { leaf, beforeLeaf, atMs, salt, act: committed };
    const { what, why: reason = "" } = event;
    await notifyPerson(tx, { userId, role: operator.role, what, why: reason, opening });
  }
}

/** Programming errors, not the caller's input: routes validate that beforehand. */
function requireWellFormed({ what, why: reason, target, touches }: AuditEvent): void {
  if (known[what].touches && !touches) throw new Error(`${what} must name the person it touched`);
  if (reason !== undefined && (reason.trim() === "" || reason.length > whyMax)) {
    throw new Error(`the reason of ${what} is empty or too long`);
  }
  if (target !== undefined && (target === "" || target.length > targetMax)) {
    throw new Error(`the target of ${what} is not a valid id`);
  }
}

async function prepare(
  { fieldEncryption }: AuditContext,
  { operatorId, userId, role }: EventActor,
  event: AuditEvent,
): Promise<PreparedEvent> {
  requireWellFormed(event);
  const { what, target = null, touches } = event;
  const reason = event.why?.toWellFormed() ?? null;
  const details = event.details ?? null;
  const salt = randomBytes(32).toString("hex");
  const act = { what, operator: operatorId, role, target, touches: touches?.userId ?? null };
  const text: AuditText = { salt, why: reason, details };
  const keyOwner = touches?.userId ?? userId;
  const encrypted = await fieldEncryption.encrypt(keyOwner, JSON.stringify(text));
  return { event, committed: { ...act, why: reason, details }, salt, keyOwner, encrypted };
}

async function insert(
  tx: Tx,
  { operatorId, role }: EventActor,
  { committed, keyOwner, encrypted }: PreparedEvent,
  { leaf, hash }: AppendedAudit,
  atMs: number,
): Promise<void> {
  // No other transaction can append concurrently, so the next number is free.
  await sql`
    with event as (
      insert into operator_audit_event (seq, at_ms, operator_id, role, what, target, touches, leaf, hash)
      select coalesce(max(seq), 0) + 1, ${atMs}, ${operatorId}, ${role}, ${committed.what}, ${committed.target},
        ${committed.touches}, ${leaf}, ${Buffer.from(hash, "hex")} from operator_audit_event
      returning seq)
    insert into operator_audit_event_text (seq, key_owner, text_encrypted)
    select seq, ${keyOwner}, ${encrypted} from event`.execute(tx);
}

/** The number of the newest entry; 0 before the first. */
export async function readNewestSeq(db: AppContext["database"]["db"]): Promise<number> {
  const { rows } = await sql<{ seq: bigint }>`
    select coalesce(max(seq), 0)::bigint as seq from operator_audit_event`.execute(db);
  return Number(rows[0]!.seq);
}
