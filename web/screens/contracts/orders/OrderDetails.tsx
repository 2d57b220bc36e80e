import type { ReactNode } from "react";
import { useIntl } from "react-intl";
import type { Order } from "#api/contracts.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { buttonClass } from "#ui/buttonClass.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Hash } from "#ui/figures/Hash.tsx";
import { PriceText } from "#ui/figures/PriceText.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { Row } from "#ui/Row.tsx";
import { Link } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { OrderCosts } from "#web/features/fill-costs/OrderCosts.tsx";
import { Luck } from "#web/features/money/Luck.tsx";
import { useDuration, usePercent } from "../format.ts";
import { OrderHeading } from "./OrderHeading.tsx";
import { ResultText } from "./ResultText.tsx";
import { buildReceiptUrl } from "./receiptUrl.ts";

/** Everything known about one order, in a sheet. */
export default function OrderDetails({
  order,
  open,
  onOpenChange,
  onRepeat,
}: {
  order: Order;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Present where a ticket can be filled with the same order again. */
  onRepeat?: () => void;
}) {
  const t = useText();
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={<OrderHeading order={order} />}
      actions={
        order.status === "over" ? (
          <>
            <Link to={buildReceiptUrl(order)} className={buttonClass({ block: true })}>
              {t("contracts.order.receipt")}
            </Link>
            {onRepeat ? (
              <Button variant="quiet" block onClick={onRepeat}>
                {t("contracts.order.repeat")}
              </Button>
            ) : null}
          </>
        ) : undefined
      }
    >
      <OrderBody order={order} />
    </Sheet>
  );
}

/** The order's result, costs and facts, for a column with a margin of 16 px. */
export function OrderBody({ order }: { order: Order }) {
  return (
    <>
      {order.status === "over" ? <ResultText order={order} /> : null}
      {order.status === "over" ? <Luck className="mt-2" /> : null}
      {order.status === "over" && order.outcome !== "void" ? (
        <div className="-mx-4">
          <OrderCosts orderId={order.order_id} rateBp={order.rate_bp} scale={order.price_scale} />
        </div>
      ) : null}
      <OrderFacts order={order} />
    </>
  );
}

function OrderFacts({ order }: { order: Order }) {
  const { formatDate } = useIntl();
  const t = useText();
  const duration = useDuration();
  const percent = usePercent();
  const time = (ms: number | null) =>
    ms === null ? "—" : formatDate(ms, { dateStyle: "medium", timeStyle: "medium" });
  const price = (value: string | null) => <PriceText value={value} scale={order.price_scale} />;
  const money = (value: string, signed = false) => (
    <Amount value={value} coin={order.coin} signed={signed} toned={signed} alignDigits={2} />
  );
  const facts: [string, ReactNode][] = [
    ["stake", money(order.stake)],
    ["fee", money(order.fee)],
    ...(order.payout === null ? [] : ([["payout", money(order.payout)]] as [string, ReactNode][])),
    ...(order.net === null ? [] : ([["net", money(order.net, true)]] as [string, ReactNode][])),
    ["purchase", price(order.purchase_price)],
    ["selling", price(order.selling_price)],
    [
      "move",
      order.quote_change_bp === null
        ? "—"
        : t("contracts.order.moveBp", { value: order.quote_change_bp.replace("-", "−") }),
    ],
    ["accepted", time(order.accepted_at_ms)],
    ["entry", time(order.entry_at_ms)],
    ["delivery", time(order.delivery_at_ms)],
    ["settled", time(order.settled_at_ms)],
    [
      "market",
      t("contracts.order.marketKind", { kind: order.market.kind, speed: order.market.speed }),
    ],
    ["leaf", order.bound_leaf === null ? "—" : String(order.bound_leaf)],
  ];
  return (
    <Section className="-mx-4">
      <Row
        label={t("contracts.ticket.tier")}
        hint={
          order.range_bp > 0
            ? t("contracts.ticket.ifInRange", { percent: percent(order.range_bp) })
            : undefined
        }
        value={duration(order.tier_seconds)}
        valueHint={t("contracts.ticket.tierPays", { percent: percent(order.rate_bp) })}
        className="min-h-11 text-small"
      />
      {facts.map(([name, value]) => (
        <Row
          key={name}
          label={t(`contracts.order.${name}`)}
          value={value}
          className="min-h-11 text-small"
        />
      ))}
      <Row
        label={t("contracts.order.id")}
        value={<Hash value={order.order_id} label={t("contracts.order.id")} />}
        className="min-h-11 text-small"
      />
      <Row
        label={t("contracts.order.hash")}
        value={<Hash value={order.order_hash} label={t("contracts.order.hash")} />}
        className="min-h-11 text-small"
      />
      <Row
        label={t("contracts.termsHash")}
        value={<Hash value={order.terms_hash} label={t("contracts.termsHash")} />}
        className="min-h-11 text-small"
      />
    </Section>
  );
}
