import { type IndicatorTemplate, type KLineData, registerIndicator } from "klinecharts";
import { fillBoll } from "./boll.ts";
import { type IndicatorName, indicators } from "./catalogue.ts";
import { fillEma } from "./ema.ts";
import { type Bar, createIncremental, type Fill } from "./incremental.ts";
import { fillMa } from "./ma.ts";
import { fillMacd } from "./macd.ts";
import { fillRsi } from "./rsi.ts";
import { fillVol } from "./vol.ts";

/** Colours of bars that depend on the theme; read when drawing. */
export interface BarColours {
  rise: string;
  fall: string;
}

/** The names inside klinecharts, which has stock indicators under the plain ones. */
export const nameInside = (name: IndicatorName) => `drydock.${name}`;

function template<Row>(
  name: IndicatorName,
  fill: Fill<Row>,
  rest: Omit<IndicatorTemplate<Row, number>, "name" | "calc">,
): void {
  const calc = createIncremental(fill);
  registerIndicator<Row, number>({
    name: nameInside(name),
    shortName: name,
    calcParams: [...indicators[name].params],
    ...rest,
    calc: (data: KLineData[], indicator) =>
      calc(indicator, data as unknown as Bar[], indicator.calcParams),
  });
}

const lines = (name: IndicatorName, prefix: string) =>
  indicators[name].params.map((_, line) => ({ key: `${prefix}${line}`, type: "line" }));

/** A bar from zero in the colour of its sign. */
const signBar = (
  key: string,
  rises: (row: Record<string, unknown>) => boolean,
  colours: () => BarColours,
) => ({
  key,
  type: "bar",
  baseValue: 0,
  styles: ({ data }: { data: { current: unknown } }) => ({
    style: "fill" as const,
    color: rises((data.current ?? {}) as Record<string, unknown>) ? colours().rise : colours().fall,
  }),
});

let registered = false;

/** Makes the indicators known to klinecharts, once. `colours` is asked at each drawing, so a new theme shows at once. */
export function registerIndicators(colours: () => BarColours): void {
  if (registered) return;
  registered = true;
  template("MA", fillMa, { series: "price", figures: lines("MA", "ma") });
  template("EMA", fillEma, { series: "price", figures: lines("EMA", "ema") });
  template("BOLL", fillBoll, {
    series: "price",
    figures: ["up", "mid", "dn"].map((key) => ({ key, type: "line" })),
  });
  template("VOL", fillVol, {
    series: "volume",
    minValue: 0,
    shouldFormatBigNumber: true,
    figures: [signBar("volume", (row) => row.rises === true, colours), ...lines("VOL", "ma")],
  });
  template("MACD", fillMacd, {
    figures: [
      signBar("macd", (row) => Number(row.macd) >= 0, colours),
      { key: "dif", type: "line" },
      { key: "dea", type: "line" },
    ],
  });
  template("RSI", fillRsi, {
    minValue: 0,
    maxValue: 100,
    precision: 1,
    figures: lines("RSI", "rsi"),
  });
}
