import { sql } from "kysely";
import { type Coin, scaleOf } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { dayMs } from "#core/money/time.ts";
import {
  groupOfKind,
  type RecordType,
  recordTypeNames,
  recordTypes,
} from "#core/records/record.ts";
import { displayCurrency, valuedBy, worthOf } from "#core/wallet/valuation.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db } from "#server/platform/db/database.ts";
import {
  type OwnAccount,
  readAccounts,
  reorderWindowMs,
  versionsAt,
} from "#server/records/sources.ts";
import type { RecordsDeps } from "#server/records/types.ts";
import type { Prices } from "#server/wallet/wallet.ts";

export interface ProductLine {
  type: RecordType;
  balance: string | null;
  today: string | null;
  total: string | null;
  return_bp: number | null;
}

export interface Lines {
  items: ProductLine[];
  display_currency: Coin;
  priced_at_ms: number | null;
}

/** Attempts whose sums are cached; evicting one costs reading its entries once more. */
const entriesMax = 2_000;

/** Sums by kind prefix and coin: what came in, and what went out, both positive. */
type Sums = Map<string, { prefix: string; coin: Coin; got: bigint; gave: bigint }>;

interface CachedSums {
  versions: Map<bigint, bigint>;
  sums: Sums;
}

/** Results of the product lines, from the ledger: sums continue from where the last read ended. */
export function createProductLines(
  { database: { db }, clock }: Pick<AppContext, "database" | "clock">,
  { market: prices, contributions }: Pick<RecordsDeps, "market" | "contributions">,
) {
  const kept = new Map<string, CachedSums>();
  return async (attemptId: string): Promise<Lines> => {
    const accounts = await readAccounts(db, attemptId);
    const all = await sumOn(db, kept.get(attemptId) ?? null, accounts);
    kept.delete(attemptId);
    if (kept.size >= entriesMax) kept.delete(kept.keys().next().value!);
    kept.set(attemptId, all);
    const nowMs = clock.nowMs();
    const midnightMs = nowMs - (nowMs % dayMs);
    const [today, now, then] = await Promise.all([
      sumToday(db, accounts, midnightMs),
      readWithin(contributions, attemptId, null),
      readWithin(contributions, attemptId, midnightMs),
    ]);
    const figures = { all: all.sums, today, now, then };
    const items = recordTypeNames.map((type) => lineOf(type, figures, prices));
    return {
      items,
      display_currency: displayCurrency,
      priced_at_ms: prices.latest()?.secondMs ?? null,
    };
  };
}

async function sumOn(
  db: Db,
  before: CachedSums | null,
  accounts: readonly OwnAccount[],
): Promise<CachedSums> {
  const versions = new Map(accounts.map(({ id, version }) => [id, version]));
  const sums: Sums = new Map([...(before?.sums ?? [])].map(([key, sum]) => [key, { ...sum }]));
  const moved = accounts.filter(({ id, version }) => version > (before?.versions.get(id) ?? 0n));
  const from = moved.map(({ id }) => before?.versions.get(id) ?? 0n);
  await addSums(db, sums, moved, from);
  return { versions, sums };
}

async function sumToday(db: Db, accounts: readonly OwnAccount[], sinceMs: number): Promise<Sums> {
  const sums: Sums = new Map();
  const upTo = accounts.map(({ id, version }) => ({ id, upTo: version }));
  const from = await versionsAt(db, upTo, sinceMs - reorderWindowMs);
  await addSums(db, sums, accounts, from, sinceMs);
  return sums;
}

/**
 * Adds entries after `from` of each account, by kind prefix and coin. Movements between wallet and
 * held cancel out.
 */
