import { expect, test } from "vitest";
import { checkArithmetic } from "#core/records/journalReceiptRules.ts";
import type { JournalState } from "#core/records/journalReceiptStep.ts";

const leg = { leg: 0, account: "7", amount: "100000000", position: 2, balance: "100000000" };
const fine = {
  journal: { kind: "reward.invitation" },
  legs: [leg],
  accounts: [{ account: "7", kind: "wallet", coin: "pUSDT" }],
  others: [{ coin: "pUSDT", amount: "100000000" }],
  house: [{ kind: "issuance", coin: "pUSDT", amount: "-200000000" }],
};

test.each([
  ["100 pUSDT to each of two, issued: agrees", {}, null],
  ["more than the rule", { legs: [{ ...leg, amount: "100000001" }] }, "reward_differs"],
  ["both legs to one person", { legs: [leg, leg], others: [] }, "reward_differs"],
  ["nothing to the other", { others: [] }, "reward_differs"],
  ["less to the other", { others: [{ coin: "pUSDT", amount: "99999999" }] }, "reward_differs"],
  ["in another coin", { accounts: [{ ...fine.accounts[0], coin: "pUSDC" }] }, "reward_differs"],
  ["set aside", { accounts: [{ ...fine.accounts[0], kind: "held" }] }, "reward_differs"],
  ["out of somebody's fees", { house: [{ ...fine.house[0], kind: "fees" }] }, "reward_differs"],
] as const)("the receipt of an invitation's reward: %s", (_what, change, difference) => {
  const state = { receipt: { ...fine, ...change } } as unknown as JournalState;
  expect(checkArithmetic(state).difference).toBe(difference);
});
