import { sql } from "kysely";
import type { Coin } from "#core/money/coins.ts";
import { dayMs } from "#core/money/time.ts";
import { getGroup, type RecordType, recordTypeNames, recordTypes } from "#core/records/record.ts";
import { computeWorth, displayCurrency, valuedBy } from "#core/wallet/valuation.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db } from "#server/platform/db/database.ts";
import type { World } from "#server/platform/world.ts";
import { computeAccountFigures, readBalances, readCosts } from "#server/records/account.ts";
import { type Account, toAccountView, toText } from "#server/records/accountView.ts";
import { type Flow, readFlows } from "#server/records/flows.ts";
import { readResultsAt } from "#server/records/resultHistory.ts";
import {
  type OwnAccount,
  readAccounts,
  readVersionsAt,
  reorderWindowMs,
} from "#server/records/sources.ts";
import type { RecordsDeps } from "#server/records/types.ts";
import type { Prices } from "#server/wallet/wallet.ts";

interface ProductLine {
  type: RecordType;
  balance: string | null;
  today: string | null;
  total: string | null;
  return_bp: number | null;
}

export interface ProductResults {
  items: ProductLine[];
  /** Total and result of the attempt; null while a coin in them has no index. */
  account: Account | null;
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
  /** Money that came in and went out, oldest first. */
  flows: readonly Flow[];
}

/** How often an attempt that changed during a read is reread before the last result is accepted. */
const rereadsMax = 3;

export interface ProductResultsReader {
  (attemptId: string): Promise<ProductResults>;
  /** The attempt's result just before each of these moments of world time, and its flows. */
  history(
    attemptId: string,
    moments: readonly number[],
  ): Promise<{ results: (bigint | null)[]; flows: readonly Flow[] }>;
}

/** Results of the product lines, from the ledger: sums continue from where the last read ended. */
export function createProductLines(
  { database: { db }, clock, world }: Pick<AppContext, "database" | "clock" | "world">,
  { market: prices, contributions }: Pick<RecordsDeps, "market" | "contributions">,
): ProductResultsReader {
  const cache = new Map<string, CachedSums>();
  const readOn = async (attemptId: string) => {
    const accounts = await readAccounts(db, attemptId);
    const allSums = await sumOn(db, world, cache.get(attemptId) ?? null, accounts);
    cache.delete(attemptId);
    if (cache.size >= entriesMax) cache.delete(cache.keys().next().value!);
    cache.set(attemptId, allSums);
    return { accounts, all: allSums };
  };
  const inLine = () =>
    contributions.records.flatMap((record) => (record.inLine ? [record.inLine] : []));
  const readResults = async (attemptId: string): Promise<ProductResults> => {
    const { accounts, all } = await readOn(attemptId);
    const nowMs = clock.nowMs();
    const midnightMs = nowMs - (nowMs % dayMs);
    const history = { attemptId, accounts, flows: all.flows, inLine: inLine() };
    const [today, [inside, before], balances, costs, [resultThen]] = await Promise.all([
      sumToday(db, accounts, midnightMs),
      readWithin(contributions, attemptId, [null, midnightMs]),
      readBalances(db, attemptId),
      readCosts(contributions, attemptId),
      readResultsAt(db, world, history, [midnightMs]),
    ]);
    const figures = { all: all.sums, today, now: inside!, before: before! };
    const figure = computeAccountFigures(
      {
        balances,
        costs,
        flows: all.flows,
        atWork: (line) => getInside(line, inside!, prices),
        lineFlow: (line) => getNet(line, all.sums, prices),
      },
      prices,
    );
    return {
      items: recordTypeNames.map((type) => toLine(type, figures, prices)),
      account: figure && toAccountView(figure, resultThen ?? null),
      display_currency: displayCurrency,
      priced_at_ms: prices.latest()?.secondMs ?? null,
    };
  };
  const readStill = async (attemptId: string, tries = rereadsMax): Promise<ProductResults> => {
    const lines = await readResults(attemptId);
    // Several statements are not a snapshot: a posting between two of them would show as a result.
    const accounts = await readAccounts(db, attemptId);
    const { versions } = cache.get(attemptId)!;
    const isUnchanged = accounts.every(({ id, version }) => versions.get(id) === version);
    return isUnchanged || tries === 0 ? lines : readStill(attemptId, tries - 1);
  };
  const history: ProductResultsReader["history"] = async (attemptId, moments) => {
    const { accounts, all } = await readOn(attemptId);
    const from = { attemptId, accounts, flows: all.flows, inLine: inLine() };
    return { results: await readResultsAt(db, world, from, moments), flows: all.flows };
  };
  return Object.assign((attemptId: string) => readStill(attemptId), { history });
}

