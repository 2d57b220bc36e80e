import { sql } from "kysely";
import type { BooksBody } from "#core/hosting/bodies.ts";
import { decodeHostingLeaf } from "#core/hosting/leaves.ts";
import { deriveJournalId } from "#core/ledger/ids.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import type { ReportFinding } from "#server/ledger/audit/replay.ts";
import type { Tx } from "#server/platform/db/database.ts";

const rowsMax = 2_000;

/** Compares decisions and fills with their `books` leaves, and fills with the ledger. */
export async function compareTrades(tx: Tx, report: ReportFinding, world: string): Promise<void> {
  const tag = worldTag(world);
  const counts = { trades: 0, fills: 0 };
  for (let after = -1; ; ) {
    const { rows: leaves } = await sql<{ leaf: bigint; bytes: Buffer }>`
      select leaf, bytes from log_leaf where kind = 5 and leaf > ${after}
      order by leaf limit ${rowsMax}`.execute(tx);
    if (leaves.length === 0) break;
    const to = Number(leaves.at(-1)!.leaf);
    const trades = await readTrades(tx, after, to);
    const fills = await readFills(tx, after, to);
    for (const { leaf, bytes } of leaves) {
      const hostingLeaf = decodeHostingLeaf(new Uint8Array(bytes), "books", tag);
      const body = hostingLeaf.ok ? (hostingLeaf.value as unknown as BooksBody) : null;
      const statedDecisions = body?.decision ? [findDecision(world, body)] : [];
      const matchedFills = (body?.fills ?? []).map((fill) => findFill(body!, fill));
      counts.trades += statedDecisions.length;
      counts.fills += matchedFills.length;
      if ((trades.get(leaf) ?? []).join() !== statedDecisions.join())
        report("hosting.trade", `the decision of leaf ${leaf} is not what the leaf says`);
      if ((fills.get(leaf) ?? []).toSorted().join() !== matchedFills.toSorted().join())
        report("hosting.fill", `the fills of leaf ${leaf} are not what the leaf says`);
    }
    after = to;
  }
  const { rows } = await sql<{ trades: bigint; fills: bigint }>`
    select (select count(*) from hosting_trade) as trades,
      (select count(*) from hosting_fill) as fills`.execute(tx);
  if (Number(rows[0]!.trades) !== counts.trades || Number(rows[0]!.fills) !== counts.fills)
    report("hosting.trade", "there are other decisions or fills than the log has");
  const result = await sql<{ pool_id: string; number: number; leg: number }>`
    select f.pool_id, f.number, f.leg from hosting_fill f left join journal j on j.id = f.journal_id
    where (f.quantity > 0) <> (f.journal_id is not null)
      or f.journal_id is not null and j.kind is distinct from 'hosting.trade'`.execute(tx);
  for (const { pool_id: pool, number, leg } of result.rows)
    report("hosting.fill", `leg ${leg} of trade ${number} of ${pool} is not what was posted`);
}

function findDecision(world: string, { pool_id: pool, at_ms: atMs, decision }: BooksBody): string {
  const { number, purpose, gap, needed, orders } = decision!;
  return [
    pool,
    number,
    deriveJournalId("hosting.decision", world, pool, String(number)),
    purpose,
    atMs,
    gap,
    needed,
    orders.length,
    ...orders.map((order) =>
      [order.venue, order.symbol, order.side, order.quantity, order.limit, order.book_ms].join(" "),
    ),
  ].join("|");
}

interface StoredOrder {
  venue: string;
  symbol: string;
  side: string;
  quantity: string;
  limit: string;
  bookMs: number;
}

async function readTrades(tx: Tx, after: number, to: number): Promise<Map<bigint, string[]>> {
  const { rows } = await sql<{
    pool_id: string;
    number: number;
    id: string;
    purpose: string;
    decided_at_ms: bigint;
    decision_leaf: bigint;
    gap: number | null;
    needed: number | null;
    legs: number;
    orders: string;
  }>`select * from hosting_trade
    where decision_leaf > ${after} and decision_leaf <= ${to}`.execute(tx);
  return new Map(
    rows.map((row) => [
      row.decision_leaf,
      [
        [
          ...[row.pool_id, row.number, row.id, row.purpose, row.decided_at_ms, row.gap, row.needed],
          row.legs,
          ...parseOrders(row.orders).map((order) =>
            [order.venue, order.symbol, order.side, order.quantity, order.limit, order.bookMs].join(
              " ",
            ),
          ),
        ].join("|"),
      ],
    ]),
  );
}

/** The orders as they are stored; none if the text was damaged. */
function parseOrders(text: string): StoredOrder[] {
  try {
    return JSON.parse(text) as StoredOrder[];
  } catch {
    return [];
  }
}

function findFill(
  { pool_id: pool, at_ms: atMs }: BooksBody,
  fill: BooksBody["fills"][number],
): string {
  const { number, leg, quantity, quote, fee, gross, slippage, fees, why } = fill;
  return [pool, number, leg, atMs, quantity, quote, fee, gross, slippage, fees, why].join("|");
}

async function readFills(tx: Tx, after: number, to: number): Promise<Map<bigint, string[]>> {
  const { rows } = await sql<{
    pool_id: string;
    number: number;
    leg: number;
    at_ms: bigint;
    leaf: bigint;
    quantity: bigint;
    quote: bigint;
    fee: bigint;
    gross: bigint;
    slippage: bigint;
    fees: bigint;
    why: string | null;
  }>`select * from hosting_fill where leaf > ${after} and leaf <= ${to}`.execute(tx);
  const fillsByLeaf = new Map<bigint, string[]>();
  for (const row of rows) {
    const { pool_id: pool, number, leg, at_ms: atMs, quantity, quote, fee, gross, slippage } = row;
    const text = [
      pool,
      number,
      leg,
      atMs,
      quantity,
      quote,
      fee,
      gross,
      slippage,
      row.fees,
      row.why,
    ];
    fillsByLeaf.set(row.leaf, [...(fillsByLeaf.get(row.leaf) ?? []), text.join("|")]);
  }
  return fillsByLeaf;
}
