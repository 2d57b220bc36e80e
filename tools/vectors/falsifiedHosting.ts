import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes } from "#core/transparency-log/bytes.ts";
import { canonicalBytes } from "#core/transparency-log/canonical.ts";
import { encodeOrders } from "#core/transparency-log/ordersLeaf.ts";
import {
  bindOrders,
  decodeSecond,
  encodeSecond,
  type SecondLeaf,
} from "#core/transparency-log/secondLeaf.ts";

// biome-ignore lint/suspicious/noExplicitAny: the name beside it describes each change
type Fields = any;

interface FalsifiedVector {
  name: string;
  /** The log is that of the vectors with `remove` leaves from `at` on replaced by `insert`. */
  at: number;
  remove: number;
  insert: string[];
  step: string;
  difference: string;
  receipt: Record<string, unknown>;
}

const headBytes = 11;
const jsonKinds = [5, 7];

/** A leaf with its JSON changed. */
function editLeaf(leaf: string, change: (fields: Fields) => void): string {
  const bytes = hexToBytes(leaf);
  const fields = toBody(leaf);
  change(fields);
  return bytesToHex(bytes.slice(0, headBytes)) + bytesToHex(canonicalBytes(fields));
}

const toBody = (leaf: string): Fields =>
  JSON.parse(new TextDecoder().decode(hexToBytes(leaf).slice(headBytes)));

/**
 * The leaf as it would be with one more leaf before it: references to leaves after `at` are
 * shifted.
 */
function shiftForward(leaf: string, timeMs: number): string {
  if (!jsonKinds.includes(hexToBytes(leaf)[1]!)) return leaf;
  return editLeaf(leaf, (fields) => {
    if (fields.second_leaf >= timeMs) fields.second_leaf += 1;
  });
}

/** The leaf as it would be with one leaf fewer before it: references past `at` are shifted. */
function shiftBack(leaf: string, timeMs: number): string {
  if (!jsonKinds.includes(hexToBytes(leaf)[1]!)) return leaf;
  return editLeaf(leaf, (fields) => {
    if (fields.second_leaf > timeMs) fields.second_leaf -= 1;
  });
}

/** A `second` leaf that binds other orders. */
function binding(leaf: string, commitment: Pick<SecondLeaf, "ordersCount" | "ordersRoot">): string {
  const bytes = hexToBytes(leaf);
  const second = decodeSecond(bytes, null);
  if (!second.ok) throw new Error("not a second");
  return bytesToHex(encodeSecond({ ...second.value, ...commitment }, bytes.slice(3, headBytes)));
}

