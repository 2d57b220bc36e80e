import { sql } from "kysely";
import type { InstanceView } from "#api/operator/instance.ts";
import { formatAmount } from "#core/money/amount.ts";
import { isCoin } from "#core/money/coins.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import type { AuditFinding } from "#server/ledger/audit/audit.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";
import type { TransparencyLog } from "#server/transparency-log/transparencyLog.ts";

type Ledger = InstanceView["ledger"];

/**
 * The sums of all accounts by coin: people's balances, the house's entries, and the total, which
 * must be zero. Read in one snapshot, or concurrent postings would show as a difference. Reads each
 * account once, and unchained entries separately: the view `trial_balance` would look them up again
 * for each house account.
 */
export async function readTrialBalance(db: Db): Promise<Pick<Ledger, "trial" | "house">> {
  const rows = await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(readSums);
  const coinRows = rows.flatMap((row) => (isCoin(row.coin) ? [{ ...row, coin: row.coin }] : []));
  const trial = [...Map.groupBy(coinRows, ({ coin }) => coin)].map(([coin, parts]) => {
    const sum = (list: typeof parts) => list.reduce((all, { balance }) => all + balance, 0n);
    const house = sum(parts.filter((part) => part.house));
    const people = sum(parts.filter((part) => !part.house));
    return {
      coin,
      accounts: parts.reduce((all, { accounts }) => all + Number(accounts), 0),
      people: formatAmount(people, coin),
      house: formatAmount(house, coin),
      total: formatAmount(people + house, coin),
    };
  });
  const house = coinRows.flatMap(({ coin, kind, balance }) =>
    kind === null ? [] : [{ kind, coin, balance: formatAmount(balance, coin) }],
  );
  const byName = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return {
    trial: trial.toSorted((a, b) => byName(a.coin, b.coin)),
    house: house.toSorted((a, b) => byName(a.kind + a.coin, b.kind + b.coin)),
  };
}

interface SumRow {
  coin: string;
  house: boolean;
  /** House accounts only. */
  kind: string | null;
  accounts: bigint;
  balance: bigint;
}

async function readSums(tx: Tx): Promise<SumRow[]> {
  const { rows } = await sql<SumRow & { id: bigint | null }>`
    select a.coin, a.house, case when a.house then a.kind end as kind, case when a.house then a.id end as id,
      count(*) as accounts, sum(case when a.house then coalesce(h.balance, 0) else a.balance end) as balance
    from account a left join chain_head h on a.house and h.account = a.id group by 1, 2, 3, 4`.execute(
    tx,
  );
  const freshAccounts = await readFresh(tx);
  return rows.map(({ id, ...row }) => ({
    ...row,
    balance: row.balance + (id === null ? 0n : (freshAccounts.get(id) ?? 0n)),
  }));
}

/**
 * The amounts that house accounts received from unchained journals: those of the last second or
 * two.
 */
async function readFresh(tx: Tx): Promise<Map<bigint, bigint>> {
  const batch = await sql<{ snapshot: string; from_xid: string }>`
    select snapshot::text as snapshot, pg_snapshot_xmin(snapshot)::text as from_xid
    from chain_batch order by number desc limit 1`.execute(tx);
  const { snapshot, from_xid: fromXid } = batch.rows[0] ?? { snapshot: "1:1:", from_xid: "1" };
  // Few journals, each found by the index; without these settings the planner would read all
  // entries.
  await sql`select set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`.execute(
    tx,
  );
  const { rows } = await sql<{ account: bigint; amount: bigint }>`
    select e.account, sum(e.amount) as amount
    from journal j join entry e on e.journal_id = j.id
    where j.xid >= ${fromXid}::xid8 and not pg_visible_in_snapshot(j.xid, ${snapshot}::pg_snapshot)
      and e.version is null
    group by e.account`.execute(tx);
  return new Map(rows.map(({ account, amount: sum }) => [account, sum]));
}

/** The last audit as recorded, and the newest batch of the chain. */
export async function readAudit(db: Db): Promise<Pick<Ledger, "audit" | "chain">> {
  const [audits, batches] = await Promise.all([
    sql<{
      at_ms: bigint;
      complete: boolean;
      entries: bigint;
      took_ms: number;
      findings: AuditFinding[];
    }>`
      select floor(extract(epoch from created_at) * 1000)::bigint as at_ms, complete, entries, took_ms, findings
      from ledger_audit order by id desc limit 1`.execute(db),
    sql<{ number: bigint; head: Buffer; at_ms: bigint }>`
      select number, head, floor(extract(epoch from created_at) * 1000)::bigint as at_ms
      from chain_batch order by number desc limit 1`.execute(db),
  ]);
  const [audit] = audits.rows;
  const [batch] = batches.rows;
  return {
    audit: audit
      ? {
          at_ms: Number(audit.at_ms),
          complete: audit.complete,
          entries: Number(audit.entries),
          took_ms: audit.took_ms,
          findings: audit.findings,
        }
      : null,
    chain: batch
      ? {
          batch: Number(batch.number),
          head: bytesToHex(new Uint8Array(batch.head)),
          at_ms: Number(batch.at_ms),
        }
      : null,
  };
}

/** A witness whose latest cosignature is older no longer counts: it may have stopped watching. */
const witnessRecentMs = 10 * 60_000;

/** The public log at `nowMs` of real time, with the witnesses that follow it now. */
export async function readLog(
  transparencyLog: TransparencyLog,
  nowMs: number,
): Promise<InstanceView["log"]> {
  const [checkpoint, leaves, lagMs, identity, witnesses] = await Promise.all([
    transparencyLog.checkpoint(),
    transparencyLog.count(),
    transparencyLog.lagMs(),
    transparencyLog.identity(),
    transparencyLog.witnesses.standings(),
  ]);
  return {
    origin: identity.origin,
    keys: identity.keys.map(({ vkey, fromSize }) => ({ vkey, from_size: fromSize })),
    leaves,
    size: checkpoint?.size ?? null,
    root: checkpoint ? bytesToHex(checkpoint.root) : null,
    checkpoint_at_ms: checkpoint?.atMs ?? null,
    lag_ms: lagMs,
    witnesses: witnesses.filter(({ atMs }) => atMs !== null && nowMs - atMs <= witnessRecentMs)
      .length,
  };
}
