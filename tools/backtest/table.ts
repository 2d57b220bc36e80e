import { createHash } from "node:crypto";
import type { BacktestDay, BacktestRunResult } from "#core/backtest/backtest.ts";
import { assets } from "#core/hosting/assets.ts";
import { formatPoolName } from "#core/hosting/catalogue.ts";
import { formatDecimal } from "#core/money/decimal.ts";

const columns = ["trades", "gross", "fees", "slippage", "net", "result"] as const;

function cells(days: readonly BacktestDay[], scale: number): string[] {
  const sum = (name: Exclude<(typeof columns)[number], "trades">) =>
    formatDecimal(
      days.reduce((total, day) => total + day[name], 0n),
      scale,
      true,
    );
  const trades = days.reduce((total, day) => total + day.trades, 0);
  return [String(trades), ...columns.slice(1).map((name) => sum(name as "net"))];
}

function line(head: string, values: readonly string[]): string {
  return head.padEnd(66) + values.map((value) => value.padStart(14)).join("");
}

/** A line for each pool, friction and day: exact, all digits. */
export function formatDayLines(results: readonly BacktestRunResult[]): string[] {
  const lines = [line("friction, pool and day", columns)];
  for (const { config, friction, days } of results) {
    const { scale } = assets[config.home];
    for (const day of days) {
      const date = new Date(day.dayMs).toISOString().slice(0, 10);
      lines.push(line(`${friction} ${formatPoolName(config)} ${date}`, cells([day], scale)));
    }
  }
  return lines;
}

/** Periods of days to compare; `toMs` is exclusive. */
export interface Period {
  name: string;
  fromMs: number;
  toMs: number;
}

/** Totals of each pool and friction over each period, and over all. */
export function formatTotalLines(
  results: readonly BacktestRunResult[],
  stretches: readonly Period[],
): string[] {
  const lines: string[] = [];
  for (const { name, fromMs, toMs } of stretches) {
    lines.push("", line(name, columns));
    for (const { config, friction, days } of results) {
      const periodDays = days.filter(({ dayMs }) => dayMs >= fromMs && dayMs < toMs);
      lines.push(
        line(`${friction} ${formatPoolName(config)}`, cells(periodDays, assets[config.home].scale)),
      );
    }
  }
  return lines;
}

/**
 * SHA-256 over all figures of all days, in a fixed order, so that runs that differ in a single
 * digit have different digests.
 */
export function computeDigest(results: readonly BacktestRunResult[]): string {
  const hash = createHash("sha256");
  for (const row of formatDayLines(results)) hash.update(`${row}\n`);
  for (const { worth, drawdown, marks, counters } of results) {
    hash.update(`${worth} ${drawdown.worstBp} ${marks} ${counters.fills} ${counters.transfers}\n`);
  }
  return hash.digest("hex");
}
