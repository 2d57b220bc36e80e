import { type Positions, parseCursor, type SourceName } from "#server/records/cursor.ts";
import {
  type OwnAccount,
  readAccounts,
  readAuditEvents,
  readLastAuditEvent,
  readVersionsAt,
  readWindows,
  reorderWindowMs,
  type Selection,
  type SourceContext,
  type WalkRow,
} from "#server/records/sources.ts";

/** Maximum entries of one account that one statement examines. */
const windowMax = 4_000;
const auditEventsMax = 200;

/** A source with the rows read but not yet consumed, newest first. */
interface Source {
  name: SourceName;
  account: OwnAccount | null;
  rows: WalkRow[];
  /** The newest position not yet examined. */
  next: bigint;
  /** Only positions above this one are examined. */
  end: bigint;
  window: number;
}

export interface WalkParams {
  attemptId: string;
  selection: Selection;
  /** Only accounts of this coin; operator actions are then left out. */
  coin: string | null;
  console: boolean;
  before: string | undefined;
  /** Ends above these positions; absent: at the beginning. */
  after?: Positions;
  /** Returns the rows that match by their explanation, given those that match by no id. */
  keep: (rows: WalkRow[]) => Promise<WalkRow[]>;
}

/** A walk through an attempt's journals and operator actions, newest first, each journal once. */
export interface Walk {
  /** Where it started: the cursor of the first page. */
  start: Positions;
  accounts: readonly OwnAccount[];
  /**
   * The next row; null at the end, "exhausted" if `budget` entries were examined and the next row is
   * not known yet.
   */
  next(): Promise<WalkRow | null | "exhausted">;
  /** The current position: what has not been returned yet. */
  positions(): Positions;
}

/**
 * `expected`: how many rows will be requested, so that the first statement reads about that many.
 */
export async function openWalk(
  from: SourceContext,
  params: WalkParams,
  expected: number,
  budget: number,
): Promise<Walk> {
  const { db } = from;
  const { attemptId, coin, console: acts, before } = params;
  const caps = before === undefined ? null : parseCursor(before);
  const [accounts, newestAuditEvent] = await Promise.all([
    readAccounts(db, attemptId),
    readLastAuditEvent(db, attemptId),
  ]);
  const start = new Map<SourceName, bigint>();
  for (const { name, version } of accounts) start.set(name, getMin(caps?.get(name), version));
  start.set("console", getMin(caps?.get("console"), newestAuditEvent));
  const coinAccounts = accounts.filter((account) => coin === null || account.coin === coin);
  const accountIds = coinAccounts.map(({ id }) => id);
  const sources = await openSources(db, coinAccounts, start, params, expected);
  const actsEnd = params.after?.get("console") ?? 0n;
  if (acts && coin === null && start.get("console")! > actsEnd) {
    const next = start.get("console")!;
    sources.push({
      name: "console",
      account: null,
      rows: [],
      next,
      end: actsEnd,
      window: auditEventsMax,
    });
  }
  let budgetLeft = budget;
  const refill = async (): Promise<boolean> => {
    const emptySources = sources.filter(
      (source) => source.rows.length === 0 && source.next > source.end,
    );
    if (emptySources.length === 0) return true;
    if (budgetLeft <= 0) return false;
    budgetLeft -= await fill(from, params, emptySources, accountIds);
    return refill();
  };
  return {
    start,
    accounts,
    next: async () => {
      if (!(await refill())) return "exhausted";
      let newest: Source | null = null;
      for (const source of sources) {
        const [row] = source.rows;
        if (row && (newest === null || row.atMs > newest.rows[0]!.atMs)) newest = source;
      }
      return newest?.rows.shift() ?? null;
    },
    positions: () => {
      const positions = new Map(start);
      for (const { name, rows, next } of sources) positions.set(name, rows[0]?.position ?? next);
      return positions;
    },
  };
}

function getMin(cap: bigint | undefined, newest: bigint): bigint {
  return cap !== undefined && cap < newest ? cap : newest;
}

function most(end: bigint, lastRead: bigint | undefined): bigint {
  return lastRead !== undefined && lastRead > end ? lastRead : end;
}

async function openSources(
  db: SourceContext["db"],
  coinAccounts: readonly OwnAccount[],
  start: Positions,
  { selection, after }: Pick<WalkParams, "selection" | "after">,
  expected: number,
): Promise<Source[]> {
  const upTo = coinAccounts.map(({ id, name }) => ({ id, upTo: start.get(name)! }));
  const tops =
    selection.toMs === null
      ? upTo.map((position) => position.upTo)
      : await readVersionsAt(db, upTo, selection.toMs + reorderWindowMs);
  const ends =
    selection.fromMs === null
      ? upTo.map(() => 0n)
      : await readVersionsAt(db, upTo, selection.fromMs - reorderWindowMs);
  // With filters, most entries do not match.
  const picky =
    selection.prefixes !== null || selection.kinds !== null || selection.search !== null;
  return coinAccounts.map((account, index) => ({
    name: account.name,
    account,
    rows: [],
    next: tops[index]!,
    end: most(ends[index]!, after?.get(account.name)),
    window: Math.min(windowMax, picky ? Math.max(400, expected) : expected),
  }));
}

/** Reads on in each of the sources, in one statement; returns how many entries were examined. */
async function fill(
  from: SourceContext,
  { attemptId, selection, keep }: WalkParams,
  emptySources: readonly Source[],
  accountIds: readonly bigint[],
): Promise<number> {
  const windows = emptySources.flatMap((source) => {
    if (!source.account) return [];
    const count = Math.min(source.window, Number(source.next - source.end));
    return [{ account: source.account, to: source.next, count }];
  });
  const acts = emptySources.find(({ account }) => account === null);
  const [rows, nextWindow] = await Promise.all([
    windows.length > 0 ? readWindows(from.db, windows, accountIds, selection) : null,
    acts ? readAuditEvents(from, attemptId, acts.next, acts.window, selection) : null,
  ]);
  let examined = 0;
  for (const { account, to, count } of windows) {
    const source = emptySources.find((source) => source.account === account)!;
    source.rows = await keep(rows!.get(account.name)!);
    source.next = to - BigInt(count);
    source.window = Math.min(windowMax, source.window * 2);
    examined += count;
  }
  if (acts && nextWindow) {
    // Read newest first; rows at or below the end are not queried.
    const rows = nextWindow.rows.filter(({ position }) => position > acts.end);
    examined += Number(acts.next - nextWindow.next);
    acts.rows = rows;
    acts.next = nextWindow.next > acts.end ? nextWindow.next : acts.end;
  }
  return examined;
}
