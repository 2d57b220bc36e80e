import type { ReactNode } from "react";
import { useIntl } from "react-intl";
import { type FillCostName, fillCostNames } from "#core/market/fillCosts.ts";
import { type Coin, coinScale } from "#core/money/coins.ts";
import { formatDecimal, toMinorUnits } from "#core/money/decimal.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { PriceText } from "#ui/figures/PriceText.tsx";
import { Section } from "#ui/Section.tsx";

/** Amounts in minor units, or as decimal strings of the wire. */
type Money = bigint | string;

interface Figures {
  coin: Coin;
  /** The result at the mid price alone, and the actual one. */
  from: Money;
  to: Money;
  costs: Readonly<Record<FillCostName, Money>>;
}

export type FillCostsProps = Figures &
  (
    | {
        of: "order";
        rateBp: number;
        scale: number;
        prices: { accepted: string | null; entry: string; last: string; settlement: string };
      }
    | { of: "exchange"; delay: "known" | "not_in_receipt" }
    | { of: "trade" }
  );

/** A fill from the mid price to its result, one line per cost; every digit adds up. */
export default function FillCostsTable(props: FillCostsProps) {
  const t = useText();
  const { of, coin, from, to, costs } = props;
  const hintOf = useHint(props);
  const isDelayKnown = props.of !== "exchange" || props.delay === "known";
  const names = fillCostNames.filter((name) => name !== "delay" || isDelayKnown);
  const minor = (value: Money) =>
    typeof value === "bigint" ? value : toMinorUnits(value, coinScale(coin));
  const amount = (value: bigint) => (
    <Amount value={formatDecimal(value, coinScale(coin))} coin={coin} signed={of !== "exchange"} />
  );
  const line = (name: string, label: ReactNode, hint: ReactNode, value: ReactNode) => (
    <tr key={name}>
      <th scope="row" className="py-2 pr-3 pl-4 text-left font-normal">
        {label}
        {hint ? <span className="block text-caption text-ink-faint">{hint}</span> : null}
      </th>
      <td className="py-2 pr-4 text-right align-top">{value}</td>
    </tr>
  );
  return (
    <Section title={t("fill-costs.title")} note={t("fill-costs.note")}>
      <table className="w-full text-small">
        <caption className="sr-only">{t("fill-costs.title")}</caption>
        <tbody className="hairlines">
          {line(
            "from",
            t(`fill-costs.${of}.from`),
            t(`fill-costs.${of}.from.hint`),
            amount(minor(from)),
          )}
          {names.map((name) =>
            line(
              name,
              t(`fill-costs.${name}`),
              hintOf(name),
              <Amount
                value={formatDecimal(-minor(costs[name]), coinScale(coin))}
                coin={coin}
                signed
              />,
            ),
          )}
          <tr className="font-strong">
            <th scope="row" className="py-2 pr-3 pl-4 text-left">
              {t(`fill-costs.${of}.to`)}
            </th>
            <td className="py-2 pr-4 text-right">{amount(minor(to))}</td>
          </tr>
        </tbody>
      </table>
      {isDelayKnown ? null : (
        <p className="px-4 py-2 text-caption text-ink-faint">{t("fill-costs.exchange.unproven")}</p>
      )}
    </Section>
  );
}

function useHint(props: FillCostsProps): (name: FillCostName) => ReactNode {
  const t = useText();
  const { formatNumber } = useIntl();
  if (props.of !== "order") {
    return (name) => (name === "fee" ? null : t(`fill-costs.${props.of}.${name}`));
  }
  const { prices, rateBp, scale } = props;
  const price = (value: string) => <PriceText key={value} value={value} scale={scale} />;
  const percent = formatNumber(rateBp / 10_000, { style: "percent", maximumFractionDigits: 2 });
  return (name) => {
    if (name === "fee") return null;
    if (name === "spread") return t("fill-costs.order.spread", { percent });
    if (name === "slippage") {
      const { last, settlement } = prices;
      return t("fill-costs.order.slippage", { last: price(last), average: price(settlement) });
    }
    if (prices.accepted === null) return t("fill-costs.order.delay.none");
    const { accepted, entry } = prices;
    return t("fill-costs.order.delay", { index: price(accepted), entry: price(entry) });
  };
}
