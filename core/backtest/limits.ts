/**
 * Limits of testing on history; said in `getHistorySources`, and what the server holds people to.
 */
export const backtestLimits = {
  files: 12,
  file_bytes: 8 * 1024 * 1024,
  /** Real time for which a person's files, and for which the results of tests are kept. */
  files_kept_ms: 24 * 3_600_000,
  results_kept_ms: 7 * 24 * 3_600_000,
  period_days: 100,
  margin_bp: 1_000,
  /** Trades kept of one test and friction; the sums count all. */
  trades_kept: 5_000,
} as const;
