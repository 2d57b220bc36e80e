import { expect, test } from "vitest";
import { type AccountState, computeAccountResult } from "#core/records/accountResult.ts";

const empty: AccountState = {
  free: 0n,
  held: 0n,
  atWork: { contract: 0n, hosting: 0n, mining: 0n },
  broughtIn: { start: 0n, recharge: 0n, transfer: 0n, reward: 0n },
  takenOut: { withdraw: 0n, transfer: 0n },
  lineFlows: { contract: 0n, hosting: 0n, mining: 0n },
  fees: { contract: 0n, exchange: 0n, withdraw: 0n },
  spread: { contract: 0n, exchange: 0n },
};
const start: AccountState = {
  ...empty,
  free: 10_000n,
  broughtIn: { ...empty.broughtIn, start: 10_000n },
};
const toParts = (state: AccountState) => {
  const { result, parts } = computeAccountResult(state);
  const nonZeroParts = Object.entries(parts).filter(([, amount]) => amount !== 0n);
  return [result, Object.fromEntries(nonZeroParts)];
};

test("money in and money out do not count as result", () => {
  const state: AccountState = {
    ...start,
    free: 10_000n + 500n + 60n + 100n - 2_000n - 40n,
    broughtIn: { start: 10_000n, recharge: 500n, transfer: 60n, reward: 100n },
    takenOut: { withdraw: 2_000n, transfer: 40n },
  };
  expect(toParts(state)).toEqual([0n, {}]);
});

test("committing or holding money changes neither total nor result", () => {
  const state: AccountState = {
    ...start,
    free: 10_000n - 101n - 500n - 276n - 1_000n,
    held: 1_000n,
    atWork: { contract: 101n, hosting: 500n, mining: 276n },
    lineFlows: { contract: -101n, hosting: -500n, mining: -276n },
  };
  const { total, result, lines } = computeAccountResult(state);
  expect([total, result, lines]).toEqual([10_000n, 0n, { contract: 0n, hosting: 0n, mining: 0n }]);
});

test("a withdrawal's fee counts as cost and its amount does not", () => {
  const state: AccountState = {
    ...start,
    free: 0n,
    takenOut: { ...empty.takenOut, withdraw: 9_999n },
    fees: { ...empty.fees, withdraw: 1n },
  };
  expect(toParts(state)).toEqual([-1n, { fees: -1n }]);
});

test("three wins of five at a rate of 90 % and a fee of 1 % split +65 into -5 fees, -25 spread and +95 luck", () => {
  // Three orders bring 89 each, two cost 101 each.
  const net = 3n * 89n - 2n * 101n;
  const state: AccountState = {
    ...start,
    free: 10_000n + net,
    lineFlows: { ...empty.lineFlows, contract: net },
    fees: { ...empty.fees, contract: 5n },
    spread: { ...empty.spread, contract: 25n },
  };
  expect(toParts(state)).toEqual([65n, { fees: -5n, spread: -25n, luck: 95n }]);
});

test("a coin's rise counts as price, and the cost of buying it as fees and spread", () => {
  const state: AccountState = {
    ...start,
    free: 9_000n + 1_048n,
    fees: { ...empty.fees, exchange: 1n },
    spread: { ...empty.spread, exchange: 1n },
  };
  expect(toParts(state)).toEqual([48n, { fees: -1n, spread: -1n, price: 50n }]);
});

test("parts sum to the result, and start, flows and result to the total", () => {
  let seed = 7n;
  const draw = (limit: bigint) => {
    seed = (seed * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n;
    return (seed >> 16n) % limit;
  };
  for (let round = 0; round < 200; round += 1) {
    const drawSigned = () => draw(2_000_001n) - 1_000_000n;
    const state: AccountState = {
      free: draw(10n ** 12n),
      held: draw(10n ** 9n),
      atWork: { contract: draw(10n ** 9n), hosting: draw(10n ** 9n), mining: draw(10n ** 9n) },
      broughtIn: { start: 10n ** 10n, recharge: draw(10n ** 9n), transfer: 0n, reward: 100n },
      takenOut: { withdraw: draw(10n ** 10n), transfer: draw(10n ** 8n) },
      lineFlows: { contract: drawSigned(), hosting: drawSigned(), mining: drawSigned() },
      fees: { contract: draw(999n), exchange: draw(999n), withdraw: draw(999n) },
      spread: { contract: draw(999n), exchange: draw(999n) },
    };
    const { total, broughtIn, takenOut, result, parts } = computeAccountResult(state);
    const sum = Object.values(parts).reduce((total, part) => total + part, 0n);
    expect(sum).toBe(result);
    expect(broughtIn + sum - takenOut).toBe(total);
  }
});
