import { useEffect, useRef, useState } from "react";
import { useIntl } from "react-intl";
import { WindowVirtualizer } from "virtua";
import type { WalletRecord } from "#api/records.ts";
import { useText } from "#i18n/useText.ts";
import { cx } from "#ui/cx.ts";
import { EmptyDockDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { Spinner } from "#ui/Spinner.tsx";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";
import { pairWithdrawals } from "./pairWithdrawals.ts";
import { RecordRow } from "./RecordRow.tsx";
import { RecordSheet } from "./RecordSheet.tsx";
import { type RecordFilter, useRecords } from "./useRecords.ts";

interface RecordScrollProps {
  filter: RecordFilter;
  /** True if a filter is active: an empty list then says so. */
  isNarrowed: boolean;
  /**
   * Present when there is space beside the list: a record then opens there instead of in a sheet.
   */
  beside?: { shown: WalletRecord | null; show: (record: WalletRecord) => void } | undefined;
}

const EarlierAttempt = lazyComponent(
  () => import("#web/features/attempts/EarlierAttempt.tsx"),
  ["attempts"],
  null,
);

/** All records that match a filter, by day, loaded on scrolling; only visible ones are rendered. */
export function RecordScroll({ filter, isNarrowed, beside }: RecordScrollProps) {
  const { formatDate } = useIntl();
  const t = useText();
  const errorMessage = useErrorMessage();
  const { first, items, more, isBusy, failure, load } = useRecords(filter);
  const [openedRecord, setOpenedRecord] = useState<WalletRecord | null>(null);
  const [open, setOpen] = useState(false);
  if (first.isError && items.length === 0) {
    return (
      <div className="p-4">
        <ErrorNote onRetry={() => void first.refetch()}>{errorMessage(first.error)}</ErrorNote>
      </div>
    );
  }
  if (!first.data) return <SkeletonRows count={8} />;
  const lines = buildLines(items, (ms) => formatDate(ms));
  return (
    <>
      {items.length === 0 && !more ? (
        <Empty
          drawing={<EmptyDockDrawing />}
          title={t(isNarrowed ? "records.none.narrowed" : "records.none")}
        />
      ) : null}
      <div data-records={items.length}>
        <WindowVirtualizer data={lines} as="ul" item="li">
          {(line) =>
            line.dayMs === null ? (
              <div
                key={line.key}
                className={cx(
                  "border-b border-line",
                  line.record.journal_id === beside?.shown?.journal_id && "bg-leaf",
                )}
              >
                <RecordRow
                  record={line.record}
                  held={line.held}
                  onOpen={() => {
                    if (beside) return beside.show(line.record);
                    setOpenedRecord(line.record);
                    setOpen(true);
                  }}
                />
              </div>
            ) : (
              <h2
                key={line.key}
                className="border-b border-line px-4 pt-5 pb-1.5 text-small font-normal text-ink-faint"
              >
                {formatDate(line.dayMs, {
                  weekday: "short",
                  day: "numeric",
                  month: "long",
                  year: "numeric",
                })}
              </h2>
            )
          }
        </WindowVirtualizer>
      </div>
      {failure ? (
        <div className="p-4">
          <ErrorNote onRetry={() => void load()}>{errorMessage(failure)}</ErrorNote>
        </div>
      ) : more ? (
        <Foot key={items.length} busy={isBusy} load={load} searching={items.length === 0} />
      ) : filter.attempt_id === undefined && !isNarrowed ? (
        <EarlierAttempt />
      ) : null}
      <RecordSheet record={openedRecord} open={open && !beside} onClose={() => setOpen(false)} />
    </>
  );
}

type Line =
  | { dayMs: number; record: null; key: string }
  | { dayMs: null; record: WalletRecord; held: WalletRecord | null; key: string };

function buildLines(items: readonly WalletRecord[], dayOf: (ms: number) => string): Line[] {
  const lines: Line[] = [];
  let day: string | null = null;
  for (const { record, held } of pairWithdrawals(items)) {
    const recordDay = dayOf(record.at_ms);
    if (recordDay !== day) {
      lines.push({ dayMs: record.at_ms, record: null, key: `${recordDay} ${record.journal_id}` });
    }
    day = recordDay;
    lines.push({ dayMs: null, record, held, key: record.journal_id });
  }
  return lines;
}

/** At the end of the loaded rows: scrolling near it loads more. */
function Foot({
  busy,
  load,
  searching: isSearching,
}: {
  busy: boolean;
  load: () => Promise<void>;
  searching: boolean;
}) {
  const t = useText();
  const mark = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void load();
      },
      { rootMargin: "1200px" },
    );
    if (mark.current) observer.observe(mark.current);
    return () => observer.disconnect();
  }, [load]);
  return (
    <div
      ref={mark}
      className="flex min-h-16 items-center justify-center gap-3 p-4"
      aria-live="polite"
    >
      {busy ? <Spinner /> : null}
      <span className="text-small text-ink-faint">
        {t(isSearching ? "records.looking" : "records.loading")}
      </span>
    </div>
  );
}
