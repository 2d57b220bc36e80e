import { checkReceipt, type LeafReader } from "../contracts/receipt.ts";
import { checkPoolOrder } from "../hosting/hosting.ts";
import { type Binding, checkBinding, isBinding } from "../log/binding.ts";
import { MismatchError, sha256 } from "../log/bytes.ts";
import { canonicalBytes } from "../log/canonical.ts";
import { decodeSecond, decodeWorld, kinds, readKind, worldTag } from "../log/leaves.ts";
import { checkLeaseReceipt } from "../mining/mining.ts";
import type { JournalReceipt } from "./journalSchema.ts";

/** "Orders" of docs/formats/journal.md: which order money was taken or paid for. */

type Fields = Record<string, unknown>;

interface ExpectedLeg {
  order: string;
  attempt: string;
  amount: bigint;
}

type Payment = (value: unknown, leaf: LeafReader, size: number) => Promise<ExpectedLeg>;

const mismatch = (detail: string) => new MismatchError("orders", "order_differs", detail);
const missingOrder = (detail: string) => new MismatchError("orders", "order_missing", detail);

const openings: Record<string, [format: string, id: string, ...cost: string[]]> = {
  "contract.open": ["drydock.contract.order/1", "order_id", "stake", "fee"],
  "hosting.subscribe": ["drydock.hosting.order/1", "order_id", "amount"],
  "mining.lease": ["drydock.mining.lease/1", "lease_id", "price", "power"],
};

const pool =
  (action: string): Payment =>
  async (value, leaf, size) => {
    const { receipt } = await checkPoolOrder(value, leaf, size);
    const { order, result } = receipt;
    if (order.action !== action) throw mismatch(`order ${order.order_id} is no ${action}`);
    if (result.payout === null) throw mismatch(`order ${order.order_id} pays nothing`);
    return { order: order.order_id, attempt: order.attempt_id, amount: BigInt(result.payout) };
  };

const payments: Record<string, Payment> = {
  "contract.settle": async (value, leaf) => {
    const { order, result } = (await checkReceipt(value, leaf)).receipt;
    return { order: order.order_id, attempt: order.attempt_id, amount: BigInt(result.payout) };
  },
  "hosting.redeem": pool("redeem"),
  "hosting.return": pool("subscribe"),
  "mining.payout": async (value, leaf) => {
    const { lease, payouts } = (await checkLeaseReceipt(value, leaf)).receipt;
    const [payout] = payouts;
    if (!payout || payouts.length > 1) throw mismatch("a payout is of one day");
    const order = `${lease.lease_id} ${payout.day}`;
    return { order, attempt: lease.attempt_id, amount: BigInt(payout.amount) };
  },
  "mining.refund": async (value, leaf) => {
    const { lease, ended } = (await checkLeaseReceipt(value, leaf)).receipt;
    if (!ended) throw mismatch(`lease ${lease.lease_id} was not ended`);
    const amount = BigInt(ended.ending.price) + BigInt(ended.ending.power);
    return { order: lease.lease_id, attempt: lease.attempt_id, amount };
  },
};

/** Returns the step's sentence. */
export async function checkOrders(
  receipt: JournalReceipt,
  leaf: LeafReader,
  size: number,
): Promise<string> {
  const { kind } = receipt.journal;
  const opening = Object.hasOwn(openings, kind) ? openings[kind] : undefined;
  const payment = Object.hasOwn(payments, kind) ? payments[kind] : undefined;
  if (opening) return checkOpening(receipt, leaf, opening);
  if (payment) return checkPayments(receipt, { leaf, size }, payment);
  if (receipt.orders.length > 0) throw missingOrder(`${kind} has none`);
  return `${kind} is for no order.`;
}

