import { sql } from "kysely";
import {
  type ChainAccount,
  chainGenesis,
  chainStep,
  computeAccountStart,
  computeBatchHead,
  partsHash,
} from "#core/ledger/chain.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import type { Tx } from "#server/platform/db/database.ts";

/** State of an account after the entries read so far. */
interface AccountState {
  account: ChainAccount;
  house: boolean;
  position: bigint;
  balance: bigint;
  hash: Uint8Array;
}

/** State of a replay, kept between audits so that the next one continues where this one ended. */
export interface Replay {
  world: string;
  number: bigint;
  snapshot: string;
  head: Uint8Array;
  entries: bigint;
  accounts: Map<bigint, AccountState>;
}

export function startReplay(world: string): Replay {
  return {
    world,
    number: 0n,
    snapshot: "1:1:",
    head: chainGenesis(world),
    entries: 0n,
    accounts: new Map(),
  };
}

export type ReportFinding = (check: string, detail: string) => void;

interface EntryRow {
  journal_id: string;
  leg: number;
  account: bigint;
  amount: bigint;
  balance: bigint | null;
  version: bigint | null;
  kind: string;
  body_hash: Buffer;
  at_ms: bigint;
}

/**
 * Recomputes every batch of the chain that the replay has not seen, from journals and entries
 * alone, and reports differences.
 */
export async function replayChain(tx: Tx, replay: Replay, report: ReportFinding): Promise<void> {
  await readAccounts(tx, replay);
  const { rows: batches } = await sql<{
    number: bigint;
    snapshot: string;
    journals: bigint;
    entries: bigint;
    head: Buffer;
  }>`select number, snapshot::text, journals, entries, head from chain_batch where number > ${replay.number} order by number`.execute(
    tx,
  );
  for (const batch of batches) {
    if (batch.number !== replay.number + 1n)
      report("chain.batches", `batch ${replay.number + 1n} is missing`);
    const rows = await readBatch(tx, replay.snapshot, batch.snapshot);
    const journals = new Set(rows.map((row) => row.journal_id));
    if (BigInt(journals.size) !== batch.journals || BigInt(rows.length) !== batch.entries) {
      report(
        "chain.counts",
        `batch ${batch.number} took in ${batch.journals} journals with ${batch.entries} entries; there are ${journals.size} with ${rows.length}`,
      );
    }
    const changedAccounts = applyEntries(replay, rows, report, true);
    replay.head = computeBatchHead(replay.head, batch.number, changedAccounts);
    if (bytesToHex(replay.head) !== bytesToHex(batch.head)) {
      report("chain.head", `batch ${batch.number} does not have the head its entries give`);
      replay.head = batch.head;
    }
    replay.number = batch.number;
    replay.snapshot = batch.snapshot;
    replay.entries += BigInt(rows.length);
  }
}

/**
 * Compares the replay's end state with the stored heads, and then, after the entries not yet in any
 * batch, with the accounts.
 */
export async function compareAccountStates(
  tx: Tx,
  replay: Replay,
  report: ReportFinding,
): Promise<void> {
  const heads = await sql<{ account: bigint; position: bigint; balance: bigint; hash: Buffer }>`
    select account, position, balance, hash from chain_head`.execute(tx);
  const storedHeads = new Map(heads.rows.map((row) => [row.account, row]));
  for (const [id, { position, balance, hash }] of replay.accounts) {
    const head = storedHeads.get(id);
    if (position === 0n && !head) continue;
    if (
      !head ||
      head.position !== position ||
      head.balance !== balance ||
      bytesToHex(head.hash) !== bytesToHex(hash)
    ) {
      report("chain.account", `account ${id}: the stored head is not what its entries give`);
    }
  }
  for (const id of storedHeads.keys())
    if (!replay.accounts.has(id)) report("chain.account", `there is a head of no account ${id}`);
  const tailAccounts = new Map([...replay.accounts].map(([id, state]) => [id, { ...state }]));
  const { rows } = await sql<EntryRow>`
    select e.*, j.kind, j.body_hash, j.at_ms from unchained_journal j join entry e on e.journal_id = j.id
    order by e.account, e.version, j.id, e.leg`.execute(tx);
  applyEntries({ ...replay, accounts: tailAccounts }, rows, report, false);
  const accounts = await sql<{ id: bigint; balance: bigint; version: bigint }>`
    select id, balance, version from account where not house`.execute(tx);
  for (const { id, balance, version } of accounts.rows) {
    const state = tailAccounts.get(id);
    if (state?.balance !== balance || state.position !== version) {
      report(
        "account.balance",
        `account ${id} says ${balance} after ${version} entries; its entries give ${state?.balance} after ${state?.position}`,
      );
    }
  }
}

