/** An example of the name of a file of bars (docs/rules/market.md). */
export const barFileExample = "kraken.BTC-USDT.1m.csv";

const pattern = /^([a-z][a-z0-9-]{0,19})\.([A-Z0-9]{2,10}-[A-Z0-9]{2,10})\.(1m|1s)\.csv$/;

/** The resolution of a recording's file: bars of a minute, or closed seconds. */
export type RecordedStep = "1m" | "1s";

interface RecordedFileName {
  venue: string;
  /** The symbol, such as `BTC/USDT`; it may be unregistered. */
  symbol: string;
  step: RecordedStep;
}

/** Parses the name of a recording's file; null if it is not one. */
export function parseRecordedFileName(name: string): RecordedFileName | null {
  const [, venue, pair, step] = pattern.exec(name) ?? [];
  return venue && pair
    ? { venue, symbol: pair.replace("-", "/"), step: step as RecordedStep }
    : null;
}

/** As `parseRecordedFileName`, for a file of bars. */
export function parseBarFileName(name: string): { venue: string; symbol: string } | null {
  const recordedFileName = parseRecordedFileName(name);
  return recordedFileName?.step === "1m"
    ? { venue: recordedFileName.venue, symbol: recordedFileName.symbol }
    : null;
}

export function recordedFileName({ venue, symbol, step }: RecordedFileName): string {
  return `${venue}.${symbol.replace("/", "-")}.${step}.csv`;
}
