import type { HistoryResult, HistoryTrade } from "#api/backtest.ts";
import type { Friction } from "#core/hosting/friction.ts";
import type { PoolConfig } from "#core/hosting/types.ts";
import type { RecordingFault } from "#core/market/replay/bars.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";

/** A price file as the thread is to read it. */
export interface FileToRead {
  name: string;
  venue: string;
  symbol: MarketSymbol;
  path: string;
}

/** What a thread is started for. */
export type Job =
  | { kind: "check"; bytes: Uint8Array; symbol: MarketSymbol }
  | { kind: "run"; files: FileToRead[]; config: PoolConfig; fromMs: number; toMs: number };

interface Checked {
  kind: "checked";
  minutes: number;
  fromMs: number;
  toMs: number;
}

export interface Progressed {
  kind: "progress";
  stage: "reading" | "running" | "checking";
  percent: number;
}

interface Ran {
  kind: "ran";
  /** A `HistoryResult` as JSON. */
  result: string;
  /** `KeptTrades` as JSON, gzipped. */
  trades: Uint8Array;
  /** SHA-256 over the names and contents of the files read. */
  dataHash: string;
  /** At realistic friction. */
  returnBp: number;
}

export type Said =
  | Checked
  | Progressed
  | Ran
  | { kind: "bad_line"; line: number; fault: RecordingFault }
  | { kind: "no_data" };

export type KeptTrades = Record<Friction, HistoryTrade[]>;
export type { HistoryResult };
