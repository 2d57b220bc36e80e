import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Hash } from "#ui/figures/Hash.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import type { HostingDetail } from "#web/features/receipt/kinds/hostingKind.ts";
import { ScaledNumber } from "#web/features/receipt/ScaledNumber.tsx";

/** The receipt of a subscription or redemption, alongside the recomputed values. */
export function HostingSummary({ detail }: { detail: HostingDetail }) {
  const { formatDate } = useIntl();
  const t = useText();
  const { order, result } = detail.receipt;
  const time = (atMs: number) => formatDate(atMs, { dateStyle: "medium", timeStyle: "medium" });
  const money = (value: string) => <Amount value={BigInt(value)} coin="pUSDT" />;
  const outcome = result.outcome === "returned" ? "returned" : order.action;
  return (
    <Section title={t("receipt.hosting")}>
      <Row
        label={t("receipt.pool")}
        value={<span className="font-mono text-small">{order.pool_id}</span>}
      />
      <Row label={t("receipt.hosting.what")} value={t(`receipt.hosting.${outcome}`)} />
      <Row label={t("receipt.hosting.accepted")} value={time(order.accepted_at_ms)} />
      {result.mark_at_ms === null ? null : (
        <Row label={t("receipt.hosting.mark")} value={time(result.mark_at_ms)} />
      )}
      {result.nav === null ? null : (
        <Row label={t("receipt.hosting.nav")} value={<ScaledNumber value={result.nav} />} />
      )}
      {result.units === null ? null : (
        <Row label={t("receipt.hosting.units")} value={<ScaledNumber value={result.units} />} />
      )}
      {result.amount === null ? null : (
        <Row
          label={t(`receipt.hosting.${order.action === "subscribe" ? "paid" : "amount"}`)}
          value={money(result.amount)}
        />
      )}
      {order.action === "redeem" && result.fee !== null ? (
        <Row label={t("receipt.fee")} value={money(result.fee)} />
      ) : null}
      {result.payout === null || (order.action === "subscribe" && result.payout === "0") ? null : (
        <Row label={t("receipt.payout")} value={money(result.payout)} />
      )}
      <Row
        label={t("receipt.orderId")}
        value={<Hash value={order.order_id} label={t("receipt.orderId")} />}
      />
    </Section>
  );
}
