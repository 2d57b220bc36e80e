import { useIntl } from "react-intl";
import { getOrderList } from "#api/routes/contracts.ts";
import { getOrderList as getHostingOrders } from "#api/routes/hosting.ts";
import { getOrderList as getLeases } from "#api/routes/mining.ts";
import { getWithdrawList } from "#api/routes/withdraw.ts";
import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Row } from "#ui/Row.tsx";
import { Link } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useSession } from "#web/features/session/useSession.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { listOwnReceiptRows, type ReceiptRow } from "#web/screens/verify/ownReceiptRows.ts";

const page = { page: 1, page_size: 6 };

/** The person's own newest receipts, each a press away from being recomputed. */
export function MyReceipts() {
  const t = useText();
  const { status } = useSession();
  const enabled = status === "signed_in";
  const orders = useApiQuery(getOrderList, { status: "over", ...page }, { enabled });
  const withdrawals = useApiQuery(getWithdrawList, page, { enabled });
  const leases = useApiQuery(getLeases, page, { enabled });
  const hosting = useApiQuery(getHostingOrders, { status: "over", ...page }, { enabled });
  if (status === "signed_out") return null;
  const rows = listOwnReceiptRows({
    orders: orders.data?.items ?? [],
    withdrawals: withdrawals.data?.items ?? [],
    leases: leases.data?.items ?? [],
    hosting: hosting.data?.items ?? [],
  });
  const pending = [orders, withdrawals, leases, hosting].some((list) => list.isPending);
  return (
    <Section title={t("verify.mine")} className="mt-4!">
      {rows.length > 0 ? (
        rows.map((receiptRow) => <ReceiptLink key={receiptRow.to} row={receiptRow} />)
      ) : pending ? (
        <SkeletonRows count={3} />
      ) : (
        <div className="flex flex-col items-start gap-3 px-4 py-4">
          <p className="text-small text-ink-soft">{t("verify.mine.none")}</p>
          <Link to="/business" className={buttonClass({ variant: "outline", size: "small" })}>
            {t("verify.mine.order.do")}
          </Link>
        </div>
      )}
    </Section>
  );
}

function ReceiptLink({ row: { to, kind, subject, atMs, amount } }: { row: ReceiptRow }) {
  const { formatDate } = useIntl();
  const t = useText();
  return (
    <Row
      to={to}
      label={t(`verify.mine.${kind}`, { subject })}
      hint={formatDate(atMs, { dateStyle: "medium", timeStyle: "short" })}
      value={
        amount ? (
          <Amount
            value={amount.value}
            coin={amount.coin}
            signed={amount.signed}
            toned={amount.signed}
          />
        ) : null
      }
    />
  );
}