/** Falsified logs, with receipts that are otherwise consistent with them. */
export function createFalsifiedHosting(
  leaves: readonly string[],
  { orders, trades, marks }: Record<"orders" | "trades" | "marks", Record<string, unknown>[]>,
  /** The two empty seconds that end a recording's log. */
  ending: readonly string[],
): FalsifiedVector[] {
  const order: Fields = orders[0];
  const mark: Fields = marks.at(-1);
  const trade: Fields = trades.findLast(({ result }) =>
    (result as Fields).fills.every(({ quantity }: Fields) => quantity !== "0"),
  );
  const findSecond = (leaf: number): number => toBody(leaves[leaf]!).second_leaf;
  const ascending = "seconds_not_ascending";
  const decisionSecond = findSecond(trade.decision_leaf);
  const firstFill = Math.min(...trade.fill_leaves);
  const lastFillLeaf = Math.max(...trade.fill_leaves);
  const markSecond = findSecond(order.mark_leaf);
  return [
    {
      name: "a second twice between an order and its mark",
      at: markSecond + 1,
      remove: 0,
      insert: [leaves[markSecond]!],
      step: "executed",
      difference: ascending,
      receipt: { ...order, mark_leaf: order.mark_leaf + 1 },
    },
    {
      name: "an order's minute marked before, of a second that lies before the order",
      at: order.bound_leaf + 1,
      remove: order.mark_leaf - order.bound_leaf,
      insert: [
        editLeaf(leaves[order.mark_leaf]!, (fields) => {
          fields.second_leaf = order.bound_leaf - 1;
        }),
        ...leaves
          .slice(order.bound_leaf + 1, order.mark_leaf + 1)
          .map((leaf) => shiftForward(leaf, order.bound_leaf + 1)),
      ],
      step: "executed",
      difference: "marks_not_ascending",
      receipt: { ...order, mark_leaf: order.mark_leaf + 1 },
    },
    {
      name: "given back at the end of a log that holds a second twice",
      at: order.bound_leaf + 1,
      remove: leaves.length - order.bound_leaf - 1,
      insert: [leaves[markSecond]!, leaves[markSecond]!, ...ending],
      step: "executed",
      difference: ascending,
      receipt: {
        ...order,
        mark_leaf: null,
        result: {
          outcome: "returned",
          mark_at_ms: null,
          nav: null,
          amount: null,
          units: null,
          fee: null,
          payout: order.order.amount,
        },
      },
    },
    {
      name: "a minute marked again at the end of the log",
      at: leaves.length,
      remove: 0,
      insert: [leaves[mark.mark_leaf]!],
      step: "mark",
      difference: "marks_not_ascending",
      receipt: { ...mark, mark_leaf: leaves.length, before_mark_leaf: mark.mark_leaf },
    },
    {
      name: "a second twice between two marks",
      at: mark.second_leaf + 1,
      remove: 0,
      insert: [leaves[mark.second_leaf]!],
      step: "mark",
      difference: ascending,
      receipt: { ...mark, mark_leaf: mark.mark_leaf + 1 },
    },
    {
      name: "a second twice between a decision and its fills",
      at: decisionSecond + 1,
      remove: lastFillLeaf - decisionSecond,
      insert: [
        leaves[decisionSecond]!,
        ...leaves
          .slice(decisionSecond + 1, lastFillLeaf + 1)
          .map((leaf) => shiftForward(leaf, decisionSecond + 1)),
      ],
      step: "fills",
      difference: ascending,
      receipt: {
        ...trade,
        decision_leaf: trade.decision_leaf + 1,
        fill_leaves: trade.fill_leaves.map((leaf: number) => leaf + 1),
      },
    },
    ...falsifiedFlows(leaves, marks),
    ...falsifiedMinutes(leaves, order, marks),
    ...falsifiedBindings(leaves, { order, redemption: orders[2], mark }, ending),
    {
      name: "fills that name the second of their decision",
      at: firstFill,
      remove: 1,
      insert: [
        editLeaf(leaves[firstFill]!, (fields) => {
          fields.second_leaf = decisionSecond;
          fields.at_ms = toBody(leaves[trade.decision_leaf]!).at_ms;
        }),
      ],
      step: "fills",
      difference: "leaves_out_of_order",
      receipt: trade,
    },
    ...falsifiedTerms(leaves, order),
  ];
}

/** Terms whose constants are not those of the rules. */
function falsifiedTerms(leaves: readonly string[], order: Fields): FalsifiedVector[] {
  const rows: [string, object][] = [
    ["terms by which trading costs a tenth", { taker_fee_bp: 1_000 }],
    ["terms by which half of a redemption is kept", { redemption_fee_bp: 5_000 }],
    ["terms without a margin", { margin_bp: 0 }],
    ["terms with the drift of another strategy", { band_bp: 100 }],
    ["terms with marks at will", { marks: "at-will" }],
  ];
  return rows.map(([name, change]) => {
    const terms = { ...order.terms, ...change };
    const hash = bytesToHex(sha256(canonicalBytes(terms)));
    return {
      name,
      at: order.terms_leaf,
      remove: 1,
      insert: [editLeaf(leaves[order.terms_leaf]!, (fields) => Object.assign(fields, change))],
      step: "terms",
      difference: "constants_differ",
      receipt: { ...order, terms, order: { ...order.order, terms_hash: hash } },
    };
  });
}

/** Money and units that the orders of a mark do not explain. */
function falsifiedFlows(leaves: readonly string[], marks: readonly Fields[]): FalsifiedVector[] {
  const markWith = (fits: (pool: Fields) => boolean): Fields =>
    marks.find(({ mark_leaf: leaf }) => fits(toBody(leaves[leaf]!).pools[0]))!;
  const subscriptionMark = markWith(({ subscribed }) => subscribed !== "0");
  const remainder = markWith(({ redeemed }) => redeemed !== "0");
  const quietMark = markWith(({ orders }) => orders === 0);
  const rows: [string, Fields, (pool: Fields) => void][] = [
    [
      "50 000 units given for nothing",
      subscriptionMark,
      (pool) => add(pool, "given", 50_000n * 10n ** 8n),
    ],
    [
      "money paid in, and no units given",
      subscriptionMark,
      (pool) => Object.assign(pool, { given: "0" }),
    ],
    ["30 000 pUSDT paid for no units", remainder, (pool) => add(pool, "paid", 30_000n * 10n ** 6n)],
    ["units taken back, and a minor unit less paid", remainder, (pool) => add(pool, "paid", -1n)],
    [
      "the fee of a redemption waived",
      remainder,
      (pool) => {
        add(pool, "paid", BigInt(pool.kept));
        pool.kept = "0";
      },
    ],
    ["money paid at a mark without orders", quietMark, (pool) => add(pool, "paid", 1n)],
    ["units given at a mark without orders", quietMark, (pool) => add(pool, "given", 1n)],
  ];
  return rows.map(([name, receipt, change]) => ({
    name,
    at: receipt.mark_leaf,
    remove: 1,
    insert: [editLeaf(leaves[receipt.mark_leaf]!, ({ pools }) => change(pools[0]))],
    step: "mark",
    difference: "flows_differ",
    receipt,
  }));
}

