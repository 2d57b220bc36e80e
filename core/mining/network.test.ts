import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { expect, test } from "vitest";
import { isNextSeed, SeedChain } from "#core/market/simulate/seedChain.ts";
import { sumFees } from "#core/mining/chain.ts";
import { bitsToDifficulty } from "#core/mining/difficulty.ts";
import { type BlocksFormError, parseBlocks } from "#core/mining/replay/blocks.ts";
import { logarithm } from "#core/mining/simulate/logarithm.ts";
import { type NetworkState, runNetwork, startNetwork } from "#core/mining/simulate/network.ts";
import {
  decodeNetwork,
  encodeNetwork,
  type NetworkLeaf,
} from "#core/transparency-log/networkLeaf.ts";
import { decodePayout, encodePayout } from "#core/transparency-log/payoutLeaf.ts";

const seeds = new SeedChain(sha256(utf8ToBytes("a test")));
const startSeconds = Date.UTC(2026, 0, 5) / 1_000;
const firstDay = Math.floor(startSeconds / 86_400);
const seedOfDay = (day: number) => seeds.seedOf(Math.max(0, day - firstDay));

test("the logarithm agrees with Math.log to fifteen digits", () => {
  for (const x of [1, 0.999, 0.75, 0.5, 0.1, 1e-6, 2 ** -32]) {
    expect(Math.abs(logarithm(x) - Math.log(x))).toBeLessThanOrEqual(
      1e-15 * Math.max(1, Math.abs(Math.log(x))),
    );
  }
  expect(() => logarithm(0)).toThrow(RangeError);
});

test("each day's seed hashes to the previous day's, and the first to the anchor", () => {
  expect(isNextSeed(seeds.anchor, seeds.seedOf(0))).toBe(true);
  expect(isNextSeed(seeds.seedOf(0), seeds.seedOf(1))).toBe(true);
  expect(isNextSeed(seeds.seedOf(1), seeds.seedOf(0))).toBe(false);
  expect(() => seeds.seedOf(36_525)).toThrow(RangeError);
});

test("the network's path is determined by its seeds, to the byte", () => {
  let state = startNetwork(seedOfDay(firstDay), startSeconds);
  expect(state.tip.last.seconds).toBe(startSeconds);
  for (state of runNetwork(state, startSeconds + 30 * 86_400, seedOfDay));
  const text = JSON.stringify(state, (_key, value) =>
    typeof value === "bigint" ? String(value) : value,
  );
  expect(bytesToHex(sha256(utf8ToBytes(text)))).toBe(
    "6f60c609d94f0fddf2789686856491823c4054bdb5e0cac2de05c0877e06304f",
  );
});

test("over a year blocks average ten minutes and difficulty follows the hashrate", () => {
  let state = startNetwork(seedOfDay(firstDay), startSeconds);
  const first = state;
  const changes: number[] = [];
  let before: NetworkState = state;
  for (state of runNetwork(state, startSeconds + 365 * 86_400, seedOfDay)) {
    if (state.tip.last.bits !== before.tip.last.bits) changes.push(state.tip.last.height);
    before = state;
  }
  state = before;
  const blocks = state.tip.last.height - first.tip.last.height;
  const interval = (state.tip.last.seconds - startSeconds) / blocks;
  expect(interval).toBeGreaterThan(570);
  expect(interval).toBeLessThan(615);
  expect(changes.length).toBeGreaterThan(24);
  expect(changes.every((height) => height % 2_016 === 0)).toBe(true);
  const impliedHashrate = (Number(bitsToDifficulty(state.tip.last.bits)) * 2 ** 32) / 600;
  expect(impliedHashrate / state.hashrate).toBeGreaterThan(0.8);
  expect(impliedHashrate / state.hashrate).toBeLessThan(1.25);
  expect(sumFees(state.tip)).toBeGreaterThan(0n);
});

const leaf: NetworkLeaf = {
  source: "simulated",
  hour: 490_000,
  anchor: null,
  revealed: null,
  height: 854_800,
  blockSeconds: 490_000 * 3_600 - 12,
  bits: 0x17034219,
  epochFirstSeconds: 489_990 * 3_600,
  feeSum: 1_440_000_000n,
  blocks: [{ afterSeconds: 700, fees: 12_000_000n }],
};

test("a network leaf survives a round trip", () => {
  for (const networkLeaf of [
    leaf,
    { ...leaf, anchor: seeds.anchor },
    { ...leaf, revealed: seeds.seedOf(0) },
    { ...leaf, source: "replay" as const, blocks: [] },
  ]) {
    expect(decodeNetwork(encodeNetwork(networkLeaf, "harbour"), null)).toEqual({
      ok: true,
      value: networkLeaf,
    });
  }
  expect(encodeNetwork(leaf, "harbour").length).toBeLessThan(50);
});

test.each<[string, Partial<NetworkLeaf>]>([
  ["a block after the reading's hour", { blockSeconds: 490_000 * 3_600 + 1 }],
  ["an epoch that starts after its block", { epochFirstSeconds: 490_000 * 3_600 }],
  ["a recording with seeds", { source: "replay", anchor: seeds.anchor }],
])("%s is refused", (_title, change) => {
  expect(() => encodeNetwork({ ...leaf, ...change }, "harbour")).toThrow(RangeError);
});

test("a payout leaf survives a round trip, and trailing bytes are refused", () => {
  const payout = { hour: 490_000, cumulative: 10n ** 18n, accrual: 3_274_614_550_342n };
  const bytes = encodePayout(payout, "harbour");
  expect(decodePayout(bytes, null)).toEqual({ ok: true, value: payout });
  expect(decodePayout(Uint8Array.of(...bytes, 0), null)).toMatchObject({ ok: false });
});

const line = "854784,1724000000,17034219,12000000";
test("a recording of blocks is parsed line by line", () => {
  expect(parseBlocks(`height,time,bits,fees\r\n${line}\r\n`)).toEqual({
    ok: true,
    blocks: [{ height: 854_784, seconds: 1_724_000_000, bits: 0x17034219, fees: 12_000_000n }],
  });
});

test.each<[string, string[], number, BlocksFormError]>([
  ["another header", ["height;time"], 1, "not_csv"],
  ["a header without rows", ["height,time,bits,fees"], 1, "empty"],
  ["a missing column", ["", line, "854785,1724000600,17034219"], 3, "column_count"],
  ["a leading zero", ["", "0854784,1724000000,17034219,1"], 2, "not_a_number"],
  ["a skipped height", ["", line, "854786,1724000600,17034219,1"], 3, "height_order"],
  ["a time before its predecessor", ["", line, "854785,1723999999,17034219,1"], 3, "time_order"],
  ["bits in decimal", ["", "854784,1724000000,386089497,1"], 2, "bits_malformed"],
  ["bits that are not a valid target", ["", "854784,1724000000,21000001,1"], 2, "bits_malformed"],
  ["the difficulty of 2010", ["", "854784,1724000000,1b0404cb,1"], 2, "too_easy"],
  ["a change within an epoch", ["", line, "854785,1724000600,17034218,1"], 3, "bits_changed"],
  ["fees of a thousand BTC", ["", "854784,1724000000,17034219,100000000000"], 2, "fees_too_large"],
])("%s is refused with its line number", (_title, lines, line, fault) => {
  const [head, ...rest] = lines;
  const text = [head || "height,time,bits,fees", ...rest].join("\n");
  expect(parseBlocks(text)).toEqual({ ok: false, line: line, error: fault });
});
