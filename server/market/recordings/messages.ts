import { join } from "node:path";
import type { MarketSymbol } from "#core/market/symbols.ts";
import type { Config } from "#server/platform/config/config.ts";

/**
 * The unix socket in the data directory over which the feed's process sends each closed second to a
 * recorder. It accepts no input, and a process that can open it can also read the whole database.
 */
export function getRecordSocket(config: Pick<Config, "dataDirectory" | "world">): string {
  return join(config.dataDirectory, `record-${config.world}.sock`);
}

/** The first line: a description of the recording. */
export interface RecordBegin {
  world: string;
  kind: "simulated" | "replay" | "live";
  speed: number;
  /** One for each venue and symbol that the world lists. */
  files: readonly string[];
  /** In the order of each second's `index`. */
  symbols: readonly MarketSymbol[];
}

/** Each further line: a closed second, after its commit. */
export interface RecordSecond {
  secondMs: number;
  /** Integers at the symbol's scale, as in the second's leaf. */
  index: readonly (string | null)[];
  /** Lines by position in `files`, of the quotes that counted. */
  lines: readonly (readonly [file: number, line: string])[];
}
