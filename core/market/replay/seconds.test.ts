import fc from "fast-check";
import { expect, test } from "vitest";
import {
  formatSecond,
  parseSeconds,
  type RecordedSecond,
  SecondSeries,
  secondsHeader,
} from "./seconds.ts";

const scale = 2;
const firstMs = 1_767_614_400_000;

/** A valid second: a bid below its ask, with levels outwards from both. */
const recordedSecond: fc.Arbitrary<Omit<RecordedSecond, "secondMs"> & { ageMs: number }> = fc
  .record({
    bid: fc.bigInt(1_000n, 10n ** 13n),
    spread: fc.bigInt(1n, 10n ** 6n),
    ageMs: fc.double({ min: 0, max: 5_000, noNaN: true }),
    volume: fc.bigInt(0n, 10n ** 17n),
    sizes: fc.array(fc.bigInt(0n, 2n ** 62n), { maxLength: 20 }),
  })
  .map(({ bid, spread, ageMs, volume, sizes }) => {
    const ask = bid + spread;
    const side = (best: bigint, sign: bigint) =>
      sizes.map((size, index) => ({ price: best + sign * BigInt(index), size }));
    const book = { bids: side(bid, -1n), asks: side(ask, 1n) };
    return { quote: { bid, ask, atMs: 0 }, volume, book, ageMs };
  });

test("seconds survive a round trip and are visible in their own second only", () => {
  fc.assert(
    fc.property(fc.array(recordedSecond, { minLength: 1, maxLength: 8 }), (recordedSeconds) => {
      // Every other second is missing.
      const seconds = recordedSeconds.map(({ ageMs, quote, ...one }, index) => {
        const secondMs = firstMs + index * 2_000;
        return { ...one, secondMs, quote: { ...quote, atMs: secondMs - ageMs } };
      });
      const lines = seconds.map((second) => formatSecond(second, scale));
      const result = parseSeconds([secondsHeader, ...lines], scale);
      if (!result.ok) throw new Error(`line ${result.line} ${result.error}`);
      const series = new SecondSeries(result.seconds, scale, (index) => lines[index]!);
      expect([series.firstMs, series.endMs]).toEqual([
        firstMs - 1_000,
        firstMs + (recordedSeconds.length - 1) * 2_000,
      ]);
      for (const { secondMs, quote, volume, book } of seconds) {
        const { bid, ask } = quote;
        // Ages are whole milliseconds, rounded up: a quote never looks newer than it was.
        const atMs = secondMs - Math.ceil(secondMs - quote.atMs);
        expect(series.quoteAt(secondMs)).toEqual({ bid, ask, atMs, maxAgeMs: 5_000 });
        expect(series.volumeClosedAt(secondMs)).toBe(volume);
        expect(series.bookAt(secondMs)).toEqual(book);
        expect(series.quoteAt(secondMs + 1_000)).toBeNull();
        expect(series.volumeClosedAt(secondMs + 1_000)).toBe(0n);
      }
    }),
  );
});

test("a venue that never quoted its symbol has a file without seconds", () => {
  const result = parseSeconds([secondsHeader], scale);
  if (!result.ok) throw new Error(result.error);
  const series = new SecondSeries(result.seconds, scale, () => "");
  expect([series.length, series.quoteAt(firstMs), series.bookAt(firstMs)]).toEqual([0, null, null]);
});
