import fc from "fast-check";
import { expect, test } from "vitest";
import { buyAndHoldValue } from "#core/hosting/heldInstead.ts";

const one = 100_000_000n;

test.each([
  ["a coin that doubled", [{ amount: 500n, hold: one }], 2n * one, 1_000n],
  [
    "a coin that halved after half was taken out",
    [
      { amount: 500n, hold: one },
      { amount: -250n, hold: one },
    ],
    one / 2n,
    125n,
  ],
  [
    "more taken out than the coin would have given",
    [
      { amount: 500n, hold: one },
      { amount: -500n, hold: one / 2n },
    ],
    one / 2n,
    -250n,
  ],
  ["nothing paid in", [], one, 0n],
])("%s", (_title, flows, now, expected) => {
  expect(buyAndHoldValue(flows, now)).toBe(expected);
});

test("for any payments a coin that does not move gives back what was paid", () => {
  const flow = fc.record({
    amount: fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
    hold: fc.constant(one),
  });
  fc.assert(
    fc.property(fc.array(flow), (flows) => {
      expect(buyAndHoldValue(flows, one)).toBe(flows.reduce((sum, { amount }) => sum + amount, 0n));
    }),
  );
});
