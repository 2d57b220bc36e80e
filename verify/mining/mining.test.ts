import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fromHex, MismatchError } from "../log/bytes.ts";
import { worldTag } from "../log/leaves.ts";
import { decodeNetwork, decodePayout } from "./leaves.ts";
import { checkLeaseReceipt } from "./mining.ts";
import {
  bitsToDifficulty,
  bitsToTarget,
  computeAccrualPerThHour,
  computeMined,
  nextBits,
  subsidyAt,
  targetToBits,
} from "./rules.ts";

interface Vectors {
  entries: string[];
  receipts: { from_day: number; to_day: number }[];
  altered: { name: string; difference: string; receipt: unknown }[];
  falsified: {
    name: string;
    at: number;
    remove: number;
    insert: string[];
    difference: string;
    receipt: unknown;
  }[];
}
const file = join(import.meta.dirname, "../../docs/formats/vectors/mining.json");
const {
  entries,
  receipts,
  altered,
  falsified: applyFalsification,
} = JSON.parse(readFileSync(file, "utf8")) as Vectors;
const leaf = async (index: number) => {
  if (entries[index] === undefined) throw new MismatchError("leaves", "leaf_missing");
  return fromHex(entries[index]);
};

async function getDifference(run: () => unknown): Promise<string | null> {
  try {
    await run();
    return null;
  } catch (error) {
    if (error instanceof MismatchError) return error.difference;
    throw error;
  }
}

describe("lease receipts", () => {
  test.each(
    receipts.map((receipt) => [receipt.from_day, receipt.to_day, receipt] as const),
  )("days %i to %i agree with the log", async (_from, _to, receipt) => {
    const { steps } = await checkLeaseReceipt(receipt, leaf);
    expect(steps.slice(0, 5).map(({ step }) => step)).toEqual([
      "marks",
      "terms",
      "cost",
      "lease_bound",
      "readings",
    ]);
  });
  test("the week spans a halving and a difficulty change", async () => {
    const { steps } = await checkLeaseReceipt(receipts[0], leaf);
    expect(steps.find(({ step }) => step === "readings")?.message).toContain("changed 1 times");
  });
  test.each(altered)("altered: $name: $difference", async ({ receipt, difference }) => {
    expect(await getDifference(() => checkLeaseReceipt(receipt, leaf))).toBe(difference);
  });
  test.each(applyFalsification)("falsified log: $name: $difference", async (testCase) => {
    const log = entries.toSpliced(testCase.at, testCase.remove, ...testCase.insert).map(fromHex);
    const check = () => checkLeaseReceipt(testCase.receipt, async (index) => log[index]!);
    expect(await getDifference(check)).toBe(testCase.difference);
  });
  test("an extra or missing member is malformed", async () => {
    const withExtra = { ...receipts[0], extra: 1 };
    expect(await getDifference(() => checkLeaseReceipt(withExtra, leaf))).toBe("receipt_malformed");
    const { from_day: _, ...withoutDay } = receipts[0]!;
    expect(await getDifference(() => checkLeaseReceipt(withoutDay, leaf))).toBe(
      "receipt_malformed",
    );
  });
});

describe("a falsified log", () => {
  const tag = worldTag("vector");
  const applyFalsification =
    (index: number, change: (bytes: Buffer) => Uint8Array) => (leafIndex: number) =>
      leafIndex === index ? Promise.resolve(change(fromHex(entries[leafIndex]!))) : leaf(leafIndex);
  test.each<[string, number, number]>([
    ["the bits of a reading", 24, -1],
    ["the accrual of a payout leaf", 25, -1],
  ])("a changed last byte in %s is detected", async (_what, index, position) => {
    const reader = applyFalsification(index, (bytes) => {
      const alteredBytes = Buffer.from(bytes);
      const last = alteredBytes.length + position;
      alteredBytes[last] = alteredBytes[last]! ^ 1;
      return alteredBytes;
    });
    const mismatch = await getDifference(() => checkLeaseReceipt(receipts[0], reader));
    expect(["reading_differs", "leaf_varint_malformed"]).toContain(mismatch);
  });
  test.each<[string, number]>([
    ["network", 22],
    ["payout", 23],
  ])("a %s leaf with a trailing byte or of another kind is refused", async (_kind, index) => {
    const bytes = fromHex(entries[index]!);
    const longer = Buffer.concat([bytes, Buffer.of(0)]);
    const decode = index % 2 === 0 ? decodeNetwork : decodePayout;
    expect(await getDifference(() => decode(longer, tag))).toBe("leaf_trailing_bytes");
    expect(await getDifference(() => decode(fromHex(entries[0]!), tag))).toBe("leaf_kind_wrong");
    expect(await getDifference(() => decode(bytes, worldTag("other")))).toBe("leaf_world_wrong");
  });
});

test("the arithmetic matches the examples in docs/rules/mining.md", () => {
  expect([839_999, 840_000].map(subsidyAt)).toEqual([625_000_000n, 312_500_000n]);
  expect(bitsToDifficulty(0x17034219)).toBe(86_388_558_925_171n);
  expect(targetToBits(bitsToTarget(0x17034219))).toBe(0x17034219);
  expect(nextBits(0x1d00ffff, 1262152739 - 1261130161)).toBe(0x1d00d86a);
  expect(nextBits(0x1c05a3f4, 1279297671 - 1279008237)).toBe(0x1c0168fd);
  expect(nextBits(0x1c387f6f, 1269211443 - 1263163443)).toBe(0x1d00e1fd);
  const day = 24n * computeAccrualPerThHour(854_784, 0x17034219, 144n * 25_000_000n);
  expect(computeMined(day, 100_000n, 200)).toBe(7_701n);
  expect(computeMined(day * 10_000n, 100_000n, 200)).toBe(77_018_934n);
});
