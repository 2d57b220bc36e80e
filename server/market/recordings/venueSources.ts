/** A venue's documentation of its klines, and the terms of their use. */
interface VenueSource {
  documentation: string;
  terms: string;
  /** A limit of the venue's public API. */
  limit?: string;
}

const venueSources: Readonly<Record<string, VenueSource>> = {
  binance: {
    documentation: "https://developers.binance.com/docs/binance-spot-api-docs/rest-api",
    terms: "https://www.binance.com/en/terms",
  },
  binanceus: {
    documentation: "https://docs.binance.us",
    terms: "https://www.binance.us/terms-of-use",
  },
  bitstamp: {
    documentation: "https://www.bitstamp.net/api",
    terms: "https://www.bitstamp.net/terms-of-use",
  },
  coinbase: {
    documentation: "https://docs.cdp.coinbase.com",
    terms: "https://www.coinbase.com/legal/market_data",
  },
  kraken: {
    documentation: "https://docs.kraken.com/api",
    terms: "https://www.kraken.com/legal",
    limit:
      'Kraken serves its last 720 minutes only. It offers older ones as an archive for download ("OHLCVT"); its files, renamed to `kraken.SYMBOL.1m.csv`, are read as they are.',
  },
};

/** Source and licence of a venue's data, in sentences for the README beside a recording. */
export function getVenueSource(venue: string): string[] {
  const knownSource = venueSources[venue];
  const from = `Candles of one minute from ${venue}'s public REST interface, read through ccxt without an account`;
  if (!knownSource) {
    return [
      `${from}.`,
      `Licence: none is granted with them. ${venue}'s own terms of use decide what you may do with them; read them before you pass these files on.`,
    ];
  }
  return [
    `${from} (${knownSource.documentation}).`,
    `Licence: none is granted with them. ${venue}'s terms decide what you may do with them: ${knownSource.terms}. Read them before you pass these files on.`,
    ...(knownSource.limit ? [knownSource.limit] : []),
  ];
}

/** Returns the limit of a venue's public side; null if none is known. */
export function getVenueLimit(venue: string): string | null {
  return venueSources[venue]?.limit ?? null;
}
