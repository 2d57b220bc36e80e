import { sql } from "kysely";
import type { AuditEvent } from "#core/operator/auditEvents.ts";
import { parseName } from "#core/operator/name.ts";
import type { Role } from "#core/operator/permissions.ts";
import { type Audit, createAudit } from "#server/operator/audit/audit.ts";
import { appendAuditEvents, type NotifyPerson } from "#server/operator/audit/events.ts";
import {
  createFirstCode,
  findCode,
  listCodes,
  markUsed,
  type OpenCode,
  purgeCodes,
  removeCodes,
} from "#server/operator/codes.ts";
import { createElevation, type Elevation, type Prove } from "#server/operator/elevation.ts";
import { createFactors, type Factors, removeFactors } from "#server/operator/factors/factors.ts";
import { createIdempotentRuns, keyLifeMs } from "#server/operator/idempotency.ts";
import {
  addOperator,
  findOperator,
  hasOwner,
  listOperators,
  lockOperators,
} from "#server/operator/operatorRows.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Tx } from "#server/platform/db/database.ts";
import type { Operator, OperatorHttpDeps } from "#server/platform/http/operator.ts";
import type { Session } from "#server/platform/http/session.ts";
import type { Job } from "#server/platform/jobs.ts";
import { type NotifyDeps, notifyIn } from "./notifyPerson.ts";

declare module "#server/platform/bus/bus.ts" {
  interface BusEvents {
    /** An operator did something to a person, and it is in that person's records. */
    "person.touched": { userId: string };
  }
}

export interface OperatorDeps extends NotifyDeps {
  session: NotifyDeps["session"] & {
    /** With the person's own address, lower case; null if it was erased. */
    user(userId: string): Promise<{ address: string | null }>;
    prove: Prove;
  };
  contributions: {
    /** Ends an operator's access in other domains; returns the audit events of it. */
    readonly onOperatorEnded: readonly RoleEndHook[];
  };
}

type RoleEndHook = (
  tx: Tx,
  who: { operatorId: string; by: string },
) => Promise<readonly AuditEvent[]>;

interface OperatorName {
  operatorId: string;
  role: Role;
  name: string | null;
  sinceMs: number;
  factorsReady: boolean;
}

export interface Operators {
  jobs: readonly Job[];
  httpDeps: OperatorHttpDeps;
  elevation: Elevation;
  factors: Factors;
  audit: Audit;
  /**
   * The code to print if this instance has no owner; null if it has one. Every web process prints
   * the same.
   */
  firstCode(): Promise<string | null>;
  me(session: Session): Promise<Operator | null>;
  /** Makes the session's user an operator. Throws `operator.code_unknown` or `operator.already`. */
  claim(session: Session, request: { code: string; name: string }): Promise<Operator>;
  list(): Promise<OperatorName[]>;
  /** An operator's name; null if it was erased. */
  nameOf(operatorId: string): Promise<string | null>;
  codes(): Promise<OpenCode[]>;
  count(): Promise<Map<Role, number>>;
  /** This domain's data about a person, for the export of their data. */
  exportFor: (userId: string) => Promise<{ json: unknown }>;
  /**
   * Ends an operator's scheduled actions, in the transaction that ends the operator or removes
   * their permission to publish.
   */
  ended: RoleEndHook;
  /**
   * Erases a person from it: their permissions, name and texts; ids and hashes of the chain stay.
   */
  erase: (userId: string) => Promise<void>;
}

/** The operators of this instance, their permissions and their actions. */
export function createOperators(ctx: AppContext, deps: OperatorDeps): Operators {
  const { database, realClock, fieldEncryption, bus } = ctx;
  const { db } = database;
  const notifyPerson = notifyIn(ctx, deps);
  const getAddress = async (userId: string) => {
    const { address } = await deps.session.user(userId);
    if (address === null) throw new ApiError("session.required");
    return address;
  };
  const finish = (operator: Operator) => (tx: Tx, auditEvents: readonly AuditEvent[]) =>
    appendAuditEvents(ctx, notifyPerson, tx, operator, auditEvents);
  /** After the commit: people who were touched and are connected reload their records. */
  const notify = (auditEvents: readonly AuditEvent[]) => {
    const touchedUserIds = new Set(auditEvents.flatMap(({ touches }) => touches?.userId ?? []));
    for (const userId of touchedUserIds) bus.publish("person.touched", { userId });
  };
  const elevation = createElevation(ctx, getAddress, deps.session.prove);
  const factors = createFactors(ctx);
  const runIdempotent = createIdempotentRuns(ctx);
  const purge = async () => {
    const nowMs = realClock.nowMs();
    await elevation.purge();
    await factors.keys.purge();
    await purgeCodes(db, nowMs);
    await sql`delete from operator_call where at_ms < ${nowMs - keyLifeMs}`.execute(db);
  };
  const onRoleEnd: RoleEndHook = async (tx, formerOperator) => {
    const events: AuditEvent[] = [];
    for (const end of deps.contributions.onOperatorEnded)
      events.push(...(await end(tx, formerOperator)));
    return events;
  };
  const findMe = (session: Session) => findOperator(db, session, realClock.nowMs());
  return {
    jobs: [{ name: "operator.purge", everySeconds: 600, run: purge }] satisfies readonly Job[],
    elevation,
    factors,
    audit: createAudit(ctx),
    me: findMe,
    httpDeps: {
      find: findMe,
      write: async (operator, auditEvents) => {
        await db.transaction().execute((tx) => finish(operator)(tx, auditEvents));
        notify(auditEvents);
      },
      once: async (request, run) => {
        let events: readonly AuditEvent[] = [];
        const answer = await runIdempotent({
          request,
          run,
          finish: async (tx, auditEvents) => {
            await finish(request.operator)(tx, auditEvents);
            events = auditEvents;
          },
        });
        notify(events);
        return answer;
      },
    },
    firstCode: () =>
      db.transaction().execute(async (tx) => {
        await lockOperators(tx, database);
        if (hasOwner(await listOperators(tx))) return null;
        return createFirstCode(tx, fieldEncryption, realClock.nowMs());
      }),
    claim: async (session, request) => {
      const name = parseName(request.name);
      if (name === null) throw new ApiError("request.malformed", { field: "name" });
      await claim(ctx, notifyPerson, session, { code: request.code, name });
      return (await findMe(session))!;
    },
    list: async () => {
      const operators = await listOperators(db);
      return Promise.all(
        operators.map(async ({ operatorId, role, name, sinceMs, userId, factorsReady }) => ({
          operatorId,
          role,
          name: await fieldEncryption.decryptText(userId, name),
          sinceMs,
          factorsReady,
        })),
      );
    },
    nameOf: async (operatorId) => {
      const { rows } = await sql<{ user_id: string | null; name_encrypted: Buffer | null }>`
        select user_id, name_encrypted from operator where operator_id = ${operatorId}`.execute(db);
      const row = rows[0];
      return row?.user_id ? fieldEncryption.decryptText(row.user_id, row.name_encrypted) : null;
    },
    codes: () => listCodes(db, realClock.nowMs()),
    count: async () => {
      const byRole = Map.groupBy(await listOperators(db), ({ role }) => role);
      return new Map([...byRole].map(([role, operators]) => [role, operators.length]));
    },
    exportFor: (userId) => exportFor(ctx, factors, userId),
    ended: onRoleEnd,
    erase: (userId) => erase(ctx, userId, onRoleEnd),
  };
}

