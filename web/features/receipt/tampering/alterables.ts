import { type Coin, coins } from "#core/money/coins.ts";
import type { JournalReceipt } from "#core/records/journalReceiptSchema.ts";
import type { ReceiptDetail } from "#web/features/receipt/kinds/kinds.ts";
import type { Alterable, ValueFormat } from "#web/features/receipt/tampering/alterable.ts";
import {
  alter,
  createAcceptedTime,
  createAmountFormat,
  directionFormat,
  halfMinuteMs,
  increaseByTenth,
  increaseSlightly,
  type Leaves,
  listNetworkFees,
  listSeconds,
  outcomeFormat,
  type Path,
  textFormat,
  timeFormat,
  unitsFormat,
} from "#web/features/receipt/tampering/members.ts";

type Detail<Of extends ReceiptDetail["kind"]> = Extract<ReceiptDetail, { kind: Of }>;

/**
 * Lists the values that a person may falsify in a receipt that agrees: those that its kind of
 * receipt has, and those in the leaves that were read.
 */
export function listAlterables(detail: ReceiptDetail, leaves: Leaves): Alterable[] {
  switch (detail.kind) {
    case "contract":
      return listContractAlterables(detail, leaves);
    case "journal":
      return listJournalAlterables(detail, leaves);
    case "lease":
      return listLeaseAlterables(detail, leaves);
    case "hosting":
      return listHostingAlterables(detail);
    case "trade":
      return listTradeAlterables(detail, leaves);
    case "mark":
      return listMarkAlterables(detail, leaves);
    case "act":
      return listActAlterables(detail);
    case "publication":
      return listPublicationAlterables(detail);
  }
}

function listContractAlterables(
  { receipt, priceScale }: Detail<"contract">,
  leaves: Leaves,
): Alterable[] {
  const { order, result, window_leaves: window } = receipt;
  const price: ValueFormat = { is: "decimal", scale: priceScale, unit: null };
  const { payout, outcome, purchase_price: purchasePrice, selling_price: sellingPrice } = result;
  const stake = String(order.stake);
  // A lost order gets the payout of a won one, because a tenth more of nothing is nothing.
  const win = BigInt(stake) + (BigInt(stake) * BigInt(Number(order.rate_bp))) / 10_000n;
  const paid = payout === "0" ? String(win) : increaseByTenth(payout);
  const others = outcome === "won" ? "lost" : "won";
  const direction = String(order.direction);
  const alterables = [
    alter("receipt.payout", createAmountFormat("pUSDT"), ["result", "payout"], payout, paid),
    alter("altered-copy.outcome", outcomeFormat, ["result", "outcome"], outcome, others),
    alter(
      "altered-copy.direction",
      directionFormat,
      ["order", "direction"],
      direction,
      direction === "up" ? "down" : "up",
    ),
    createAcceptedTime(["order", "accepted_at_ms"], Number(order.accepted_at_ms)),
    alter(
      "receipt.stake",
      createAmountFormat("pUSDT"),
      ["order", "stake"],
      stake,
      increaseByTenth(stake),
    ),
  ];
  if (purchasePrice !== null) {
    const path = ["result", "purchase_price"];
    alterables.push(
      alter("receipt.purchase", price, path, purchasePrice, increaseSlightly(purchasePrice)),
    );
  }
  if (sellingPrice !== null) {
    const path = ["result", "selling_price"];
    alterables.push(
      alter("receipt.selling", price, path, sellingPrice, increaseSlightly(sellingPrice)),
    );
  }
  const { delivery_at_ms: delivery } = result;
  if (delivery !== null) {
    const path = ["result", "delivery_at_ms"];
    alterables.push(alter("altered-copy.delivery", timeFormat, path, delivery, delivery + 1_000));
  }
  // A second in the middle of the window, which counts more often than those at its ends.
  const second = window ? Math.ceil((window[0] + window[1]) / 2) : receipt.entry_leaf;
  return [
    ...alterables,
    ...listSeconds(leaves, String(order.symbol), [second, receipt.entry_leaf]),
  ];
}

