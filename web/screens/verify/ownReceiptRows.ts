import type { Order } from "#api/contracts.ts";
import type { HostingOrder } from "#api/hosting/order.ts";
import type { Lease } from "#api/mining.ts";
import type { Withdrawal } from "#api/withdraw.ts";
import { getDayEnd } from "#core/mining/lease.ts";
import type { Coin } from "#core/money/coins.ts";

/** The sources of the newest receipts; a list that has not loaded is empty. */
export interface ReceiptSources {
  orders: readonly Order[];
  withdrawals: readonly Withdrawal[];
  leases: readonly Lease[];
  hosting: readonly HostingOrder[];
}

export interface ReceiptRow {
  /** Its address in the app, which also identifies it. */
  to: string;
  kind: "order" | "withdrawal" | "lease" | "subscribe" | "redeem";
  /** The market, coin or model it is of; empty where the kind says it all. */
  subject: string;
  atMs: number;
  amount: { value: string; coin: Coin; signed: boolean } | null;
}

const shownMax = 6;

/**
 * The person's newest receipts, of whatever kind. An order, withdrawal or subscription has one when
 * it is over; a lease from its beginning, and one that covers more with each paid day.
 */
export function listOwnReceiptRows(sources: ReceiptSources): ReceiptRow[] {
  const rows: ReceiptRow[] = [
    ...sources.orders.flatMap(({ order_id: id, symbol, settled_at_ms: atMs, net, coin }) =>
      atMs === null ? [] : [row(`order_id=${id}`, "order", symbol, atMs, net, coin, true)],
    ),
    ...sources.withdrawals.flatMap(({ ended_journal_id: id, ended_at_ms: atMs, amount, coin }) =>
      id === null || atMs === null
        ? []
        : [row(`journal_id=${id}`, "withdrawal", coin, atMs, amount, coin, false)],
    ),
    ...sources.leases.map((lease) =>
      row(
        `lease_id=${lease.lease_id}`,
        "lease",
        lease.model,
        lease.days_paid === 0
          ? lease.accepted_at_ms
          : getDayEnd({ acceptedAtMs: lease.accepted_at_ms }, lease.days_paid),
        lease.days_paid === 0 ? null : lease.mined,
        "pBTC",
        false,
      ),
    ),
    ...sources.hosting.flatMap((order) =>
      order.outcome === "executed" && order.mark_at_ms !== null
        ? [
            row(
              `hosting_order_id=${order.order_id}`,
              order.action,
              "",
              order.mark_at_ms,
              order.amount,
              order.coin,
              false,
            ),
          ]
        : [],
    ),
  ];
  return rows.toSorted((a, b) => b.atMs - a.atMs).slice(0, shownMax);
}

function row(
  query: string,
  kind: ReceiptRow["kind"],
  subject: string,
  atMs: number,
  value: string | null,
  coin: Coin,
  signed: boolean,
): ReceiptRow {
  const amount = value === null ? null : { value, coin, signed };
  return { to: `/verify?${query}`, kind, subject, atMs, amount };
}
