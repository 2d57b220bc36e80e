import { type ReactNode, useEffect } from "react";
import type { InputOf, Route } from "#api/call.ts";
import { getReceipt as getOrderReceipt } from "#api/routes/contracts.ts";
import { getReceipt as getHostingReceipt, getTradeReceipt } from "#api/routes/hosting.ts";
import { getReceipt as getLeaseReceipt } from "#api/routes/mining.ts";
import { getJournalReceipt } from "#api/routes/records.ts";
import { getPublication } from "#api/routes/transparencyLog.ts";
import { useText } from "#i18n/useText.ts";
import { MooringDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { createReceiptLayout } from "#web/features/receipt/createReceiptLayout.tsx";
import Receipt from "#web/features/receipt/Receipt.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { NotSettled } from "#web/screens/verify/NotSettled.tsx";
import { OwnJournal } from "#web/screens/verify/OwnJournal.tsx";
import type { OwnReceiptName } from "#web/screens/verify/ownReceiptNames.ts";

const ownReceipts: Record<OwnReceiptName, OwnReceiptKind> = {
  order_id: selectOwn(getOrderReceipt, {
    input: (id) => ({ order_id: id }),
    notReady: "contracts.receipt_not_ready",
    back: "/business/orders",
    waitMs: 3_000,
    waiting: (id) => <NotSettled orderId={id} />,
  }),
  journal_id: selectOwn(getJournalReceipt, {
    input: (id) => ({ journal_id: id }),
    notReady: "records.receipt_not_ready",
    back: "/wallet-record",
  }),
  act_id: selectOwn(getJournalReceipt, {
    input: (id) => ({ journal_id: id }),
    notReady: "log.receipt_not_ready",
    back: "/wallet-record",
  }),
  publication: selectOwn(getPublication, {
    input: (id) => ({ publication: id }),
    notReady: "log.receipt_not_ready",
    back: "/news-list",
  }),
  lease_id: selectOwn(getLeaseReceipt, {
    input: (id) => ({ lease_id: id }),
    notReady: "mining.receipt_not_ready",
    back: "/mining/record",
  }),
  hosting_order_id: selectOwn(getHostingReceipt, {
    input: (id) => ({ order_id: id }),
    notReady: "hosting.receipt_not_ready",
    back: "/ai/record",
  }),
  trade_id: selectOwn(getTradeReceipt, {
    input: (id) => ({ trade_id: id }),
    notReady: "hosting.receipt_not_ready",
    back: "/ai",
  }),
};

interface ReceiptSource<C extends Route> {
  input: (id: string) => InputOf<C>;
  /** The error that means "not ready yet". */
  notReady: string;
  back: string;
  /** Retry interval in milliseconds for a receipt that is not ready; 5 000 by default. */
  waitMs?: number;
  /** Shown in place of the receipt until then; a sentence by default. */
  waiting?: (id: string) => ReactNode;
}

interface OwnReceiptKind extends Omit<ReceiptSource<Route>, "input"> {
  call: Route;
  input: (id: string) => object;
}

/** Ties the type of a call to that of its input. */
function selectOwn<C extends Route>(call: C, kind: ReceiptSource<C>): OwnReceiptKind {
  return { call, ...kind } as unknown as OwnReceiptKind;
}

/** Receipts that no one else can fetch. */
const owned: ReadonlySet<string> = new Set(["order_id", "lease_id", "hosting_order_id"]);

/**
 * Screen for the receipt of the person's own order, lease, trade or journal, of what an operator did
 * to them, or of a published text; waits until the receipt exists, after which it never changes.
 */
export default function OwnReceipt({ name, id }: { name: OwnReceiptName; id: string }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { call, input, notReady, back, waitMs = 5_000, waiting: meanwhile } = ownReceipts[name];
  const { data, error, isFetching, refetch } = useApiQuery(call, input(id) as InputOf<Route>, {
    staleMs: Number.POSITIVE_INFINITY,
  });
  const isWaiting = error?.error === notReady;
  useEffect(() => {
    if (!isWaiting || isFetching) return;
    const timer = window.setTimeout(() => void refetch(), waitMs);
    return () => window.clearTimeout(timer);
  }, [isWaiting, isFetching, refetch, waitMs]);
  const frame = createReceiptLayout(t("receipt.title"), back);
  if (data && name === "journal_id") return <OwnJournal receipt={data} id={id} frame={frame} />;
  if (data) return <Receipt receipt={data} isOwn={owned.has(name)} frame={frame} />;
  if (isWaiting) {
    if (meanwhile) return frame(meanwhile(id));
    return frame(
      <Empty drawing={<MooringDrawing />} title={t("verify.own.waiting.title")}>
        <p>{t(`verify.own.waiting.${name}`)}</p>
      </Empty>,
    );
  }
  if (error) {
    return frame(
      <div className="px-4 pt-4">
        <ErrorNote onRetry={() => void refetch()} busy={isFetching}>
          {errorMessage(error)}
        </ErrorNote>
      </div>,
    );
  }
  return frame(<SkeletonRows count={6} />);
}
