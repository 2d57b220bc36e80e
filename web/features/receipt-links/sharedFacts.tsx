import type { ReactNode } from "react";
import { useIntl } from "react-intl";
import type { Coin } from "#core/money/coins.ts";
import type { SharedKind } from "#core/receipt-links/rules.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Hash } from "#ui/figures/Hash.tsx";
import type { ReceiptDetail } from "#web/features/receipt/kinds/kinds.ts";
import { ScaledNumber } from "#web/features/receipt/ScaledNumber.tsx";

/** A receipt that can be shared: one about an order that only its owner can fetch. */
export type SharedDetail = Extract<ReceiptDetail, { kind: SharedKind }>;

interface SharedFact {
  label: string;
  hint?: string;
  value: ReactNode;
}

/** The id under which the owner's calls know the receipt. */
export function getOrderId(detail: SharedDetail): string {
  switch (detail.kind) {
    case "contract":
      return String(detail.receipt.order.order_id);
    case "hosting":
      return detail.receipt.order.order_id;
    case "lease":
      return detail.receipt.lease.lease_id;
  }
}

/**
 * Lists everything that a receipt shows about its order and its owner, before a link to it is made.
 */
export function useSharedFacts(detail: SharedDetail): SharedFact[] {
  const { formatDate } = useIntl();
  const t = useText();
  const amount = (value: unknown, coin: Coin = "pUSDT") => (
    <Amount value={BigInt(String(value))} coin={coin} />
  );
  const boundFact = (order: { accepted_at_ms?: unknown; attempt_id?: unknown }): SharedFact[] => [
    {
      label: t("receipt.hosting.accepted"),
      value: formatDate(Number(order.accepted_at_ms), { dateStyle: "medium", timeStyle: "medium" }),
    },
    {
      label: t("receipt-links.attempt"),
      hint: t("receipt-links.attempt.hint"),
      value: <Hash value={String(order.attempt_id)} label={t("receipt-links.attempt")} />,
    },
  ];
  const number = (label: string, id: string): SharedFact => ({
    label: t(label),
    value: <Hash value={id} label={t(label)} />,
  });
  switch (detail.kind) {
    case "contract": {
      const { order, result } = detail.receipt;
      return [
        {
          label: String(order.symbol),
          hint: t(`receipt.order.${String(order.direction)}`, {
            seconds: Number(order.tier_seconds),
          }),
          value: t(`receipt.outcome.${result.outcome}`),
        },
        { label: t("receipt.stake"), value: amount(order.stake) },
        { label: t("receipt.fee"), value: amount(order.fee) },
        { label: t("receipt.payout"), value: amount(result.payout) },
        number("receipt.orderId", getOrderId(detail)),
        ...boundFact(order),
      ];
    }
    case "hosting": {
      const { order, result } = detail.receipt;
      const scaled = (label: string, value: string | null): SharedFact[] =>
        value === null ? [] : [{ label: t(label), value: <ScaledNumber value={value} /> }];
      const paid = order.action === "subscribe" ? order.amount : result.payout;
      return [
        { label: t("receipt.pool"), value: order.pool_id },
        { label: t("receipt.hosting.what"), value: t(`receipt.hosting.${order.action}`) },
        ...(paid === null
          ? []
          : [
              {
                label: t(order.action === "subscribe" ? "receipt.hosting.paid" : "receipt.payout"),
                value: amount(paid),
              },
            ]),
        ...scaled("receipt.hosting.units", result.units),
        ...scaled("receipt.hosting.nav", result.nav),
        ...(order.action === "redeem" && result.fee !== null
          ? [{ label: t("receipt.fee"), value: amount(result.fee) }]
          : []),
        number("receipt.orderId", getOrderId(detail)),
        ...boundFact(order),
      ];
    }
    case "lease": {
      const { lease, terms, payouts, mined_before: minedBefore, ended } = detail.receipt;
      const mined = payouts.reduce(
        (sum, payout) => sum + BigInt(payout.amount),
        BigInt(minedBefore),
      );
      return [
        {
          label: `${String(terms.maker)} ${String(terms.model)}`,
          hint: t("receipt.lease.size", { quantity: lease.quantity, days: lease.days }),
          value: null,
        },
        { label: t("receipt.lease.price"), value: amount(lease.price) },
        { label: t("receipt.lease.power"), value: amount(lease.power) },
        { label: t("receipt.lease.mined"), value: amount(mined, "pBTC") },
        ...(ended
          ? [
              {
                label: t("receipt.lease.refund"),
                hint: t("receipt.lease.unused", { days: ended.ending.unused_days }),
                value: amount(BigInt(ended.ending.price) + BigInt(ended.ending.power)),
              },
            ]
          : []),
        number("receipt.lease.id", getOrderId(detail)),
        ...boundFact(lease),
      ];
    }
  }
}
