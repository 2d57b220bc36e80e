import { sql } from "kysely";
import {
  compareAccountStates,
  type Replay,
  type ReportFinding,
  replayChain,
  startReplay,
} from "#server/ledger/audit/replay.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Tx } from "#server/platform/db/database.ts";

export interface AuditFinding {
  check: string;
  detail: string;
}

interface AuditResult {
  /** Read from the first entry, not from where this process's last audit ended. */
  complete: boolean;
  entries: number;
  batches: number;
  tookMs: number;
  /** Empty when everything agrees; at most `findingsMax`. */
  findings: AuditFinding[];
}

/** A domain's own check against the ledger, such as open positions against their limit rows. */
export type AuditCheck = (tx: Tx, report: ReportFinding) => Promise<void>;

export interface AuditDeps {
  /** Checks of other domains, by name. */
  contributions: { readonly auditChecks: readonly Readonly<Record<string, AuditCheck>>[] };
}

export interface Audit {
  /**
   * Runs every check in one snapshot and stores the result in `ledger_audit`. It changes nothing
   * else.
   */
  run(options?: { complete?: boolean }): Promise<AuditResult>;
  /** The last stored result and its time; null before the first. */
  latest(): Promise<{ createdAtMs: number; findings: AuditFinding[] } | null>;
}

const findingsMax = 100;

/**
 * The trial balance audit: all accounts of a coin sum to zero; each journal sums to zero; balances
 * and versions follow from the entries; held balances match pending holds; the chain matches the
 * hashes of the entries.
 */
export function createAudit(
  {
    database,
    world,
  }: { database: AppContext["database"]; world: Pick<AppContext["world"], "name"> },
  { contributions }: AuditDeps = { contributions: { auditChecks: [] } },
  /** Monotonic real milliseconds, to measure how long an audit took. */
  now: () => number = () => performance.now(),
): Audit {
  let cached: Replay | null = null;
  return {
    run: async ({ complete = false } = {}) => {
      const startedMs = now();
      const findings: AuditFinding[] = [];
      const report: ReportFinding = (check, detail) => {
        if (findings.length < findingsMax) findings.push({ check, detail });
      };
      const goesOn: Replay | null = complete ? null : cached;
      const replay = goesOn ?? startReplay(world.name);
      const before = { entries: replay.entries, number: replay.number };
      // Cached again only once this run has completed.
      cached = null;
      await database.db
        .transaction()
        .setIsolationLevel("repeatable read")
        .setAccessMode("read only")
        .execute(async (tx) => {
          await runCheck(tx, report, "chain", async () => {
            await replayChain(tx, replay, report);
            await compareAccountStates(tx, replay, report);
          });
          await runCheck(tx, report, "sums", () => compareSums(tx, report));
          for (const checks of contributions.auditChecks)
            for (const [name, check] of Object.entries(checks))
              await runCheck(tx, report, name, () => check(tx, report));
        });
      if (findings.length === 0) cached = replay;
      const result: AuditResult = {
        complete: goesOn === null,
        entries: Number(replay.entries - before.entries),
        batches: Number(replay.number - before.number),
        tookMs: Math.round(now() - startedMs),
        findings,
      };
      await sql`
        insert into ledger_audit (complete, entries, batches, took_ms, findings)
        values (${result.complete}, ${result.entries}, ${result.batches}, ${result.tookMs}, ${JSON.stringify(findings)}::jsonb)`.execute(
        database.db,
      );
      return result;
    },
    latest: async () => {
      const { rows } = await sql<{ created_at_ms: bigint; findings: AuditFinding[] }>`
        select floor(extract(epoch from created_at) * 1000)::bigint as created_at_ms, findings
        from ledger_audit order by id desc limit 1`.execute(database.db);
      const row = rows[0];
      return row ? { createdAtMs: Number(row.created_at_ms), findings: row.findings } : null;
    },
  };
}

/** Runs a check so that a value it cannot read is a finding, and those after it still run. */
async function runCheck(
  tx: Tx,
  report: ReportFinding,
  name: string,
  check: () => Promise<void>,
): Promise<void> {
  await sql`savepoint audit_check`.execute(tx);
  try {
    await check();
  } catch (error) {
    // A damaged value is a finding; a failing database is not.
    if (!isDamage(error)) throw error;
    await sql`rollback to savepoint audit_check`.execute(tx);
    report(name, `a value cannot be read: ${error.message}`);
  }
  await sql`release savepoint audit_check`.execute(tx);
}

/**
 * True for errors thrown by reading a value of a wrong form, here or in PostgreSQL: a data
 * exception (SQLSTATE 22…), or more rows than can be (21…).
 */
function isDamage(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === "string" && /^2[12]/.test(code)) return true;
  return [TypeError, RangeError, SyntaxError].some((kind) => error instanceof kind);
}

/** Checks that take one statement each. */
async function compareSums(tx: Tx, report: ReportFinding): Promise<void> {
  const coins = await sql<{ coin: string; total: bigint }>`
    select coin, total from trial_balance where total <> 0`.execute(tx);
  for (const { coin, total } of coins.rows) report("trial_balance", `${coin} sums to ${total}`);

  const result = await sql<{ id: bigint; balance: bigint; pending: bigint }>`
    select a.id, a.balance, coalesce(h.pending, 0)::bigint as pending
    from account a left join (
      select e.account, sum(e.amount) as pending from hold join entry e on e.journal_id = hold.id
      where hold.state = 'pending' group by e.account
    ) h on h.account = a.id
    where a.kind = 'held' and a.balance <> coalesce(h.pending, 0)`.execute(tx);
  for (const { id, balance, pending } of result.rows) {
    report("hold.pending", `account ${id} holds ${balance}; its pending holds say ${pending}`);
  }

  const brokenHolds = await sql<{ id: string }>`
    select id from hold
    where not exists (select from journal j where j.id = hold.id)
      or (closed_by is not null and not exists (select from journal j where j.id = hold.closed_by))`.execute(
    tx,
  );
  for (const { id } of brokenHolds.rows) report("hold.journal", `hold ${id} lacks a journal`);

  const keys = await sql<{ id: string }>`
    select u.id from used_key u join journal j on j.id = u.id where u.outcome is not null`.execute(
    tx,
  );
  for (const { id } of keys.rows) report("used_key", `journal ${id} was refused and posted`);
}