async function readAccounts(tx: Tx, replay: Replay): Promise<void> {
  const genesis = chainGenesis(replay.world);
  // Ids are assigned before their rows commit, so reading only "greater than the last one" would
  // miss some.
  const { rows } = await sql<{
    id: bigint;
    owner: string;
    attempt_id: string;
    kind: string;
    coin: string;
    house: boolean;
    owner_commitment: string;
  }>`
    select id, owner, attempt_id, kind, coin, house, owner_commitment from account`.execute(tx);
  for (const { attempt_id: attemptId, owner_commitment: ownerCommitment, house, ...rest } of rows) {
    if (replay.accounts.has(rest.id)) continue;
    const account = { ...rest, attemptId, ownerCommitment };
    const hash = computeAccountStart(genesis, account);
    replay.accounts.set(rest.id, { account, house, position: 0n, balance: 0n, hash });
  }
}

async function readBatch(tx: Tx, lastId: string, next: string): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    select e.*, j.kind, j.body_hash, j.at_ms from journal j join entry e on e.journal_id = j.id
    where j.xid >= pg_snapshot_xmin(${lastId}::pg_snapshot) and j.xid < pg_snapshot_xmax(${next}::pg_snapshot)
      and pg_visible_in_snapshot(j.xid, ${next}::pg_snapshot) and not pg_visible_in_snapshot(j.xid, ${lastId}::pg_snapshot)
    order by e.account, e.version, j.id, e.leg`.execute(tx);
  return rows;
}

/** Applies entries by account and position; returns the accounts they moved, by id. */
function applyEntries(replay: Replay, rows: EntryRow[], report: ReportFinding, hashed: boolean) {
  const sums = new Map<string, bigint>();
  const changedAccounts = new Set<AccountState>();
  const parts = hashed ? partsByJournal(replay, rows) : new Map<string, Uint8Array>();
  for (const row of rows) {
    const state = replay.accounts.get(row.account);
    if (!state) {
      report(
        "entry.account",
        `journal ${row.journal_id} leg ${row.leg} is on account ${row.account}, which does not exist`,
      );
      continue;
    }
    state.position += 1n;
    state.balance += row.amount;
    const expected = state.house ? [null, null] : [state.position, state.balance];
    if (row.version !== expected[0] || row.balance !== expected[1]) {
      report(
        "entry.running",
        `account ${row.account}: entry ${row.version} says ${row.balance}; by its entries it is ${state.position} with ${state.balance}`,
      );
    }
    if (hashed) {
      state.hash = chainStep(state.hash, {
        account: row.account,
        position: state.position,
        journalId: row.journal_id,
        leg: row.leg,
        amount: row.amount,
        atMs: row.at_ms,
        bodyHash: row.body_hash,
        parts: parts.get(row.journal_id)!,
        kind: row.kind,
      });
    }
    changedAccounts.add(state);
    const key = `${row.journal_id} ${state.account.coin}`;
    sums.set(key, (sums.get(key) ?? 0n) + row.amount);
  }
  for (const [key, sum] of sums) {
    if (sum !== 0n) report("journal.sum", `journal ${key} sums to ${sum}`);
  }
  return [...changedAccounts].map(({ account, position, hash }) => ({
    account: account.id,
    position,
    hash,
  }));
}

function partsByJournal({ accounts }: Replay, rows: EntryRow[]): Map<string, Uint8Array> {
  const journals = Map.groupBy(rows, (row) => row.journal_id);
  return new Map(
    [...journals].map(([id, legs]) => {
      const parts = legs.flatMap(({ account, amount }) => {
        const state = accounts.get(account);
        if (!state) return [];
        const { kind, coin } = state.account;
        return [{ name: state.house ? kind : "people", coin, amount }];
      });
      return [id, partsHash(parts)];
    }),
  );
}
