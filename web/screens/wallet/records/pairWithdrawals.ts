import type { WalletRecord } from "#api/records.ts";

/** A record, and for the end of a withdrawal the record that set its amount aside. */
export interface Paired {
  record: WalletRecord;
  held: WalletRecord | null;
}

const ends = new Set(["withdraw.leave", "withdraw.cancel"]);

/**
 * One row for one withdrawal: what set its amount aside joins the record that ended it, if both are
 * among the records, and stands alone while it is open. Order and everything else stay.
 */
export function pairWithdrawals(records: readonly WalletRecord[]): Paired[] {
  const ended = new Set(
    records.flatMap(({ type, order_id: id }) => (ends.has(type) && id !== null ? [id] : [])),
  );
  const placed = new Map(
    records.flatMap((one) =>
      one.type === "withdraw.place" && ended.has(one.journal_id) ? [[one.journal_id, one]] : [],
    ),
  );
  return records
    .filter(({ journal_id: id }) => !placed.has(id))
    .map((record) => ({
      record,
      held: (ends.has(record.type) && placed.get(record.order_id ?? "")) || null,
    }));
}
