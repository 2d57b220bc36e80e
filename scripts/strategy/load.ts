import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Series } from "#core/hosting/replayMoments.ts";
import { readBars } from "#core/market/replay/bars.ts";
import { BarSeries } from "#core/market/replay/series.ts";
import { isSymbol, type MarketSymbol, symbols } from "#core/market/symbols.ts";

/** Reads and parses a folder of recordings, ordered by venue and symbol; throws with file and line where one cannot stand. */
export function loadSeries(folder: string): Series[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".1m.csv"))
    .sort()
    .map((name) => {
      const [venue, pair] = name.split(".") as [string, string];
      const symbol = pair.replace("-", "/");
      if (!isSymbol(symbol)) throw new Error(`${name}: Drydock knows no ${symbol}`);
      const read = readBars(readFileSync(join(folder, name), "utf8"), symbols[symbol].scale);
      if (!read.ok) throw new Error(`${name}, line ${read.line}: ${read.fault}`);
      return { venue, symbol, bars: new BarSeries(read.bars) };
    });
}

export function listingOf(series: readonly Series[]): (symbol: MarketSymbol) => readonly string[] {
  return (symbol) => series.filter((one) => one.symbol === symbol).map(({ venue }) => venue);
}
