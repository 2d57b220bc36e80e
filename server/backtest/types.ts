import type { BacktestResult, BacktestTrade } from "#api/backtest.ts";
import type { Friction } from "#core/hosting/friction.ts";
import type { PoolConfig } from "#core/hosting/types.ts";
import type { RecordingFormError } from "#core/market/replay/bars.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";

/** A price file for the thread to read. */
export interface PriceFileSource {
  name: string;
  venue: string;
  symbol: MarketSymbol;
  path: string;
}

/** The job of a thread. */
export type Job =
  | { kind: "check"; bytes: Uint8Array; symbol: MarketSymbol }
  | { kind: "run"; files: PriceFileSource[]; config: PoolConfig; fromMs: number; toMs: number };

interface FileCheckResult {
  kind: "checked";
  minutes: number;
  fromMs: number;
  toMs: number;
}

export interface JobProgress {
  kind: "progress";
  stage: "reading" | "running" | "checking";
  percent: number;
}

interface BacktestDone {
  kind: "ran";
  /** A `BacktestResult` as JSON. */
  result: string;
  /** `StoredTrades` as JSON, gzipped. */
  trades: Uint8Array;
  /** SHA-256 over the names and contents of the files read. */
  dataHash: string;
  /** At realistic friction. */
  returnBp: number;
}

export type WorkerMessage =
  | FileCheckResult
  | JobProgress
  | BacktestDone
  | { kind: "bad_line"; line: number; fault: RecordingFormError }
  | { kind: "no_data" };

export type StoredTrades = Record<Friction, BacktestTrade[]>;
export type { BacktestResult };
