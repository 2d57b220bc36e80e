import type { ReactNode } from "react";
import type { ContractDetails, Order } from "#api/contracts.ts";
import type { Ticket } from "./useTicket.ts";

/** The contents of the trade screen, on a phone and on a desktop alike. */
export interface TradeView {
  /** The contract at the latest price. */
  contract: ContractDetails;
  /** Null when the contract has no tier. */
  ticket: Ticket | null;
  orders: readonly Order[];
  /** The order whose card is open. */
  shownId: string | null;
  show: (orderId: string | null) => void;
  /** The chart; `fills` the height of its flex column, or has a fixed height. */
  chart: (fills: boolean) => ReactNode;
}