async function checkOpening(
  receipt: JournalReceipt,
  leaf: LeafReader,
  [format, id, ...cost]: (typeof openings)[string],
): Promise<string> {
  const { journal, legs, accounts, orders } = receipt;
  const [boundOrder] = orders as ({ order: Fields } & Binding)[];
  const members = Object.keys(boundOrder ?? {})
    .sort()
    .join();
  if (
    !boundOrder ||
    orders.length !== 1 ||
    members !== boundMembers ||
    !isObject(boundOrder.order) ||
    !isBinding(boundOrder)
  )
    throw missingOrder("one order, and where it is bound");
  const { order } = boundOrder;
  const { name, market } = decodeWorld(await leaf(0));
  const run = order.market as { kind?: unknown; speed?: unknown } | null | undefined;
  const expected: [unknown, unknown][] = [
    [order.format, format],
    [order.practice, true],
    [order.backing, "none"],
    [order.world, name],
    [run?.kind, market.kind],
    [run?.speed, market.speed],
    [order.coin, "pUSDT"],
    [order.accepted_at_ms, journal.at_ms],
    [order[id], journal.id],
  ];
  const wrong = expected.find(([statedField, expectedValue]) => statedField !== expectedValue);
  if (wrong) throw mismatch(`${String(wrong[0])}, not ${String(wrong[1])}`);
  for (const account of accounts)
    if (
      account.attempt_id !== order.attempt_id ||
      account.kind !== "wallet" ||
      account.coin !== "pUSDT"
    )
      throw mismatch(`account ${account.account} is not that of the order`);
  let dueAmount = 0n;
  for (const member of cost) dueAmount += parseAmount(order[member]);
  const charge = -legs.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  if (charge !== dueAmount) throw mismatch(`${charge} taken, the order costs ${dueAmount}`);
  const tag = worldTag(name);
  const secondAt = async (index: number) => {
    const entry = await leaf(index);
    return readKind(entry, tag) === kinds.second ? decodeSecond(entry, tag) : null;
  };
  const acceptedOrder = { atMs: journal.at_ms, hash: sha256(canonicalBytes(order)) };
  await checkBinding("orders", boundOrder, acceptedOrder, secondAt);
  return `Leaf ${boundOrder.bound_leaf} binds the order it paid for, which costs ${dueAmount} minor units.`;
}

const boundMembers = "before_leaf,bound_leaf,order,orders_count,orders_index,orders_path";

const isObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parseAmount(value: unknown): bigint {
  if (typeof value !== "string" || !/^[0-9]{1,30}$/.test(value)) throw mismatch("an amount");
  return BigInt(value);
}

async function checkPayments(
  { journal, legs, accounts, orders }: JournalReceipt,
  { leaf, size }: { leaf: LeafReader; size: number },
  payment: Payment,
): Promise<string> {
  // Price and power of an early end come back in two legs.
  const total = legs.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  const payments =
    journal.kind === "mining.refund" ? [total] : legs.map(({ amount }) => BigInt(amount));
  if (orders.length !== payments.length)
    throw missingOrder(`${orders.length} for ${payments.length} payments`);
  const coin = journal.kind === "mining.payout" ? "pBTC" : "pUSDT";
  const seenIds = new Set<string>();
  for (const [index, value] of orders.entries()) {
    const dueOrder = await computeDue(value, { leaf, size }, payment);
    if (seenIds.has(dueOrder.order)) throw mismatch(`${dueOrder.order} twice`);
    seenIds.add(dueOrder.order);
    // Both postings of an early end belong to the same receipt.
    const orderLegs = journal.kind === "mining.refund" ? legs : legs.slice(index, index + 1);
    for (const leg of orderLegs) {
      const account = accounts.find((account) => account.account === leg.account);
      if (account?.attempt_id !== dueOrder.attempt || account.kind !== "wallet")
        throw mismatch(`${dueOrder.order} is of another attempt`);
      if (account.coin !== coin) throw mismatch(`${dueOrder.order} is paid in ${account.coin}`);
    }
    if (dueOrder.amount !== payments[index])
      throw mismatch(`${dueOrder.order} pays ${dueOrder.amount}, the journal ${payments[index]}`);
  }
  return `It pays for ${orders.length} orders what the receipt of each gives.`;
}

/** Any error in the receipt of an order makes the order of this journal differ. */
async function computeDue(
  value: unknown,
  { leaf, size }: { leaf: LeafReader; size: number },
  payment: Payment,
): Promise<ExpectedLeg> {
  try {
    return await payment(value, leaf, size);
  } catch (error) {
    if (!(error instanceof MismatchError) || error.step === "orders") throw error;
    throw mismatch(`its receipt: ${error.step}, ${error.message}`);
  }
}
