import { useIntl } from "react-intl";
import { getReceipt } from "#api/contracts.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { Receipt } from "#web/app/receipt/Receipt.tsx";
import { useCall } from "#web/app/useCall.ts";
import { useSentence } from "#web/app/useSentence.ts";

/** The receipt of one of the user's own orders. While the order still runs, it waits for it. */
export function OrderReceipt({ orderId }: { orderId: string }) {
  const { formatMessage } = useIntl();
  const sentence = useSentence();
  const { data, error, isFetching, refetch } = useCall(
    getReceipt,
    { order_id: orderId },
    // A receipt never changes once it exists.
    { staleMs: Number.POSITIVE_INFINITY },
  );
  if (data) return <Receipt receipt={data} />;
  if (error) {
    return (
      <div className="px-4 pt-4">
        <ErrorNote onRetry={() => void refetch()} busy={isFetching}>
          {sentence(error)}
        </ErrorNote>
      </div>
    );
  }
  return (
    <>
      <p className="px-4 pt-4 pb-2 text-small text-ink-soft">
        {formatMessage({ id: "verify.loading" })}
      </p>
      <SkeletonRows count={6} />
    </>
  );
}
