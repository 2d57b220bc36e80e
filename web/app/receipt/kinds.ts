import { contractKind } from "#web/app/receipt/contractKind.ts";

/** Every receipt format this app can check. A domain to come adds its own here. */
export const receiptKinds = [contractKind] as const;

/** The kind of a receipt by its `format`; null for one that this app does not know. */
export function kindOfReceipt(value: unknown): (typeof receiptKinds)[number] | null {
  if (typeof value !== "object" || value === null) return null;
  const { format } = value as { format?: unknown };
  return receiptKinds.find((kind) => kind.format === format) ?? null;
}
