import type { MarketSymbol } from "#core/market/symbols.ts";

/**
 * A period of real prices worth replaying. The project holds no prices: `npm run recordings --
 * --preset <name>` fetches them, and `MARKET=preset:<name>` replays them.
 */
export interface RecordingPreset {
  name: string;
  title: string;
  /** ISO 8601 in UTC, as `--from` and `--to` take it; `to` is the first minute after it. */
  from: string;
  to: string;
  /** The venues by their ccxt names; each serves historical minutes without an account. */
  venues: readonly string[];
  symbols: readonly MarketSymbol[];
  /** Points of interest, one sentence each. */
  lookAt: readonly string[];
}

const dollarVenues = ["binanceus", "bitstamp", "coinbase"];

export const recordingPresets: readonly RecordingPreset[] = [
  {
    name: "usdc-2023",
    title: "USDC in March 2023: a stablecoin that was not",
    from: "2023-03-10",
    to: "2023-03-14",
    venues: dollarVenues,
    symbols: ["BTC/USDT", "BTC/USDC", "BTC/USD", "USDC/USDT", "USDT/USD", "USDC/USD"],
    lookAt: [
      "A bank that held part of USDC's reserves fails on 10 March; USDC falls to about 0.87 dollars at 07:15 on 11 March and is back above 0.999 on 13 March.",
      "BTC/USDC rises while BTC/USD does not: the price of a coin is also the price of what it is paid with.",
      "Gaps between venues are wide for hours. See which of a pool's trades its costs still leave over.",
    ],
  },
  {
    name: "halving-2024",
    title: "The halving of April 2024: news that everybody knew",
    from: "2024-04-18",
    to: "2024-04-23",
    venues: dollarVenues,
    symbols: ["BTC/USDT", "BTC/USD", "ETH/USDT"],
    lookAt: [
      "Block 840 000 halves the subsidy to 3.125 BTC at 00:09 on 20 April. Look for it in the price: there is next to nothing.",
      "The sharp move of these days, to about 60 000 dollars on 19 April, has another cause.",
      "A miner's income halves in that minute. The mined network here stays simulated unless network.csv is added to the folder.",
    ],
  },
  {
    name: "crash-2021",
    title: "19 May 2021: a third of the price in hours, and back",
    from: "2021-05-18",
    to: "2021-05-21",
    venues: dollarVenues,
    symbols: ["BTC/USDT", "BTC/USD", "ETH/USDT", "USDT/USD"],
    lookAt: [
      "BTC falls from about 43 000 to about 30 000 dollars on 19 May and regains much of it the same day.",
      "Look for minutes without a quote: several venues did not answer when people wanted to leave.",
      "Contracts of a minute win and lose as before; only the moves are larger, and the ties fewer.",
    ],
  },
  {
    name: "calm-2023",
    title: "A calm fortnight: August 2023, before it broke",
    from: "2023-08-01",
    to: "2023-08-15",
    venues: dollarVenues,
    symbols: ["BTC/USDT", "BTC/USD", "ETH/USDT", "USDC/USDT", "USDT/USD"],
    lookAt: [
      "BTC stays near 29 000 dollars with the lowest volatility it had had.",
      "Count the ties of short contracts, each of which costs the fee, and the trades that a pool's costs forbid.",
      "Two days after its end the price fell by a tenth in an evening. Nothing in these two weeks says so.",
    ],
  },
  {
    name: "decline-2022",
    title: "A long decline: April to June 2022",
    from: "2022-04-01",
    to: "2022-07-01",
    venues: dollarVenues,
    symbols: ["BTC/USDT", "BTC/USD", "ETH/USDT", "USDT/USD"],
    lookAt: [
      "BTC loses more than half in three months, from about 45 000 to under 20 000 dollars, with many days of sharp gains on the way.",
      "Lease a machine at the start and compare what it pays in dollars month by month.",
      "Compare the pool that only holds BTC with those that trade gaps: how much of the fall has each, and what do their costs add?",
    ],
  },
];

export function findPreset(name: string): RecordingPreset | null {
  return recordingPresets.find((preset) => preset.name === name) ?? null;
}

/** The preset of a market as the setting MARKET writes it: `preset:<name>`; null for any other. */
export const findMarketPreset = (market: string): RecordingPreset | null =>
  findPreset(/^preset:(.+)$/.exec(market)?.[1] ?? "");

/** The one command that fetches a preset, in the words of `npm run recordings`. */
export const fetchCommand = ({ name }: RecordingPreset) => `npm run recordings -- --preset ${name}`;

/** All presets as text for a terminal. `isHere` returns true if a preset was fetched. */
export function describePresets(isHere: (name: string) => boolean): string {
  const describe = (preset: RecordingPreset) => {
    const { name, title, from, to, lookAt } = preset;
    const start = `WORLD=${name} MARKET=preset:${name} npm start`;
    return [
      `${title}  (${from} to ${to})`,
      ...lookAt.map((text) => `  - ${text}`),
      isHere(name) ? "  fetched" : `  fetch:  ${fetchCommand(preset)}`,
      `  replay: ${start}`,
    ].join("\n");
  };
  return recordingPresets.map(describe).join("\n\n");
}
