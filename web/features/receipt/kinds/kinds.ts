import type { JournalOwner } from "#core/records/journalRequirements.ts";
import type { ReceiptKind } from "#web/features/receipt/check.ts";
import {
  type ActDetail,
  actKind,
  type PublicationDetail,
  publicationKind,
} from "#web/features/receipt/kinds/auditKind.ts";
import { type ContractDetail, contractKind } from "#web/features/receipt/kinds/contractKind.ts";
import {
  type HostingDetail,
  hostingKind,
  type MarkDetail,
  markKind,
  type TradeDetail,
  tradeKind,
} from "#web/features/receipt/kinds/hostingKind.ts";
import {
  createOwnJournalKind,
  type JournalDetail,
  journalKind,
} from "#web/features/receipt/kinds/journalKind.ts";
import { type LeaseDetail, leaseKind } from "#web/features/receipt/kinds/leaseKind.ts";

/** The contents of a receipt of any kind besides its steps; `of` names the kind. */
export type ReceiptDetail =
  | ContractDetail
  | JournalDetail
  | LeaseDetail
  | HostingDetail
  | TradeDetail
  | MarkDetail
  | ActDetail
  | PublicationDetail;

/** Every receipt format this app can check. A new domain adds its own here. */
const receiptKinds: readonly ReceiptKind<ReceiptDetail>[] = [
  contractKind,
  journalKind,
  leaseKind,
  hostingKind,
  tradeKind,
  markKind,
  actKind,
  publicationKind,
];

/**
 * The kind of a receipt, from its `format`; null for an unknown one. A journal of an `owner` is
 * also checked for what only they can demand of it.
 */
export function findReceiptKind(
  value: unknown,
  owner: JournalOwner | null = null,
): ReceiptKind<ReceiptDetail> | null {
  if (typeof value !== "object" || value === null) return null;
  const { format } = value as { format?: unknown };
  if (owner && format === journalKind.format) return createOwnJournalKind(owner);
  return receiptKinds.find((kind) => kind.format === format) ?? null;
}
