/**
 * The indicators on offer, by their klinecharts names: on the price (`pane` false) or in a separate
 * pane below it.
 */
export const indicators = {
  MA: { pane: false, params: [5, 10, 30] },
  EMA: { pane: false, params: [12, 26] },
  BOLL: { pane: false, params: [20, 2] },
  VOL: { pane: true, params: [5, 10] },
  MACD: { pane: true, params: [12, 26, 9] },
  RSI: { pane: true, params: [6, 14] },
} as const;

/** Height of a separate pane, in pixels. */
export const paneHeight = 72;

export type IndicatorName = keyof typeof indicators;
export const indicatorNames = Object.keys(indicators) as IndicatorName[];

/** Legend labels of an indicator's values, by row key. */
export const legends: Record<IndicatorName, readonly (readonly [key: string, label: string])[]> = {
  MA: indicators.MA.params.map((period, line) => [`ma${line + 1}`, `MA ${period}`] as const),
  EMA: indicators.EMA.params.map((period, line) => [`ema${line + 1}`, `EMA ${period}`] as const),
  BOLL: [
    ["up", "BOLL +2σ"],
    ["mid", "20"],
    ["dn", "−2σ"],
  ],
  VOL: indicators.VOL.params.map((period, line) => [`ma${line + 1}`, `VOL ${period}`] as const),
  MACD: [
    ["dif", "DIF"],
    ["dea", "DEA"],
    ["macd", "MACD"],
  ],
  RSI: indicators.RSI.params.map((period, line) => [`rsi${line + 1}`, `RSI ${period}`] as const),
};
