import { sql } from "kysely";
import type { Attempt } from "#api/attempts.ts";
import { startingBalance } from "#core/ledger/chart.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import { type Coin, coinScale } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { computeWorthIn, displayCurrency, type IndexOf } from "#core/wallet/valuation.ts";
import type { AttemptHooks, AttemptRow, OpenPositions, ReadFees } from "#server/attempts/types.ts";
import type { Db } from "#server/platform/db/database.ts";
import type { ProductResults } from "#server/records/productLines.ts";
import type { Prices } from "#server/wallet/wallet.ts";

/** Sources of an attempt's figures. */
export interface AttemptsDeps {
  db: Db;
  prices: Prices;
  lines(attemptId: string): Promise<ProductResults>;
  fees: readonly ReadFees[];
  running: readonly NonNullable<AttemptHooks["running"]>[];
}

/** Lines that count as gain or loss; recharges and transfers are neither. */
const resultLines = new Set(["mining", "hosting", "contract", "exchange"]);

/** The attempts with all their figures. */
export async function toAttemptViews(
  deps: AttemptsDeps,
  rows: readonly AttemptRow[],
): Promise<Attempt[]> {
  const ids = rows.map(({ attemptId }) => attemptId);
  const [holdings, running] = await Promise.all([
    readAttemptHoldings(deps.db, ids),
    Promise.all(deps.running.map(async ({ product, read }) => [product, await read(ids)] as const)),
  ]);
  return Promise.all(
    rows.map(async (row) => {
      const [lines, ...fees] = await Promise.all([
        deps.lines(row.attemptId),
        ...deps.fees.map((readFees) => readFees(row.attemptId)),
      ]);
      const attemptHoldings = holdings.get(row.attemptId) ?? noneHeld();
      const runs = running.flatMap(([about, byAttempt]) => {
        const openPositions = byAttempt.get(row.attemptId);
        return openPositions && openPositions.count > 0 ? [{ about, ...openPositions }] : [];
      });
      return toView(row, { ...attemptHoldings, lines, fees, runs }, createIndexLookup(deps.prices));
    }),
  );
}

interface Figures {
  postings: number;
  balances: ReadonlyMap<Coin, bigint>;
  coins: Attempt["coins"];
  lines: ProductResults;
  fees: readonly ReadonlyMap<Coin, bigint>[];
  runs: readonly (OpenPositions & { about: string })[];
}

function toView(row: AttemptRow, figures: Figures, now: IndexOf): Attempt {
  const { closing } = row;
  const lines = figures.lines.items
    .filter(({ type }) => resultLines.has(type))
    .map(({ type, total }) => ({ type, result: total }));
  const fees = figures.fees.flatMap((fee) => [...fee]);
  return {
    attempt_id: row.attemptId,
    number: row.number,
    current: closing === null,
    opened_at_ms: row.openedAtMs,
    opened_real_at_ms: row.openedRealAtMs,
    closed_at_ms: closing?.closedAtMs ?? null,
    closed_real_at_ms: closing?.closedRealAtMs ?? null,
    start_total: text(startingBalance),
    closing_total: closing
      ? toText(
          worthAll(Object.entries(closing.balances) as [Coin, bigint][], thenIndex(closing.index)),
        )
      : null,
    total: toText(worthAll([...figures.balances], now)),
    coins: figures.coins,
    result: figures.lines.account?.result ?? null,
    lines,
    fees: toText(worthAll(fees, now)),
    postings: figures.postings,
    running: figures.runs.map(({ about, count, lastAtMs }) => ({
      about,
      count,
      last_at_ms: lastAtMs,
    })),
    settled: closing?.settled ?? false,
  };
}

async function readAttemptHoldings(
  db: Db,
  attemptIds: string[],
): Promise<Map<string, AttemptHoldings>> {
  const { rows } = await sql<HeldRow>`
    select attempt_id, coin, sum(balance)::bigint as total, sum(version)::bigint as postings,
      coalesce(sum(balance) filter (where kind = 'wallet'), 0)::bigint as available,
      coalesce(sum(balance) filter (where kind = 'held'), 0)::bigint as held
    from account where attempt_id = any(${attemptIds}::text[]) and not house
    group by attempt_id, coin order by coin collate "C" desc`.execute(db);
  const holdings = new Map<string, AttemptHoldings>();
  for (const { attempt_id: id, coin, total, postings, available, held } of rows) {
    const attemptHoldings = holdings.get(id) ?? noneHeld();
    const text = (amount: bigint) => formatDecimal(amount, coinScale(coin));
    attemptHoldings.balances.set(coin, total);
    if (available > 0n || held > 0n) {
      attemptHoldings.coins.push({ coin, available: text(available), held: text(held) });
    }
    holdings.set(id, { ...attemptHoldings, postings: attemptHoldings.postings + Number(postings) });
  }
  return holdings;
}

interface AttemptHoldings {
  postings: number;
  coins: Attempt["coins"];
  balances: Map<Coin, bigint>;
}

const noneHeld = (): AttemptHoldings => ({ postings: 0, coins: [], balances: new Map() });

interface HeldRow {
  attempt_id: string;
  coin: Coin;
  total: bigint;
  postings: bigint;
  available: bigint;
  held: bigint;
}

function worthAll(
  amounts: readonly (readonly [Coin, bigint])[],
  createIndexLookup: IndexOf,
): bigint | null {
  let sum: bigint = 0n;
  for (const [coin, amount] of amounts) {
    const worth = computeWorthIn(coin, amount, displayCurrency, createIndexLookup);
    if (worth === null) return null;
    sum += worth;
  }
  return sum;
}

function createIndexLookup(prices: Prices): IndexOf {
  const latest = prices.latest();
  return (symbol) => latest?.index[symbol] ?? null;
}

function thenIndex(index: Readonly<Record<string, string>>): IndexOf {
  return (symbol: MarketSymbol) => (index[symbol] === undefined ? null : BigInt(index[symbol]));
}

const scale = coinScale(displayCurrency);
const text = (value: bigint) => formatDecimal(value, scale);
const toText = (value: bigint | null) => (value === null ? null : text(value));