async function claim(
  ctx: AppContext,
  notifyPerson: NotifyPerson,
  session: Session,
  { code: codeText, name }: { code: string; name: string },
): Promise<void> {
  const { database, realClock, fieldEncryption } = ctx;
  const nowMs = realClock.nowMs();
  await database.db.transaction().execute(async (tx) => {
    await lockOperators(tx, database);
    const operators = await listOperators(tx);
    const code = await findCode(tx, codeText, nowMs);
    const ownOperator = operators.find(({ userId }) => userId === session.userId);
    // A resend: the first one did it.
    if (ownOperator && code.usedBy === ownOperator.operatorId) return;
    if (code.usedBy !== null) throw new ApiError("operator.code_unknown");
    if (ownOperator) throw new ApiError("operator.already");
    // Printed before another person claimed the first code.
    if (code.first && hasOwner(operators)) throw new ApiError("operator.code_unknown");
    const { role } = code;
    const nameEncrypted = await fieldEncryption.encrypt(session.userId, name);
    const operatorId = await addOperator(
      tx,
      { userId: session.userId, role, name: nameEncrypted },
      nowMs,
    );
    await markUsed(tx, code.hash, operatorId);
    const eventName = code.first ? "operators.claimed" : "operators.joined";
    const operator = { operatorId, userId: session.userId, role };
    await appendAuditEvents(ctx, notifyPerson, tx, operator, [
      { what: eventName, target: operatorId },
    ]);
  });
}

async function exportFor(
  { database: { db }, fieldEncryption }: AppContext,
  factors: Factors,
  userId: string,
) {
  const { rows } = await sql<{
    operator_id: string;
    role: Role;
    name_encrypted: Buffer | null;
    since_ms: bigint;
    ended_at_ms: bigint | null;
  }>`select * from operator where user_id = ${userId} order by since_ms`.execute(db);
  const operator = await Promise.all(
    rows.map(async (row) => {
      const { passphraseSetAtMs, keys } = await factors.view(row.operator_id, userId);
      return {
        operator_id: row.operator_id,
        role: row.role,
        name: await fieldEncryption.decryptText(userId, row.name_encrypted),
        since_ms: Number(row.since_ms),
        ended_at_ms: row.ended_at_ms === null ? null : Number(row.ended_at_ms),
        passphrase_set_at_ms: passphraseSetAtMs,
        security_keys: keys.map((key) => ({
          name: key.name,
          rp_id: key.rpId,
          created_at_ms: key.createdAtMs,
          last_used_at_ms: key.lastUsedAtMs,
        })),
      };
    }),
  );
  return { json: { operator } };
}

async function erase(
  { database: { db, schema }, realClock }: AppContext,
  userId: string,
  onRoleEnd: RoleEndHook,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockOperators(tx, { schema });
    const nowMs = realClock.nowMs();
    // Locked as by a change of factors, which must not leave new ones behind.
    const { rows } = await sql<{ operator_id: string }>`
      select operator_id from operator where user_id = ${userId} for update`.execute(tx);
    const ids = rows.map((row) => row.operator_id);
    await sql`delete from operator_elevation where operator_id = any(${ids}::text[])`.execute(tx);
    await removeFactors(tx, ids);
    await removeCodes(tx, ids);
    for (const operatorId of ids) await onRoleEnd(tx, { operatorId, by: operatorId });
    await sql`
      update operator set user_id = null, name_encrypted = null, ended_at_ms = coalesce(ended_at_ms, ${nowMs})
      where user_id = ${userId}`.execute(tx);
    await sql`delete from operator_audit_event_text where key_owner = ${userId}`.execute(tx);
  });
}