function add(pool: Fields, member: string, by: bigint): void {
  pool[member] = `${BigInt(pool[member]) + by}`;
}

/** Minutes with an index at which no mark was made. */
function falsifiedMinutes(
  leaves: readonly string[],
  order: Fields,
  marks: readonly Fields[],
): FalsifiedVector[] {
  const [before, skippedMark, mark] = marks.slice(-3) as [Fields, Fields, Fields];
  const next = marks.find(({ mark_leaf: leaf }) => leaf > order.mark_leaf);
  const without = (leafIndex: number, to: number) => ({
    at: leafIndex,
    remove: to - leafIndex + 1,
    insert: leaves.slice(leafIndex + 1, to + 1).map((leaf) => shiftBack(leaf, leafIndex)),
  });
  return [
    {
      name: "a minute between two marks that was not marked",
      ...without(skippedMark.mark_leaf, mark.mark_leaf),
      step: "mark",
      difference: "minute_not_marked",
      receipt: {
        ...mark,
        mark_leaf: mark.mark_leaf - 1,
        second_leaf: mark.second_leaf - 1,
        before_mark_leaf: before.mark_leaf,
      },
    },
    {
      name: "the minute at which an order had to be executed, not marked",
      ...without(order.mark_leaf, next.mark_leaf),
      step: "executed",
      difference: "minute_not_marked",
      receipt: {
        ...order,
        mark_leaf: next.mark_leaf - 1,
        result: { ...order.result, mark_at_ms: next.at_ms },
      },
    },
  ];
}

/** Orders that were delayed until later prices were known. */
function falsifiedBindings(
  leaves: readonly string[],
  { order, redemption, mark }: Record<"order" | "redemption" | "mark", Fields>,
  ending: readonly string[],
): FalsifiedVector[] {
  const { bound_leaf: boundLeaf } = order;
  const next = toBody(leaves[order.mark_leaf]!).second_leaf;
  const honestSecond = decodeSecond(hexToBytes(leaves[boundLeaf]!), null);
  if (!honestSecond.ok) throw new Error("the order is not bound by a second");
  const { world } = toBody(leaves[order.mark_leaf]!);
  const hash = sha256(canonicalBytes(redemption.order));
  const singleBinding = { orders_count: 1, orders_index: 0, orders_path: [] };
  return [
    {
      name: "an order held back for a minute",
      at: boundLeaf,
      remove: next - boundLeaf + 1,
      insert: [
        binding(leaves[boundLeaf]!, bindOrders([])),
        ...leaves.slice(boundLeaf + 1, next),
        binding(leaves[next]!, honestSecond.value),
      ],
      step: "bound",
      difference: "bound_too_late",
      receipt: { ...order, before_leaf: boundLeaf, bound_leaf: next },
    },
    {
      name: "an order that names its own second as the one before",
      at: 0,
      remove: 0,
      insert: [],
      step: "bound",
      difference: "bound_too_late",
      receipt: { ...order, before_leaf: boundLeaf },
    },
    {
      name: "a redemption held back until after the end of the recording",
      at: leaves.length,
      remove: 0,
      insert: [...ending, bytesToHex(encodeOrders(world, [hash]))],
      step: "executed",
      difference: "bound_too_late",
      receipt: {
        ...redemption,
        ...singleBinding,
        before_leaf: leaves.length + ending.length - 1,
        bound_leaf: leaves.length + ending.length,
        mark_leaf: mark.mark_leaf,
        result: { ...redemption.result, mark_at_ms: mark.at_ms },
      },
    },
    {
      name: "a subscription bound by a leaf of its own",
      at: order.mark_leaf + 1,
      remove: 0,
      insert: [bytesToHex(encodeOrders(world, [sha256(canonicalBytes(order.order))]))],
      step: "bound",
      difference: "bound_leaf_not_a_second",
      receipt: { ...order, ...singleBinding, bound_leaf: order.mark_leaf + 1 },
    },
  ];
}
