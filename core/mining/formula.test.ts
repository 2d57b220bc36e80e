import { describe, expect, test } from "vitest";
import {
  bitsToDifficulty,
  bitsToTarget,
  difficultyToHashrate,
  nextBits,
  targetToBits,
} from "#core/mining/difficulty.ts";
import {
  computeAccrualPerTh,
  computeFineSatoshi,
  computePowerCostPerDay,
  computeSatoshi,
  computeSatoshiWorth,
} from "#core/mining/formula.ts";
import { computeCumulativeAt, createNextReading } from "#core/mining/readings.ts";
import { nextHalvingAfter, subsidyAt } from "#core/mining/subsidy.ts";

// Heights of the halvings of 2012, 2016, 2020 and 2024: Bitcoin Core, GetBlockSubsidy
// (validation_tests.cpp).
test.each<[number, bigint]>([
  [0, 5_000_000_000n],
  [209_999, 5_000_000_000n],
  [210_000, 2_500_000_000n],
  [420_000, 1_250_000_000n],
  [630_000, 625_000_000n],
  [839_999, 625_000_000n],
  [840_000, 312_500_000n],
  [1_049_999, 312_500_000n],
  [1_050_000, 156_250_000n],
  [210_000 * 32, 1n],
  [210_000 * 33, 0n],
  [210_000 * 64, 0n],
])("the block at %i creates %s satoshi", (height, satoshi) => {
  expect(subsidyAt(height)).toBe(satoshi);
});

test("all subsidies sum to 23.1 BTC below 21 million", () => {
  // 2 099 999 997 690 000: Bitcoin Core, validation_tests.cpp, subsidy_limit_test (which steps by 1
  // 000 from height 0).
  let sum = 0n;
  for (let height = 0; height < 14_000_000; height += 1_000) sum += subsidyAt(height) * 1_000n;
  expect(sum).toBe(2_099_999_997_690_000n);
});

test("nextHalvingAfter is strictly above the height", () => {
  expect([839_999, 840_000, 1_049_999].map(nextHalvingAfter)).toEqual([
    840_000, 1_050_000, 1_050_000,
  ]);
});

// Bitcoin Core, src/test/pow_tests.cpp: get_next_work, _pow_limit, _lower_limit_actual,
// _upper_limit_actual.
test.each<[string, number, number, number, number]>([
  ["block 32 256, the first adjustment", 0x1d00ffff, 1261130161, 1262152739, 0x1d00d86a],
  ["block 2 016, limited to the easiest target", 0x1d00ffff, 1231006505, 1233061996, 0x1d00ffff],
  ["block 68 544, limited to four times harder", 0x1c05a3f4, 1279008237, 1279297671, 0x1c0168fd],
  ["limited to four times easier", 0x1c387f6f, 1263163443, 1269211443, 0x1d00e1fd],
])("difficulty adjusts as in Bitcoin: %s", (_title, bits, first, last, next) => {
  expect(nextBits(bits, first, last)).toBe(next);
});

describe("compact targets", () => {
  // Genesis; 16 307 and 86 388 558 925 171 as reported by the network, 0x1b0404cb from Bitcoin's
  // developer guide.
  test.each<[number, bigint]>([
    [0x1d00ffff, 1n],
    [0x1b0404cb, 16_307n],
    [0x17034219, 86_388_558_925_171n],
  ])("%i is difficulty %s", (bits, difficulty) => {
    expect(bitsToDifficulty(bits)).toBe(difficulty);
    expect(targetToBits(bitsToTarget(bits))).toBe(bits);
  });
  test.each([
    0x1d800000, 0x1d000000, 0x1e00ffff, 0x21000001,
  ])("%i is not a compact target", (bits) => {
    expect(() => bitsToTarget(bits)).toThrow(RangeError);
  });
});

test("difficulty 86 388 558 925 171 corresponds to 618 EH/s", () => {
  expect(difficultyToHashrate(86_388_558_925_171n) / 10n ** 18n).toBe(618n);
});

const example = { height: 854_784, difficulty: 86_388_558_925_171n, feeSum: 25_000_000n * 144n };

describe("the example of docs/rules/mining.md", () => {
  const accrual = computeAccrualPerTh(example, 86_400);
  test("100 TH/s earn 7 859.0749 satoshi a day, 7 701.8934 after the fee", () => {
    expect(computeFineSatoshi(accrual, 100_000n, 0)).toBe(78_590_749n);
    expect(computeFineSatoshi(accrual, 100_000n, 200)).toBe(77_018_934n);
    expect(computeSatoshi(accrual, 100_000n, 200)).toBe(7_701n);
  });
  test("3 250 W at 0.06 cost 4.68 a day", () => {
    expect(computePowerCostPerDay(3_250, 60_000n, 1)).toBe(4_680_000n);
  });
  test("power cost is rounded up once for all machines", () => {
    expect([
      computePowerCostPerDay(3_333, 61_007n, 1),
      computePowerCostPerDay(3_333, 61_007n, 3),
    ]).toEqual([4_880_072n, 14_640_216n]);
  });
  test("7 701 satoshi at 64 000.00 are worth 4.92864 pUSDT", () => {
    expect(computeSatoshiWorth(7_701n, 6_400_000n)).toBe(4_928_640n);
  });
});

test("at difficulty 20 000, 1 GH/s finds a block every 23.86 hours as published", () => {
  // Bitcoin wiki, "Difficulty": at 20 000 a 1 GH/s miner takes 20 000 × 2³² / 10⁹ / 3 600 = 23.86
  // hours a block.
  const perDay = computeAccrualPerTh({ height: 0, difficulty: 20_000n, feeSum: 0n }, 86_400);
  const blocksPerDay = computeFineSatoshi(perDay, 1n, 0) / 10_000n;
  expect((24n * 5_000_000_000n * 1_000n) / blocksPerDay).toBe(23_860n);
});

test("readings are hourly and consecutive, and accrue linearly within the hour", () => {
  const first = createNextReading(null, example, 3_600_000);
  const second = createNextReading(first, { ...example, height: 1_050_000 }, 7_200_000);
  expect(second.cumulative).toBe(first.accrual);
  expect(second.accrual < first.accrual).toBe(true);
  expect(computeCumulativeAt(first, 3_600_000)).toBe(0n);
  expect(computeCumulativeAt(first, 7_200_000)).toBe(computeCumulativeAt(second, 7_200_000));
  expect(computeCumulativeAt(first, 5_400_000)).toBe(first.accrual / 2n);
  expect(() => createNextReading(first, example, 3 * 3_600_000)).toThrow(RangeError);
  expect(() => createNextReading(first, example, 3_600_000)).toThrow(RangeError);
  expect(() => computeCumulativeAt(first, 7_200_001)).toThrow(RangeError);
});

test("the truncated remainder carries over, so thirty days credit the same as one month", () => {
  const daily = computeAccrualPerTh(example, 86_400);
  let credited = 0n;
  for (let day = 1n; day <= 30n; day += 1n) {
    credited +=
      computeSatoshi(daily * day, 95_000n, 200) - computeSatoshi(daily * (day - 1n), 95_000n, 200);
  }
  expect(credited).toBe(computeSatoshi(daily * 30n, 95_000n, 200));
});