function listJournalAlterables({ receipt }: Detail<"journal">, leaves: Leaves): Alterable[] {
  const { journal, legs, accounts, house, facts, orders, second_leaf: second } = receipt;
  const [leg] = legs;
  const coin = accounts.find(({ account }) => account === leg?.account)?.coin;
  if (!leg || !coin) return [];
  const alterables = [
    alter(
      "altered-copy.amount",
      createAmountFormat(coin),
      ["legs", 0, "amount"],
      leg.amount,
      increaseByTenth(leg.amount),
    ),
    alter(
      "receipt.journal.balance",
      createAmountFormat(coin),
      ["legs", 0, "balance"],
      leg.balance,
      increaseByTenth(leg.balance),
    ),
    alter(
      "receipt.journal.time",
      timeFormat,
      ["journal", "at_ms"],
      journal.at_ms,
      journal.at_ms + halfMinuteMs,
    ),
  ];
  const [houseLeg] = house;
  if (houseLeg) {
    const path = ["house", 0, "amount"];
    const falseValue = increaseByTenth(houseLeg.amount);
    alterables.push(
      alter(
        "altered-copy.house",
        createAmountFormat(houseLeg.coin),
        path,
        houseLeg.amount,
        falseValue,
        { kind: houseLeg.kind },
      ),
    );
  }
  if (facts.rate !== undefined) {
    const [alterable] = listSeconds(leaves, firstMarket(receipt), second === null ? [] : [second]);
    const form: ValueFormat = alterable?.format ?? { is: "decimal", scale: 0, unit: null };
    const falseValue = increaseSlightly(facts.rate);
    alterables.push(alter("altered-copy.rate", form, ["facts", "rate"], facts.rate, falseValue));
    if (alterable) alterables.push(alterable);
  }
  const [order] = orders;
  const { order: requestedOrder, result } = (order ?? {}) as {
    order?: { direction?: unknown };
    result?: { payout?: unknown };
  };
  if (typeof result?.payout === "string") {
    const path = ["orders", 0, "result", "payout"];
    const falseValue = increaseByTenth(result.payout);
    alterables.push(
      alter("receipt.payout", createAmountFormat("pUSDT"), path, result.payout, falseValue),
    );
  }
  if (requestedOrder?.direction === "up" || requestedOrder?.direction === "down") {
    const path = ["orders", 0, "order", "direction"];
    const otherDirection = requestedOrder.direction === "up" ? "down" : "up";
    alterables.push(
      alter(
        "altered-copy.direction",
        directionFormat,
        path,
        requestedOrder.direction,
        otherDirection,
      ),
    );
  }
  return alterables;
}

/** The market of an exchange's first step: the market of the coin given, unless that is pUSDT. */
function firstMarket({ legs, accounts }: JournalReceipt): string {
  const getCoin = (account: string): Coin =>
    accounts.find((receiptAccount) => receiptAccount.account === account)?.coin ?? "pUSDT";
  const receiptLeg = legs.find((leg) => leg.amount.startsWith("-"));
  const receivedLeg = legs.find((leg) => !leg.amount.startsWith("-"));
  const market = receiptLeg && coins[getCoin(receiptLeg.account)].market;
  return market ?? (receivedLeg && coins[getCoin(receivedLeg.account)].market) ?? "";
}

function listLeaseAlterables({ receipt }: Detail<"lease">, leaves: Leaves): Alterable[] {
  const { lease, payouts, terms, ended, readings } = receipt;
  const dollars = createAmountFormat("pUSDT");
  const alterables = [
    alter(
      "receipt.lease.price",
      dollars,
      ["lease", "price"],
      lease.price,
      increaseByTenth(lease.price),
    ),
    alter(
      "receipt.lease.power",
      dollars,
      ["lease", "power"],
      lease.power,
      increaseByTenth(lease.power),
    ),
    alter("altered-copy.days", { is: "number" }, ["lease", "days"], lease.days, lease.days + 1),
    createAcceptedTime(["lease", "accepted_at_ms"], lease.accepted_at_ms),
  ];
  const [lastPayout] = payouts.slice(-1);
  if (lastPayout) {
    const path = ["payouts", payouts.length - 1, "amount"];
    const values = { day: lastPayout.day };
    alterables.unshift(
      alter(
        "receipt.lease.day",
        createAmountFormat("pBTC"),
        path,
        lastPayout.amount,
        increaseByTenth(lastPayout.amount),
        values,
      ),
    );
  }
  const hashrate = terms.hashrate_ghs;
  if (typeof hashrate === "string" && /^[0-9]+$/.test(hashrate)) {
    const form: ValueFormat = { is: "decimal", scale: 3, unit: "TH/s" };
    const path = ["terms", "hashrate_ghs"];
    alterables.push(
      alter("altered-copy.hashrate", form, path, hashrate, increaseByTenth(hashrate)),
    );
  }
  if (ended) {
    const { price } = ended.ending;
    const path = ["ended", "ending", "price"];
    alterables.push(alter("receipt.lease.refund", dollars, path, price, increaseByTenth(price)));
  }
  return [...alterables, ...listNetworkFees(leaves, readings.slice(-1))];
}

