import { sql } from "kysely";
import { chainGenesis, computeAccountStart } from "#core/ledger/chain.ts";
import { type Coin, coinCodes } from "#core/money/coins.ts";
import type { SumNode } from "#core/transparency-log/liabilitiesTree.ts";
import { createAccountNode } from "#core/transparency-log/liabilitiesTree.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

/**
 * SQL of the commitments. A node of level *k* covers 16^k accounts; level 0 is the accounts
 * themselves.
 */

/** Children of one stored node. */
export const fanOut = 16;

export interface LiabilitiesRun {
  number: number;
  /** Index of the leaf of the run before; null for the first. */
  before: number | null;
  /** The chain batch it covers, and that batch's head. */
  batch: number;
  batchHead: Uint8Array;
  accounts: number;
  /** Places of level 1 whose accounts changed, ascending. */
  changed: number[];
  /** Minor units of all house accounts by coin, in registry order. */
  house: bigint[];
}

/**
 * Captures the state of the chain's newest batch: assigns tree indexes to new accounts and stores
 * the head of each account that moved since the previous run. A single statement, so a single
 * snapshot. Null if no user account moved.
 */
export async function snapshotHeads(tx: Tx): Promise<LiabilitiesRun | null> {
  const { rows } = await sql<{
    number: bigint;
    batch: bigint;
    head: Buffer;
    snapshot: string;
    accounts: bigint;
    before: bigint | null;
    changed: bigint[] | null;
    house: Record<string, string> | null;
  }>`
    with
    last as (
      select coalesce(max(number), 0) as number, coalesce(max(accounts), 0) as accounts,
        coalesce((select snapshot from liability_run order by number desc limit 1), '1:1:'::pg_snapshot) as seen
      from liability_run
    ),
    batch as (select number, head, snapshot from chain_batch order by number desc limit 1),
    moved as materialized (
      select h.account, a.coin, h.position, h.balance, h.hash
      from last, batch, chain_head h join account a on a.id = h.account
      where not a.house and h.account in (
        select e.account from journal j join entry e on e.journal_id = j.id
        where e.version is not null
          and j.xid >= pg_snapshot_xmin(last.seen) and j.xid < pg_snapshot_xmax(batch.snapshot)
          and pg_visible_in_snapshot(j.xid, batch.snapshot) and not pg_visible_in_snapshot(j.xid, last.seen))
    ),
    placed as (
      insert into liability_account (tree_index, account)
      select last.accounts + row_number() over (order by m.account) - 1, m.account
      from last, moved m where not exists (select from liability_account l where l.account = m.account)
      returning tree_index, account
    ),
    located as materialized (
      select coalesce(l.tree_index, p.tree_index) as tree_index, m.*
      from moved m left join liability_account l on l.account = m.account left join placed p on p.account = m.account
    ),
    kept as (
      insert into liability_head (tree_index, run, position, balance, hash)
      select p.tree_index, last.number + 1, p.position, p.balance, p.hash from last, located p
    )
    select last.number + 1 as number, (select leaf from liability_run where number = last.number) as before,
      batch.number as batch, batch.head, batch.snapshot::text as snapshot,
      last.accounts + (select count(*) from placed) as accounts,
      (select array_agg(parent order by parent) from (select distinct tree_index / ${fanOut} as parent from located) d) as changed,
      (select jsonb_object_agg(coin, sum) from (
        select a.coin, sum(h.balance)::text as sum from account a join chain_head h on h.account = a.id
        where a.attempt_id = '' and a.house group by a.coin) s) as house
    from last, batch`.execute(tx);
  const row = rows[0];
  if (!row?.changed) return null;
  return {
    number: Number(row.number),
    before: row.before === null ? null : Number(row.before),
    batch: Number(row.batch),
    batchHead: new Uint8Array(row.head),
    accounts: Number(row.accounts),
    changed: row.changed.map(Number),
    house: coinCodes.map((coin) => BigInt(row.house?.[coin] ?? "0")),
  };
}

export async function insertRun(
  tx: Tx,
  run: LiabilitiesRun,
  leaf: number,
  atMs: number,
): Promise<void> {
  await sql`
    insert into liability_run (number, batch, snapshot, accounts, leaf, at_ms)
    select ${run.number}, number, snapshot, ${run.accounts}, ${leaf}, ${atMs} from chain_batch where number = ${run.batch}`.execute(
    tx,
  );
}

/** Nodes of a level at the given tree indexes, as of a run; every index has one. */
export async function readNodes(
  db: Db | Tx,
  level: number,
  treeIndexes: readonly number[],
  run: number,
): Promise<SumNode[]> {
  if (treeIndexes.length === 0) return [];
  return level === 0
    ? readAccountNodes(db, treeIndexes, run)
    : readInnerNodes(db, level, treeIndexes, run);
}

