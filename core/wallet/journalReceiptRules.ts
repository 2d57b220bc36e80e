import { startingBalance } from "#core/ledger/chart.ts";
import type { JournalState, JournalStepResult } from "#core/wallet/journalReceipt.ts";
import type { JournalReceipt } from "#core/wallet/journalReceiptForm.ts";
import { feeOfWithdrawal } from "#core/wallet/withdraw.ts";

/** The figures of a journal that follow from the rules of its kind and from what is published; other kinds have none. */
export function checkArithmetic(state: JournalState): JournalStepResult {
  const { kind } = state.receipt.journal;
  if (kind === "attempt.start") return checkStart(state.receipt);
  if (kind === "withdraw.leave") return checkLeave(state.receipt);
  return { inputs: { kind, rule: "none" }, difference: null };
}

/** An attempt starts with 10 000 pUSDT, which is the first entry of its wallet. */
function checkStart({ legs, accounts }: JournalReceipt): JournalStepResult {
  const [leg] = legs;
  const inputs = { rule: "start", amount: leg!.amount, expected: startingBalance.toString() };
  const fine =
    legs.length === 1 &&
    accounts[0]?.coin === "pUSDT" &&
    leg!.position === 1 &&
    BigInt(leg!.amount) === startingBalance;
  return { inputs, difference: fine ? null : "start_differs" };
}

/** A withdrawal's fee is the coin's fixed one, out of the amount; an amount not above it leaves whole. */
function checkLeave({ legs, accounts, house }: JournalReceipt): JournalStepResult {
  const coin = accounts[0]!.coin;
  const amount = -legs.reduce((sum, leg) => sum + BigInt(leg.amount), 0n);
  const charged = house
    .filter((leg) => leg.kind === "fees" && leg.coin === coin)
    .reduce((sum, leg) => sum + BigInt(leg.amount), 0n);
  const expected = feeOfWithdrawal(coin, amount);
  const inputs = {
    rule: "withdraw",
    amount: amount.toString(),
    fee: charged.toString(),
    expected: expected.toString(),
  };
  return { inputs, difference: charged === expected ? null : "fee_differs" };
}
