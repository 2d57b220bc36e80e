import type { BooksBody, PoolMarkBody } from "#core/hosting/bodies.ts";
import { decodeHostingLeaf } from "#core/hosting/leaves.ts";
import { bytesToHex, hexToBytes } from "#core/transparency-log/bytes.ts";
import { leafKinds, worldTag } from "#core/transparency-log/leaf.ts";
import { inclusionRanges, leafHash, treeRoot } from "#core/transparency-log/merkle.ts";

interface Log {
  terms: { body: { pool_id: string } & Record<string, unknown>; hash: string };
  leaves: string[];
  orders: {
    order: { order_id: string; action: string } & Record<string, unknown>;
    hash: string;
    bound_leaf: number;
    mark_leaf: number;
    units: string;
    amount: string;
    fee: string;
  }[];
}

type Receipt = Record<string, unknown>;
interface Receipts {
  orders: Receipt[];
  trades: Receipt[];
  marks: Receipt[];
}
interface MarkBody {
  at_ms: number;
  second_leaf: number;
  pools: PoolMarkBody[];
}

/**
 * Receipts of everything that happened in the vectors' log, in the format of
 * docs/formats/hosting.md.
 */
export function createHostingReceipts(
  world: string,
  market: object,
  transparencyLog: Log,
): Receipts {
  const tag = worldTag(world);
  const body = <Body>(kind: "books" | "mark", leaf: number): Body | null => {
    const hostingLeaf = decodeHostingLeaf(hexToBytes(transparencyLog.leaves[leaf]!), kind, tag);
    return hostingLeaf.ok ? (hostingLeaf.value as unknown as Body) : null;
  };
  const common = {
    practice: true,
    backing: "none",
    world,
    market,
    terms: transparencyLog.terms.body,
    terms_leaf: 1,
    log: { origin: "drydock.example/vector", vkey: "drydock.example/vector+00000000+AA==" },
  };
  const all = [...transparencyLog.leaves.keys()];
  const markAt = (leaf: number) => {
    const mark = body<MarkBody & { type: string }>("mark", leaf);
    return mark?.type === "mark" ? mark : null;
  };
  const marks = all.filter((leaf) => markAt(leaf) !== null);
  const decisions = all.flatMap((leaf) => {
    const decision = body<BooksBody>("books", leaf)?.decision;
    return decision ? [{ leaf, ...decision }] : [];
  });
  const getFills = (number: number) =>
    all.flatMap((leaf) =>
      (body<BooksBody>("books", leaf)?.fills ?? [])
        .filter((fill) => fill.number === number)
        .map((fill) => ({ leaf, ...fill })),
    );
  return {
    orders: transparencyLog.orders.map((order) =>
      orderReceipt(common, transparencyLog, order, markAt(order.mark_leaf)!),
    ),
    trades: decisions.flatMap(({ leaf, number, orders }) => {
      const fills = getFills(number).toSorted((a, b) => a.leg - b.leg);
      if (fills.length < orders.length) return [];
      return [tradeReceipt(common, transparencyLog, { leaf, number }, fills)];
    }),
    marks: marks.map((leaf, index) => {
      const { at_ms: atMs, second_leaf: second, pools } = markAt(leaf)!;
      const { nav, units, assets, owed } = pools[0]!;
      return {
        format: "drydock.receipt.mark/1",
        ...common,
        pool_id: transparencyLog.terms.body.pool_id,
        at_ms: atMs,
        mark_leaf: leaf,
        second_leaf: second,
        before_mark_leaf: marks[index - 1] ?? null,
        result: { nav, units, assets, owed },
      };
    }),
  };
}

