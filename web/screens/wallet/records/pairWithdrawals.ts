import type { WalletRecord } from "#api/records.ts";

/** A record, and for the end of a withdrawal the record that set its amount aside. */
export interface PairedRecord {
  record: WalletRecord;
  held: WalletRecord | null;
}

/** The last part of a withdrawal's kind: how it ended, or that it began. */
function toStep({ type, group }: WalletRecord): string | undefined {
  return group === "withdraw" ? type.split(".")[1] : undefined;
}

const isEnd = (record: WalletRecord) => ["leave", "cancel"].includes(toStep(record) ?? "");

/**
 * One row for one withdrawal: what set its amount aside joins the record that ended it, if both are
 * among the records, and is a separate row while it is open. Order and everything else stay.
 */
export function pairWithdrawals(records: readonly WalletRecord[]): PairedRecord[] {
  const endedIds = new Set(
    records.flatMap((record) =>
      isEnd(record) && record.order_id !== null ? [record.order_id] : [],
    ),
  );
  const holdsById = new Map(
    records.flatMap((record) =>
      toStep(record) === "place" && endedIds.has(record.journal_id)
        ? [[record.journal_id, record]]
        : [],
    ),
  );
  return records
    .filter(({ journal_id: id }) => !holdsById.has(id))
    .map((record) => ({
      record,
      held: (isEnd(record) && holdsById.get(record.order_id ?? "")) || null,
    }));
}
