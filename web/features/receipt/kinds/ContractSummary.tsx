import { formatDecimal } from "#core/money/decimal.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Hash } from "#ui/figures/Hash.tsx";
import { PriceText } from "#ui/figures/PriceText.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { FillCosts } from "#web/features/fill-costs/FillCosts.tsx";
import type { ContractDetail } from "#web/features/receipt/kinds/contractKind.ts";
import { WindowChart } from "#web/features/receipt/WindowChart.tsx";

/** A contract's receipt, alongside the recomputed values. */
export function ContractSummary({
  detail,
  isToned,
}: {
  detail: ContractDetail;
  /** True if gains and losses are coloured. */
  isToned: boolean;
}) {
  const t = useText();
  const { receipt, check, priceScale } = detail;
  const { order } = check;
  if (!order) return null;
  const { outcome, payout, net } = receipt.result;
  const price = (value: bigint | null) => (
    <PriceText
      value={value === null ? null : formatDecimal(value, priceScale, true)}
      scale={priceScale}
    />
  );
  return (
    <>
      <Section title={t("receipt.order")}>
        <Row
          label={order.symbol}
          hint={t(`receipt.order.${order.direction}`, { seconds: order.tierSeconds })}
          value={t(`receipt.outcome.${outcome}`)}
          valueHint={<Amount value={BigInt(net)} coin="pUSDT" signed toned={isToned} />}
        />
        <Row label={t("receipt.stake")} value={<Amount value={order.stake} coin="pUSDT" />} />
        <Row label={t("receipt.fee")} value={<Amount value={order.fee} coin="pUSDT" />} />
        <Row label={t("receipt.payout")} value={<Amount value={BigInt(payout)} coin="pUSDT" />} />
        <Row label={t("receipt.purchase")} value={price(check.entryPrice)} />
        <Row label={t("receipt.selling")} value={price(check.settlementPrice)} />
        <Row
          label={t("receipt.orderId")}
          value={<Hash value={order.orderId} label={t("receipt.orderId")} />}
        />
      </Section>
      <Costs detail={detail} />
      {check.bySamples ? (
        <p className="px-4 pt-3 text-small text-ink-soft">
          {t("receipt.by_samples", { outcome: check.bySamples })}
        </p>
      ) : null}
      {check.window.length > 0 ? (
        <Section title={t("receipt.window")} kind="plain" className="[&>div:last-child]:px-0">
          <WindowChart
            samples={check.window}
            purchase={check.entryPrice}
            selling={check.settlementPrice}
            scale={priceScale}
          />
        </Section>
      ) : null}
    </>
  );
}

/** The costs from the mid to the result, computed from the receipt's leaves. */
function Costs({ detail: { check, priceScale } }: { detail: ContractDetail }) {
  const { order, costs } = check;
  if (!order || !costs) return null;
  const text = (value: bigint) => formatDecimal(value, priceScale, true);
  const { accepted, entry, last, settlement } = costs.prices;
  return (
    <FillCosts
      of="order"
      coin="pUSDT"
      from={costs.fair}
      to={costs.net}
      costs={costs.costs}
      rateBp={order.rateBp}
      scale={priceScale}
      prices={{
        accepted: accepted === null ? null : text(accepted),
        entry: text(entry),
        last: text(last),
        settlement: text(settlement),
      }}
    />
  );
}