async function sumOn(
  db: Db,
  world: World,
  before: CachedSums | null,
  accounts: readonly OwnAccount[],
): Promise<CachedSums> {
  const versions = new Map(accounts.map(({ id, version }) => [id, version]));
  const sums: Sums = new Map([...(before?.sums ?? [])].map(([key, sum]) => [key, { ...sum }]));
  const changedAccounts = accounts.filter(
    ({ id, version }) => version > (before?.versions.get(id) ?? 0n),
  );
  const from = changedAccounts.map(({ id }) => before?.versions.get(id) ?? 0n);
  const [flows] = await Promise.all([
    readFlows(db, world, changedAccounts, from),
    addSums(db, sums, changedAccounts, from),
  ]);
  return { versions, sums, flows: [...(before?.flows ?? []), ...flows] };
}

async function sumToday(db: Db, accounts: readonly OwnAccount[], sinceMs: number): Promise<Sums> {
  const sums: Sums = new Map();
  const upTo = accounts.map(({ id, version }) => ({ id, upTo: version }));
  const from = await readVersionsAt(db, upTo, sinceMs - reorderWindowMs);
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

type AmountsByAttempt = ReadonlyMap<string, ReadonlyMap<Coin, bigint>>;

async function readWithin(
  { records }: RecordsDeps["contributions"],
  attemptId: string,
  moments: readonly (number | null)[],
): Promise<AmountsByAttempt[]> {
  const lines = records.flatMap(({ prefix, inLine }) => (inLine ? [{ prefix, inLine }] : []));
  const investedSums = await Promise.all(
    lines.map(async ({ prefix, inLine }) => [prefix, await inLine(attemptId, moments)] as const),
  );
  return moments.map(
    (_moment, index) => new Map(investedSums.map(([prefix, coins]) => [prefix, coins[index]!])),
  );
}

/** Result = amounts returned − amounts put in + current value; for a day, − value at its start. */
function toLine(
  type: RecordType,
  {
    all,
    today,
    now,
    before,
  }: { all: Sums; today: Sums; now: AmountsByAttempt; before: AmountsByAttempt },
  prices: Prices,
): ProductLine {
  const [balance, start] = [getInside(type, now, prices), getInside(type, before, prices)];
  const total = add(getNet(type, all, prices), balance);
  const day = add(getNet(type, today, prices), balance, start === null ? null : -start);
  return {
    type,
    balance: toText(balance),
    today: toText(day),
    total: toText(total),
    return_bp: getReturn(type, total, putInto(type, all, prices)),
  };
}

/**
 * No percentage of stakes: an order's result is luck, and a share of it would read as skill. Nor of
 * money brought in or given, which is the result of nothing.
 */
const withoutReturn: readonly RecordType[] = ["contract", "transfer", "reward"];

function getReturn(type: RecordType, total: bigint | null, put: bigint | null): number | null {
  if (withoutReturn.includes(type) || total === null || put === null || put === 0n) return null;
  return Number((total * 10_000n) / put);
}

function belongsTo(type: RecordType, prefix: string): boolean {
  const groups: readonly string[] = recordTypes[type];
  return groups.includes(getGroup(prefix));
}

function getNet(type: RecordType, sums: Sums, prices: Prices): bigint | null {
  const matchingSums = [...sums.values()].filter(({ prefix }) => belongsTo(type, prefix));
  return worthAll(
    matchingSums.map(({ coin, got, gave }) => [coin, got - gave]),
    prices,
  );
}

function putInto(type: RecordType, sums: Sums, prices: Prices): bigint | null {
  const matchingSums = [...sums.values()].filter(({ prefix }) => belongsTo(type, prefix));
  return worthAll(
    matchingSums.map(({ coin, gave }) => [coin, gave]),
    prices,
  );
}

function getInside(type: RecordType, amounts: AmountsByAttempt, prices: Prices): bigint | null {
  const matchingAmounts = [...amounts].filter(([prefix]) => belongsTo(type, prefix));
  return worthAll(
    matchingAmounts.flatMap(([, coins]) => [...coins]),
    prices,
  );
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
    const worth = computeWorth(coin, amount < 0n ? -amount : amount, index);
    if (worth === null) return null;
    sum += amount < 0n ? -worth : worth;
  }
  return sum;
}
