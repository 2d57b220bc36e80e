import { useCallback, useState } from "react";
import type { WalletRecord } from "#api/records.ts";
import { getTransferRecord } from "#api/routes/records.ts";
import type { Coin } from "#core/money/coins.ts";
import type { recordGroups } from "#core/records/record.ts";
import { client } from "#web/lib/api/client.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { mergeNewest } from "./mergeNewest.ts";

/** The filter of a records screen. */
export interface RecordFilter {
  coin?: Coin;
  group?: (typeof recordGroups)[number];
  from_ms?: number;
  to_ms?: number;
  attempt_id?: string;
  search?: string;
}

const firstSize = 30;
const moreSize = 100;

interface LoadedRecords {
  items: readonly WalletRecord[];
  next: string | null;
  /** The first page merged last. */
  seen: unknown;
}

/**
 * The records that match a filter, page after page. The first page is live: new rows are added on
 * top, loaded ones stay. `useApiPages` would refetch every loaded page after each change of a
 * balance, and ten thousand records are a hundred pages. Remount for another filter.
 */
export function useRecords(filter: RecordFilter) {
  const first = useApiQuery(getTransferRecord, { ...filter, page: 1, page_size: firstSize });
  const [loaded, setLoaded] = useState<LoadedRecords>({ items: [], next: null, seen: null });
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  if (first.data && first.data !== loaded.seen) {
    setLoaded({ ...mergeNewest(loaded, first.data), seen: first.data });
  }
  const { next } = loaded;
  const load = useCallback(async () => {
    if (next === null) return;
    setIsBusy(true);
    setFailure(null);
    try {
      const input = { ...filter, page: 1, page_size: moreSize, before: next };
      const { data } = await client.call(getTransferRecord, input);
      setLoaded((now) =>
        // The list may have been reset in the meantime.
        now.next === next ? { ...now, items: [...now.items, ...data.items], next: data.next } : now,
      );
    } catch (error) {
      setFailure(error);
    } finally {
      setIsBusy(false);
    }
  }, [filter, next]);
  return { first, items: loaded.items, more: next !== null, isBusy, failure, load };
}
