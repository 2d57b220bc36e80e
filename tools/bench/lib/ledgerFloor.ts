import { sql } from "kysely";
import { writerLimits } from "#server/ledger/writer.ts";
import type { Database } from "#server/platform/db/database.ts";

interface FloorOptions {
  wallets: readonly bigint[];
  house: bigint;
  bodyHash: Uint8Array;
  newId: () => string;
}

/**
 * The minimum that a ledger with these tables has to write: the journals and entries of the bench's
 * postings, in batches as large as the group commit's and as many at once, each by one bare INSERT
 * … SELECT unnest into tables with the same columns and indexes. It locks, checks and updates
 * nothing. Takes a connection of the role that owns the tables; returns what measures it, in
 * journals per second.
 */
export async function openLedgerFloor(
  { db }: Database,
  { wallets, house, bodyHash, newId }: FloorOptions,
): Promise<(seconds: number) => Promise<number>> {
  await sql`create table floor_journal (like journal including all)`.execute(db);
  await sql`create table floor_entry (like entry including all)`.execute(db);
  const versions = new Map<bigint, number>();
  let next = 0;
  const insertBatch = async () => {
    const ids: string[] = [];
    const entries: string[][] = [[], [], [], [], [], []];
    const add = (...values: (string | number | bigint | null)[]) => {
      for (const [column, value] of values.entries()) entries[column]!.push(String(value));
    };
    for (let number = 0; number < writerLimits.batchJournals; number += 1) {
      next = (next + 7919) % wallets.length;
      const wallet = wallets[next]!;
      const version = versions.get(wallet) ?? 0;
      versions.set(wallet, version + 2);
      const id = newId();
      ids.push(id);
      add(id, 1, wallet, -100, 1_000_000_000, version + 1);
      add(id, 2, wallet, -1, 1_000_000_000, version + 2);
      add(id, 3, house, 101, null, null);
    }
    const [journals, legs, accounts, amounts, balances, after] = entries.map(arrayLiteral);
    await sql`
      with put_journal as (
        insert into floor_journal (id, kind, body_hash, at_ms)
        select unnest(${arrayLiteral(ids)}::uuid[]), 'contract.open', ${Buffer.from(bodyHash)}::bytea,
          ${Date.now()}::bigint
      )
      insert into floor_entry (journal_id, leg, account, amount, balance, version)
      select * from unnest(${journals}::uuid[], ${legs}::integer[], ${accounts}::bigint[],
        ${amounts}::bigint[], ${balances}::bigint[], ${after}::bigint[])`.execute(db);
  };
  return async (seconds) => {
    const startedMs = performance.now();
    let bytesWritten = 0;
    const writeOn = async () => {
      while (performance.now() - startedMs < seconds * 1_000) {
        await insertBatch();
        bytesWritten += writerLimits.batchJournals;
      }
    };
    await Promise.all(Array.from({ length: writerLimits.batchesInFlight }, writeOn));
    return (bytesWritten / (performance.now() - startedMs)) * 1_000;
  };
}

/** The driver's own serialiser would take most of the time. */
function arrayLiteral(values: readonly string[]): string {
  return `{${values.join(",")}}`;
}
