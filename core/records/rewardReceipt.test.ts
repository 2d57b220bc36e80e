import { expect, test } from "vitest";
import { checkArithmetic } from "#core/records/journalReceiptRules.ts";
import type { JournalState } from "#core/records/journalReceiptStep.ts";

const leg = { leg: 0, account: "7", amount: "100000000", position: 2, balance: "100000000" };
const validReceipt = {
  journal: { kind: "reward.invitation" },
  legs: [leg],
  accounts: [{ account: "7", kind: "wallet", coin: "pUSDT" }],
  others: [{ coin: "pUSDT", amount: "100000000" }],
  house: [{ kind: "issuance", coin: "pUSDT", amount: "-200000000" }],
};

test.each([
  ["100 pUSDT issued to each of two people agrees", {}, null],
  [
    "an amount above the rule is refused",
    { legs: [{ ...leg, amount: "100000001" }] },
    "reward_differs",
  ],
  ["both legs to one person are refused", { legs: [leg, leg], others: [] }, "reward_differs"],
  ["a reward without a second person is refused", { others: [] }, "reward_differs"],
  [
    "a smaller amount to the other is refused",
    { others: [{ coin: "pUSDT", amount: "99999999" }] },
    "reward_differs",
  ],
  [
    "another coin is refused",
    { accounts: [{ ...validReceipt.accounts[0], coin: "pUSDC" }] },
    "reward_differs",
  ],
  [
    "a held amount is refused",
    { accounts: [{ ...validReceipt.accounts[0], kind: "held" }] },
    "reward_differs",
  ],
  [
    "a reward paid from the fees account is refused",
    { house: [{ ...validReceipt.house[0], kind: "fees" }] },
    "reward_differs",
  ],
] as const)("a reward receipt is checked: %s", (_what, change, difference) => {
  const state = { receipt: { ...validReceipt, ...change } } as unknown as JournalState;
  expect(checkArithmetic(state).difference).toBe(difference);
});