function listHostingAlterables({ receipt }: Detail<"hosting">): Alterable[] {
  const { order, result } = receipt;
  const alterables = [createAcceptedTime(["order", "accepted_at_ms"], order.accepted_at_ms)];
  const add = (label: string, form: ValueFormat, path: Path, value: string | null) => {
    if (value !== null) alterables.push(alter(label, form, path, value, increaseByTenth(value)));
  };
  add("receipt.hosting.nav", unitsFormat, ["result", "nav"], result.nav);
  add("receipt.hosting.units", unitsFormat, ["result", "units"], result.units);
  if (order.action === "redeem") {
    add("receipt.fee", createAmountFormat("pUSDT"), ["result", "fee"], result.fee);
    add("receipt.payout", createAmountFormat("pUSDT"), ["result", "payout"], result.payout);
  } else
    add("receipt.hosting.paid", createAmountFormat("pUSDT"), ["order", "amount"], order.amount);
  const { mark_at_ms: mark } = result;
  if (mark !== null) {
    const path = ["result", "mark_at_ms"];
    alterables.push(alter("receipt.hosting.mark", timeFormat, path, mark, mark + 2 * halfMinuteMs));
  }
  return alterables;
}

function listTradeAlterables(
  { receipt: { result }, decision }: Detail<"trade">,
  leaves: Leaves,
): Alterable[] {
  const symbol = decision?.orders[0]?.symbol ?? "";
  const dollars = createAmountFormat("pUSDT");
  const figure = (label: string, name: "gross" | "slippage" | "fees" | "net") =>
    alter(label, dollars, ["result", name], result[name], increaseByTenth(result[name]));
  return [
    figure("receipt.trade.net", "net"),
    figure("receipt.trade.gross", "gross"),
    figure("receipt.trade.slippage", "slippage"),
    figure("receipt.trade.fees", "fees"),
    ...listSeconds(leaves, symbol, leaves.keys()).slice(0, 1),
  ];
}

function listMarkAlterables({ receipt }: Detail<"mark">, leaves: Leaves): Alterable[] {
  const { result, at_ms: atMs, second_leaf: second, terms } = receipt;
  const [symbol] = Array.isArray(terms.symbols) ? terms.symbols : [];
  const figure = (label: string, form: ValueFormat, name: "nav" | "units" | "assets" | "owed") =>
    alter(label, form, ["result", name], result[name], increaseByTenth(result[name]));
  return [
    figure("receipt.hosting.nav", unitsFormat, "nav"),
    figure("receipt.hosting.units", unitsFormat, "units"),
    figure("receipt.mark.assets", createAmountFormat("pUSDT"), "assets"),
    figure("receipt.mark.owed", createAmountFormat("pUSDT"), "owed"),
    alter("receipt.journal.time", timeFormat, ["at_ms"], atMs, atMs + 2 * halfMinuteMs),
    ...listSeconds(leaves, String(symbol), [second]),
  ];
}

function listActAlterables({ receipt: { act, at_ms: atMs } }: Detail<"act">): Alterable[] {
  const alterables = [
    alter("receipt.act.what", textFormat, ["act", "what"], act.what, `${act.what}.not`),
    alter("receipt.act.role", textFormat, ["act", "role"], act.role, `${act.role}.not`),
    alter("receipt.act.time", timeFormat, ["at_ms"], atMs, atMs + halfMinuteMs),
  ];
  if (act.why !== null) {
    alterables.push(
      alter("receipt.act.why", textFormat, ["act", "why"], act.why, `${act.why} (?)`),
    );
  }
  return alterables;
}

function listPublicationAlterables({ receipt }: Detail<"publication">): Alterable[] {
  const { version, published_at_ms: atMs, body } = receipt;
  const alterables = [
    alter("receipt.act.time", timeFormat, ["published_at_ms"], atMs, atMs + halfMinuteMs),
    alter("receipt.publication.version", { is: "number" }, ["version"], version, version + 1),
  ];
  const words = firstText(body, ["body"]);
  if (words) {
    const [path, value] = words;
    alterables.unshift(alter("altered-copy.words", textFormat, path, value, `${value} +10 %`));
  }
  return alterables;
}

/** The first short text of a publication, usually its title. */
function firstText(value: unknown, path: Path): [Path, string] | null {
  if (typeof value === "string") return value !== "" && value.length <= 120 ? [path, value] : null;
  if (typeof value !== "object" || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    const text = firstText(inner, [...path, Array.isArray(value) ? Number(name) : name]);
    if (text) return text;
  }
  return null;
}
