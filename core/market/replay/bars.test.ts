import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Bar, parseBars } from "#core/market/replay/bars.ts";
import { computeHalfSpread, toBarBook, toBarQuote } from "#core/market/replay/book.ts";

const header = "start,low,high,open,close,volume";
const wideHeader = "open_time,open,high,low,close,volume,close_time,quote_volume,count";

describe("the format is recognised by the first line", () => {
  test.each([
    [
      "milliseconds",
      `${wideHeader}\n1677628800000,23140.48,23150.77,23128.52,23142.31,2.131777,1677628859999,49326.19,69\n`,
    ],
    ["seconds", `${header}\n1677628800,23128.52,23150.77,23140.48,23142.31,2.131777\n`],
    ["bare", "1677628800,23140.48,23150.77,23128.52,23142.31,2.131777,69\n"],
  ] as const)("%s", (format, text) => {
    const bar = {
      openMs: 1_677_628_800_000,
      open: 2_314_048n,
      high: 2_315_077n,
      low: 2_312_852n,
      close: 2_314_231n,
      volume: 213_177_700n,
    };
    expect(parseBars(text, 2)).toEqual({ ok: true, form: format, bars: [bar] });
    expect(parseBars(text.replaceAll("\n", "\r\n"), 2)).toEqual({
      ok: true,
      form: format,
      bars: [bar],
    });
  });
});

describe("a malformed line is reported and the file is refused", () => {
  const validLine = "1677628800,1,3,2,2,5";
  test.each([
    ["two bars of the same minute", `${validLine}\n${validLine}`, 3, "duplicate"],
    ["a bar before its predecessor", `${validLine}\n1677628740,1,3,2,2,5`, 3, "order"],
    ["a word", `${validLine}\n1677628860,1,3,two,2,5`, 3, "not_a_number"],
    ["an exponent", "1677628800,1,3,2e0,2,5", 2, "not_a_number"],
    ["a sign", "1677628800,-1,3,2,2,5", 2, "not_a_number"],
    ["digits of another script", "1677628800,１,3,2,2,5", 2, "not_a_number"],
    ["high below low", "1677628800,3,1,2,2,5", 2, "high_below_low"],
    ["close above high", "1677628800,1,3,2,4,5", 2, "outside_range"],
    ["a price of zero", "1677628800,0,3,2,2,5", 2, "not_positive"],
    ["an extra column", "1677628800,1,3,2,2,5,6", 2, "column_count"],
    ["a missing column", "1677628800,1,3,2,2", 2, "column_count"],
    ["an empty line", `${validLine}\n\n1677628860,1,3,2,2,5`, 3, "column_count"],
    ["a time within a minute", "1677628801,1,3,2,2,5", 2, "not_a_minute"],
  ] as const)("%s", (_, body, line, fault) => {
    expect(parseBars(`${header}\n${body}\n`, 2)).toEqual({ ok: false, line, error: fault });
  });

  test.each([
    ["nothing", "", "empty"],
    ["a picture", "\u0089PNG\r\n", "not_csv"],
    ["another header", "date,price\n2023-03-01,5\n", "not_csv"],
    ["JSON", '[{"open":1}]', "not_csv"],
  ] as const)("%s is not a recording", (_, text, fault) => {
    expect(parseBars(text, 2)).toEqual({ ok: false, line: 1, error: fault });
  });

  test("a file without any volume is refused", () => {
    expect(parseBars(`${header}\n1677628800,1,1,1,1,0\n`, 2)).toEqual({
      ok: false,
      line: 2,
      error: "empty",
    });
  });
});

test("a minute whose volume rounds to zero is skipped", () => {
  const result = parseBars(
    `${header}\n1677628800,1,1,1,1,0\n1677628860,1,1,1,1,0.5\n1677628920,1,1,1,1,0.000000001\n`,
    2,
  );
  expect(result.ok && result.bars.map((bar) => bar.openMs)).toEqual([1_677_628_860_000]);
});

test("a volume may have an exponent, a price may not", () => {
  const result = parseBars(`${header}\n1677628800,1,1,1,1,1.1e-7\n`, 2);
  expect(result.ok && result.bars[0]?.volume).toBe(11n);
  expect(parseBars(`${header}\n1677628800,1e0,1,1,1,1\n`, 2)).toMatchObject({
    error: "not_a_number",
  });
});

test("digits beyond the index's scale are rounded half to even", () => {
  const result = parseBars(`${header}\n1677628800,0.9,1.1,1.000005,1.000015,1\n`, 5);
  expect(result.ok && [result.bars[0]?.open, result.bars[0]?.close]).toEqual([100_000n, 100_002n]);
});

const bars: fc.Arbitrary<Bar> = fc
  .tuple(
    fc.array(fc.bigInt(1n, 10n ** 9n), { minLength: 4, maxLength: 4 }),
    fc.bigInt(1n, 10n ** 12n),
  )
  .map(([prices, volume]) => {
    const sorted = [...prices].sort((a, b) => (a < b ? -1 : 1)) as [bigint, bigint, bigint, bigint];
    return {
      openMs: 0,
      low: sorted[0],
      open: sorted[1],
      close: sorted[2],
      high: sorted[3],
      volume,
    };
  });

describe("the book of a bar", () => {
  test("the book has the close as its mid and a spread of at least one basis point", () => {
    fc.assert(
      fc.property(bars, (bar) => {
        const quote = toBarQuote(bar);
        expect(quote.bid + quote.ask).toBe(2n * bar.close);
        expect(quote.atMs).toBe(60_000);
        expect((quote.ask - quote.bid) * 10_000n + 10_000n >= bar.close * 2n - 10_000n).toBe(true);
      }),
    );
  });

  test("each side offers at most a tenth of the volume, on five levels half a spread apart", () => {
    fc.assert(
      fc.property(bars, (bar) => {
        const { asks, bids } = toBarBook(bar);
        expect(asks).toHaveLength(5);
        for (const side of [asks, bids]) {
          expect(side.reduce((sum, level) => sum + level.size, 0n) * 10n <= bar.volume).toBe(true);
        }
        expect(asks[0]?.price).toBe(bar.close + computeHalfSpread(bar));
        expect((asks[4]?.price ?? 0n) - (asks[3]?.price ?? 0n)).toBe(computeHalfSpread(bar));
      }),
    );
  });
});
