import { sql } from "kysely";
import type { Transfer } from "#api/wallet.ts";
import { type Coin, coinCodes, scaleOf } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import type { Db } from "#server/platform/db.ts";
import { Refusal } from "#server/platform/refusal.ts";
import type { TransferPage } from "#server/wallet/wallet.ts";

export interface AskedPage {
  coin?: Coin | undefined;
  page: number;
  page_size: number;
  before?: string | undefined;
}

/** Records that lie further back than this are read with a coin chosen. */
const depthMax = 20_000;

interface Row {
  coin: Coin;
  journal_id: string;
  kind: string;
  amount: bigint;
  balance: bigint;
  about: string | null;
  at_ms: bigint;
  recorded_at_ms: bigint;
}

interface Account {
  id: bigint;
  coin: Coin;
  /** Entries up to this version belong to the list. */
  upTo: bigint;
}

/**
 * A page of the attempt's wallet postings, newest first. The cursor holds each coin account's version at the first page, so
 * that new postings shift nothing.
 */
export async function readTransfers(
  db: Db,
  attemptId: string,
  { coin, page, page_size, before }: AskedPage,
): Promise<TransferPage> {
  const accounts = await readAccounts(db, attemptId, before);
  const chosen = accounts.filter((account) => coin === undefined || account.coin === coin);
  const offset = (page - 1) * page_size;
  if (chosen.length > 1 && offset + page_size > depthMax) {
    throw new Refusal("request.malformed", { field: "page" });
  }
  const rows =
    chosen.length > 1
      ? mergeNewest(
          await Promise.all(
            chosen.map((account) => readEntries(db, account, 0, offset + page_size + 1)),
          ),
        ).slice(offset, offset + page_size + 1)
      : chosen[0]
        ? await readEntries(db, chosen[0], offset, page_size + 1)
        : [];
  return {
    items: rows.slice(0, page_size).map(transferOf),
    page,
    page_size,
    has_more: rows.length > page_size,
    before: cursorOf(accounts),
  };
}

async function readAccounts(
  db: Db,
  attemptId: string,
  before: string | undefined,
): Promise<Account[]> {
  const { rows } = await sql<{ id: bigint; coin: Coin; version: bigint }>`
    select id, coin, version from account
    where attempt_id = ${attemptId} and not house and kind = 'wallet'`.execute(db);
  const caps = before === undefined ? null : readCursor(before);
  return rows.map(({ id, coin, version }) => {
    const cap = caps === null ? version : (caps.get(coin) ?? 0n);
    return { id, coin, upTo: cap < version ? cap : version };
  });
}

/** Versions in base 36, in the order of the coin registry: `2s.0.1.0`. */
function cursorOf(accounts: Account[]): string {
  return coinCodes
    .map((coin) => (accounts.find((account) => account.coin === coin)?.upTo ?? 0n).toString(36))
    .join(".");
}

function readCursor(cursor: string): Map<Coin, bigint> {
  const parts = cursor.split(".");
  const isCursor =
    parts.length === coinCodes.length && parts.every((part) => /^[0-9a-z]{1,10}$/.test(part));
  if (!isCursor) throw new Refusal("request.malformed", { field: "before" });
  return new Map(
    coinCodes.map((coin, at) => [coin, BigInt(Number.parseInt(parts[at] as string, 36))]),
  );
}

async function readEntries(db: Db, account: Account, skip: number, limit: number): Promise<Row[]> {
  const { rows } = await sql<Omit<Row, "coin">>`
    select e.journal_id, j.kind, e.amount, e.balance, coalesce(e.about, j.about) as about, j.at_ms,
      floor(extract(epoch from j.recorded_at) * 1000)::bigint as recorded_at_ms
    from (
      select journal_id, amount, balance, version, about from entry
      where account = ${account.id} and version is not null and version <= ${account.upTo - BigInt(skip)}
      order by version desc limit ${limit}
    ) e
    join journal j on j.id = e.journal_id
    order by e.version desc`.execute(db);
  return rows.map((row) => ({ ...row, coin: account.coin }));
}

/**
 * Merges lists that are each newest first. Within one list the order stays as it is: postings that were accepted in the same
 * moment may carry times in the other order.
 */
function mergeNewest(lists: Row[][]): Row[] {
  const merged: Row[] = [];
  const heads = lists.map(() => 0);
  for (;;) {
    let newest = -1;
    for (const [at, list] of lists.entries()) {
      const row = list[heads[at]!];
      if (!row) continue;
      const best = newest < 0 ? null : lists[newest]![heads[newest]!]!;
      if (best === null || row.at_ms > best.at_ms) newest = at;
    }
    if (newest < 0) return merged;
    merged.push(lists[newest]![heads[newest]!++]!);
  }
}

function transferOf(row: Row): Transfer {
  const scale = scaleOf(row.coin);
  return {
    journal_id: row.journal_id,
    type: row.kind,
    coin: row.coin,
    amount: formatDecimal(row.amount, scale),
    balance_after: formatDecimal(row.balance, scale),
    order_id: row.kind.startsWith("attempt.") ? null : row.about,
    at_ms: Number(row.at_ms),
    recorded_at_ms: Number(row.recorded_at_ms),
  };
}
