import { type LeasePlan, projectLease } from "#core/mining/calculator.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { changePrice, type Network, scenarios, toFigures } from "./figures.ts";

/**
 * The lease's final result under three assumptions: network and BTC as today, worse, and better.
 * All have the same size.
 */
export function computeOutlook(plan: LeasePlan, network: Network, btcPrice: bigint) {
  const figures = toFigures(network);
  return scenarios.map((scenario) => {
    const projection = projectLease(plan, figures, {
      difficultyBpPerEpoch: scenario.difficultyBpPerEpoch,
      btcPrice,
      btcPriceAtEnd: changePrice(btcPrice, scenario.priceChangePercent),
    });
    const end = projection.days.at(-1);
    return {
      ...scenario,
      projection,
      satoshi: end?.satoshi ?? 0n,
      worth: end?.worth ?? 0n,
      result: end?.result ?? 0n,
    };
  });
}

export function Outlook({ outlook }: { outlook: ReturnType<typeof computeOutlook> }) {
  const t = useText();
  return (
    <div className="hairlines border-y border-line">
      {outlook.map(({ name, satoshi, worth, result, projection }) => (
        <div key={name} className="px-4 py-3">
          <h3 className="font-strong">{t(`mining.outlook.${name}`)}</h3>
          <p className="text-caption text-ink-faint">{t(`mining.outlook.${name}.what`)}</p>
          <dl className="mt-1.5 grid grid-cols-[1fr_auto] gap-x-3 gap-y-0.5">
            <dt className="text-ink-soft">{t("mining.outlook.payout")}</dt>
            <dd className="text-right">
              <Amount value={formatDecimal(satoshi, 8)} coin="pBTC" />
            </dd>
            <dt className="text-ink-soft">{t("mining.outlook.worth")}</dt>
            <dd className="text-right">
              <Amount short="worth" value={worth} coin="pUSDT" />
            </dd>
            <dt className="font-strong">{t("mining.result")}</dt>
            <dd className="text-right font-strong">
              <Amount short="worth" value={result} coin="pUSDT" signed toned />
            </dd>
          </dl>
          <p className="mt-1 text-small text-ink-soft">
            {projection.breakEvenDay === null
              ? t("mining.outlook.never")
              : t("mining.outlook.breaksEven", { day: projection.breakEvenDay })}
          </p>
        </div>
      ))}
    </div>
  );
}
