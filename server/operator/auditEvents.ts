import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { type Act, acts as known } from "#core/operator/auditEvents.ts";
import { actHash, type ChainedAct, chainStart, textHash } from "#core/operator/chain.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { canonicalText } from "#core/transparency-log/canonical.ts";
import type { Parts } from "#server/platform/context.ts";
import { lockKey, type Tx } from "#server/platform/db/database.ts";
import type { Operator } from "#server/platform/http/operator.ts";

/** Longest reason, in characters; the records of a person keep no longer one. */
const whyMax = 500;
const targetMax = 64;

/** Writes what was done to a person into that person's records, in the same transaction. */
export type TellPerson = (
  tx: Tx,
  act: { userId: string; role: Operator["role"]; what: Act["what"]; why: string },
) => Promise<void>;

/** What is sealed of an act: everything that may have to be erased. */
export interface ActText {
  salt: string;
  why: string | null;
  details: Act["details"] | null;
}

type Given = Pick<Parts, "database" | "realClock" | "world" | "sealing">;

/**
 * Appends acts to the chain and tells the persons whom they touched, in the caller's transaction. From here to its end nobody else
 * can append, so it comes last.
 */
export async function appendActs(
  parts: Given,
  tellPerson: TellPerson,
  tx: Tx,
  operator: Pick<Operator, "operatorId" | "userId" | "role">,
  done: readonly Act[],
): Promise<void> {
  for (const act of done) requireForm(act);
  const lock = lockKey(parts.database.schema, "operator/acts");
  await sql`select pg_advisory_xact_lock(${lock})`.execute(tx);
  let { seq, hash } = await readHead(tx);
  for (const act of done) {
    seq += 1;
    hash = await append(parts, tx, operator, act, { seq, previous: hash });
    if (!act.touches) continue;
    const { userId } = act.touches;
    await tellPerson(tx, { userId, role: operator.role, what: act.what, why: act.why ?? "" });
  }
}

/** Number and hash of the newest entry; 0 and zeros before the first. */
export async function readHead(db: Tx | Parts["database"]["db"]): Promise<{
  seq: number;
  hash: string;
}> {
  const { rows } = await sql<{ seq: bigint; hash: Buffer }>`
    select seq, hash from operator_act order by seq desc limit 1`.execute(db);
  const head = rows[0];
  return head
    ? { seq: Number(head.seq), hash: head.hash.toString("hex") }
    : { seq: 0, hash: chainStart };
}

/** Faults of ours, not of whoever asked: routes check their input before. */
function requireForm({ what, why, target, touches }: Act): void {
  if (known[what].touches && !touches) throw new Error(`${what} must name whom it touched`);
  if (why !== undefined && (why.trim() === "" || why.length > whyMax)) {
    throw new Error(`the reason of ${what} has no fitting length`);
  }
  if (target !== undefined && (target === "" || target.length > targetMax)) {
    throw new Error(`the target of ${what} is no id`);
  }
}

async function append(
  { realClock, world, sealing }: Given,
  tx: Tx,
  operator: Pick<Operator, "operatorId" | "userId" | "role">,
  act: Act,
  at: { seq: number; previous: string },
): Promise<string> {
  const keeper = act.touches?.userId ?? operator.userId;
  const text = textOf(act);
  const hashed = text && textHash(Buffer.from(text.salt, "hex"), canonicalOf(text));
  const entry: ChainedAct = {
    seq: at.seq,
    atMs: realClock.nowMs(),
    operatorId: operator.operatorId,
    role: operator.role,
    what: act.what,
    target: act.target ?? null,
    touches: act.touches?.userId ?? null,
    textHash: hashed && bytesToHex(hashed),
  };
  const hash = actHash(world.name, at.previous, entry);
  await sql`
    insert into operator_act (seq, at_ms, operator_id, role, what, target, touches, text_hash, previous, hash)
    values (${entry.seq}, ${entry.atMs}, ${entry.operatorId}, ${entry.role}, ${entry.what}, ${entry.target},
      ${entry.touches}, ${hashed && Buffer.from(hashed)}, ${Buffer.from(at.previous, "hex")}, ${Buffer.from(hash)})`.execute(
    tx,
  );
  if (text) {
    const sealed = await sealing.seal(keeper, JSON.stringify(text));
    await sql`insert into operator_act_text (seq, keeper, sealed) values (${entry.seq}, ${keeper}, ${sealed})`.execute(
      tx,
    );
  }
  return bytesToHex(hash);
}

function textOf({ why, details }: Act): ActText | null {
  if (why === undefined && details === undefined) return null;
  return { salt: randomBytes(32).toString("hex"), why: why ?? null, details: details ?? null };
}

/** What the salted hash covers. */
export function canonicalOf({ why, details }: ActText): string {
  return canonicalText({ why, details: details ?? null });
}
