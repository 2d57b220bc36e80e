import { type ReactNode, useEffect } from "react";
import { useIntl } from "react-intl";
import type { Call, InputOf } from "#api/call.ts";
import { getReceipt as getLeaseReceipt } from "#api/machine.ts";
import { getReceipt as getHostingReceipt, getTradeReceipt } from "#api/pledge.ts";
import { MooringDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Page } from "#ui/Page.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { Receipt } from "#web/app/receipt/Receipt.tsx";
import { useCall } from "#web/app/useCall.ts";
import { useSentence } from "#web/app/useSentence.ts";

/** A receipt that is not ready is asked for again after so many milliseconds. */
const waitMs = 5_000;

/** Receipts that are fetched by their call and checked: what the query of `/verify` names, and what each comes from. */
export const ownReceipts = {
  lease_id: { call: getLeaseReceipt, notReady: "mining.receipt_not_ready", back: "/mining/record" },
  hosting_order_id: {
    call: getHostingReceipt,
    notReady: "hosting.receipt_not_ready",
    back: "/ai/record",
  },
  trade_id: { call: getTradeReceipt, notReady: "hosting.receipt_not_ready", back: "/ai" },
} as const;

export type OwnReceiptName = keyof typeof ownReceipts;

const inputOf: Record<OwnReceiptName, (id: string) => object> = {
  lease_id: (id) => ({ lease_id: id }),
  hosting_order_id: (id) => ({ order_id: id }),
  trade_id: (id) => ({ trade_id: id }),
};

/** The screen with the receipt of a lease, a subscription or redemption, or a paper trade; waits until it is in the log. */
export function OwnReceipt({ name, id }: { name: OwnReceiptName; id: string }) {
  const { formatMessage } = useIntl();
  const sentence = useSentence();
  const { call, notReady, back } = ownReceipts[name];
  const { data, error, isFetching, refetch } = useCall(
    call as Call,
    inputOf[name](id) as InputOf<Call>,
    { staleMs: Number.POSITIVE_INFINITY },
  );
  const waiting = error?.error === notReady;
  useEffect(() => {
    if (!waiting || isFetching) return;
    const timer = window.setTimeout(() => void refetch(), waitMs);
    return () => window.clearTimeout(timer);
  }, [waiting, isFetching, refetch]);
  const frame = (body: ReactNode, steps?: ReactNode, after?: ReactNode) => (
    <Page
      title={formatMessage({ id: "receipt.title" })}
      back={back}
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
      <Empty drawing={<MooringDrawing />} title={formatMessage({ id: "verify.own.waiting.title" })}>
        <p>{formatMessage({ id: `verify.own.waiting.${name}` })}</p>
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
