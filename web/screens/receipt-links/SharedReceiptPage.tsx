import { useIntl } from "react-intl";
import { openReceiptLink } from "#api/routes/receiptLinks.ts";
import { useText } from "#i18n/useText.ts";
import { MooringDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { useLocation } from "#ui/router.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { percentOrdersMin } from "#web/features/money/percentOrdersMin.ts";
import { createReceiptLayout } from "#web/features/receipt/createReceiptLayout.tsx";
import Receipt, { type ReceiptFrame } from "#web/features/receipt/Receipt.tsx";
import { parseLinkHash } from "#web/features/receipt-links/linkSecret.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useConfig } from "#web/lib/api/useConfig.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/**
 * `/r#<secret>`: a receipt that its owner shared, checked like any other. No account is needed, and
 * the page says above it how most orders here ended.
 */
export default function SharedReceiptPage() {
  const secret = parseLinkHash(useLocation().hash);
  return secret === null ? <NoReceipt /> : <SharedReceipt key={secret} secret={secret} />;
}

function SharedReceipt({ secret }: { secret: string }) {
  const { formatDate } = useIntl();
  const t = useText();
  const errorMessage = useErrorMessage();
  const { data, error, isFetching, refetch } = useApiQuery(
    openReceiptLink,
    { secret },
    { staleMs: Number.POSITIVE_INFINITY },
  );
  const page = createReceiptLayout(t("receipt-links.page.title"), "/verify");
  if (error?.error === "receipt_links.unknown") return <NoReceipt />;
  if (error) {
    return page(
      <div className="px-4 pt-4">
        <ErrorNote onRetry={() => void refetch()} busy={isFetching}>
          {errorMessage(error)}
        </ErrorNote>
      </div>,
    );
  }
  if (!data) return page(<SkeletonRows count={6} />);
  const frame: ReceiptFrame = (body, steps, after) =>
    page(
      <>
        <div className="grid gap-2 px-4 pt-1 text-small text-ink-soft">
          <p>
            {t("receipt-links.page.note", {
              date: formatDate(data.expires_at_ms, { dateStyle: "long" }),
            })}
          </p>
          <LostHere />
        </div>
        {body}
      </>,
      steps,
      after,
    );
  return <Receipt receipt={data.receipt} isShared frame={frame} />;
}

/** How many of all orders here lost: one receipt, won or lost, says nothing of the next. */
function LostHere() {
  const { formatNumber } = useIntl();
  const t = useText();
  const pool = useConfig()?.home.pool;
  if (!pool || pool.orders_settled === 0) return null;
  const { orders_lost: lostCount, orders_settled: count } = pool;
  const share = formatNumber(lostCount / count, { style: "percent", maximumFractionDigits: 1 });
  const id = count < percentOrdersMin ? "receipt-links.page.lostCount" : "receipt-links.page.lost";
  return <p>{t(id, { share, lost: lostCount, count })}</p>;
}

/** The same for a link that never existed, was revoked or has expired. */
function NoReceipt() {
  const t = useText();
  return createReceiptLayout(
    t("receipt-links.page.title"),
    "/verify",
  )(
    <Empty drawing={<MooringDrawing />} title={t("receipt-links.page.none")}>
      {t("receipt-links.page.none.why")}
    </Empty>,
  );
}
