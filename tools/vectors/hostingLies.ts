import { bytesToHex, hexToBytes } from "#core/transparency-log/bytes.ts";
import { canonicalBytes } from "#core/transparency-log/canonical.ts";

// biome-ignore lint/suspicious/noExplicitAny: the name beside it describes each change
type Fields = any;

interface Lie {
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
function edited(leaf: string, change: (fields: Fields) => void): string {
  const bytes = hexToBytes(leaf);
  const fields = bodyOf(leaf);
  change(fields);
  return bytesToHex(bytes.slice(0, headBytes)) + bytesToHex(canonicalBytes(fields));
}

const bodyOf = (leaf: string): Fields =>
  JSON.parse(new TextDecoder().decode(hexToBytes(leaf).slice(headBytes)));

/**
 * The leaf as it would be with one more leaf before it: references to leaves after `at` are
 * shifted.
 */
function moved(leaf: string, at: number): string {
  if (!jsonKinds.includes(hexToBytes(leaf)[1]!)) return leaf;
  return edited(leaf, (fields) => {
    if (fields.second_leaf >= at) fields.second_leaf += 1;
  });
}

/** Duplicated seconds and minutes, with receipts that are otherwise consistent with them. */
export function falsifiedHosting(
  leaves: readonly string[],
  { orders, trades, marks }: Record<"orders" | "trades" | "marks", Record<string, unknown>[]>,
  /** The two empty seconds that end a recording's log. */
  ending: readonly string[],
): Lie[] {
  const order: Fields = orders[0];
  const mark: Fields = marks.at(-1);
  const trade: Fields = trades.findLast(({ result }) =>
    (result as Fields).fills.every(({ quantity }: Fields) => quantity !== "0"),
  );
  const secondOf = (leaf: number): number => bodyOf(leaves[leaf]!).second_leaf;
  const ascending = "seconds_not_ascending";
  const decided = secondOf(trade.decision_leaf);
  const firstFill = Math.min(...trade.fill_leaves);
  const filled = Math.max(...trade.fill_leaves);
  const marked = secondOf(order.mark_leaf);
  return [
    {
      name: "a second twice between an order and its mark",
      at: marked + 1,
      remove: 0,
      insert: [leaves[marked]!],
      step: "executed",
      difference: ascending,
      receipt: { ...order, mark_leaf: order.mark_leaf + 1 },
    },
    {
      name: "an order's minute marked before, of a second that lies before the order",
      at: order.bound_leaf + 1,
      remove: order.mark_leaf - order.bound_leaf,
      insert: [
        edited(leaves[order.mark_leaf]!, (fields) => {
          fields.second_leaf = order.bound_leaf - 1;
        }),
        ...leaves
          .slice(order.bound_leaf + 1, order.mark_leaf + 1)
          .map((leaf) => moved(leaf, order.bound_leaf + 1)),
      ],
      step: "executed",
      difference: "marks_not_ascending",
      receipt: { ...order, mark_leaf: order.mark_leaf + 1 },
    },
    {
      name: "given back at the end of a log that holds a second twice",
      at: order.bound_leaf + 1,
      remove: leaves.length - order.bound_leaf - 1,
      insert: [leaves[marked]!, leaves[marked]!, ...ending],
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
      at: decided + 1,
      remove: filled - decided,
      insert: [
        leaves[decided]!,
        ...leaves.slice(decided + 1, filled + 1).map((leaf) => moved(leaf, decided + 1)),
      ],
      step: "fills",
      difference: ascending,
      receipt: {
        ...trade,
        decision_leaf: trade.decision_leaf + 1,
        fill_leaves: trade.fill_leaves.map((leaf: number) => leaf + 1),
      },
    },
    {
      name: "fills that name the second of their decision",
      at: firstFill,
      remove: 1,
      insert: [
        edited(leaves[firstFill]!, (fields) => {
          fields.second_leaf = decided;
          fields.at_ms = bodyOf(leaves[trade.decision_leaf]!).at_ms;
        }),
      ],
      step: "fills",
      difference: "leaves_out_of_order",
      receipt: trade,
    },
  ];
}
