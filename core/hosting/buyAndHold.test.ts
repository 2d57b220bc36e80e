import fc from "fast-check";
import { expect, test } from "vitest";
import { computeBuyAndHoldValue } from "#core/hosting/buyAndHold.ts";

const item = 100_000_000n;

test.each([
  ["a coin that doubled", [{ amount: 500n, hold: item }], 2n * item, 1_000n],
  [
    "a coin that halved after half was taken out",
    [
      { amount: 500n, hold: item },
      { amount: -250n, hold: item },
    ],
    item / 2n,
    125n,
  ],
  [
    "more taken out than the coin would have given",
    [
      { amount: 500n, hold: item },
      { amount: -500n, hold: item / 2n },
    ],
    item / 2n,
    -250n,
  ],
  ["nothing paid in", [], item, 0n],
])("%s", (_title, flows, now, expected) => {
  expect(computeBuyAndHoldValue(flows, now)).toBe(expected);
});

test("for any payments a coin with a constant price returns the amounts paid", () => {
  const flow = fc.record({
    amount: fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
    hold: fc.constant(item),
  });
  fc.assert(
    fc.property(fc.array(flow), (flows) => {
      expect(computeBuyAndHoldValue(flows, item)).toBe(
        flows.reduce((sum, { amount }) => sum + amount, 0n),
      );
    }),
  );
});
