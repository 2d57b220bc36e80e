import { expect, test } from "vitest";
import type { SecondLeaf } from "#core/transparency-log/secondLeaf.ts";
import type { WorldLeaf } from "#core/transparency-log/worldLeaf.ts";
import type { FakeVenues } from "./fakeVenues.ts";
import { findDeviations, type InjectedFault } from "./liveTrial.ts";

const startMs = 1_000_000;
const quote = { bid: 9_999n, ask: 10_001n, atMs: 0, maxAgeMs: 5_000 };

/** Deviations over two minutes of one symbol, which a venue quotes except in the given seconds. */
function deviationsOf(
  venue: string,
  { silent, missing }: Record<"silent" | "missing", (second: number) => boolean>,
  injectedFaults: readonly InjectedFault[],
  restarts: readonly number[],
): string[] {
  const world = {
    symbols: [{ name: "BTC/USD", scale: 2, venues: [venue] }],
    venues: [venue],
  } as unknown as WorldLeaf;
  const seconds = new Map<number, SecondLeaf>();
  for (let second = 0; second < 200; second += 1) {
    if (missing(second)) continue;
    const item = silent(second) ? null : { ...quote, atMs: startMs + second * 1_000 };
    const leaf = { quotes: [[item]], index: [item ? 10_000n : null] };
    seconds.set(startMs + second * 1_000, leaf as unknown as SecondLeaf);
  }
  const sentPrices = Array.from({ length: 4_000 }, (_, index) => ({
    atMs: startMs + index * 50 - 100,
    bid: "99.99",
    ask: "100.01",
    isHundredfold: false,
  }));
  const fakeVenues = { sentBy: () => sentPrices } as unknown as FakeVenues;
  return findDeviations({ world, seconds }, fakeVenues, injectedFaults, restarts).deviations;
}

const between = (from: number, to: number) => (second: number) => from <= second && second <= to;
const neverFails = () => false;

test("a killed process accounts for 30 s without quotes, from the first second closed after it", () => {
  const killed = [startMs + 60_000];
  const missingSeconds = between(60, 80);
  expect(
    deviationsOf("kraken", { silent: between(81, 111), missing: missingSeconds }, [], killed),
  ).toEqual([]);
  expect(
    deviationsOf("kraken", { silent: between(81, 112), missing: missingSeconds }, [], killed),
  ).toHaveLength(1);
});

test("a price fault explains the 10 s after it, and a connection fault 70 s", () => {
  const fault = { venue: "kraken", symbol: null, fromMs: startMs + 50_000, toMs: startMs + 60_000 };
  const silentUntil = (second: number, name: "garbage" | "refuse") =>
    deviationsOf(
      "kraken",
      { silent: between(55, second), missing: neverFails },
      [{ ...fault, fault: name }],
      [],
    );
  expect(silentUntil(70, "garbage")).toEqual([]);
  expect(silentUntil(71, "garbage")).toHaveLength(1);
  expect(silentUntil(130, "refuse")).toEqual([]);
  expect(silentUntil(131, "refuse")).toHaveLength(1);
});

test("another symbol's fault explains five seconds on Bitstamp and none on Kraken", () => {
  const fault = { symbol: "ETH/USDT", fault: "mute", fromMs: startMs, toMs: startMs + 90_000 };
  const silentFor = (venue: string, seconds: number) =>
    deviationsOf(
      venue,
      { silent: between(100, 99 + seconds), missing: neverFails },
      [{ ...fault, venue } as InjectedFault],
      [],
    );
  expect(silentFor("bitstamp", 5)).toEqual([]);
  expect(silentFor("bitstamp", 6)).toHaveLength(1);
  expect(silentFor("kraken", 1)).toHaveLength(1);
});
