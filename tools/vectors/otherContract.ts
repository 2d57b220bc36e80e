import { checkReceipt } from "#core/contracts/receipt.ts";
import { settle } from "#core/contracts/settle.ts";
import { type Terms, termsBytes, termsHash } from "#core/contracts/terms.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { encodeTerms } from "#core/transparency-log/termsLeaf.ts";
import { encodeWorld } from "#core/transparency-log/worldLeaf.ts";
import {
  createDayEntry,
  createOrderAt,
  createReceiptOverLog,
  createSecondEntry,
  createSeedEntry,
  dayIndex,
  findLeafIndex,
  rows,
  seedIndex,
  terms,
  world,
} from "./contractLog.ts";
import { createCosignedSource } from "./log.ts";

/** The index of XRP/USDT in every second of the log, at five digits. */
const price = 51_235n;

/** A log with one order on a symbol of another scale, whose index does not move. */
export function createOtherContract() {
  const otherTerms: Terms = { ...terms, contractId: "xrp-usdt", symbol: "XRP/USDT" };
  const order = createOrderAt(1, {
    contractId: otherTerms.contractId,
    symbol: otherTerms.symbol,
    termsHash: termsHash(otherTerms),
  });
  const boundIndex = findLeafIndex(10);
  const log = rows.map(
    (row, index) => row && { ...row, orders: index === boundIndex ? [order] : [] },
  );
  const opening = [encodeWorld(world), encodeTerms(termsBytes(otherTerms), world.world)];
  const seed = createSeedEntry(createCosignedSource(opening));
  const seconds = log.flatMap((row) => (row ? [createSecondEntry(row)] : []));
  const entries = [...opening, seed, ...seconds, createDayEntry()];
  const window: [number, number] = [findLeafIndex(61), findLeafIndex(71)];
  const places = { before: boundIndex - 1, bound: boundIndex, entry: findLeafIndex(11), window };
  const receipt = createReceiptOverLog(log, order, places, undefined, otherTerms);
  const { payout, net, outcome } = settle(order, price, price);
  const statedDay = {
    ...receipt,
    day_leaf: dayIndex,
    seed_leaf: seedIndex,
    result: {
      ...receipt.result,
      outcome,
      void_reason: null,
      purchase_price: `${price}`,
      selling_price: `${price}`,
      payout: `${payout}`,
      net: `${net}`,
    },
  };
  const failedStep = checkReceipt(statedDay, world, new Map(entries.entries())).steps.find(
    ({ ok }) => !ok,
  );
  if (failedStep)
    throw new Error(`the contract of another scale fails: ${JSON.stringify(failedStep)}`);
  return { name: "XRP/USDT, at five digits", entries: entries.map(bytesToHex), receipt: statedDay };
}
