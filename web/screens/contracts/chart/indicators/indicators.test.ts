import { describe, expect, it } from "vitest";
import { fillBoll } from "./boll.ts";
import { fillEma } from "./ema.ts";
import { type Bar, createIncremental, type Fill } from "./incremental.ts";
import { fillMa } from "./ma.ts";
import { fillMacd } from "./macd.ts";
import { fillRsi } from "./rsi.ts";
import { fillVol } from "./vol.ts";

/** A small fixed generator, so that a failure can be looked at again. */
function random(seed: number) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function randomBars(count: number, seed: number): Bar[] {
  const next = random(seed);
  const bars: Bar[] = [];
  let close = 100;
  for (let i = 0; i < count; i++) {
    const open = close;
    close = Math.max(1, open + (next() - 0.5) * 4);
    const spread = next();
    bars.push({
      timestamp: i * 60_000,
      open,
      high: Math.max(open, close) + spread,
      low: Math.min(open, close) - spread,
      close,
      volume: next() * 50,
    });
  }
  return bars;
}

const closes = (bars: readonly Bar[]) => bars.map((bar) => bar.close);
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The textbook definitions, each value from scratch. */
const plain = {
  ma: (bars: readonly Bar[], i: number, [p = 0]: readonly number[]) =>
    i + 1 < p ? undefined : mean(closes(bars).slice(i + 1 - p, i + 1)),
  ema: (bars: readonly Bar[], i: number, [p = 0]: readonly number[]) => {
    const weight = 2 / (p + 1);
    let value = (bars[0] as Bar).close;
    for (let j = 1; j <= i; j++) value = weight * (bars[j] as Bar).close + (1 - weight) * value;
    return i + 1 < p ? undefined : value;
  },
  bollUp: (bars: readonly Bar[], i: number, [p = 0, k = 0]: readonly number[]) => {
    if (i + 1 < p) return undefined;
    const window = closes(bars).slice(i + 1 - p, i + 1);
    const middle = mean(window);
    return middle + k * Math.sqrt(mean(window.map((value) => (value - middle) ** 2)));
  },
  dif: (bars: readonly Bar[], i: number, [f = 0, s = 0]: readonly number[]) => {
    const ema = (p: number) => {
      let value = (bars[0] as Bar).close;
      for (let j = 1; j <= i; j++) value += (2 / (p + 1)) * ((bars[j] as Bar).close - value);
      return value;
    };
    return i + 1 < s ? undefined : ema(f) - ema(s);
  },
  rsi: (bars: readonly Bar[], i: number, [p = 0]: readonly number[]) => {
    if (i < p) return undefined;
    const moves = closes(bars).map((close, j) =>
      j === 0 ? 0 : close - (bars[j - 1] as Bar).close,
    );
    let gain = mean(moves.slice(1, p + 1).map((move) => Math.max(0, move)));
    let loss = mean(moves.slice(1, p + 1).map((move) => Math.max(0, -move)));
    for (let j = p + 1; j <= i; j++) {
      gain = (gain * (p - 1) + Math.max(0, moves[j] as number)) / p;
      loss = (loss * (p - 1) + Math.max(0, -(moves[j] as number))) / p;
    }
    return 100 - 100 / (1 + gain / loss);
  },
  volumeMean: (bars: readonly Bar[], i: number, [p = 0]: readonly number[]) =>
    i + 1 < p ? undefined : mean(bars.slice(i + 1 - p, i + 1).map((bar) => bar.volume)),
};

// biome-ignore lint/suspicious/noExplicitAny: rows of all indicators go through one table
type AnyFill = Fill<any>;
const table: [string, AnyFill, string, number[], (typeof plain)[keyof typeof plain]][] = [
  ["MA 5", fillMa, "ma0", [5], plain.ma],
  ["EMA 12", fillEma, "ema0", [12], plain.ema],
  ["BOLL 20, 2", fillBoll, "up", [20, 2], plain.bollUp],
  ["MACD 12, 26, 9", fillMacd, "dif", [12, 26, 9], plain.dif],
  ["RSI 14", fillRsi, "rsi0", [14], plain.rsi],
  ["VOL 5", fillVol, "ma0", [5], plain.volumeMean],
];

describe.each(table)("%s", (_, fill, key, params, reference) => {
  it("agrees with its definition on random bars", () => {
    const bars = randomBars(160, 7);
    const rows = createIncremental(fill)({}, bars, params);
    expect(rows).toHaveLength(bars.length);
    let shown = 0;
    bars.forEach((_bar, i) => {
      const expected = reference(bars, i, params);
      if (expected === undefined) expect(rows[i][key]).toBeUndefined();
      else {
        expect(rows[i][key]).toBeCloseTo(expected, 9);
        shown++;
      }
    });
    expect(shown).toBeGreaterThan(100);
  });

  it("is the same after ticks, new bars and a page in front as when computed at once", () => {
    const next = random(11);
    const calc = createIncremental(fill);
    const owner = {};
    let bars = randomBars(60, 3);
    calc(owner, bars, params);
    for (let step = 0; step < 400; step++) {
      const last = bars[bars.length - 1] as Bar;
      const close = Math.max(1, last.close + next() - 0.5);
      const chance = next();
      if (chance < 0.7) bars[bars.length - 1] = { ...last, close, volume: last.volume + next() };
      else if (chance < 0.98)
        bars.push({ ...last, timestamp: last.timestamp + 60_000, open: last.close, close });
      else {
        const first = bars[0] as Bar;
        bars = [{ ...first, timestamp: first.timestamp - 60_000, close: first.close + 1 }, ...bars];
      }
      calc(owner, bars, params);
    }
    expect(calc(owner, bars, params)).toEqual(createIncremental(fill)({}, bars, params));
  });
});

describe("createIncremental", () => {
  it("computes only the last bar again on a tick, and two when one was added", () => {
    const from: number[] = [];
    const calc = createIncremental<number>((bars, rows, start) => {
      from.push(start);
      for (let i = start; i < bars.length; i++) rows[i] = i;
    });
    const owner = {};
    const bars = randomBars(100, 1);
    calc(owner, bars, [5]);
    bars[99] = { ...(bars[99] as Bar), close: 3 };
    calc(owner, bars, [5]);
    bars.push({ ...(bars[99] as Bar), timestamp: 100 * 60_000 });
    calc(owner, bars, [5]);
    calc(owner, bars, [9]);
    calc(owner, randomBars(101, 2), [9]);
    expect(from).toEqual([0, 99, 99, 0, 0]);
  });

  it("keeps the rows of two charts apart", () => {
    const calc = createIncremental(fillMa);
    const [a, b] = [{}, {}];
    const one = randomBars(20, 1);
    const two = randomBars(20, 2);
    const first = calc(a, one, [3]);
    calc(b, two, [3]);
    expect(calc(a, one, [3])).toBe(first);
    expect(calc(b, two, [3])).not.toEqual(first);
  });

  it("calls a market that stands still neither strong nor weak", () => {
    const flat = randomBars(1, 1).flatMap((bar) =>
      Array.from({ length: 20 }, (_, i) => ({ ...bar, timestamp: i })),
    );
    expect(createIncremental(fillRsi)({}, flat, [6])[19]?.rsi0).toBe(50);
  });
});