async function addSums(
  db: Db,
  sums: Sums,
  accounts: readonly OwnAccount[],
  from: readonly bigint[],
  sinceMs = 0,
): Promise<void> {
  if (accounts.length === 0) return;
  const { rows } = await sql<{ coin: Coin; prefix: string; got: bigint; gave: bigint }>`
    with moved as (
      select w.coin, split_part(j.kind, '.', 1) as prefix, e.journal_id, sum(e.amount) as amount
      from unnest(${accounts.map(({ id }) => id)}::bigint[], ${accounts.map(({ coin }) => coin)}::text[],
          ${[...from]}::bigint[], ${accounts.map(({ version }) => version)}::bigint[]) w (account, coin, after, upto)
        join entry e on e.account = w.account and e.version > w.after and e.version <= w.upto
        join journal j on j.id = e.journal_id
      where j.at_ms >= ${sinceMs}
      group by w.coin, prefix, e.journal_id
    )
    select coin, prefix, coalesce(sum(amount) filter (where amount > 0), 0)::bigint as got,
      coalesce(-sum(amount) filter (where amount < 0), 0)::bigint as gave
    from moved group by coin, prefix`.execute(db);
  for (const { coin, prefix, got, gave } of rows) {
    const key = `${prefix} ${coin}`;
    const sum = sums.get(key) ?? { prefix, coin, got: 0n, gave: 0n };
    sums.set(key, { ...sum, got: sum.got + got, gave: sum.gave + gave });
  }
}

type Within = ReadonlyMap<string, ReadonlyMap<Coin, bigint>>;

async function readWithin(
  { records }: RecordsDeps["contributions"],
  attemptId: string,
  atMs: number | null,
): Promise<Within> {
  const lines = records.flatMap(({ prefix, inLine }) => (inLine ? [{ prefix, inLine }] : []));
  return new Map(
    await Promise.all(
      lines.map(async ({ prefix, inLine }) => [prefix, await inLine(attemptId, atMs)] as const),
    ),
  );
}

/**
 * Result = what came back, less what was put in, plus what is still inside; for a day, less what
 * was inside at its start.
 */
function lineOf(
  type: RecordType,
  { all, today, now, then }: { all: Sums; today: Sums; now: Within; then: Within },
  prices: Prices,
): ProductLine {
  const groups: readonly string[] = recordTypes[type];
  const belongs = (prefix: string) => groups.includes(groupOfKind(prefix));
  const net = (sums: Sums) =>
    worthAll(
      [...sums.values()].flatMap(({ prefix, coin, got, gave }) =>
        belongs(prefix) ? [[coin, got - gave] as const] : [],
      ),
      prices,
    );
  const inside = (within: Within) =>
    worthAll(
      [...within].flatMap(([prefix, coins]) => (belongs(prefix) ? [...coins] : [])),
      prices,
    );
  const put = worthAll(
    [...all.values()].flatMap(({ prefix, coin, gave }) =>
      belongs(prefix) ? [[coin, gave] as const] : [],
    ),
    prices,
  );
  const [balance, before] = [inside(now), inside(then)];
  const total = add(net(all), balance);
  const day = add(net(today), balance, before === null ? null : -before);
  // Money brought in or sent is not the result of anything.
  const hasReturn = type !== "transfer" && type !== "reward" && total !== null && put !== null;
  const text = (value: bigint | null) =>
    value === null ? null : formatDecimal(value, scaleOf(displayCurrency));
  return {
    type,
    balance: text(balance),
    today: text(day),
    total: text(total),
    return_bp: hasReturn && put > 0n ? Number((total * 10_000n) / put) : null,
  };
}

function add(...values: (bigint | null)[]): bigint | null {
  return values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0n);
}

/**
 * Value of amounts of either sign in the display currency; null if any of the coins has no index.
 */
function worthAll(amounts: readonly (readonly [Coin, bigint])[], prices: Prices): bigint | null {
  const latest = prices.latest();
  let sum: bigint = 0n;
  for (const [coin, amount] of amounts) {
    if (amount === 0n) continue;
    const symbol = valuedBy[coin];
    const index = symbol === null ? null : (latest?.index[symbol] ?? null);
    const worth = worthOf(coin, amount < 0n ? -amount : amount, index);
    if (worth === null) return null;
    sum += amount < 0n ? -worth : worth;
  }
  return sum;
}