async function readAccountNodes(
  db: Db | Tx,
  treeIndexes: readonly number[],
  run: number,
): Promise<SumNode[]> {
  const { rows } = await sql<{
    account: bigint;
    coin: Coin;
    position: bigint;
    balance: bigint;
    hash: Buffer;
    owner: string;
    attempt_id: string;
    kind: string;
    owner_commitment: string;
    world: string;
  }>`
    select l.account, a.owner, a.attempt_id, a.kind, a.coin, a.owner_commitment, h.*, (select name from world) as world
    from unnest(${[...treeIndexes]}::bigint[]) with ordinality p (tree_index, at)
      join liability_account l on l.tree_index = p.tree_index
      join account a on a.id = l.account
      cross join lateral (
        select position, balance, hash from liability_head
        where tree_index = p.tree_index and run <= ${run} order by run desc limit 1) h
    order by p.at`.execute(db);
  if (rows.length !== treeIndexes.length) throw new Error(`accounts are missing at run ${run}`);
  const genesis = chainGenesis(rows[0]!.world);
  return rows.map((row) => {
    const { account: id, attempt_id: attemptId, owner_commitment: ownerCommitment } = row;
    const account = { ...row, id, attemptId, ownerCommitment };
    const start = computeAccountStart(genesis, account);
    return createAccountNode({ ...row, start, hash: new Uint8Array(row.hash) });
  });
}

async function readInnerNodes(
  db: Db | Tx,
  level: number,
  treeIndexes: readonly number[],
  run: number,
): Promise<SumNode[]> {
  const { rows } = await sql<{ hash: Buffer; sums: bigint[] }>`
    select n.hash, n.sums
    from unnest(${[...treeIndexes]}::bigint[]) with ordinality p (tree_index, at)
      cross join lateral (
        select hash, sums from liability_node
        where level = ${level} and tree_index = p.tree_index and run <= ${run} order by run desc limit 1) n
    order by p.at`.execute(db);
  if (rows.length !== treeIndexes.length) throw new Error(`nodes are missing at run ${run}`);
  return rows.map(({ hash, sums }) => ({ hash: new Uint8Array(hash), sums: sums.map(BigInt) }));
}

export async function insertNodes(
  tx: Tx,
  level: number,
  run: number,
  nodes: readonly { treeIndex: number; node: SumNode }[],
): Promise<void> {
  await sql`
    insert into liability_node (level, tree_index, run, hash, sums)
    select ${level}, n.tree_index, ${run}, n.hash, n.sums::bigint[]
    from unnest(${nodes.map(({ treeIndex }) => treeIndex)}::bigint[], ${nodes.map(({ node }) => Buffer.from(node.hash))}::bytea[],
      ${nodes.map(({ node }) => `{${node.sums.join(",")}}`)}::text[]) n (tree_index, hash, sums)`.execute(
    tx,
  );
}

export interface StoredRun {
  number: number;
  accounts: number;
  leaf: number;
}

/** Which of the commitments that cover an entry: the first, or the newest of all. */
export type CommitmentChoice = "first" | "newest";

/**
 * A run that covers the account's entry at `position`, and the account's state before it; null
 * while there is none.
 */
export async function readCommitment(
  db: Db,
  account: bigint,
  position: bigint,
  choice: CommitmentChoice,
): Promise<{
  run: StoredRun;
  treeIndex: number;
  position: bigint;
  before: { position: bigint; balance: bigint; hash: Uint8Array } | null;
} | null> {
  const { rows } = await sql<{
    number: bigint;
    accounts: bigint;
    leaf: bigint;
    tree_index: bigint;
    position: bigint;
  }>`
    select r.number, r.accounts, r.leaf, h.tree_index, h.position
    from liability_account l
      cross join lateral (
        select tree_index, run, position from liability_head
        where tree_index = l.tree_index and position >= ${position}
        order by case when ${choice === "newest"} then -position else position end limit 1) h
      join liability_run r on r.number
        = case when ${choice === "newest"} then (select max(number) from liability_run) else h.run end
    where l.account = ${account}`.execute(db);
  const row = rows[0];
  if (!row) return null;
  const before = await sql<{ position: bigint; balance: bigint; hash: Buffer }>`
    select position, balance, hash from liability_head
    where tree_index = ${row.tree_index} and position < ${position} order by position desc limit 1`.execute(
    db,
  );
  const previousRow = before.rows[0];
  return {
    run: { number: Number(row.number), accounts: Number(row.accounts), leaf: Number(row.leaf) },
    treeIndex: Number(row.tree_index),
    position: row.position,
    before: previousRow ? { ...previousRow, hash: new Uint8Array(previousRow.hash) } : null,
  };
}
