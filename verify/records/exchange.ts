import type { LeafReader } from "../contracts/receipt.ts";
import { divideDown, divideUp, MismatchError } from "../log/bytes.ts";
import { decodeSecond, decodeWorld, kinds, readKind, worldTag } from "../log/leaves.ts";
import type { JournalReceipt } from "./journalSchema.ts";

/** Exchanges (docs/formats/journal.md, step 10). */

const scales: Record<string, number> = { pUSDT: 6, pUSDC: 6, pBTC: 8, pETH: 9 };
const markets: Record<string, string> = {
  pUSDC: "USDC/USDT",
  pBTC: "BTC/USDT",
  pETH: "ETH/USDT",
};

interface Price {
  market: string;
  index: bigint;
  scale: number;
}

/** In real milliseconds: 5 s old at the quote, firm for 15 s, and 5 s for the posting. */
const ageMaxMs = 25_000;

const fail = (difference: string, detail: string) =>
  new MismatchError("arithmetic", difference, detail);
const ten = (power: number) => 10n ** BigInt(power);

/**
 * Returns the step's sentence; throws a MismatchError when a figure is not what index and rules
 * give.
 */
export async function checkExchange(receipt: JournalReceipt, leaf: LeafReader): Promise<string> {
  const { from, to, given, received } = getEnds(receipt);
  const path = from === "pUSDT" || to === "pUSDT" ? [from, to] : [from, "pUSDT", to];
  const prices = await computePrices(receipt, leaf);
  const steps: ReturnType<typeof toStep>[] = [];
  let amount = given;
  for (const [index, target] of path.slice(1).entries()) {
    const source = path[index] as string;
    const step = toStep(source, target, amount, prices(source === "pUSDT" ? target : source));
    steps.push(step);
    amount = step.received;
  }
  if (amount !== received) throw fail("received_differs", `${received}, the rules give ${amount}`);
  checkFees(receipt, steps);
  for (const [position, { rate, index, market }] of steps.entries()) {
    const suffix = position === 0 ? "" : "_2";
    const { [`rate${suffix}`]: statedRate, [`index${suffix}`]: statedIndex } = receipt.facts;
    if (statedRate !== String(rate) || statedIndex !== String(index))
      throw fail(
        "rate_differs",
        `${market}: ${rate} of ${index}, told ${String(statedRate)} of ${String(statedIndex)}`,
      );
  }
  const message = steps.map(({ market, index, rate }) => `${market} ${index}, rate ${rate}`);
  return `Index of leaf ${receipt.second_leaf}: ${message.join("; ")}. ${given} ${from} bring ${received} ${to} after the fee, in minor units.`;
}

function getEnds({ legs, accounts }: JournalReceipt) {
  const sums = new Map<string, bigint>();
  for (const { account, amount } of legs) {
    const coin = accounts.find((ownAccount) => ownAccount.account === account)?.coin as string;
    sums.set(coin, (sums.get(coin) ?? 0n) + BigInt(amount));
  }
  const nonZero = [...sums].filter(([, sum]) => sum !== 0n);
  const givenSide = nonZero.find(([, sum]) => sum < 0n);
  const receivedSide = nonZero.find(([, sum]) => sum > 0n);
  if (!givenSide || !receivedSide || nonZero.length !== 2)
    throw fail("received_differs", "one coin is given and one received");
  return {
    from: givenSide[0],
    to: receivedSide[0],
    given: -givenSide[1],
    received: receivedSide[1],
  };
}

/** Index and scale of a coin's market in the named second. */
async function computePrices(
  { second_leaf: secondLeaf, world, journal }: JournalReceipt,
  leaf: LeafReader,
): Promise<(coin: string) => Price> {
  const tag = worldTag(world);
  const entry = secondLeaf === null ? null : await leaf(secondLeaf);
  if (!entry || readKind(entry, tag) !== kinds.second)
    throw fail("index_not_in_leaf", `leaf ${secondLeaf} is not a second`);
  const { secondMs, columns } = decodeSecond(entry, tag);
  if (secondMs > journal.at_ms) throw fail("index_not_in_leaf", "its price came later");
  const { symbols, market: run } = decodeWorld(await leaf(0));
  const ageMs = journal.at_ms - secondMs;
  if (ageMs > ageMaxMs * run.speed)
    throw fail("index_too_old", `its second is ${ageMs} ms older, at speed ${run.speed}`);
  return (coin) => {
    const market = markets[coin] as string;
    const column = symbols.findIndex(({ name }) => name === market);
    const index = columns[column]?.index ?? null;
    if (index === null) throw fail("index_not_in_leaf", `${market} has none`);
    return { market, index, scale: symbols[column]?.scale as number };
  };
}

function toStep(source: string, target: string, amount: bigint, { market, index, scale }: Price) {
  const fee = divideUp(amount, 1_000n);
  const net = amount - fee;
  const [from, to] = [scales[source] as number, scales[target] as number];
  if (source === "pUSDT") {
    const rate = divideUp(index * 10_010n, 10_000n);
    return {
      market,
      index,
      rate,
      source,
      fee,
      received: divideDown(net * ten(to + scale), rate * ten(from)),
    };
  }
  const rate = divideDown(index * 9_990n, 10_000n);
  return {
    market,
    index,
    rate,
    source,
    fee,
    received: divideDown(net * rate * ten(to), ten(from + scale)),
  };
}

function checkFees(
  { house }: JournalReceipt,
  steps: readonly { source: string; fee: bigint }[],
): void {
  for (const coin of Object.keys(scales)) {
    const dueFee = steps.reduce((sum, { source, fee }) => (source === coin ? sum + fee : sum), 0n);
    const feeKept = house
      .filter((leg) => leg.kind === "fees" && leg.coin === coin)
      .reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    if (feeKept !== dueFee)
      throw fail("fee_differs", `${feeKept} ${coin}, the rules give ${dueFee}`);
  }
}
