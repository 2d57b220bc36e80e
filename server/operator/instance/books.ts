import { sql } from "kysely";
import type { InstanceView } from "#api/operator/instance.ts";
import { bytesToHex } from "#core/log/bytes.ts";
import { type Coin, isCoin, scaleOf } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import type { Finding } from "#server/ledger/audit.ts";
import type { Db } from "#server/platform/db.ts";
import type { Log } from "#server/platform/log/log.ts";

type Ledger = InstanceView["ledger"];

const amount = (value: bigint, coin: Coin) => formatDecimal(value, scaleOf(coin));

/**
 * The sums of all accounts by coin, in one statement: what is kept of people, what the house's entries say, and together, which must be
 * zero. Reads each account once, and the entries that the chain has not taken in yet.
 */
export async function readTrial(db: Db): Promise<Pick<Ledger, "trial" | "house">> {
  const { rows } = await sql<{
    coin: string;
    house: boolean;
    kind: string | null;
    accounts: bigint;
    balance: bigint;
  }>`
    select coin, house, case when house then kind end as kind, count(*) as accounts, sum(balance)::bigint as balance
    from account_balance group by 1, 2, 3`.execute(db);
  const known = rows.flatMap((row) => (isCoin(row.coin) ? [{ ...row, coin: row.coin }] : []));
  const trial = [...Map.groupBy(known, ({ coin }) => coin)].map(([coin, parts]) => {
    const sum = (of: typeof parts) => of.reduce((all, { balance }) => all + balance, 0n);
    const house = sum(parts.filter((part) => part.house));
    const people = sum(parts.filter((part) => !part.house));
    return {
      coin,
      accounts: parts.reduce((all, { accounts }) => all + Number(accounts), 0),
      people: amount(people, coin),
      house: amount(house, coin),
      total: amount(people + house, coin),
    };
  });
  const house = known.flatMap(({ coin, kind, balance }) =>
    kind === null ? [] : [{ kind, coin, balance: amount(balance, coin) }],
  );
  const byName = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return {
    trial: trial.toSorted((a, b) => byName(a.coin, b.coin)),
    house: house.toSorted((a, b) => byName(a.kind + a.coin, b.kind + b.coin)),
  };
}

/** The last audit as it was kept, and the newest batch of the chain. */
export async function readAudit(db: Db): Promise<Pick<Ledger, "audit" | "chain">> {
  const [audits, batches] = await Promise.all([
    sql<{
      at_ms: bigint;
      complete: boolean;
      entries: bigint;
      took_ms: number;
      findings: Finding[];
    }>`
      select floor(extract(epoch from made_at) * 1000)::bigint as at_ms, complete, entries, took_ms, findings
      from ledger_audit order by id desc limit 1`.execute(db),
    sql<{ number: bigint; head: Buffer; at_ms: bigint }>`
      select number, head, floor(extract(epoch from made_at) * 1000)::bigint as at_ms
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

/** Limit rows by their keys: what is open against each. */
export async function readLimits(db: Db, keys: readonly string[]): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ key: string; used: bigint }>`
    select key, used from ledger_limit where key = any(${[...keys]}::text[])`.execute(db);
  return new Map(rows.map(({ key, used }) => [key, used]));
}

export async function readLog(log: Log): Promise<InstanceView["log"]> {
  const [checkpoint, leaves, lagMs, identity] = await Promise.all([
    log.checkpoint(),
    log.count(),
    log.lagMs(),
    log.identity(),
  ]);
  return {
    origin: identity.origin,
    keys: identity.keys.map(({ vkey, fromSize }) => ({ vkey, from_size: fromSize })),
    leaves,
    size: checkpoint?.size ?? null,
    root: checkpoint ? bytesToHex(checkpoint.root) : null,
    checkpoint_at_ms: checkpoint?.atMs ?? null,
    lag_ms: lagMs,
    // No witness can register yet, so none follows: a counted zero.
    witnesses: 0,
  };
}