function tradeReceipt(
  common: object,
  transparencyLog: Log,
  { leaf, number }: { leaf: number; number: number },
  fills: readonly (NonNullable<BooksBody["fills"]>[number] & { leaf: number })[],
): Receipt {
  const sum = (of: "gross" | "slippage" | "fees") =>
    fills.reduce((total, fill) => total + BigInt(fill[of]), 0n);
  const [gross, slippage, fees] = [sum("gross"), sum("slippage"), sum("fees")];
  return {
    format: "drydock.receipt.trade/1",
    ...common,
    pool_id: transparencyLog.terms.body.pool_id,
    number,
    decision_leaf: leaf,
    fill_leaves: fills.map((fill) => fill.leaf),
    result: {
      fills: fills.map(({ quantity, quote, fee, why }) => ({ quantity, quote, fee, why })),
      gross: `${gross}`,
      slippage: `${slippage}`,
      fees: `${fees}`,
      net: `${gross - slippage - fees}`,
    },
  };
}

function orderReceipt(
  common: object,
  transparencyLog: Log,
  item: Log["orders"][number],
  mark: MarkBody,
): Receipt {
  const boundOrders = transparencyLog.orders.filter(
    ({ bound_leaf: leaf }) => leaf === item.bound_leaf,
  );
  const hashes = boundOrders.map(({ hash }) => leafHash(hexToBytes(hash)));
  const index = boundOrders.indexOf(item);
  const subscribes = item.order.action === "subscribe";
  const payout = BigInt(item.amount) - BigInt(item.fee);
  return {
    format: "drydock.receipt.hosting/1",
    ...common,
    order: item.order,
    orders_count: hashes.length,
    orders_index: index,
    orders_path: inclusionRanges(index, hashes.length).map(({ start, end }) =>
      bytesToHex(treeRoot(hashes.slice(start, end))),
    ),
    before_leaf: secondBefore(transparencyLog, item.bound_leaf),
    bound_leaf: item.bound_leaf,
    mark_leaf: item.mark_leaf,
    result: {
      outcome: "executed",
      mark_at_ms: mark.at_ms,
      nav: subscribes ? mark.pools[0]!.entry_nav : mark.pools[0]!.nav,
      amount: item.amount,
      units: item.units,
      fee: subscribes ? null : item.fee,
      payout: subscribes ? null : payout.toString(),
    },
  };
}

/** The last `second` leaf before a leaf, or 0. */
const secondBefore = ({ leaves }: Pick<Log, "leaves">, leaf: number): number =>
  Math.max(
    0,
    leaves.slice(0, leaf).findLastIndex((leaf) => hexToBytes(leaf)[1] === leafKinds.second),
  );

interface AlteredReceipt {
  name: string;
  step: string;
  difference: string;
  receipt: Receipt;
}

