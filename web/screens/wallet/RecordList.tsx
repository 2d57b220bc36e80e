import { useState } from "react";
import { useIntl } from "react-intl";
import type { WalletRecord } from "#api/records.ts";
import { getTransferRecord } from "#api/routes/records.ts";
import type { Coin } from "#core/money/coins.ts";
import { useText } from "#i18n/useText.ts";
import { Empty } from "#ui/Empty.tsx";
import { Row } from "#ui/Row.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { QueryError } from "#web/lib/api/QueryError.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { groupByDay } from "./days.ts";
import { pairWithdrawals } from "./records/pairWithdrawals.ts";
import { RecordRow } from "./records/RecordRow.tsx";
import { RecordSheet } from "./records/RecordSheet.tsx";

const size = 20;

interface RecordListProps {
  coin?: Coin | null;
  attemptId?: string;
}

const toRows = (items: readonly WalletRecord[]) =>
  pairWithdrawals(items).map((pair) => ({ ...pair, at_ms: pair.record.at_ms }));

/**
 * The latest records by day, of one coin or all, of the current attempt or an older one; the rest
 * are on their own page.
 */
export function RecordList({ coin = null, attemptId }: RecordListProps) {
  const { formatDate } = useIntl();
  const t = useText();
  const [openedRecord, setOpenedRecord] = useState<WalletRecord | null>(null);
  const [open, setOpen] = useState(false);
  const filter = {
    ...(coin === null ? {} : { coin }),
    ...(attemptId === undefined ? {} : { attempt_id: attemptId }),
  };
  const input = { ...filter, page: 1, page_size: size };
  const query = useApiQuery(getTransferRecord, input, {
    keepPrevious: true,
  });
  const { data, error } = query;
  if (error && !data) return <QueryError query={query} />;
  if (!data) return <SkeletonRows count={6} />;
  if (data.items.length === 0) return <Empty title={t("records.none")} />;
  return (
    <>
      {groupByDay(toRows(data.items), (ms) => formatDate(ms)).map((day) => (
        <section key={day.ms} className="mt-4">
          <h3 className="px-4 py-1.5 text-small font-normal text-ink-faint">
            {formatDate(day.ms, {
              weekday: "short",
              day: "numeric",
              month: "long",
              year: "numeric",
            })}
          </h3>
          <ul className="hairlines border-y border-line">
            {day.items.map(({ record, held }) => (
              <li key={record.journal_id}>
                <RecordRow
                  record={record}
                  held={held}
                  onOpen={() => {
                    setOpenedRecord(record);
                    setOpen(true);
                  }}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {data.has_more ? (
        <div className="border-b border-line">
          <Row label={t("records.all")} to={`/wallet-record?${new URLSearchParams(filter)}`} />
        </div>
      ) : null}
      <RecordSheet record={openedRecord} open={open} onClose={() => setOpen(false)} />
    </>
  );
}
