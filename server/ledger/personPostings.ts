import { sql } from "kysely";
import { type Coin, coinScale } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import type { Db } from "#server/platform/db/database.ts";

/** Postings held in memory at a time. */
const chunkRows = 400;

interface OwnAccount {
  id: bigint;
  attempt_id: string;
  kind: string;
  coin: Coin;
  balance: bigint;
  version: bigint;
}

/** Every ledger account of a person, across all attempts. */
async function readAccounts(db: Db, userId: string): Promise<OwnAccount[]> {
  const { rows } = await sql<OwnAccount>`
    select a.id, a.attempt_id, a.kind, a.coin, a.balance, a.version
    from account a join user_attempt t on t.attempt_id = a.attempt_id and t.user_id = ${userId}
    where a.owner = ${userId} and not a.house order by t.number, a.id`.execute(db);
  return rows;
}

export async function countPostings(db: Db, userId: string): Promise<number> {
  const accounts = await readAccounts(db, userId);
  return Number(accounts.reduce((sum, { version }) => sum + version, 0n));
}

interface Posting {
  version: bigint;
  journal_id: string;
  kind: string;
  at_ms: bigint;
  recorded_at: Date;
  amount: bigint;
  balance: bigint;
  about: string | null;
}

/** Postings of one account, in order of version. */
async function* readPostings(db: Db, account: OwnAccount): AsyncGenerator<Posting[]> {
  let after = 0n;
  while (after < account.version) {
    const { rows } = await sql<Posting>`
      select e.version, e.journal_id, j.kind, j.at_ms, j.recorded_at, e.amount, e.balance, coalesce(e.about, j.about) as about
      from entry e join journal j on j.id = e.journal_id
      where e.account = ${account.id} and e.version > ${after} and e.version <= ${account.version}
      order by e.version limit ${chunkRows}`.execute(db);
    if (rows.length === 0) return;
    yield rows;
    after = rows.at(-1)!.version;
  }
}

/** Repeated in every row, so that a row copied out of the file is still labelled. */
const mark = "practice, backed by nothing";
const head = [
  "practice_only_no_value",
  "world",
  "attempt_id",
  "account",
  "coin",
  "number",
  "journal_id",
  "kind",
  "world_time_utc",
  "recorded_utc",
  "amount",
  "balance_after",
  "about",
];

/** Streams a CSV of every posting, one account after the other, as text chunks. */
export async function* writePostings(
  db: Db,
  world: string,
  userId: string,
): AsyncGenerator<string> {
  // The byte order mark by which spreadsheets recognise UTF-8.
  yield `\uFEFF${head.join(",")}\r\n`;
  for (const account of await readAccounts(db, userId)) {
    const scale = coinScale(account.coin);
    for await (const postings of readPostings(db, account)) {
      yield postings
        .map((posting) => [
          mark,
          world,
          account.attempt_id,
          account.kind,
          account.coin,
          posting.version.toString(),
          posting.journal_id,
          posting.kind,
          new Date(Number(posting.at_ms)).toISOString(),
          posting.recorded_at.toISOString(),
          formatDecimal(posting.amount, scale),
          formatDecimal(posting.balance, scale),
          posting.about ?? "",
        ])
        .map((cells) => `${cells.map(toCell).join(",")}\r\n`)
        .join("");
    }
  }
}

/**
 * Cells are our own names, ids and numbers: none can be read as a formula, but some contain a
 * comma.
 */
function toCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Account balances, exported besides the postings so that anyone who adds these up can compare. */
export async function exportBalances(db: Db, userId: string): Promise<object[]> {
  const accounts = await readAccounts(db, userId);
  return accounts.map(({ attempt_id, kind, coin, balance, version }) => ({
    attempt_id,
    account: kind,
    coin,
    balance: formatDecimal(balance, coinScale(coin)),
    postings: Number(version),
  }));
}