/** The same receipts with one change each, and the difference that must be found. */
export function createAlteredReceipts({ orders, trades, marks }: Receipts): AlteredReceipt[] {
  const addOne = (text: unknown) => (BigInt(text as string) + 1n).toString();
  const alter = (
    name: string,
    [step, difference]: [string, string],
    receipt: Receipt,
    // biome-ignore lint/suspicious/noExplicitAny: the name beside it describes each change
    change: (copy: any) => void,
  ): AlteredReceipt => {
    const copy = structuredClone(receipt);
    change(copy);
    return { name, step, difference, receipt: copy };
  };
  const [first, second, redemption] = orders as [Receipt, Receipt, Receipt];
  const trade = trades.findLast(({ result }) => {
    const { fills } = result as { fills: { quantity: string }[] };
    return fills.length > 1 && fills.every(({ quantity }) => quantity !== "0");
  })!;
  const mark = marks.at(-1)!;
  const unchanged = (copy: Receipt, from: Receipt, ...names: string[]) => {
    for (const name of names) copy[name] = structuredClone(from[name]);
  };
  return [
    alter("no mark of practice", ["marks", "not_practice"], first, (copy) => {
      copy.practice = false;
    }),
    alter("another world in the order", ["marks", "world_differs"], first, (copy) => {
      copy.order.world = "other";
    }),
    alter("another speed", ["marks", "market_differs"], trade, (copy) => {
      copy.market.speed = 60;
    }),
    alter(
      "a lower redemption fee in the terms",
      ["terms", "terms_not_in_log"],
      redemption,
      (copy) => {
        copy.terms.redemption_fee_bp = 0;
      },
    ),
    alter("terms of another hash", ["terms", "terms_hash_differs"], first, (copy) => {
      copy.order.terms_hash = "00".repeat(32);
    }),
    alter("a larger amount in the order", ["bound", "order_not_in_root"], first, (copy) => {
      copy.order.amount = addOne(copy.order.amount);
      copy.result.amount = copy.order.amount;
    }),
    alter("one order more", ["bound", "orders_count_differs"], first, (copy) => {
      copy.orders_count += 1;
    }),
    alter("another's path", ["bound", "order_not_in_root"], first, (copy) => {
      unchanged(copy, second, "orders_path", "orders_index");
    }),
    alter("a later mark", ["executed", "mark_too_late"], first, (copy) => {
      const laterMark = marks.find(
        ({ mark_leaf: markLeaf }) => (markLeaf as number) > copy.mark_leaf,
      )!;
      copy.mark_leaf = laterMark.mark_leaf;
      copy.result.mark_at_ms = laterMark.at_ms;
    }),
    alter(
      "a mark that was known when it was bound",
      ["executed", "mark_not_in_log"],
      first,
      (copy) => {
        const knownMark = marks.findLast(
          ({ mark_leaf: markLeaf }) => (markLeaf as number) < copy.bound_leaf,
        )!;
        copy.mark_leaf = knownMark.mark_leaf;
        copy.result.mark_at_ms = knownMark.at_ms;
      },
    ),
    alter("given back while the log goes on", ["executed", "mark_too_late"], first, (copy) => {
      copy.mark_leaf = null;
      copy.result = {
        ...copy.result,
        outcome: "returned",
        mark_at_ms: null,
        nav: null,
        units: null,
        payout: copy.order.amount,
      };
    }),
    alter("a unit more", ["amounts", "units_differ"], second, (copy) => {
      copy.result.units = addOne(copy.result.units);
    }),
    alter("a minor unit more paid", ["amounts", "payout_differs"], redemption, (copy) => {
      copy.result.payout = addOne(copy.result.payout);
    }),
    alter("a decision of another number", ["decision", "decision_not_in_log"], trade, (copy) => {
      copy.number += 1;
    }),
    alter("another decision's leaf", ["decision", "decision_not_in_log"], trade, (copy) => {
      copy.decision_leaf -= 1;
    }),
    alter("a fill's leaf that holds none", ["fills", "fill_not_in_log"], trade, (copy) => {
      copy.fill_leaves[0] += 1;
    }),
    alter("a fill of more", ["fills", "fill_differs"], trade, (copy) => {
      copy.result.fills[0].quantity = addOne(copy.result.fills[0].quantity);
    }),
    alter("a lower fee", ["fills", "fill_differs"], trade, (copy) => {
      copy.result.fills[1].fee = "0";
    }),
    alter("a better net", ["takings", "takings_differ"], trade, (copy) => {
      copy.result.net = addOne(copy.result.net);
    }),
    alter("a better NAV", ["nav", "nav_differs"], mark, (copy) => {
      copy.result.nav = addOne(copy.result.nav);
    }),
    alter("more assets", ["nav", "assets_differ"], mark, (copy) => {
      copy.result.assets = addOne(copy.result.assets);
    }),
    alter("another minute", ["mark", "mark_not_in_log"], mark, (copy) => {
      copy.at_ms += 60_000;
    }),
    alter("a mark left out", ["mark", "mark_left_out"], mark, (copy) => {
      copy.before_mark_leaf = marks.at(-3)!.mark_leaf;
    }),
    alter("a member too many", ["form", "receipt_malformed"], mark, (copy) => {
      copy.note = "x";
    }),
  ];
}
