export interface Hour {
  weekday: number;
  hour: number;
  net: string;
}

export interface HeatCell {
  x: number;
  y: number;
  tone: "rise" | "fall" | "flat";
  /** 0.15 to 1, by how far the hour's result is from zero among all of them. */
  strength: number;
}

/** A week of hours as squares: a column per hour, a row per weekday. Amounts become floats here. */
export function buildHeatCells(hours: readonly Hour[], size: number): HeatCell[] {
  const largest = Math.max(...hours.map(({ net }) => Math.abs(Number(net))), 0);
  return hours.map(({ weekday, hour, net }) => {
    const value = Number(net);
    return {
      x: hour * size,
      y: weekday * size,
      tone: value > 0 ? "rise" : value < 0 ? "fall" : "flat",
      strength: largest === 0 ? 0.15 : 0.15 + 0.85 * (Math.abs(value) / largest),
    };
  });
}
