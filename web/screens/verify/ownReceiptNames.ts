/**
 * Receipts that are fetched by a call and then checked, by their parameter in the query of
 * `/verify`.
 */
export const ownReceiptNames = [
  "order_id",
  "journal_id",
  "act_id",
  "publication",
  "lease_id",
  "hosting_order_id",
  "trade_id",
] as const;

export type OwnReceiptName = (typeof ownReceiptNames)[number];
