import { type ReactNode, useEffect } from "react";
import { useIntl } from "react-intl";
import { getReceipt } from "#api/contracts.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Page } from "#ui/Page.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { Receipt } from "#web/app/receipt/Receipt.tsx";
import { useCall } from "#web/app/useCall.ts";
import { useSentence } from "#web/app/useSentence.ts";
import { NotSettled } from "#web/verify/NotSettled.tsx";

/** An order that still runs is asked for again after so many milliseconds. */
const waitMs = 3_000;

/** The screen with the receipt of one of the user's own orders. While the order still runs, it waits for it. */
export function OrderReceipt({ orderId }: { orderId: string }) {
  const { formatMessage } = useIntl();
  const sentence = useSentence();
  const { data, error, isFetching, refetch } = useCall(
    getReceipt,
    { order_id: orderId },
    // A receipt never changes once it exists.
    { staleMs: Number.POSITIVE_INFINITY },
  );
  const waiting = error?.error === "contracts.receipt_not_ready";
  useEffect(() => {
    if (!waiting || isFetching) return;
    const timer = window.setTimeout(() => void refetch(), waitMs);
    return () => window.clearTimeout(timer);
  }, [waiting, isFetching, refetch]);
  const frame = (body: ReactNode, steps?: ReactNode, after?: ReactNode) => (
    <Page
      title={formatMessage({ id: "receipt.title" })}
      back="/business/orders"
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
  if (error && !waiting) {
    return frame(
      <div className="px-4 pt-4">
        <ErrorNote onRetry={() => void refetch()} busy={isFetching}>
          {sentence(error)}
        </ErrorNote>
      </div>,
    );
  }
  if (waiting) return frame(<NotSettled orderId={orderId} />);
  return frame(
    <>
      <p className="px-4 pt-4 pb-2 text-small text-ink-soft">
        {formatMessage({ id: "verify.loading" })}
      </p>
      <SkeletonRows count={6} />
    </>,
  );
}
