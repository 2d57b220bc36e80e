import { type ReactNode, useEffect } from "react";
import { useIntl } from "react-intl";
import { getJournalReceipt } from "#api/records.ts";
import { MooringDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Page } from "#ui/Page.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { Receipt } from "#web/app/receipt/Receipt.tsx";
import { useCall } from "#web/app/useCall.ts";
import { useSentence } from "#web/app/useSentence.ts";

/** A journal that is not committed to yet is asked for again after so many milliseconds. */
const waitMs = 5_000;

/** The screen with the receipt of one of the person's own journals; waits until the log commits to it. */
export function JournalReceipt({ journalId }: { journalId: string }) {
  const { formatMessage } = useIntl();
  const sentence = useSentence();
  const { data, error, isFetching, refetch } = useCall(
    getJournalReceipt,
    { journal_id: journalId },
    // What is committed stays so.
    { staleMs: Number.POSITIVE_INFINITY },
  );
  const waiting = error?.error === "records.receipt_not_ready";
  useEffect(() => {
    if (!waiting || isFetching) return;
    const timer = window.setTimeout(() => void refetch(), waitMs);
    return () => window.clearTimeout(timer);
  }, [waiting, isFetching, refetch]);
  const frame = (body: ReactNode, steps?: ReactNode, after?: ReactNode) => (
    <Page
      title={formatMessage({ id: "receipt.title" })}
      back="/wallet-record"
      side={
        steps ? (
          <>
            {steps}
            <div className="wide:hidden">{after}</div>
          </>
        ) : undefined
      }
    >
      {body}
      <div className={steps ? "hidden wide:block" : undefined}>{after}</div>
    </Page>
  );
  if (data) return <Receipt receipt={data} frame={frame} />;
  if (waiting) {
    return frame(
      <Empty
        drawing={<MooringDrawing />}
        title={formatMessage({ id: "verify.journal.waiting.title" })}
      >
        <p>{formatMessage({ id: "verify.journal.waiting.text" })}</p>
      </Empty>,
    );
  }
  if (error) {
    return frame(
      <div className="px-4 pt-4">
        <ErrorNote onRetry={() => void refetch()} busy={isFetching}>
          {sentence(error)}
        </ErrorNote>
      </div>,
    );
  }
  return frame(<SkeletonRows count={6} />);
}
