import type { Backtest, BacktestResult, BacktestTrade } from "#api/backtest.ts";
import type { Friction } from "#core/hosting/friction.ts";
import type { StoredTrades } from "#server/backtest/types.ts";

interface FinishedBacktest {
  test: Backtest;
  result: BacktestResult;
  trades: StoredTrades;
}

const iso = (atMs: number | null) => (atMs === null ? "" : new Date(atMs).toISOString());
const csv = (rows: readonly (readonly (string | number)[])[]) =>
  rows.map((row) => `${row.join(",")}\r\n`).join("");

/** The full result of a backtest, marked as practice, with the number of trials. */
export function exportJson(backtest: FinishedBacktest): string {
  return JSON.stringify({ kind: "drydock practice history test", ...backtest }, null, 2);
}

export function exportDays({ result, test }: FinishedBacktest, friction: Friction): string {
  const { days } = result.outcomes.find((outcome) => outcome.friction === friction)!;
  const head = ["day", "unit", "friction", "trades", "fills", "gross", "slippage", "fees", "net"];
  return csv([
    [...head, "result", "worth"],
    ...days.map((day) => [
      iso(day.day_ms).slice(0, 10),
      test.unit,
      friction,
      day.trades,
      day.fills,
      day.gross,
      day.slippage,
      day.fees,
      day.net,
      day.result,
      day.worth,
    ]),
  ]);
}

/** One CSV line per leg; each repeats the totals of its decision. */
export function exportTrades({ trades, test }: FinishedBacktest, friction: Friction): string {
  const head = [
    "number",
    "decided",
    "purpose",
    "unit",
    "gross",
    "slippage",
    "fees",
    "net",
    "venue",
  ];
  const leg = ["symbol", "side", "quantity", "filled", "quote", "fee", "filled_at", "why"];
  return csv([
    [...head, ...leg],
    ...trades[friction].flatMap((trade: BacktestTrade) =>
      trade.legs.map((item) => [
        trade.number,
        iso(trade.at_ms),
        trade.purpose,
        test.unit,
        trade.gross,
        trade.slippage,
        trade.fees,
        trade.net,
        item.venue,
        item.symbol,
        item.side,
        item.quantity,
        item.filled,
        item.quote,
        item.fee,
        iso(item.at_ms),
        item.why ?? "",
      ]),
    ),
  ]);
}
