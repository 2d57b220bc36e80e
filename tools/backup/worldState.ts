import { sql } from "kysely";
import { createAudit } from "#server/ledger/audit/audit.ts";
import { type Database, openDatabase } from "#server/platform/db/database.ts";
import { schemaName } from "#server/platform/world.ts";

/** The state of a world's database, for comparison with another copy. */
export interface WorldState {
  orders: Set<string>;
  /** Sum of all people's balances by coin, minor units. */
  balances: Record<string, bigint>;
  entries: number;
  /** The last batch of the ledger's chain. */
  chain: { number: bigint; head: string };
  leaves: number;
  leavesHash: string;
  /** Signed notes by size. */
  checkpoints: Map<number, string>;
  /** Findings of the complete audit; empty if every balance equals the sum of its entries. */
  findings: string[];
}

/** Opens the world with the restricted role. */
export function openWorldDatabase(url: string, world: string): Database {
  return openDatabase({ url, schema: schemaName(world), max: 2 });
}

export async function readWorldState(database: Database, world: string): Promise<WorldState> {
  const { db } = database;
  const { rows: orders } = await sql<{ id: string }>`select id from contract_order`.execute(db);
  const { rows: sums } = await sql<{ coin: string; held: bigint }>`
    select coin, sum(balance)::bigint as held from account where not house group by coin`.execute(
    db,
  );
  const { rows: countRows } = await sql<{ entries: bigint; leaves: bigint }>`
    select (select count(*) from entry) as entries, (select next from log_head) as leaves`.execute(
    db,
  );
  const leaves = Number(countRows[0]!.leaves);
  const audit = await createAudit({ database, world: { name: world } }).run({ complete: true });
  return {
    orders: new Set(orders.map(({ id }) => id)),
    balances: Object.fromEntries(sums.map(({ coin, held }) => [coin, held])),
    entries: Number(countRows[0]!.entries),
    chain: await readChain(database, null),
    leaves,
    leavesHash: await hashLeaves(database, leaves),
    checkpoints: await readCheckpoints(database),
    findings: audit.findings.map(({ check, detail }) => `${check}: ${detail}`),
  };
}

async function readChain({ db }: Database, number: bigint | null): Promise<WorldState["chain"]> {
  const { rows } = await sql<{ number: bigint; head: string }>`
    select number, encode(head, 'hex') as head from chain_batch
    where ${number === null ? null : String(number)}::bigint is null or number = ${String(number ?? 0)}::bigint
    order by number desc limit 1`.execute(db);
  return rows[0] ?? { number: 0n, head: "" };
}

async function hashLeaves({ db }: Database, leaves: number): Promise<string> {
  const { rows } = await sql<{ hash: string }>`
    select encode(sha256(coalesce(string_agg(sha256(bytes), ''::bytea order by leaf), ''::bytea)), 'hex') as hash
    from log_leaf where leaf < ${leaves}`.execute(db);
  return rows[0]!.hash;
}

async function readCheckpoints({ db }: Database): Promise<Map<number, string>> {
  const { rows } = await sql<{ size: bigint; note: string }>`
    select size, note from log_checkpoint`.execute(db);
  return new Map(rows.map(({ size, note }) => [Number(size), note]));
}

/** Reasons, as sentences, why `copy` is not an earlier state of the running world. */
export async function findDifferencesFromLater(
  copy: WorldState,
  copyDatabase: Database,
  running: Database,
): Promise<string[]> {
  const problems = [...copy.findings];
  const chain = await readChain(running, copy.chain.number);
  if (chain.head !== copy.chain.head) problems.push("the ledger's chain differs");
  if ((await hashLeaves(running, copy.leaves)) !== copy.leavesHash)
    problems.push("the log's leaves are not a prefix of the running log");
  const checkpoints = await readCheckpoints(running);
  for (const [size, note] of copy.checkpoints) {
    const otherRoot = checkpoints.get(size);
    if (otherRoot !== undefined && otherRoot !== note) problems.push(`checkpoint ${size} differs`);
  }
  problems.push(...(await findWrongBalances(copyDatabase, running)));
  return problems;
}

/**
 * Compares each person's balance in the copy with the running ledger's after the same number of
 * entries.
 */
async function findWrongBalances(copy: Database, running: Database): Promise<string[]> {
  const { rows } = await sql<{ id: bigint; version: bigint; balance: bigint }>`
    select id, version, balance from account where not house and version > 0`.execute(copy.db);
  const { rows: matchingRows } = await sql<{ id: bigint }>`
    select e.account as id from entry e
      join unnest(${rows.map(({ id }) => String(id))}::bigint[], ${rows.map(({ version }) => String(version))}::bigint[],
        ${rows.map(({ balance }) => String(balance))}::bigint[]) as c (account, version, balance)
      on e.account = c.account and e.version = c.version and e.balance = c.balance`.execute(
    running.db,
  );
  const missingCount = rows.length - matchingRows.length;
  return missingCount === 0 ? [] : [`${missingCount} balances differ from what they were`];
}

/** Differences, as sentences, between two copies of a stopped world. */
export function findDifferences(worldState: WorldState, otherState: WorldState): string[] {
  const text = (state: WorldState) => ({
    orders: [...state.orders].toSorted().join(),
    balances: Object.entries(state.balances)
      .map(([coin, amount]) => `${coin} ${amount}`)
      .toSorted()
      .join(),
    entries: String(state.entries),
    chain: `${state.chain.number} ${state.chain.head}`,
    "log head": `${state.leaves} ${state.leavesHash}`,
    checkpoints: [...state.checkpoints].toSorted(([a], [b]) => a - b).join(),
  });
  const [leftText, rightText] = [text(worldState), text(otherState)];
  const names = Object.keys(leftText) as (keyof typeof leftText)[];
  return [
    ...worldState.findings,
    ...otherState.findings,
    ...names.filter((name) => leftText[name] !== rightText[name]).map((name) => `${name} differ`),
  ];
}
