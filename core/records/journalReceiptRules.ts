import { indexAgeMaxMs, quoteExchange } from "#core/exchange/exchange.ts";
import { computeExchangeCosts } from "#core/exchange/exchangeCosts.ts";
import { inviteReward } from "#core/invites/rules.ts";
import { startingBalance } from "#core/ledger/chart.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import { type Coin, coinCodes } from "#core/money/coins.ts";
import type { JournalReceipt } from "#core/records/journalReceiptSchema.ts";
import type { JournalState, JournalStepResult } from "#core/records/journalReceiptStep.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { decodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { computeWithdrawFee } from "#core/withdraw/withdraw.ts";

/**
 * Checks the figures of a journal that follow from the rules of its kind and from published data;
 * other kinds have none.
 */
export function checkArithmetic(state: JournalState): JournalStepResult {
  const { kind } = state.receipt.journal;
  if (kind === "attempt.start") return checkStart(state.receipt);
  if (kind === "reward.invitation") return checkReward(state.receipt);
  if (kind === "withdraw.leave") return checkLeave(state.receipt);
  if (kind === "exchange.execute") return checkExchange(state);
  return { inputs: { kind, rule: "none" }, difference: null };
}

/** An attempt starts with 10 000 pUSDT, the first entry of its wallet. */
function checkStart({ legs, accounts }: JournalReceipt): JournalStepResult {
  const [leg] = legs;
  const inputs = { rule: "start", amount: leg!.amount, expected: startingBalance.toString() };
  const isValid =
    legs.length === 1 &&
    accounts[0]?.coin === "pUSDT" &&
    leg!.position === 1 &&
    BigInt(leg!.amount) === startingBalance;
  return { inputs, difference: isValid ? null : "start_differs" };
}

/** An invitation pays 100 pUSDT to each of two people, from issuance. */
function checkReward({ legs, accounts, house, others }: JournalReceipt): JournalStepResult {
  const inputs = {
    rule: "reward",
    amount: legs[0]!.amount,
    expected: inviteReward.toString(),
    other: others[0]?.amount ?? null,
    issued: house[0]?.amount ?? null,
  };
  const isValid =
    legs.length === 1 &&
    accounts[0]?.coin === "pUSDT" &&
    accounts[0].kind === "wallet" &&
    BigInt(legs[0]!.amount) === inviteReward &&
    others.length === 1 &&
    others[0]?.coin === "pUSDT" &&
    BigInt(others[0].amount) === inviteReward &&
    house.length === 1 &&
    house[0]?.kind === "issuance";
  return { inputs, difference: isValid ? null : "reward_differs" };
}

/**
 * A withdrawal's fee is fixed for its coin and taken out of the amount; an amount not above the fee
 * is charged none.
 */
function checkLeave({ legs, accounts, house }: JournalReceipt): JournalStepResult {
  const coin = accounts[0]!.coin;
  const amount = -legs.reduce((sum, leg) => sum + BigInt(leg.amount), 0n);
  const feeCharged = house
    .filter((leg) => leg.kind === "fees" && leg.coin === coin)
    .reduce((sum, leg) => sum + BigInt(leg.amount), 0n);
  const expected = computeWithdrawFee(coin, amount);
  const inputs = {
    rule: "withdraw",
    amount: amount.toString(),
    fee: feeCharged.toString(),
    expected: expected.toString(),
  };
  return { inputs, difference: feeCharged === expected ? null : "fee_differs" };
}

/** Sums by coin over the person's own postings. */
function sumOwnLegs({ legs, accounts }: JournalReceipt): { coin: Coin; sum: bigint }[] {
  return coinCodes.map((coin) => {
    const receiptLegs = legs.filter(({ account }) =>
      accounts.some(
        (receiptAccount) => receiptAccount.account === account && receiptAccount.coin === coin,
      ),
    );
    return { coin, sum: receiptLegs.reduce((sum, { amount }) => sum + BigInt(amount), 0n) };
  });
}

/**
 * Checks that the amount received and the fees are exactly those of the rules at the named second's
 * index.
 */
function checkExchange(state: JournalState): JournalStepResult {
  const { receipt, world, leaves } = state;
  const sums = sumOwnLegs(receipt);
  const givenSums = sums.filter(({ sum }) => sum < 0n);
  const receivedSums = sums.filter(({ sum }) => sum > 0n);
  const [from, to] = [givenSums[0], receivedSums[0]];
  if (!from || !to || givenSums.length + receivedSums.length !== 2)
    return { inputs: { rule: "exchange" }, difference: "received_differs" };
  const bytes = receipt.second_leaf === null ? undefined : leaves.get(receipt.second_leaf);
  const second = bytes ? decodeSecond(bytes, worldTag(world.world)) : null;
  const inputs = { rule: "exchange", second_leaf: receipt.second_leaf };
  // A price later than the exchange cannot be its price.
  if (!second?.ok || second.value.secondMs > receipt.journal.at_ms)
    return { inputs, difference: "index_not_in_leaf" };
  const ageMs = receipt.journal.at_ms - second.value.secondMs;
  if (ageMs > indexAgeMaxMs * world.market.speed)
    return { inputs: { ...inputs, age_ms: ageMs }, difference: "index_too_old" };
  const getIndex = (symbol: MarketSymbol) =>
    second.value.index[world.symbols.findIndex(({ name }) => name === symbol)] ?? null;
  const result = quoteExchange({ from: from.coin, to: to.coin, given: -from.sum }, getIndex);
  if (!result.ok) return { inputs, difference: "index_not_in_leaf" };
  const { steps, received } = result.quote;
  const figures = Object.fromEntries(
    steps.flatMap(({ symbol, index, rate, fee }, position) => [
      [`symbol_${position + 1}`, symbol],
      [`index_${position + 1}`, index.toString()],
      [`rate_${position + 1}`, rate.toString()],
      [`fee_${position + 1}`, fee.toString()],
    ]),
  );
  const figuresWithRate = {
    ...inputs,
    ...figures,
    given: String(-from.sum),
    received: received.toString(),
  };
  if (received !== to.sum) return { inputs: figuresWithRate, difference: "received_differs" };
  for (const coin of coinCodes) {
    const dueFee = steps.reduce((sum, step) => (step.from === coin ? sum + step.fee : sum), 0n);
    const feeKept = receipt.house
      .filter((leg) => leg.kind === "fees" && leg.coin === coin)
      .reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    if (feeKept !== dueFee) return { inputs: figuresWithRate, difference: "fee_differs" };
  }
  // The stated rate and index must equal the computed ones.
  const isRateStated = steps.every(({ rate, index }, position) => {
    const name = (text: string) => receipt.facts[position === 0 ? text : `${text}_2`];
    return name("rate") === rate.toString() && name("index") === index.toString();
  });
  if (!isRateStated) return { inputs: figuresWithRate, difference: "rate_differs" };
  const { atIndex } = result.quote;
  state.exchange = { coin: to.coin, atIndex, costs: computeExchangeCosts(result.quote, atIndex) };
  return { inputs: figuresWithRate, difference: null };
}
