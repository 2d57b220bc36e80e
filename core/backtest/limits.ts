/** Backtest limits, returned by `getHistorySources` and enforced by the server. */
export const backtestLimits = {
  files: 12,
  file_bytes: 8 * 1024 * 1024,
  /** Real time for which a person's files (and below, test results) are kept. */
  files_kept_ms: 24 * 3_600_000,
  results_kept_ms: 7 * 24 * 3_600_000,
  period_days: 100,
  margin_bp: 1_000,
  /** Trades kept per test and friction; totals count all trades. */
  trades_kept: 5_000,
} as const;

/**
 * The most backtests waiting or running at once. Each person may have one; they run one after the
 * other.
 */
export const activeBacktestsMax = 32;
