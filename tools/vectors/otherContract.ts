import { checkReceipt } from "#core/contracts/receipt.ts";
import { settle } from "#core/contracts/settle.ts";
import { type Terms, termsBytes, termsHash } from "#core/contracts/terms.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { encodeTerms } from "#core/transparency-log/termsLeaf.ts";
import { encodeWorld } from "#core/transparency-log/worldLeaf.ts";
import {
  dayEntry,
  dayIndex,
  leafIndex,
  orderAt,
  receiptOver,
  rows,
  secondEntry,
  seedEntry,
  seedIndex,
  terms,
  world,
} from "./contractLog.ts";
import { cosignedSource } from "./log.ts";

/** The index of XRP/USDT in every second of the log, at five digits. */
const price = 51_235n;

/** A log with one order on a symbol of another scale, whose index does not move. */
export function otherContract() {
  const otherTerms: Terms = { ...terms, contractId: "xrp-usdt", symbol: "XRP/USDT" };
  const order = orderAt(1, {
    contractId: otherTerms.contractId,
    symbol: otherTerms.symbol,
    termsHash: termsHash(otherTerms),
  });
  const boundIndex = leafIndex(10);
  const log = rows.map(
    (row, index) => row && { ...row, orders: index === boundIndex ? [order] : [] },
  );
  const opening = [encodeWorld(world), encodeTerms(termsBytes(otherTerms), world.world)];
  const seed = seedEntry(cosignedSource(opening));
  const seconds = log.flatMap((row) => (row ? [secondEntry(row)] : []));
  const entries = [...opening, seed, ...seconds, dayEntry()];
  const window: [number, number] = [leafIndex(61), leafIndex(71)];
  const places = { before: boundIndex - 1, bound: boundIndex, entry: leafIndex(11), window };
  const receipt = receiptOver(log, order, places, undefined, otherTerms);
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
