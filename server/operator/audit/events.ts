import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { type AuditEvent, auditEvents as known } from "#core/operator/auditEvents.ts";
import {
  auditEventHash,
  type ChainedAuditEvent,
  chainStart,
  textHash,
} from "#core/operator/chain.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { canonicalText } from "#core/transparency-log/canonical.ts";
import type { AppContext } from "#server/platform/context.ts";
import { lockKey, type Tx } from "#server/platform/db/database.ts";
import type { Operator } from "#server/platform/http/operator.ts";

/** Longest reason, in characters; a person's records allow no longer one either. */
const whyMax = 500;
const targetMax = 64;

/** Writes what was done to a person into that person's records, in the same transaction. */
export type NotifyPerson = (
  tx: Tx,
  event: { userId: string; role: Operator["role"]; what: AuditEvent["what"]; why: string },
) => Promise<void>;

/** The encrypted part of an audit event: everything that may have to be erased. */
export interface AuditText {
  salt: string;
  why: string | null;
  details: AuditEvent["details"] | null;
}

type AuditContext = Pick<AppContext, "database" | "realClock" | "fieldEncryption"> & {
  world: { name: string };
};

/**
 * Appends audit events to the chain and writes them to the records of the people they touched, in
 * the caller's transaction. From here to its end nobody else can append, so call it last.
 */
export async function appendAuditEvents(
  ctx: AuditContext,
  notifyPerson: NotifyPerson,
  tx: Tx,
  operator: Pick<Operator, "operatorId" | "userId" | "role">,
  events: readonly AuditEvent[],
): Promise<void> {
  for (const event of events) requireWellFormed(event);
  const lock = lockKey(ctx.database.schema, "operator/acts");
  await sql`select pg_advisory_xact_lock(${lock})`.execute(tx);
  let { seq, hash } = await readHead(tx);
  for (const event of events) {
    seq += 1;
    hash = await append(ctx, tx, operator, event, { seq, previous: hash });
    if (!event.touches) continue;
    const { userId } = event.touches;
    await notifyPerson(tx, { userId, role: operator.role, what: event.what, why: event.why ?? "" });
  }
}

/** Number and hash of the newest entry; 0 and zeros before the first. */
export async function readHead(db: Tx | AppContext["database"]["db"]): Promise<{
  seq: number;
  hash: string;
}> {
  const { rows } = await sql<{ seq: bigint; hash: Buffer }>`
    select seq, hash from operator_audit_event order by seq desc limit 1`.execute(db);
  const head = rows[0];
  return head
    ? { seq: Number(head.seq), hash: head.hash.toString("hex") }
    : { seq: 0, hash: chainStart };
}

/** Programming errors, not the caller's input: routes validate that beforehand. */
function requireWellFormed({ what, why, target, touches }: AuditEvent): void {
  if (known[what].touches && !touches) throw new Error(`${what} must name the person it touched`);
  if (why !== undefined && (why.trim() === "" || why.length > whyMax)) {
    throw new Error(`the reason of ${what} is empty or too long`);
  }
  if (target !== undefined && (target === "" || target.length > targetMax)) {
    throw new Error(`the target of ${what} is not a valid id`);
  }
}

async function append(
  { realClock, world, fieldEncryption }: AuditContext,
  tx: Tx,
  operator: Pick<Operator, "operatorId" | "userId" | "role">,
  event: AuditEvent,
  at: { seq: number; previous: string },
): Promise<string> {
  const keeper = event.touches?.userId ?? operator.userId;
  const text = textOf(event);
  const hashed = text && textHash(Buffer.from(text.salt, "hex"), canonicalOf(text));
  const entry: ChainedAuditEvent = {
    seq: at.seq,
    atMs: realClock.nowMs(),
    operatorId: operator.operatorId,
    role: operator.role,
    what: event.what,
    target: event.target ?? null,
    touches: event.touches?.userId ?? null,
    textHash: hashed && bytesToHex(hashed),
  };
  const hash = auditEventHash(world.name, at.previous, entry);
  await sql`
    insert into operator_audit_event (seq, at_ms, operator_id, role, what, target, touches, text_hash, previous, hash)
    values (${entry.seq}, ${entry.atMs}, ${entry.operatorId}, ${entry.role}, ${entry.what}, ${entry.target},
      ${entry.touches}, ${hashed && Buffer.from(hashed)}, ${Buffer.from(at.previous, "hex")}, ${Buffer.from(hash)})`.execute(
    tx,
  );
  if (text) {
    const sealed = await fieldEncryption.encrypt(keeper, JSON.stringify(text));
    await sql`insert into operator_audit_event_text (seq, keeper, sealed) values (${entry.seq}, ${keeper}, ${sealed})`.execute(
      tx,
    );
  }
  return bytesToHex(hash);
}

function textOf({ why, details }: AuditEvent): AuditText | null {
  if (why === undefined && details === undefined) return null;
  return { salt: randomBytes(32).toString("hex"), why: why ?? null, details: details ?? null };
}

/** What the salted hash covers. */
export function canonicalOf({ why, details }: AuditText): string {
  return canonicalText({ why, details: details ?? null });
}
